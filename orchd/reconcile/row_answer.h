/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ROW_ANSWER_H
#define ORCHD_RECONCILE_ROW_ANSWER_H

/* Works out the answer to each row: its state, and why.
 *
 * An answer is derived from the graph when a plan is complete, never stored as
 * an event, so it always agrees with what orchd knows about the ASIC.  It is
 * reported if it differs from the last one reported, or if the content of the
 * row changed, so that the client that changed it sees the generation move.
 *
 * A row that waits is not reported until it has been unchanged for
 * INTENT_QUIET_NS: what it waits for is often written right after it. */

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "orchd/reconcile/listener.h"

struct content;
struct graph;
struct source;

/* The memory behind a status, reused for each answer.  Zero-initialise; free
 * with row_answer_fini(). */
struct row_answer {
    struct row_status status;
    struct content *accepted; /* Of the status; borrowed from the source. */
    struct text blocked_by, referenced_by, warnings;
};

/* Frees what 'answer' holds and zeroes it. */
void row_answer_fini(struct row_answer *answer);

/* Works out the answer to 'source' into 'answer'.  Returns false if there is no
 * answer: either a plan has yet to do its part, or the row was deleted and the
 * ASIC holds nothing of it any more ('*gone'). */
bool row_answer_make(struct row_answer *answer, const struct source *source,
                     bool *gone);

/* Reports to 'listener' the answers that have changed, and frees the sources
 * of rows that are gone. 'generation' is that of the plan that was just
 * carried out, or the next one if there was none since the last answers.
 * Answers to rows that changed too recently stay in the list. Returns the
 * earliest time at which one of these is due, TIMELINE_NEVER if there is none.
 */
int64_t row_answer_report(struct graph *graph, const struct listener *listener,
                          struct row_answer *answer, uint64_t generation,
                          int64_t now);

#endif /* orchd/reconcile/row_answer.h */
