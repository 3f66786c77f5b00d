/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CLAIM_STATE_H
#define ORCHD_RECONCILE_CLAIM_STATE_H

/* What can be said of a claim, that is of what one row wants of one object.
 *
 * The graph knows many facts about it at once: an object that is missing, a
 * refusal of SAI, another row that has its place, a difference that a plan has
 * yet to remove.  A finding is the one among them that the author of the row
 * would have to mend first; row_answer.h puts it into words.  Nothing is
 * stored: a finding follows from the marks of evaluate.h and execute.h alone.
 */

struct claim;
struct metadata_attribute;
struct object;
struct refusal;
struct want;

enum claim_state {
    CLAIM_UNFINISHED, /* A plan has still to do something for it. */
    CLAIM_DONE,
    CLAIM_OUT_OF_RANGE, /* The port has no such queue or PG. */
    CLAIM_CPU_PORT,     /* It asks what cannot be of the CPU port. */
    CLAIM_CONFLICT,     /* Its object must not be combined with another. */
    CLAIM_NO_GROUP,     /* Its queue is in no scheduler group. */
    CLAIM_OVERRULED,    /* Another row decides for its scheduler group. */
    CLAIM_FAILED,
    CLAIM_UNSUPPORTED,  /* The rest of what it wants is applied. */
    CLAIM_MISSING,      /* It refers to what is not there. */
    CLAIM_LANES_IN_USE, /* Another port has lanes that it names. */
    CLAIM_IN_USE,       /* Others are bound to what has to be replaced. */
    CLAIM_HELD_BACK,    /* Something else has to change before. */
    CLAIM_SHADOWED,     /* A more specific row has its place. */
    N_CLAIM_STATES
};

/* Returns the finding for 'claim', which is attached to its object. */
enum claim_state claim_state_of(const struct claim *claim);

/* What SAI refused of the object of a claim. */
struct claim_refusal {
    const struct refusal *refusal;         /* NULL: nothing. */
    const struct metadata_attribute *meta; /* NULL: the whole object. */
    const struct want *want;               /* That it denies, or NULL. */
};

/* Returns the complaint to tell the author of 'claim', the gravest if there are
 * several.  Its members are borrowed from the graph. */
struct claim_refusal claim_state_refusal(const struct claim *claim);

/* Returns the port that has a lane that the row of 'claim' names, NULL if that
 * is not what stands in its way. */
const struct object *claim_state_lane_holder(const struct claim *claim);

#endif /* orchd/reconcile/claim_state.h */
