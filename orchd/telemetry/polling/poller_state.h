/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLER_STATE_H
#define ORCHD_TELEMETRY_POLLING_POLLER_STATE_H

/* The inside of a poller, shared by its own files only.
 *
 * A group has a cursor into the roster of its type.  What counters an object
 * has is the list of its class: a group and a kind of object.  Lists never
 * change once objects refer to them; a class whose objects refuse a counter
 * gets a new list.  A reading notes which list its values belong to.
 *
 * So objects of one class that were read with success before have the same
 * list, and those of them in one slice are read in one call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/object_list.h"

struct sai_backend;

/* Kinds of objects of one type: the queue types that SAI lists before
 * FABRIC_TX, and one for all that are not known. */
#define N_KINDS 6

struct walk {
    bool enabled;
    int64_t interval;
    uint32_t slice;
    int64_t start; /* When this round began, or will. */
    size_t cursor; /* Objects that this round has read. */
    bool hurried;  /* The first round: it does not wait. */
    bool failing;  /* And that was told. */
    uint64_t n_rounds, n_reads, n_failures;
    uint64_t failures_before; /* This round. */

    /* What objects of each kind have, and whether one of them was read. */
    const struct counter_list *lists[N_KINDS];
    bool proven[N_KINDS];

    bool told[COUNTERS_MAX]; /* Counters of the group whose refusal is known. */
};

/* An object of the slice that is being read. */
struct turn {
    struct polled_object *object;
    struct reading *reading;
    const struct counter_list *before; /* How it was read last. */
    sai_stats_mode_t mode;             /* Likewise. */
    bool done;
};

struct poller {
    struct poller_sink sink;
    struct sai_backend *backend; /* NULL before poller_attach(). */
    struct rosters rosters;
    struct walk walks[N_COUNTER_GROUPS];
    size_t retold[N_ROSTERS]; /* Objects that were told again. */

    /* All lists ever made, for they are referred to; few. */
    struct counter_list **lists;
    size_t n_lists;

    /* The slice that is being read, and the call for those of it that are read
     * together. */
    struct turn turns[POLLER_SLICE];
    sai_object_key_t keys[POLLER_SLICE];
    sai_status_t statuses[POLLER_SLICE];
    uint64_t values[POLLER_SLICE * COUNTERS_MAX];
};

/* Returns the index of the class of 'object'. */
int poller_class_of(const struct polled_object *object);

/* Makes a list for 'group', without counters. */
struct counter_list *poller_add_list(struct poller *poller,
                                     enum counter_group group);

#endif /* orchd/telemetry/polling/poller_state.h */
