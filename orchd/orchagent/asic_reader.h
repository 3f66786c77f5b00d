/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_ASIC_READER_H
#define ORCHD_ORCHAGENT_ASIC_READER_H

/* Reads what orchagent and syncd write about the switch (asic_rows.h), and
 * follows its changes.
 *
 * A notification only says that a hash has changed; it is then read as it is,
 * once per turn.  After each connect and each flush of a database everything is
 * read again, and what was not found is dropped. */

#include <stdbool.h>

#include "orchd/db/redis_types.h"

struct asic_reader;
struct asic_rows;
struct redis;

/* The keys to listen to, for redis_options.watched. */
extern const struct redis_keys asic_reader_keys[];

/* Returns a reader that fills 'rows'.  Both are borrowed.  Free it with
 * asic_reader_destroy(), which accepts NULL. */
struct asic_reader *asic_reader_create(struct redis *redis,
                                       struct asic_rows *rows);
void asic_reader_destroy(struct asic_reader *reader);

/* Redis has become reachable, or may have lost data: reads everything. */
void asic_reader_restart(struct asic_reader *reader);

/* Notes that a key has changed. */
void asic_reader_key(struct asic_reader *reader, enum database database,
                     const char *key);

/* Requests what has changed; call it once per turn. */
void asic_reader_turn(struct asic_reader *reader);

/* Returns whether everything was read, once. */
bool asic_reader_complete(const struct asic_reader *reader);

#endif /* orchd/orchagent/asic_reader.h */
