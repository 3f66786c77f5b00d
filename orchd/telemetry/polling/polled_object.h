/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLED_OBJECT_H
#define ORCHD_TELEMETRY_POLLING_POLLED_OBJECT_H

/* Objects whose counters are read by the poller (poller.h), and who is told
 * what was read.
 *
 * Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/counter_group.h"

/* Objects per slice at most, so readings per turn. */
#define POLLER_SLICE 128

/* Counters that are read together. */
struct counter_list {
    enum counter_group group;
    uint32_t n;
    sai_stat_id_t ids[COUNTERS_MAX];
};

/* What is known of one object in one group. */
struct reading {
    const struct counter_list *list; /* NULL before it is described. */
    sai_stats_mode_t mode;
    bool mute; /* It has none of the counters. */

    /* Of the last time; the other one is for the next. */
    bool known;
    int64_t when;
    uint64_t *values;
};

/* What is known of an object before it is read. */
struct polled_object_place {
    sai_object_type_t type; /* Port, queue, priority group or pool. */
    sai_object_id_t oid;
    int32_t kind;       /* sai_queue_type_t of a queue, else 0: objects of one
                         * type and kind have the same counters. */
    const char *name;   /* Of its port, or of the pool. */
    unsigned int index; /* Of a queue or priority group at its port. */
};

/* An object whose counters are read. */
struct polled_object {
    struct polled_object_place place; /* Its name is the poller's. */
    struct reading **readings; /* By group; NULL before the first, each of
                                * them too. */
};

/* Who is told.  Arguments are borrowed for the call. */
struct poller_sink {
    /* The counters in 'list' have 'values'; 'old' is what was told before of
     * the same list, NULL if nothing was.  'when' is the time of reading, and
     * 'old_when' that of 'old'. */
    void (*values)(void *context, const struct polled_object *object,
                   const struct counter_list *list, const uint64_t *values,
                   const uint64_t *old, int64_t when, int64_t old_when);

    /* From now on the object is read in this way. */
    void (*described)(void *context, const struct polled_object *object,
                      const struct counter_list *list, sai_stats_mode_t mode);

    /* The object goes, or no longer has anything to do with the group. */
    void (*gone)(void *context, const struct polled_object *object,
                 enum counter_group group);

    /* Objects like this one do not have these counters, a comma list, of which
     * that was not told before. */
    void (*refused)(void *context, const struct polled_object *object,
                    enum counter_group group, const char *names);

    /* An object could not be read, for the first time since all of its group
     * could. */
    void (*failed)(void *context, const struct polled_object *object,
                   enum counter_group group, sai_status_t status);

    void *context;
};

/* Returns what is known of a group of 'object', NULL if that is nothing. */
struct reading *polled_object_reading(const struct polled_object *object,
                                      int group);

/* Returns counter 'id' of an object as it was read last in 'group'.  False, and
 * nothing is stored, if it was not. */
bool polled_object_value(const struct polled_object *object,
                         enum counter_group group, sai_stat_id_t id,
                         uint64_t *value);

#endif /* orchd/telemetry/polling/polled_object.h */
