/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLER_STATE_H
#define ORCHD_TELEMETRY_POLLING_POLLER_STATE_H

/* The private state of a poller, shared by its own files only.
 *
 * A group has a cursor into the object list of its type.  The counters that an
 * object has are the counter list of its class: a group and a kind of object. A
 * counter list never changes once objects refer to it; a class whose objects
 * refuse a counter gets a new list.  A reading notes which list its values
 * belong to.
 *
 * So objects of one class that were read successfully have the same list, and
 * one call reads those of them that are in the same slice. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/object_list.h"

struct sai_backend;

/* Kinds of objects of one type: the queue types that SAI lists before
 * FABRIC_TX, and one for all unknown types. */
#define N_KINDS 6

struct group_walk {
    bool enabled;
    int64_t interval;
    uint32_t slice;
    int64_t start; /* When this round began or will begin. */
    size_t cursor; /* Objects that this round has read. */
    size_t known;  /* Objects, from the first, that were read or at least tried
                    * once; others are newcomers. */
    bool hurried;  /* The first round, which reads without pauses. */
    bool failing;  /* A failure was reported. */
    uint64_t n_rounds, n_reads, n_failures;
    uint64_t failures_before; /* This round. */

    /* The counters that objects of each kind have, and whether one of them was
     * read successfully. */
    const struct counter_list *lists[N_KINDS];
    bool proven[N_KINDS];

    bool reported[COUNTERS_MAX]; /* Counters whose refusal was reported. */
};

/* An object of the slice that is being read. */
struct slice_item {
    struct polled_object *object;
    struct polled_reading *reading;
    const struct counter_list *before; /* Of the last reading. */
    sai_stats_mode_t mode;             /* Of the last reading. */
    bool done;
};

struct poller {
    struct poller_listener listener;
    struct sai_backend *backend; /* NULL before poller_attach(). */
    struct poller_clock clock;   /* 'now' is NULL: there is none. */
    struct object_lists objects;
    struct group_walk walks[N_COUNTER_GROUPS];
    size_t republished[N_OBJECT_LISTS]; /* Objects published again. */

    /* All counter lists, because objects refer to them; there are few. */
    struct counter_list **lists;
    size_t n_lists;

    /* The slice that is being read, and the arguments of the call that reads
     * several of its objects. */
    struct slice_item items[POLLER_SLICE];
    sai_object_key_t keys[POLLER_SLICE];
    sai_status_t statuses[POLLER_SLICE];
    uint64_t values[POLLER_SLICE * COUNTERS_MAX];
};

/* Returns the index of the class of 'object'. */
int poller_class_of(const struct polled_object *object);

/* Creates an empty list for 'group'. */
struct counter_list *poller_add_list(struct poller *poller,
                                     enum counter_group group);

#endif /* orchd/telemetry/polling/poller_state.h */
