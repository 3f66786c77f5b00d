/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the attributes and counters of link-level retry. */

#include <config.h>

#include "orchd/control/show_llr.h"

#include <string.h>

#include "orchd/control/command.h"
#include "orchd/control/show_walk.h"
#include "orchd/control/value.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/row_answer.h"

/* What is read of a port, under a name. */
struct read {
    const char *name;
    uint32_t id;
};

static const struct read attributes[] = {
    {"profile", SAI_PORT_ATTR_LLR_PROFILE},
    {"send", SAI_PORT_ATTR_LLR_MODE_REMOTE},
    {"tx_status", SAI_PORT_ATTR_LLR_TX_STATUS},
    {"receive", SAI_PORT_ATTR_LLR_MODE_LOCAL},
    {"rx_status", SAI_PORT_ATTR_LLR_RX_STATUS},
};

static const struct read counters[] = {
    {"tx_ok", SAI_PORT_STAT_LLR_TX_OK},
    {"tx_replay", SAI_PORT_STAT_LLR_TX_REPLAY},
    {"tx_discard", SAI_PORT_STAT_LLR_TX_DISCARD},
    {"rx_ok", SAI_PORT_STAT_LLR_RX_OK},
    {"rx_bad", SAI_PORT_STAT_LLR_RX_BAD},
    {"rx_missing", SAI_PORT_STAT_LLR_RX_MISSING_SEQ},
    {"rx_duplicate", SAI_PORT_STAT_LLR_RX_DUPLICATE_SEQ},
};

/* Adds what the ASIC reports of 'port'; null: it does not. */
static void
add_read(const struct show *show, const struct object *port, json_t *item)
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        json_t *value = value_read(show->context, SAI_OBJECT_TYPE_PORT,
                                   port->oid, attributes[i].id, show->names);

        json_object_set_new(item, attributes[i].name,
                            value ? value : json_null());
    }
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        uint64_t count = 0;
        const bool known = show_counter(show, SAI_OBJECT_TYPE_PORT, port->oid,
                                        counters[i].id, &count);

        json_object_set_new(item, counters[i].name, show_count(known, count));
    }
}

static void
visit(void *context, const struct object *object)
{
    const struct show *show = context;
    struct row_answer answer = {0};
    const struct row_status *status =
        agent_row_status(show->context->services.agent, TABLE_LLR_PORT,
                         object->name.name, &answer);
    json_t *item;

    if (status) {
        item =
            json_pack("{s:s, s:s, s:s}", "port", object->name.name, "state",
                      row_state_name(status->state), "code", status->err.code);
        if (strcmp(status->err.code, "no-llr") != 0) {
            add_read(show, object, item);
        }
        json_array_append_new(show->list, item);
    }
    row_answer_fini(&answer);
}

void
show_llr(struct call *call)
{
    static const enum table ports[] = {TABLE_PORT};
    const struct show show = {.tables = ports, .n_tables = 1};

    show_run(call, &show, "llr", visit);
}
