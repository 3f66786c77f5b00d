/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_FINDING_H
#define ORCHD_RECONCILE_FINDING_H

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

enum finding {
    FINDING_UNFINISHED, /* A plan has still to do something for it. */
    FINDING_DONE,
    FINDING_OUT_OF_RANGE, /* The port has no such queue or PG. */
    FINDING_CPU_PORT,     /* It asks what cannot be of the CPU port. */
    FINDING_MISFIT,       /* Its object must not be combined with another. */
    FINDING_HOMELESS,     /* Its queue is in no scheduler group. */
    FINDING_OVERRULED,    /* Another row decides for its scheduler group. */
    FINDING_FAILED,
    FINDING_UNSUPPORTED, /* The rest of what it wants is applied. */
    FINDING_MISSING,     /* It refers to what is not there. */
    FINDING_LANES,       /* Another port has lanes that it names. */
    FINDING_KEPT,        /* Others are bound to what has to be replaced. */
    FINDING_HELD_BACK,   /* Something else has to change before. */
    FINDING_SHADOWED,    /* A more specific row has its place. */
    N_FINDINGS
};

/* Returns the finding for 'claim', which is attached to its object. */
enum finding finding_of(const struct claim *claim);

/* What SAI refused of the object of a claim. */
struct complaint {
    const struct refusal *refusal;         /* NULL: nothing. */
    const struct metadata_attribute *meta; /* NULL: the whole object. */
    const struct want *want;               /* That it denies, or NULL. */
};

/* Returns the complaint to tell the author of 'claim', the gravest if there are
 * several.  Its members are borrowed from the graph. */
struct complaint finding_complaint(const struct claim *claim);

/* Returns the port that has a lane that the row of 'claim' names, NULL if that
 * is not what stands in its way. */
const struct object *finding_lane_holder(const struct claim *claim);

#endif /* orchd/reconcile/finding.h */
