/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about ports. */

#include <config.h>

#include "orchd/lint/rules.h"

void
lint_port_rules(struct lint_run *run)
{
    for (size_t i = 0; i < run->input->n_ports; i++) {
        const struct lint_port *port = &run->input->ports[i];

        if (port->shares_lane) {
            lint_add(run->groups, LINT_RULE_SHARED_LANE, "PORT", port->name, -1,
                     "give the two ports different lanes, unless only one of "
                     "them has a cable",
                     "another port has lane %u as well", port->shared_lane);
        }
    }
}
