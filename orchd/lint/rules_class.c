/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about traffic classes: PFC, and their groups and queues. */

#include <config.h>

#include "base/pfc.h"
#include "orchd/lint/rules.h"

static const char pg_remedy[] =
    "give the group a profile with xoff, or configure the lookup table that "
    "provides one (lookup_file), or remove the priority from pfc_enable";

/* A class with PFC and one without; LINT_TCS: none. */
struct classes {
    unsigned int lossless, lossy;
};

/* Returns a class of each kind that occurs at 'port' and maps to 'target'. */
static struct classes
classes_of(const struct lint_port *port, const uint8_t *targets, int target)
{
    struct classes classes = {LINT_TCS, LINT_TCS};

    for (unsigned int word = 0; word < LINT_TCS / 64; word++) {
        /* Few of all classes occur. */
        for (uint64_t left = port->tcs[word]; left; left &= left - 1) {
            const unsigned int tc =
                word * 64 + (unsigned int)__builtin_ctzll(left);

            if (targets[tc] != target) {
                continue;
            }
            if (lint_tc_is_lossless(port, tc)) {
                classes.lossless = tc;
            } else {
                classes.lossy = tc;
            }
        }
    }
    return classes;
}

static void
check_pg(struct lint_run *run, const struct lint_port *port, int pg)
{
    const struct lint_profile *profile = port->pgs[pg];
    bool has_headroom = profile && profile->xoff_bytes;
    bool wanted = (port->lossless_pgs >> pg & 1) != 0;
    struct classes classes = classes_of(port, port->tc_to_pg, pg);

    if (wanted && !has_headroom) {
        lint_add(run->groups, LINT_RULE_PFC_WITHOUT_PG, "BUFFER_PG", port->name,
                 pg, pg_remedy, "PFC is enabled for it, but it has %s%s",
                 profile ? "the lossy profile " : "no profile",
                 profile ? profile->name : "");
    }
    if (has_headroom && !wanted) {
        lint_add(run->groups, LINT_RULE_PG_WITHOUT_PFC, "BUFFER_PG", port->name,
                 pg,
                 "enable PFC for the priority, or use a profile without xoff",
                 "%s has headroom, and no priority of the group is in "
                 "pfc_enable",
                 profile->name);
    }
    if (classes.lossless < LINT_TCS && classes.lossy < LINT_TCS) {
        lint_add(run->groups, LINT_RULE_MIXED_PG, "BUFFER_PG", port->name, pg,
                 "send them to different groups in TC_TO_PRIORITY_GROUP_MAP",
                 "traffic class %u, with PFC, and %u, without, map to it",
                 classes.lossless, classes.lossy);
    }
}

static void
check_queue(struct lint_run *run, const struct lint_port *port, int queue)
{
    struct classes classes = classes_of(port, port->tc_to_queue, queue);

    if (classes.lossless < LINT_TCS && classes.lossy < LINT_TCS) {
        lint_add(run->groups, LINT_RULE_MIXED_QUEUE, "BUFFER_QUEUE", port->name,
                 queue, "send them to different queues in TC_TO_QUEUE_MAP",
                 "traffic class %u, with PFC, and %u, without, map to it",
                 classes.lossless, classes.lossy);
    }
}

static void
check_watchdog(struct lint_run *run, const struct lint_port *port)
{
    if (port->lossless_queues && !port->watched) {
        lint_add(run->groups, LINT_RULE_NO_WATCHDOG, "PORT_QOS_MAP", port->name,
                 -1, "add a PFC_WD row for the port, and set pfcwd_sw_enable",
                 "its lossless queues have no PFC watchdog");
    } else if (port->lossless_queues & ~(uint64_t)port->watch_mask) {
        lint_add(run->groups, LINT_RULE_NO_WATCHDOG, "PORT_QOS_MAP", port->name,
                 -1, "add the queues to pfcwd_sw_enable",
                 "some of its lossless queues are not in pfcwd_sw_enable, so "
                 "the watchdog does not watch them");
    }
}

void
lint_class_rules(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_ports; i++) {
        const struct lint_port *port = &run->input->ports[i];

        for (int pg = 0; pg < PFC_N_PRIORITIES; pg++) {
            check_pg(run, port, pg);
        }
        for (int queue = 0; queue < LINT_QUEUES; queue++) {
            check_queue(run, port, queue);
        }
        check_watchdog(run, port);
    }
}
