/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ROW_REPORT_H
#define ORCHD_RECONCILE_ROW_REPORT_H

/* Reports the answers to rows (row_answer.h).
 *
 * An answer is reported if it differs from the last one reported, or if the
 * content of the row changed, so that the client that changed it sees the
 * generation move.
 *
 * A row that waits is not reported until it has been unchanged for
 * INTENT_QUIET_NS: what it waits for is often written right after it. */

#include <stdint.h>

struct graph;
struct listener;
struct row_answer;

/* Reports to 'listener' the answers that have changed, and frees the sources
 * of rows that are gone. 'generation' is that of the plan that was just
 * carried out, or the next one if there was none since the last answers.
 * Answers to rows that changed too recently stay in the list. Returns the
 * earliest time at which one of these is due, TIMELINE_NEVER if there is none.
 */
int64_t row_report(struct graph *graph, const struct listener *listener,
                   struct row_answer *answer, uint64_t generation, int64_t now);

#endif /* orchd/reconcile/row_report.h */
