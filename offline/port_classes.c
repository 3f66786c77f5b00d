/* SPDX-License-Identifier: Apache-2.0 */

/* Compares ports as lint sees them. */

#include <config.h>

#include "offline/port_classes.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"

#define N_DSCPS 64

static bool
is_up(struct agent *agent, const char *port)
{
    const struct row *row = agent_row(agent, TABLE_PORT, port);
    const char *status = row ? row_field(row, "admin_status") : NULL;

    return status && !strcmp(status, "up");
}

static bool
behaves_like(const struct lint_port *a, const struct lint_port *b)
{
    return a->speed_mbps == b->speed_mbps && a->mtu == b->mtu &&
           a->cable_known == b->cable_known && a->cable_m == b->cable_m &&
           a->pfc_mask == b->pfc_mask && a->lossless_pgs == b->lossless_pgs &&
           a->lossless_queues == b->lossless_queues &&
           !memcmp(a->pgs, b->pgs, sizeof a->pgs) &&
           !memcmp(a->queues, b->queues, sizeof a->queues) &&
           !memcmp(a->wreds, b->wreds, sizeof a->wreds) &&
           !memcmp(a->tcs, b->tcs, sizeof a->tcs) &&
           !memcmp(a->tc_to_pg, b->tc_to_pg, sizeof a->tc_to_pg) &&
           !memcmp(a->tc_to_queue, b->tc_to_queue, sizeof a->tc_to_queue);
}

void
port_classes_init(struct port_classes *classes, struct agent *agent)
{
    struct lint_input *input = &classes->input;

    memset(classes, 0, sizeof *classes);
    lint_input_collect(input, agent);
    lint_input_collect_children(input, agent);
    classes->classes =
        arena_alloc(input->arena, input->n_ports + 1, sizeof *classes->classes);
    for (size_t i = 0; i < input->n_ports; i++) {
        const struct lint_port *port = &input->ports[i];
        const bool up = is_up(agent, port->name);
        struct port_class *class;
        size_t k = 0;

        while (k < classes->n &&
               (classes->classes[k].up != up ||
                !behaves_like(classes->classes[k].ports[0], port))) {
            k++;
        }
        class = &classes->classes[k];
        if (k == classes->n) {
            classes->n++;
            class->up = up;
            class->n = 0;
            class->ports =
                arena_alloc(input->arena, input->n_ports, sizeof *class->ports);
        }
        class->ports[class->n++] = port;
    }
}

void
port_classes_fini(struct port_classes *classes)
{
    lint_input_fini(&classes->input);
    memset(classes, 0, sizeof *classes);
}

/* A search for the row of PORT_QOS_MAP that a port has. */
struct search {
    struct agent *agent;
    const char *port;
    char map[128]; /* Its dscp_to_tc_map, ... */
    char all[128]; /* ... and that of the row of all ports. */
};

static void
visit_row(void *search_, const struct row_status *status)
{
    struct search *search = search_;
    const struct row *row =
        agent_row(search->agent, status->table, status->key);
    const char *map = row ? row_field(row, "dscp_to_tc_map") : NULL;

    for (size_t i = 0; map && i < row->n_ports; i++) {
        if (!strcmp(row->ports[i], search->port)) {
            text_copy(search->map, sizeof search->map, map);
        } else if (!strcmp(row->ports[i], "global")) {
            text_copy(search->all, sizeof search->all, map);
        }
    }
}

bool
port_classes_dscp(struct agent *agent, const char *port, unsigned int tc,
                  unsigned int *dscp)
{
    static const enum table table = TABLE_PORT_QOS_MAP;
    struct search search = {.agent = agent, .port = port};
    const struct row *row;
    char wanted[16];

    agent_each_row_of(agent, &table, 1, visit_row, &search);
    row = agent_row(agent, TABLE_DSCP_TO_TC_MAP,
                    *search.map ? search.map : search.all);
    text_format(wanted, sizeof wanted, "%u", tc);
    for (unsigned int i = 0; row && i < N_DSCPS; i++) {
        char name[16];
        const char *value;

        text_format(name, sizeof name, "%u", i);
        value = row_field(row, name);
        if (value && !strcmp(value, wanted)) {
            *dscp = i;
            return true;
        }
    }
    return false;
}
