/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PLAN_H
#define ORCHD_RECONCILE_PLAN_H

/* The difference between what is wanted and what the ASIC holds, as steps in a
 * safe order.
 *
 * Per object the answer is: keep, set some attributes, create, replace,
 * remove, or (for a port) let go.  The order is by phases:
 *
 *   open     a shared headroom pool that did not exist gets its size, before
 *            the private headrooms that it replaces shrink; pools that grow;
 *            ports that are shut
 *   reduce   profiles that shrink, then bindings that free reserved memory
 *            and need nothing new
 *   create   pools and maps, then profiles, then ports
 *   shrink   bindings that free reserved memory but refer to something new
 *   move     bindings that take reserved memory, and what changes none
 *   grow     profiles that grow
 *   close    a shared headroom pool that is given up goes, after the private
 *            headrooms that replace it; pools that shrink; ports that are
 *            started up
 *   remove   profiles, then pools and maps: what nobody uses any more
 *
 * so that references exist when they are made, and reservations do not exceed
 * at any step what they are before or after, whichever is more: they fall
 * until "move" and rise from there, because users change profiles while each
 * profile has the smaller of its two sizes.  A reservation is the reserved
 * size of attached profiles plus the shared headroom pools.  The attributes of
 * one object stay together, in the order that headroom_order.h says for
 * profiles.
 *
 * A change of a create-only attribute replaces the object: make before break.
 * The new one is created, every user is bound to it, the old one removed.
 * Objects that refer to a replaced one by a create-only attribute (a profile
 * to its pool) are replaced as well.
 *
 * Where there is no room for two, and only if that is allowed, the object is
 * torn instead: its users are unbound, it is removed, created and bound again.
 *
 * A plan looks one round ahead only.  What depends on the outcome of a step
 * (the places of a port that is yet to be created) follows in the next plan,
 * until a plan is empty. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct graph;
struct object;

/* In this order. */
enum phase {
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
    STEP_ASK,        /* For the scheduler groups of a port: changes nothing. */
    STEP_CREATE,     /* Also the first half of a replacement. */
    STEP_SET,        /* To what the slot wants. */
    STEP_RESET,      /* To the attribute's default. */
    STEP_RELEASE,    /* A port goes back to being nobody's. */
    STEP_REMOVE,     /* The object. */
    STEP_REMOVE_OLD, /* The one that it replaced. */
};

struct step {
    enum step_kind kind;
    enum phase phase;
    struct object *object;
    sai_attr_id_t attribute; /* STEP_SET and STEP_RESET. */
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
 * 'graph', and for those that these make necessary.  The graph must have been
 * evaluated.  The same graph always gives the same steps. */
void plan_make(struct plan *plan, struct graph *graph);

#endif /* orchd/reconcile/plan.h */
