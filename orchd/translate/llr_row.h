/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TRANSLATE_LLR_ROW_H
#define ORCHD_TRANSLATE_LLR_ROW_H

/* What a row of LLR_PORT needs before it can be programmed.
 *
 * Internal to translate/. */

#include "base/status.h"

struct err;
struct row;

/* Returns ST_OK for rows of other tables.  Of LLR_PORT: ST_UNSUPPORTED if the
 * ports are to agree on the mode (llr_mode dynamic), or ST_NOT_FOUND if a
 * direction is enabled and the row has no profile.  'err' says what. */
enum st llr_row_check(const struct row *row, struct err *err) ST_WARN_UNUSED;

#endif /* orchd/translate/llr_row.h */
