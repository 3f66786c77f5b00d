/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ROW_ANSWER_H
#define ORCHD_RECONCILE_ROW_ANSWER_H

/* What became of each row, and why.
 *
 * An answer is worked out from the graph when a plan is done, never stored as
 * an event, so it cannot disagree with what orchd believes of the ASIC.  It is
 * told once: when it differs from what was told before, or when the content of
 * the row changed, so that whoever changed it sees the generation move.
 *
 * A row that waits is not told so before it was quiet for INTENT_QUIET_NS:
 * what it waits for is often written right after it. */

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "orchd/reconcile/listener.h"

struct graph;
struct source;

/* The memory behind a status, reused from one answer to the next.
 * Zero-initialise; end with row_answer_fini(). */
struct row_answer {
    struct row_status status;
    struct text blocked_by, referenced_by, warnings;
};

/* Frees what 'answer' holds and zeroes it. */
void row_answer_fini(struct row_answer *answer);

/* Works out the answer to 'source' into 'answer'.  Returns false if there is
 * none yet, because a plan has still to do its part, or none any more, because
 * the row is gone and the ASIC is clean of it ('*gone' says which). */
bool row_answer_make(struct row_answer *answer, const struct source *source,
                     bool *gone);

/* Tells 'listener' the answers that may have changed, if they have, and
 * forgets the rows that are gone.  'generation' is that of the plan that was
 * just carried out.  Answers that have to wait for quiet stay in the list;
 * returns the earliest time at which one is due, TIMELINE_NEVER if none. */
int64_t row_answer_report(struct graph *graph, const struct listener *listener,
                          struct row_answer *answer, uint64_t generation,
                          int64_t now);

#endif /* orchd/reconcile/row_answer.h */
