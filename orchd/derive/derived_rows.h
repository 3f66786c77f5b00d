/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DERIVED_ROWS_H
#define ORCHD_DERIVE_DERIVED_ROWS_H

/* Derived rows, and which of them have changed.
 *
 * A derivation sets each row as often as it likes; a row is handed on only if
 * it differs from what was taken last.  Rows are reference-counted (ports share
 * a profile): a row exists as long as it has a user.
 *
 * A user's row with the same key wins: it replaces the derived row, which is
 * not reported while the user's row exists, and returns when that is
 * removed.  Its content is the base of a user's row that has only some fields
 * (intent_set_base()). */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/intent.h"

struct derived_rows;
struct derived_row;

struct derived_rows *derived_rows_create(void);

/* Frees 'derived_rows' with all rows.  Accepts NULL. */
void derived_rows_destroy(struct derived_rows *derived_rows);

/* derived_row_ref() adds a user to a row, which it creates if needed, and
 * returns it.  The user sets its content, and drops it with
 * derived_row_unref(). */
struct derived_row *derived_row_ref(struct derived_rows *derived_rows,
                                    enum table table, const char *key);
void derived_row_unref(struct derived_rows *derived_rows,
                       struct derived_row *derived);

/* Sets the content of a row to a copy of the 'n' fields; or records that it has
 * no valid content, and why. */
void derived_row_set(struct derived_rows *derived_rows,
                     struct derived_row *derived, const struct field *fields,
                     size_t n);
void derived_row_refuse(struct derived_rows *derived_rows,
                        struct derived_row *derived, const struct err *err);

/* Records why a row cannot have the content that it should have: it keeps the
 * one it has. */
void derived_row_hold(struct derived_rows *derived_rows,
                      struct derived_row *derived, const struct err *err);

/* Records whether the user has a row of that key. */
void derived_rows_set_user(struct derived_rows *derived_rows, enum table table,
                           const char *key, bool present);

/* Makes derived_rows_take() return a row again, if it exists and the user has
 * none of that key. */
void derived_rows_renew(struct derived_rows *derived_rows, enum table table,
                        const char *key);

/* Returns the next changed row, in order of change, with its 'generated' set;
 * NULL when there is none.  It is accepted, or its verdict is ROW_WITHHELD and
 * 'err' says why (with the content that it keeps, if any), or it is not (or no
 * longer) present.  Valid until the next call that takes a non-const
 * 'derived_rows'. */
const struct row *derived_rows_take(struct derived_rows *derived_rows);

/* Returns a row as it was taken last, without its parsed key; NULL if it does
 * not exist.  Valid as long. */
const struct row *derived_rows_get(struct derived_rows *derived_rows,
                                   enum table table, const char *key);

/* Returns the derived content of a row, even if the user has one of that key;
 * NULL: there is none, or it cannot be computed.  Valid as long. */
const struct row *derived_rows_wanted(struct derived_rows *derived_rows,
                                      enum table table, const char *key);

/* Returns the content of a row that has users, even if the user has one of that
 * key; NULL: there is none.  Valid as long. */
const struct row *derived_rows_base(struct derived_rows *derived_rows,
                                    enum table table, const char *key);

/* Returns the key of the next row of BUFFER_PROFILE that may have changed while
 * the user has one of that key; NULL: there is none.  Call it after
 * derived_rows_take(); valid as long. */
const char *derived_rows_take_overridden(struct derived_rows *derived_rows);

#endif /* orchd/derive/derived_rows.h */
