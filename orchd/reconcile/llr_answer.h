/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LLR_ANSWER_H
#define ORCHD_RECONCILE_LLR_ANSWER_H

/* Rows about link-level retry, on a switch that says that it has none. */

#include <stdbool.h>

struct row_status;
struct source;

/* Returns whether 'source' is such a row. */
bool llr_answer_concerns(const struct source *source);

/* Answers such a row. */
void llr_answer_lacking(struct row_status *status, const struct source *source);

#endif /* orchd/reconcile/llr_answer.h */
