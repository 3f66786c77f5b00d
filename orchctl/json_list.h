/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_JSON_LIST_H
#define ORCHD_ORCHCTL_JSON_LIST_H

/* Lists of JSON objects in replies of orchd: lookup, sorting, filtering.
 *
 * A path is a sequence of member names separated by dots: "stats.dropped". */

#include <jansson.h>
#include <stddef.h>

/* Returns the value at 'path' in 'item', or NULL if there is none. */
const json_t *json_list_follow(const json_t *item, const char *path);

/* Returns a new list of the items of 'list', sorted by the value at 'path':
 * numbers from the largest, then texts from a to z.  Equal items keep their
 * order. */
json_t *json_list_sort(const json_t *list, const char *path);

/* Returns a new list of the items of 'list' in which any of the 'n' 'paths' has
 * a number other than 0. */
json_t *json_list_nonzero(const json_t *list, const char *const *paths,
                          size_t n);

#endif /* orchctl/json_list.h */
