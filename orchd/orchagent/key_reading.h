/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_KEY_READING_H
#define ORCHD_ORCHAGENT_KEY_READING_H

/* A complete reading of all hashes whose keys match a list of patterns.
 *
 * Internal to orchagent/.  A reading may be started again while one is in
 * progress, when a database was flushed: it ends once, after everything that
 * the last start has found was read.  A reading that loses its connection has
 * no end; the owner starts the next one. */

#include <stdbool.h>

#include "orchd/db/redis.h"
#include "orchd/db/redis_types.h"

struct key_reading;

/* What it calls, with the context of key_reading_create(). */
struct key_reading_ops {
    /* What is passed on from here on was read after the last start: whatever
     * is not passed on again no longer exists. */
    void (*began)(void *context);

    /* A hash; possibly twice. */
    redis_fetch_fn *fetched;

    /* All hashes were passed on. */
    void (*ended)(void *context);
};

/* Returns a reading of the hashes with 'keys', at least one of which is a
 * pattern with a "*"; a key without one is passed on even if there is no such
 * hash.  'keys' and 'ops' are borrowed.  Free it with key_reading_destroy(),
 * which accepts NULL, after the connection was closed. */
struct key_reading *key_reading_create(struct redis *redis,
                                       const struct redis_keys *keys,
                                       const struct key_reading_ops *ops,
                                       void *context);
void key_reading_destroy(struct key_reading *reading);

/* Starts it, or starts it again. */
void key_reading_start(struct key_reading *reading);

/* Returns whether some of its keys have still to be found. */
bool key_reading_in_progress(const struct key_reading *reading);

#endif /* orchd/orchagent/key_reading.h */
