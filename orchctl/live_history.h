/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LIVE_HISTORY_H
#define ORCHD_ORCHCTL_LIVE_HISTORY_H

/* The history of what objects hold, for "show live --watch": a sparkline of the
 * last pictures for each object of a list (orchctl/live_list.h). */

#include <jansson.h>
#include <stdbool.h>

enum { LIVE_HISTORY_MAX = 24 }; /* Pictures in a sparkline. */

/* Adds the "used" of the items of 'list' to 'histories', an object that the
 * caller creates empty and only passes on, and sets "history" of the items to a
 * sparkline ('blocks': of block elements).  An object that is missing in 'list'
 * holds nothing, and is forgotten when its sparkline would be empty. */
void live_history_note(json_t *histories, json_t *list, bool blocks);

#endif /* orchctl/live_history.h */
