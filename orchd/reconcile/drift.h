/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_DRIFT_H
#define ORCHD_RECONCILE_DRIFT_H

/* Finds out, a little at a time, whether the ASIC still is what it was made.
 *
 * Motivation: the reconciler believes what SAI accepted.  Somebody with another
 * client, a vendor's own tool or a fault of the device can change it all the
 * same, and nobody would ever know.  So all objects are read back
 * (compare.h), DRIFT_SLICE at a time, spread evenly over an interval.
 *
 * Drift is what is found to differ although nothing is left to do about it: a
 * change that waits, or that SAI refused, is told by the state of its row.
 *
 * If drift is to be repaired, the slot is made uncertain: then it differs from
 * whatever is wanted, and the next plan sets it again, in the order that all
 * plans keep.  If it can only be set at creation, that plan replaces the
 * object, as it does when a row wants another value: a new one is made, what
 * refers to the old one is bound to it, and the old one is removed.  So it is
 * with objects that the switch does not know any more.
 *
 * A port that is gone is forgotten with its queues and priority groups, and the
 * next plan makes it again, or adopts one that has its lanes by now.  What only
 * the device can make, the switch itself, the port of its processor, a queue of
 * a port that is there, cannot be repaired, and that is told. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/compare.h"

#define DRIFT_SLICE 32

struct executor;
struct graph;

/* What becomes of what has drifted. */
enum drift_remedy {
    DRIFT_LEFT,       /* Nothing: it is only told. */
    DRIFT_REPAIRED,   /* The next plan sets it, or makes it, again. */
    DRIFT_IMPOSSIBLE, /* It should be repaired, but cannot be. */
};

/* What to do, and who is told. */
struct drift_options {
    int64_t interval_ns; /* For all objects; 0: nothing is read. */
    bool repair;

    /* An attribute has drifted; all borrowed for the call.  'found' is NULL if
     * the switch no longer knows the object. */
    void (*differs)(void *context, const struct compare_difference *difference,
                    enum drift_remedy remedy);

    /* An object was read; 'n' of its attributes have drifted.  'settled' is
     * false if others are not what is wanted because a change of them waits, or
     * was refused, a repair for one: then it is not as intended either. */
    void (*checked)(void *context, const struct object *object, size_t n,
                    bool settled);

    /* All objects that there are were read once more. */
    void (*rounded)(void *context);

    void *context;
};

/* A walk through the objects.  Zeroed at first, but for 'options'. */
struct drift {
    struct drift_options options;
    int64_t start; /* When this round began, or will. */
    size_t cursor; /* Objects that it has read. */
};

/* Begins a round an interval after 'now'. */
void drift_start(struct drift *drift, int64_t now);

/* Returns when the next slice is due, TIMELINE_NEVER if none is. */
int64_t drift_next(const struct drift *drift, const struct graph *graph);

/* Reads a slice of the objects of the graph of 'executor', if one is due.  Not
 * to be called while a plan is under way.  Returns whether something is to be
 * repaired, so that a plan has to be made. */
bool drift_turn(struct drift *drift, struct executor *executor, int64_t now);

#endif /* orchd/reconcile/drift.h */
