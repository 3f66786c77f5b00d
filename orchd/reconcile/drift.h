/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_DRIFT_H
#define ORCHD_RECONCILE_DRIFT_H

/* Detects drift: attributes on the ASIC that no longer have the value that
 * orchd gave them.
 *
 * Motivation: the reconciler relies on what SAI accepted.  Another client, a
 * vendor tool or a device fault can still change the ASIC unnoticed.  So orchd
 * reads back all objects (compare.h), DRIFT_SLICE at a time, spread evenly over
 * an interval.
 *
 * A difference counts as drift only if no change of the attribute is pending or
 * refused; those are reported by the status of the row.
 *
 * To repair drift, the slot is marked uncertain.  It then differs from any
 * wanted value, and the next plan sets it again in the usual order.  If the
 * attribute can only be set at creation, the plan replaces the object: it
 * creates a new one, rebinds the users, and removes the old one.  The same
 * happens to objects that the switch no longer knows.
 *
 * A lost port is forgotten with its queues and priority groups; the next plan
 * creates it again, or adopts a port that now has its lanes.  What only the
 * device can create (the switch, the CPU port, a queue of an existing port)
 * cannot be repaired; that is reported. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/reconcile/compare.h"

#define DRIFT_SLICE 32

struct executor;
struct graph;

/* What orchd does about drift. */
enum drift_remedy {
    DRIFT_LEFT,       /* Only reports it. */
    DRIFT_REPAIRED,   /* The next plan sets the value, or creates the object,
                       * again. */
    DRIFT_IMPOSSIBLE, /* Repair is enabled, but not possible. */
};

/* What to do, and whom to notify. */
struct drift_options {
    int64_t interval_ns; /* For one round of all objects; 0: drift detection is
                          * off. */
    bool repair;

    /* Returns whether a difference of attribute 'id' of object 'oid' is no
     * drift: a tester that is connected has set it (sai/remote/testers.h).
     * NULL: none is. */
    bool (*excuses)(void *context, sai_object_id_t oid, sai_attr_id_t id);
    void *excuses_context;

    /* An attribute has drifted.  All borrowed for the call.  'found' is NULL if
     * the switch no longer knows the object. */
    void (*differs)(void *context, const struct compare_difference *difference,
                    enum drift_remedy remedy);

    /* An object was read; 'n' of its attributes have drifted.  'settled' is
     * false if other attributes differ because a change is pending or was
     * refused. */
    void (*checked)(void *context, const struct object *object, size_t n,
                    bool settled);

    /* A round of all objects is complete. */
    void (*rounded)(void *context);

    void *context;
};

/* An iteration over all objects.  Zero-initialise all but 'options'. */
struct drift {
    struct drift_options options;
    int64_t start; /* When this round began or begins. */
    size_t cursor; /* Number of objects read so far. */
};

/* Schedules the next round to begin one interval after 'now'. */
void drift_start(struct drift *drift, int64_t now);

/* Returns when the next slice is due, TIMELINE_NEVER if none is. */
int64_t drift_next(const struct drift *drift, const struct graph *graph);

/* Reads a slice of the objects in the graph of 'executor', if one is due.  Must
 * not be called while a plan is in progress.  Returns whether something is to
 * be repaired, so that a plan is needed. */
bool drift_turn(struct drift *drift, struct executor *executor, int64_t now);

#endif /* orchd/reconcile/drift.h */
