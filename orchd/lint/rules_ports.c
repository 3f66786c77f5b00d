/* SPDX-License-Identifier: Apache-2.0 */

/* Rules about ports. */

#include <config.h>

#include "orchd/lint/rules.h"

#include <inttypes.h>

#include "base/cable.h"

enum { PS_PER_MICROSECOND = 1000000 }; /* Mb/s times ps is a millionth bit. */

/* Compares what a port may have outstanding with what it could send until the
 * first acknowledgement of it is back. */
static void
check_window(struct lint_run *run, const struct lint_port *port)
{
    const uint64_t cable_bytes = (uint64_t)port->speed_mbps * port->cable_m *
                                 2 * CABLE_PS_PER_METRE /
                                 (8 * PS_PER_MICROSECOND);
    const uint64_t needed = cable_bytes + port->llr_spacing_bytes;

    if (!port->llr_profile || !port->cable_known ||
        port->llr_window_bytes >= needed) {
        return;
    }
    lint_add(run->groups, LINT_RULE_LLR_WINDOW, "LLR_PORT", port->name, -1,
             "raise max_outstanding_bytes of the profile, or lower "
             "ctlos_spacing_bytes",
             "max_outstanding_bytes of %s is %" PRIu64 ", and %" PRIu32
             " Mb/s over %" PRIu32 " m, acknowledged every %" PRIu64
             " bytes, need %" PRIu64 ": the link carries at most %" PRIu64
             " %% of its speed",
             port->llr_profile, port->llr_window_bytes, port->speed_mbps,
             port->cable_m, port->llr_spacing_bytes, needed,
             port->llr_window_bytes * 100 / needed);
}

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
        check_window(run, port);
    }
}
