/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_POST_SORT_H
#define ORCHD_TWIN_EVENT_POST_SORT_H

/* Sorts the posts of a bucket of the calendar (wheel.h).
 *
 * Cost: linear in the number of posts, except for few, and for posts of one
 * time with many different entities, which take up to eight passes. */

#include <stddef.h>

#include "twin/event/event.h"

/* Sorts 'n' posts.  The fewer bits of their times differ, the faster it is.
 * 'spare' has room for as many. */
void post_sort(struct post *posts, size_t n, struct post *spare);

#endif /* twin/event/post_sort.h */
