/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_DELTA_H
#define ORCHD_PAGE_DELTA_H

/* What has changed between two JSON values.
 *
 * This is a public format: the live page, and who else reads /events, applies
 * it (docs/reference/http.md).  A change is
 *
 *   {"=": VALUE}           the value is now VALUE
 *   {"member": CHANGE ...} an object: its members that have changed or are new;
 *                          null for one that is gone
 *   {"3": CHANGE ...}      an array of the same length: its elements that have
 *                          changed, by position
 *   anything else          a string, number or boolean: the value is now this
 *
 * A new value that is null, an object or an array is always in {"=": VALUE}, so
 * null means only that a member is gone.  An object that has, or had, a member
 * named "=" is replaced as a whole, so an object with the member "=" is always
 * of the first kind. */

#include <jansson.h>

/* Returns the change from 'old' to 'new', which the caller owns; NULL if they
 * are equal. */
json_t *delta_make(json_t *old, json_t *new);

#endif /* orchd/page/delta.h */
