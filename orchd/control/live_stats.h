/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_LIVE_STATS_H
#define ORCHD_CONTROL_LIVE_STATS_H

/* The SAI counters that "show live" reads, of many objects in one call; for its
 * own files only.
 *
 * A call: live_stats_add() for each object, live_stats_read(), and then
 * live_stats_take() for each counter. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct sai_backend;

#define LIVE_COUNTERS_MAX 16 /* Of one type. */

enum live_type_index {
    LIVE_OF_PORT,
    LIVE_OF_POOL,
    LIVE_OF_PG,
    LIVE_OF_QUEUE,
    LIVE_N_TYPES,
};

/* The counters of one type. */
struct live_type {
    sai_object_type_t type;
    const sai_stat_id_t *wanted;
    size_t n_wanted;
    bool known; /* The rest is valid: */
    sai_stat_id_t ids[LIVE_COUNTERS_MAX];
    size_t position[LIVE_COUNTERS_MAX]; /* In 'wanted'. */
    uint32_t n;
};

struct live_stats {
    struct live_type types[LIVE_N_TYPES];

    /* For one call; owned. */
    sai_object_key_t *keys;
    size_t *rows;
    uint64_t *read;
    sai_status_t *statuses;
    size_t room;
};

/* Begins without objects, and without knowing which counters there are.  End
 * with live_stats_fini(). */
void live_stats_init(struct live_stats *counters);
void live_stats_fini(struct live_stats *counters);

/* Forgets which counters there are: another switch has come. */
void live_stats_forget(struct live_stats *counters);

/* Adds object 'oid', which is number 'n' of the next call, for 'row' of its
 * table. */
void live_stats_add(struct live_stats *counters, size_t n, sai_object_id_t oid,
                    size_t row);

/* Reads the counters of the first 'n' objects, which are all of type 'which'.
 * Returns the counters that there are. */
const struct live_type *live_stats_read(struct live_stats *counters,
                                        struct sai_backend *backend, size_t n,
                                        enum live_type_index which);

/* Stores counter 'position' of object 'i', as it was wanted, in '*value', if it
 * was read; returns whether it was. */
bool live_stats_take(const struct live_stats *counters,
                     const struct live_type *type, size_t i, size_t position,
                     uint64_t *value);

/* Returns a counter of 64 bits as a value of a column. */
int64_t live_stats_value(uint64_t counter);

#endif /* orchd/control/live_stats.h */
