/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SIM_SETUP_H
#define ORCHD_TESTS_SUPPORT_SIM_SETUP_H

/* Switches whose DSCP n is in PG and queue n, for tests of the twin. */

#include <stdint.h>

#include "twin/qos/pause_frame.h"
#include "twin/switch/sim.h"

/* The address behind 'port'. */
#define SIM_SETUP_MAC(port) (UINT64_C(0x020000000000) + (port))

/* Has 'sim' take DSCP n, below 8, into traffic class, PG and queue n. */
void sim_setup_classes(struct sim *sim);

/* Does the same, and adds ports 0 to 'n' - 1 of one lane each with 'config',
 * and the address behind each.  Failures stop the process. */
void sim_setup_ports(struct sim *sim, uint32_t n,
                     const struct sim_port_config *config);

/* Lets a control frame of the 'n' bytes at 'bytes' arrive at 'port', when it
 * has been on the wire. */
void sim_setup_control(struct sim *sim, uint32_t port, const uint8_t *bytes,
                       uint32_t n);

/* Does so with a pause of 'kind', of 'quanta' for each priority; 'priorities'
 * is the vector of PFC. */
void sim_setup_pause(struct sim *sim, uint32_t port, enum pause_frame_kind kind,
                     uint8_t priorities, uint16_t quanta);

#endif /* tests/support/sim_setup.h */
