/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and classes of a switch. */

#include <config.h>

#include "tests/support/sim_setup.h"

#include "base/check.h"

static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

void
sim_setup_classes(struct sim *sim)
{
    sim_rules(sim)->dscp_to_tc = &identity;
    sim_rules(sim)->tc_to_pg = &identity;
    sim_rules(sim)->tc_to_queue = &identity;
}

void
sim_setup_ports(struct sim *sim, uint32_t n,
                const struct sim_port_config *config)
{
    for (uint32_t i = 0; i < n; i++) {
        const enum st added = sim_port_add(sim, i, i, config);
        const enum st set = sim_fdb_set(sim, SIM_SETUP_MAC(i), i);

        orch_assert(added == ST_OK && set == ST_OK);
    }
    sim_setup_classes(sim);
}
