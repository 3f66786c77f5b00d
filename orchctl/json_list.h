/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_JSON_LIST_H
#define ORCHD_ORCHCTL_JSON_LIST_H

/* Lists of objects in answers of orchd: what is in them, in which order, and
 * which are worth a look.
 *
 * A path is names of members with dots between: "stats.dropped". */

#include <jansson.h>
#include <stddef.h>

/* Returns what 'path' of 'item' leads to; NULL if it leads nowhere. */
const json_t *json_list_follow(const json_t *item, const char *path);

/* Returns a new list of the items of 'list', ordered by what 'path' leads to:
 * the largest numbers first, then texts from a to z, equals as they came. */
json_t *json_list_sort(const json_t *list, const char *path);

/* Returns a new list of those items of 'list' of which any of the 'n' 'paths'
 * leads to a number that is not 0. */
json_t *json_list_nonzero(const json_t *list, const char *const *paths,
                          size_t n);

#endif /* orchctl/json_list.h */
