/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_PORT_SLOTS_H
#define ORCHD_SOFTASIC_PROGRAM_PORT_SLOTS_H

/* The slots of ports and LAGs (struct state_port).
 *
 * A chip has slots for all ports into which it can be split, which are several
 * times those that a configuration has, and a slot takes a hundred bytes.  So a
 * switch allocates them when they are needed: 'n_ports' of struct asic is the
 * number of slots of ports that it has in memory.  All that are not are free.
 * Slots may move when one is added. */

#include <stdint.h>

#include "vendors/softasic/state.h"

/* Allocates the first 'n' slots of ports, if there are fewer. */
void port_slots_reserve(struct asic *asic, uint32_t n);

/* Allocates all slots of ports, and those of LAGs behind them. */
void port_slots_reserve_lags(struct asic *asic);

/* Returns the first slot without a port, which is allocated; MMU_NONE if the
 * chip has no more. */
uint32_t port_slots_find_free(struct asic *asic);

#endif /* vendors/softasic/program/port_slots.h */
