/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLED_OBJECT_H
#define ORCHD_TELEMETRY_POLLING_POLLED_OBJECT_H

/* The objects that the poller (poller.h) reads, and its listener.
 *
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/counter_group.h"

/* The most objects per slice, and thus per turn. */
#define POLLER_SLICE 128

/* Counters that are read together. */
struct counter_list {
    enum counter_group group;
    uint32_t n;
    sai_stat_id_t ids[COUNTERS_MAX];
};

/* When counters were read. */
struct polled_time {
    int64_t when;      /* The time that poller_turn() was given. */
    int64_t switch_ns; /* By the clock of the switch (poller.h). */
};

/* The values of one object in one group. */
struct polled_reading {
    const struct counter_list *list; /* NULL before it is described. */
    sai_stats_mode_t mode;
    bool mute; /* The object has none of the counters. */

    /* Of the last reading. */
    bool known;
    struct polled_time at;
    uint64_t *values;
};

/* What identifies an object. */
struct polled_object_id {
    sai_object_id_t oid;
    sai_object_type_t type; /* Port, queue, priority group or pool. */
    int32_t kind;       /* sai_queue_type_t of a queue, else 0: objects of one
                         * type and kind have the same counters. */
    const char *name;   /* Of its port, or of the pool. */
    unsigned int index; /* Of a queue or priority group at its port. */
};

/* An object whose counters are read. */
struct polled_object {
    struct polled_object_id id;       /* Its name is the poller's. */
    struct polled_reading **readings; /* By group; the array and each
                                       * element are NULL until used. */
};

/* The clock of a switch whose time is not that of the host: a simulated switch
 * may run slower, or stand still.  Durations that it counts, of pauses, are
 * compared with the time that has passed on this clock. */
struct poller_clock {
    int64_t (*now)(void *context); /* In ns. */
    void *context;
};

/* The listener of a poller.  Arguments are borrowed for the call. */
struct poller_listener {
    /* The counters in 'list' have 'values'; 'old' are the values of the same
     * list in the previous call, NULL if there was none.  'at' is the time of
     * reading, and 'old_at' that of 'old'; equal if 'old' is NULL. */
    void (*values)(void *context, const struct polled_object *object,
                   const struct counter_list *list, const uint64_t *values,
                   const uint64_t *old, const struct polled_time *at,
                   const struct polled_time *old_at);

    /* From now on the object is read with this list and mode. */
    void (*described)(void *context, const struct polled_object *object,
                      const struct counter_list *list, sai_stats_mode_t mode);

    /* The object is removed, or is no longer read for this group. */
    void (*gone)(void *context, const struct polled_object *object,
                 enum counter_group group);

    /* Objects like this one do not support these counters, a comma list of
     * those that were not reported before. */
    void (*refused)(void *context, const struct polled_object *object,
                    enum counter_group group, const char *names);

    /* An object could not be read; reported for the first failure after a round
     * without one. */
    void (*failed)(void *context, const struct polled_object *object,
                   enum counter_group group, sai_status_t status);

    void *context;
};

/* Returns the reading of a group of 'object', or NULL. */
struct polled_reading *polled_object_reading(const struct polled_object *object,
                                             int group);

/* Stores the last value of counter 'id' of an object in 'group'.  Returns
 * false, and stores nothing, if it was not read. */
bool polled_object_value(const struct polled_object *object,
                         enum counter_group group, sai_stat_id_t id,
                         uint64_t *value);

#endif /* orchd/telemetry/polling/polled_object.h */
