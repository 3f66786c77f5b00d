/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and classes of a switch, and pauses that arrive there. */

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

void
sim_setup_control(struct sim *sim, uint32_t port, const uint8_t *bytes,
                  uint32_t n)
{
    const struct sim_frame frame = {.dst_mac = PAUSE_FRAME_ADDRESS,
                                    .src_mac = SIM_SETUP_MAC(100),
                                    .length_bytes = n,
                                    .dscp = -1,
                                    .payload = sim_payload_create(n, bytes)};
    const enum st st = sim_send(sim, port, &frame, 1, 0, NULL);

    orch_assert(st == ST_OK);
    sim_payload_unref(frame.payload);
}

void
sim_setup_pause(struct sim *sim, uint32_t port, enum pause_frame_kind kind,
                uint8_t priorities, uint16_t quanta)
{
    struct pause_frame pause = {.kind = kind, .priorities = priorities};
    uint8_t bytes[PAUSE_FRAME_BYTES];

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        pause.quanta[i] = quanta;
    }
    pause_frame_build(&pause, SIM_SETUP_MAC(100), bytes);
    sim_setup_control(sim, port, bytes, sizeof bytes);
}
