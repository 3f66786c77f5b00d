/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DERIVED_ROWS_H
#define ORCHD_DERIVE_DERIVED_ROWS_H

/* Rows that are derived, and what of them is news.
 *
 * A derivation says of each row what it is now, as often as it likes; only what
 * differs from what was taken before is handed on.  Several may want the same
 * row (ports share a profile): it is there as long as one does.
 *
 * A row of the user's with the same key wins: it takes the place of the derived
 * one, which is not spoken of while the user has his own, and comes back when
 * he removes it. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/intent.h"

struct derived_rows;
struct derived_row;

struct derived_rows *derived_rows_create(void);

/* Frees 'derived_rows' with all rows.  Accepts NULL. */
void derived_rows_destroy(struct derived_rows *derived_rows);

/* Says that one more wants a row.  Returns it; whoever wants it says what is in
 * it, and lets go of it with derived_row_unref(). */
struct derived_row *derived_row_ref(struct derived_rows *derived_rows,
                                    enum table table, const char *key);
void derived_row_unref(struct derived_rows *derived_rows,
                       struct derived_row *derived);

/* Says what is in a row: the 'n' fields, copied; or that it cannot be had, and
 * why. */
void derived_row_set(struct derived_rows *derived_rows,
                     struct derived_row *derived, const struct field *fields,
                     size_t n);
void derived_row_refuse(struct derived_rows *derived_rows,
                        struct derived_row *derived, const struct err *err);

/* Says why a row cannot be what it should be: it keeps what is in it. */
void derived_row_hold(struct derived_rows *derived_rows,
                      struct derived_row *derived, const struct err *err);

/* Says whether the user has a row of that key. */
void derived_rows_set_user(struct derived_rows *derived_rows, enum table table,
                           const char *key, bool present);

/* Returns the next row that is news, with its 'generated' set; NULL when there
 * is none.  It is accepted, or its verdict is ROW_WITHHELD and 'err' says why
 * (with the content that it keeps, if it does), or it is not present (any
 * more).  In order of change.  Valid until the next call that takes non-const
 * outcomes. */
const struct row *derived_rows_take(struct derived_rows *derived_rows);

/* Returns a row as it was taken last, without its key taken apart; NULL if it
 * is not there.  Valid as long. */
const struct row *derived_rows_get(struct derived_rows *derived_rows,
                                   enum table table, const char *key);

/* Returns what is wanted in a row, whether or not the user has one of that key;
 * NULL: nothing, or it cannot be had.  Valid as long. */
const struct row *derived_rows_wanted(struct derived_rows *derived_rows,
                                      enum table table, const char *key);

#endif /* orchd/derive/derived_rows.h */
