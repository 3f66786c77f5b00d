/* SPDX-License-Identifier: Apache-2.0 */

/* Counts the walks that have not ended, whichever start has begun them. */

#include <config.h>

#include "orchd/orchagent/key_reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* One pattern. */
struct walk {
    struct key_reading *reading;
    const struct redis_keys *keys;
};

struct key_reading {
    struct redis *redis;
    const struct key_reading_ops *ops;
    void *context;
    unsigned int n_open; /* Walks that have not ended, of all starts. */
    bool lost;           /* One of them has lost its connection. */
    size_t n;
    struct walk walks[];
};

struct key_reading *
key_reading_create(struct redis *redis, const struct redis_keys *keys,
                   const struct key_reading_ops *ops, void *context)
{
    struct key_reading *reading;
    size_t n = 0;

    while (keys[n].pattern) {
        n++;
    }
    reading = check_calloc(1, sizeof *reading + n * sizeof *reading->walks);
    reading->redis = redis;
    reading->ops = ops;
    reading->context = context;
    reading->n = n;
    for (size_t i = 0; i < n; i++) {
        reading->walks[i] = (struct walk){reading, &keys[i]};
    }
    return reading;
}

void
key_reading_destroy(struct key_reading *reading)
{
    free(reading);
}

static bool
is_pattern(const struct redis_keys *keys)
{
    return strchr(keys->pattern, '*') != NULL;
}

/* Implements redis_found_fn. */
static void
on_found(void *walk_, const char *key)
{
    const struct walk *walk = walk_;

    redis_fetch(walk->reading->redis, walk->keys->database, key,
                walk->reading->ops->fetched, walk->reading->context);
}

/* The answer to the first request after a start: those to all earlier requests,
 * which may be older than the start, came before. */
static void
on_first(void *reading_, const char *key, const struct field *fields, size_t n)
{
    const struct key_reading *reading = reading_;

    (void)key;
    (void)fields;
    (void)n;
    reading->ops->began(reading->context);
}

/* The answer to the last request of a reading: all others came before. */
static void
on_last(void *reading_, const char *key, const struct field *fields, size_t n)
{
    const struct key_reading *reading = reading_;

    (void)key;
    (void)fields;
    (void)n;
    if (reading->n_open == 0) {
        reading->ops->ended(reading->context);
    }
}

/* One walk has found all its keys; the answers for these come next. */
static void
on_walked(void *walk_, enum st status)
{
    const struct walk *walk = walk_;
    struct key_reading *reading = walk->reading;

    reading->lost |= status == ST_IO;
    if (--reading->n_open == 0 && !reading->lost) {
        redis_fetch(reading->redis, walk->keys->database, walk->keys->pattern,
                    on_last, reading);
    }
}

void
key_reading_start(struct key_reading *reading)
{
    reading->lost = false;
    redis_fetch(reading->redis, reading->walks[0].keys->database,
                reading->walks[0].keys->pattern, on_first, reading);
    for (size_t i = 0; i < reading->n; i++) {
        reading->n_open += is_pattern(reading->walks[i].keys);
    }
    for (size_t i = 0; i < reading->n; i++) {
        struct walk *walk = &reading->walks[i];

        if (!is_pattern(walk->keys)) {
            on_found(walk, walk->keys->pattern);
            continue;
        }
        redis_list(reading->redis, walk->keys->database, walk->keys->pattern,
                   on_found, on_walked, walk);
    }
}

bool
key_reading_in_progress(const struct key_reading *reading)
{
    return reading->n_open > 0;
}
