/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CLAIM_STATE_H
#define ORCHD_RECONCILE_CLAIM_STATE_H

/* The state of a claim: what has become of the attributes that one row wants on
 * one object.
 *
 * The graph may know several facts at once: a missing object, a refusal by SAI,
 * a more specific row, a difference that a plan has yet to remove.  The state
 * is the one that the author of the row has to deal with first; row_answer.h
 * describes it. Nothing is stored: the state follows from the flags that
 * evaluate.h and execute.h set. */

struct claim;
struct metadata_attribute;
struct object;
struct refusal;
struct want;

enum claim_state {
    CLAIM_UNFINISHED, /* A plan still has to change something. */
    CLAIM_DONE,
    CLAIM_OUT_OF_RANGE, /* The port has no such queue or PG. */
    CLAIM_CPU_PORT,     /* Not supported on the CPU port. */
    CLAIM_SYSTEM_PORT,  /* The switch has no such system port. */
    CLAIM_CONFLICT,     /* The object must not be combined with another one. */
    CLAIM_NO_GROUP,     /* The queue is in no scheduler group. */
    CLAIM_OVERRULED,    /* Another row decides for the scheduler group. */
    CLAIM_FAILED,
    CLAIM_UNSUPPORTED,  /* The other attributes are applied. */
    CLAIM_MISSING,      /* It refers to something that does not exist. */
    CLAIM_LANES_IN_USE, /* Another port uses some of its lanes. */
    CLAIM_IN_USE,    /* Users are bound to an object that must be replaced. */
    CLAIM_HELD_BACK, /* Another object has to change first. */
    CLAIM_SHADOWED,  /* A more specific row is in force. */
    N_CLAIM_STATES
};

/* Returns the state of 'claim', which is attached to its object. */
enum claim_state claim_state_of(const struct claim *claim);

/* What SAI refused about the object of a claim. */
struct claim_refusal {
    const struct refusal *refusal;         /* NULL: nothing was refused. */
    const struct metadata_attribute *meta; /* NULL: the object as a whole. */
    const struct want *want;               /* The refused want, or NULL. */
};

/* Returns the refusal to report to the author of 'claim', the most serious one
 * if there are several.  Its members are borrowed from the graph. */
struct claim_refusal claim_state_refusal(const struct claim *claim);

/* Returns the port that uses a lane that the row of 'claim' names; NULL if that
 * is not what blocks the claim. */
const struct object *claim_state_lane_holder(const struct claim *claim);

#endif /* orchd/reconcile/claim_state.h */
