/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_WISH_TEXT_H
#define ORCHD_ORCHAGENT_WISH_TEXT_H

/* Why a wish is not confirmed, in words for the author of a row.
 *
 * Internal to orchagent/. */

struct handle;
struct text;
struct wish;
struct wishes;

/* Appends to 'text' what is missing in ASIC_DB, or differs from 'wish' of
 * 'handle'; 'wish' is NULL for the object as a whole. */
void wish_text_add(const struct wishes *wishes, const struct handle *handle,
                   const struct wish *wish, struct text *text);

#endif /* orchd/orchagent/wish_text.h */
