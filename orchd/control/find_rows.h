/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_FIND_ROWS_H
#define ORCHD_CONTROL_FIND_ROWS_H

/* Finds the status of rows for a call, in slices.
 *
 * A configuration of 512 ports has 18,000 rows, and each that is not applied
 * becomes a dozen strings; so rows would wait for an answer about all rows. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct call;
struct row_answers;

/* Continues 'call' with what was found; takes ownership of 'data'.  'answers'
 * is valid until it returns. */
typedef void find_rows_fn(struct call *call, const struct row_answers *answers,
                          json_t *data);

/* Searches as 'wanted' says (orchd/report/row_answers.h), and then calls
 * 'done': before this returns if one slice is enough.  What 'wanted' borrows
 * has to live as long as the call.  While a plan is being carried out its rows
 * have no status, so the search pauses, for COMMAND_SETTLE_NS at most. */
void find_rows(struct call *call, const struct row_answers *wanted,
               find_rows_fn *done);

/* Returns whether rows lack a status because a plan is under way, until
 * 'patience_end', a time of the loop. */
bool find_rows_must_wait(const struct call *call, int64_t patience_end);

#endif /* orchd/control/find_rows.h */
