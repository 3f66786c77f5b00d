/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LIVE_LIST_H
#define ORCHD_ORCHCTL_LIVE_LIST_H

/* The columns of "show live" as a list of objects, for a table.
 *
 * An item has "name", "index", "kind", "profile", and the columns of its kind
 * that the table shows: "used", "headroom", "threshold", "peak", "marks",
 * "drops", "pfc". */

#include <jansson.h>
#include <stdbool.h>

/* Returns a new list of all pools, and of the priority groups and queues that
 * hold something, pause or are paused; with 'all', of all of them. */
json_t *live_list(const json_t *data, bool all);

#endif /* orchctl/live_list.h */
