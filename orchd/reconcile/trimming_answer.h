/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_TRIMMING_ANSWER_H
#define ORCHD_RECONCILE_TRIMMING_ANSWER_H

/* Answers that only rows of SWITCH_TRIMMING get. */

#include <stdbool.h>

struct claim;
struct row_status;
struct source;

/* Answers a row that asks for what the switch lacks (trimming_lacking()). */
void trimming_answer_limit(struct row_status *status,
                           const struct claim *claim);

/* Answers a row that was deleted, while the ASIC keeps what it said. */
void trimming_answer_deleted(struct row_status *status);

/* Returns whether a field of the row was removed whose value the ASIC keeps and
 * uses.  If so, answers the row.  False for rows of other tables. */
bool trimming_answer_removed(struct row_status *status,
                             const struct source *source);

#endif /* orchd/reconcile/trimming_answer.h */
