/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ROW_ANSWER_H
#define ORCHD_RECONCILE_ROW_ANSWER_H

/* Works out the answer to each row: its state, and why.
 *
 * An answer is derived from the graph when a plan is complete, never stored as
 * an event, so it always agrees with what orchd knows about the ASIC.
 * row_report.h says when it is reported. */

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "orchd/reconcile/row_status.h"

struct content;
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

#endif /* orchd/reconcile/row_answer.h */
