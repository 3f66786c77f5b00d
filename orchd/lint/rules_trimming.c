/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about packets that are trimmed instead of dropped. */

#include <config.h>

#include <inttypes.h>

#include "orchd/lint/rules.h"

/* Returns a port at which trimmed packets go to a lossless queue, NULL if there
 * is none. */
static const struct lint_port *
find_paused(const struct lint_input *input)
{
    for (size_t i = 0; input->trims_to && i < input->n_ports; i++) {
        const struct lint_port *port = &input->ports[i];

        if (port->lossless_queues >> input->trim_queue & 1) {
            return port;
        }
    }
    return NULL;
}

static bool
is_used(const struct lint_input *input)
{
    for (size_t i = 0; i < input->n_profiles; i++) {
        if (input->profiles[i].trims && input->profiles[i].n_users) {
            return true;
        }
    }
    return false;
}

void
lint_trimming_rules(struct lint_run *run)
{
    const struct lint_input *input = run->input;
    const struct lint_port *paused = find_paused(input);

    if (!input->trimming) {
        return;
    }
    if (paused) {
        lint_add(
            run->groups, LINT_RULE_TRIM_PAUSED, "SWITCH_TRIMMING", "GLOBAL", -1,
            "choose a queue whose traffic classes have no PFC, above the "
            "others",
            "trimmed packets go to queue %" PRIu64 ", which is lossless at %s",
            input->trim_queue, paused->name);
    }
    if (!is_used(input)) {
        lint_add(run->groups, LINT_RULE_TRIM_IDLE, "SWITCH_TRIMMING", "GLOBAL",
                 -1,
                 "set packet_discard_action of the profile of lossy queues to "
                 "trim",
                 "no profile of a queue has packet_discard_action trim, so "
                 "nothing is trimmed");
    }
}
