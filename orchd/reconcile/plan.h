/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PLAN_H
#define ORCHD_RECONCILE_PLAN_H

/* The differences between what is wanted and what the ASIC holds, as steps in a
 * safe order.
 *
 * An object is kept, changed in some attributes, created, replaced, removed, or
 * (a port) released. The steps are ordered by phases:
 *
 *   restore  replacements that nothing uses are removed again
 *   open     a shared headroom pool gets its first size, before the private
 *            headrooms that it replaces shrink; pools grow; ports are shut
 *   reduce   profiles shrink, then bindings change that free reserved memory
 *            and need nothing new
 *   create   pools and maps, then profiles, then ports
 *   shrink   bindings change that free reserved memory but refer to something
 *            new
 *   move     bindings change that take reserved memory, or change none
 *   grow     profiles grow
 *   close    a shared headroom pool is given up, after the private headrooms
 *            that replace it have grown; pools shrink; ports are started up
 *   remove   profiles, then pools and maps without users
 *
 * so that an object exists before others refer to it, and the total reservation
 * never exceeds the larger of its values before and after the plan: it falls
 * until "move" and rises from there, because users change profiles while each
 * profile has the smaller of its two sizes. The reservation is the reserved
 * size of attached profiles plus the shared headroom pools. The attributes of
 * one object stay together; headroom_order.h orders those of profiles.
 *
 * A change of a create-only attribute replaces the object, make before break:
 * the new one is created, every user is bound to it, the old one is removed.
 * Objects that refer to a replaced one by a create-only attribute (a profile to
 * its pool) are replaced as well.
 *
 * Users that the ASIC does not let move keep the old one, a former version of
 * the object, while others use the new one.  If the wish changes meanwhile, the
 * new one is replaced as well: an object has as many former versions as have
 * users, and each user moves to the current one as soon as it can.  But if all
 * users kept former versions, the current one is of no use: it is removed, and
 * the latest former one becomes the current one again, from which the next plan
 * continues.
 *
 * If there is no room for two, and only if that is allowed, the object is torn
 * instead: its users are unbound, it is removed, created and bound again.
 *
 * A plan looks one round ahead only.  What depends on the outcome of a step
 * (the children of a port that the plan creates) follows in the next plan,
 * until a plan is empty. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct graph;
struct object;

/* In order of execution. */
enum phase {
    PHASE_RESTORE,
    PHASE_OPEN,
    PHASE_REDUCE,
    PHASE_CREATE,
    PHASE_SHRINK,
    PHASE_MOVE,
    PHASE_GROW,
    PHASE_CLOSE,
    PHASE_REMOVE,
};

enum step_kind {
    STEP_ASK,     /* Reads the scheduler groups of a port; changes nothing. */
    STEP_PREPARE, /* Creates the port that the object will move to. */
    STEP_CREATE,  /* Also the first half of a replacement. */
    STEP_SET,     /* Sets the wanted value. */
    STEP_RESET,   /* Sets the default. */
    STEP_RELEASE, /* Releases a port, which stays on the ASIC. */
    STEP_REMOVE,  /* Removes the object. */
    STEP_REMOVE_FORMER, /* Removes a version of it that was replaced. */
    STEP_RESTORE,       /* Removes it, so that its latest former version is
                         * current again. */
};

struct step {
    enum step_kind kind;
    enum phase phase;
    struct object *object;
    sai_attr_id_t attribute; /* STEP_SET and STEP_RESET. */
    sai_object_id_t oid;     /* STEP_REMOVE_FORMER: the version. */
    int order;               /* Within the object. */
};

/* The steps of one round.  Zero-initialise; end with plan_fini(). */
struct plan {
    struct step *steps;
    size_t n_steps;
    size_t size;
    size_t next; /* The first step not yet executed. */
};

/* Frees what 'plan' holds and zeroes it. */
void plan_fini(struct plan *plan);

/* Fills 'plan', which is empty, with the steps for all touched objects of
 * 'graph', and for objects that these affect.  The graph must have been
 * evaluated.  The same graph always gives the same steps. */
void plan_make(struct plan *plan, struct graph *graph);

#endif /* orchd/reconcile/plan.h */
