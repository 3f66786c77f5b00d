/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_ASIC_STATES_H
#define ORCHD_ORCHAGENT_ASIC_STATES_H

/* What STATE_DB says of ports and of the switch, and APPL_STATE_DB of pools and
 * profiles.  A part of struct asic_rows (asic_rows.h), which hands in the rows.
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct asic_states;
struct field;

/* Rows of STATE_DB: limits of a port or, as "global", of the switch; and the
 * state of a port.  Rows of APPL_STATE_DB, orchagent's answers: only for pools
 * and profiles with "xoff", and only success. */
#define ASIC_STATES_LIMITS   "BUFFER_MAX_PARAM_TABLE|"
#define ASIC_STATES_PORTS    "PORT_TABLE|"
#define ASIC_STATES_POOLS    "BUFFER_POOL_TABLE:"
#define ASIC_STATES_PROFILES "BUFFER_PROFILE_TABLE:"

/* What a port can have; 0: not reported. */
struct asic_limits {
    uint32_t n_pgs, n_queues;
    uint64_t headroom_bytes;
};

/* Returns an empty collection; free it with asic_states_destroy(). */
struct asic_states *asic_states_create(void);
void asic_states_destroy(struct asic_states *states);

/* Sets what the row 'key', one of those above, says; no fields: it is gone.
 * 'moment' is that of asic_rows_moment().  Returns whether something changed.
 */
bool asic_states_put(struct asic_states *states, const char *key,
                     const struct field *fields, size_t n, uint64_t moment);

/* Removes the rows that were not set since 'moment'; returns how many. */
size_t asic_states_sweep(struct asic_states *states, uint64_t moment);

/* Returns the limits of a port, all 0 if unknown; the size of the packet
 * buffer in bytes, 0 if unknown. */
struct asic_limits asic_states_limits(const struct asic_states *states,
                                      const char *name);
uint64_t asic_states_memory(const struct asic_states *states);

/* Returns whether orchagent has answered for the row 'name' of 'table',
 * ASIC_STATES_POOLS or _PROFILES, and stores in '*xoff_bytes' what. */
bool asic_states_answer(const struct asic_states *states, const char *table,
                        const char *name, uint64_t *xoff_bytes);

/* Returns the speeds in Mb/s that a port supports, and their number in '*n', 0
 * if unknown.  Borrowed until its row is set again. */
const uint32_t *asic_states_speeds(const struct asic_states *states,
                                   const char *name, uint32_t *n);

#endif /* orchd/orchagent/asic_states.h */
