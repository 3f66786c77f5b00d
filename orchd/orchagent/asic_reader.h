/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_ASIC_READER_H
#define ORCHD_ORCHAGENT_ASIC_READER_H

/* Reads what orchagent and syncd write about the switch (asic_rows.h), and
 * follows its changes.
 *
 * A notification only says that a hash has changed; the next turn reads it,
 * once.  After each connect and each flush of a database everything is read
 * again; at the end of that reading, rows and limits that it has not found are
 * dropped.  Until then what was known before stays in 'rows'. */

#include <stdbool.h>

#include "orchd/db/redis_types.h"
#include "orchd/orchagent/asic_states.h"

struct asic_reader;
struct asic_rows;
struct redis;

/* The keys to listen to, for redis_options.watched: X(database, pattern).
 * RIDTOVID has an entry for each object of the switch, routes' next hops
 * included: it is read together with LANES, but not watched. */
#define ASIC_READER_WATCHED(X)                                                 \
    X(ASIC_DB, ASIC_READER_ROWS("SWITCH"))                                     \
    X(ASIC_DB, ASIC_READER_ROWS("PORT"))                                       \
    X(ASIC_DB, ASIC_READER_ROWS("QUEUE"))                                      \
    X(ASIC_DB, ASIC_READER_ROWS("INGRESS_PRIORITY_GROUP"))                     \
    X(ASIC_DB, ASIC_READER_ROWS("BUFFER_POOL"))                                \
    X(ASIC_DB, ASIC_READER_ROWS("BUFFER_PROFILE"))                             \
    X(ASIC_DB, ASIC_READER_ROWS("QOS_MAP"))                                    \
    X(ASIC_DB, ASIC_READER_ROWS("SCHEDULER"))                                  \
    X(ASIC_DB, ASIC_READER_ROWS("SCHEDULER_GROUP"))                            \
    X(ASIC_DB, ASIC_READER_ROWS("WRED"))                                       \
    X(ASIC_DB, "LANES")                                                        \
    X(COUNTERS_DB, "COUNTERS_PORT_NAME_MAP")                                   \
    X(COUNTERS_DB, "COUNTERS_PG_NAME_MAP")                                     \
    X(COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP")                                  \
    X(COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP")                            \
    X(STATE_DB, ASIC_STATES_LIMITS "*")                                        \
    X(STATE_DB, ASIC_STATES_PORTS "*")                                         \
    X(APPL_STATE_DB, ASIC_STATES_POOLS "*")                                    \
    X(APPL_STATE_DB, ASIC_STATES_PROFILES "*")
#define ASIC_READER_ROWS(type) "ASIC_STATE:SAI_OBJECT_TYPE_" type ":*"

/* The same as a list. */
extern const struct redis_keys asic_reader_keys[];

/* Returns a reader that fills 'rows'.  Both are borrowed.  Free it with
 * asic_reader_destroy(), which accepts NULL. */
struct asic_reader *asic_reader_create(struct redis *redis,
                                       struct asic_rows *rows);
void asic_reader_destroy(struct asic_reader *reader);

/* Redis has become reachable, or may have lost data: reads everything, also if
 * a reading is in progress. */
void asic_reader_restart(struct asic_reader *reader);

/* A notification may have been lost: reads everything, unless a reading is in
 * progress. */
void asic_reader_refresh(struct asic_reader *reader);

/* Notes that a key of ASIC_READER_WATCHED has changed. */
void asic_reader_key(struct asic_reader *reader, enum database database,
                     const char *key);

/* Requests what has changed; call it once per turn. */
void asic_reader_turn(struct asic_reader *reader);

/* Returns whether a complete reading has ended, since the creation. */
bool asic_reader_complete(const struct asic_reader *reader);

#endif /* orchd/orchagent/asic_reader.h */
