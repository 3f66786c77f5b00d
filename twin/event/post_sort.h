/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_POST_SORT_H
#define ORCHD_TWIN_EVENT_POST_SORT_H

/* Sorts the posts of a bucket of the calendar (wheel.h).
 *
 * Cost: linear in the number of posts, except for few, and for posts of one
 * time with many different entities, which take up to eight passes. */

#include <stddef.h>

#include "twin/event/event.h"

enum { POST_SORT_TIME_BITS = 12 };

/* Sorts 'n' posts whose times differ only in the lowest POST_SORT_TIME_BITS
 * bits.  'spare' has room for as many. */
void post_sort(struct post *posts, size_t n, struct post *spare);

#endif /* twin/event/post_sort.h */
