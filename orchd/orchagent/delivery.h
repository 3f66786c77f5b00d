/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_DELIVERY_H
#define ORCHD_ORCHAGENT_DELIVERY_H

/* Brings the rows of an agent to a switch that orchagent programs.
 *
 * Connects the parts of orchagent/ with the agent: rows in force are published
 * (appl_tables.h), the reader follows ASIC_DB (asic_reader.h), and the agent
 * judges rows by the backend (evidence.h).
 *
 * Publishing does not depend on the switch: orchagent holds ports back until it
 * has their buffers.  The switch is usable once ASIC_DB has it with all ports
 * of CONFIG_DB, if there are any, and STATE_DB their limits; or with what there
 * is of that, at least a port, after DELIVERY_PATIENCE_NS.  (The agent reads
 * limits and supported speeds once.)
 *
 * A restarted orchagent does not read again what was published before it
 * started, and another failure may lose a row as well.  So orchd publishes
 * those rows again that ASIC_DB does not confirm: at first after
 * DELIVERY_REPEAT_LOST_NS if it did before, else after DELIVERY_REPEAT_MIN_NS;
 * then, as long as ASIC_DB does not change, with doubling intervals up to
 * DELIVERY_REPEAT_MAX_NS.
 *
 * Reads no clock; times are nanoseconds of the timeline. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/db/redis_types.h"
#include "orchd/orchagent/evidence.h"

struct agent;
struct asic_rows;
struct delivery;
struct evidence;
struct redis;
struct timeline;

#define DELIVERY_PATIENCE_NS    EVIDENCE_LIMITS_NS
#define DELIVERY_REPEAT_LOST_NS (INT64_C(100) * 1000 * 1000)
#define DELIVERY_REPEAT_MIN_NS  (INT64_C(1) * 1000 * 1000 * 1000)
#define DELIVERY_REPEAT_MAX_NS  (INT64_C(60) * 1000 * 1000 * 1000)

/* What a delivery works with; all borrowed. */
struct delivery_options {
    struct agent *agent;
    struct redis *redis;
    struct timeline *timeline; /* A timer wakes its owner for a turn. */
    int64_t confirm_ns;        /* How long a row waits for its evidence. */
};

/* Returns a delivery that listens to the rows in force of the agent; 'options'
 * are copied.  Free it with delivery_destroy(), which accepts NULL, after the
 * connection to Redis was closed. */
struct delivery *delivery_create(const struct delivery_options *options);
void delivery_destroy(struct delivery *delivery);

/* A complete reading of CONFIG_DB has begun, in case a notification was lost:
 * reads ASIC_DB again as well.  And it has ended; nothing is published before
 * that. */
void delivery_begin_reading(struct delivery *delivery);
void delivery_note_reading(struct delivery *delivery);

/* Redis has become reachable, or may have lost data; a key of
 * asic_reader_keys was written or removed. */
void delivery_resync(struct delivery *delivery);
void delivery_key(struct delivery *delivery, enum database database,
                  const char *key);

/* Begins a turn: requests what has changed.  Returns true if the switch has
 * become usable in this call; the caller then attaches the agent to
 * evidence_backend(). */
bool delivery_turn(struct delivery *delivery, int64_t now);

/* Ends a turn of the agent: publishes what has changed, then lets the agent
 * judge by what has arrived; nothing before delivery_note_reading().
 * 'settled': all rows of CONFIG_DB are known, and the agent has nothing left to
 * do.  Returns whether
 * the agent has work again. */
bool delivery_turn_end(struct delivery *delivery, int64_t now, bool settled);

/* Return the evidence, and what it is taken from; borrowed. */
struct evidence *delivery_evidence(const struct delivery *delivery);
const struct asic_rows *delivery_rows(const struct delivery *delivery);

/* Returns whether ASIC_DB was read; whether it has a switch that will be usable
 * soon. */
bool delivery_asic_read(const struct delivery *delivery);
bool delivery_asic_coming(const struct delivery *delivery);

/* See appl_tables_known(). */
bool delivery_appl_known(const struct delivery *delivery, size_t *n_pending);

#endif /* orchd/orchagent/delivery.h */
