/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_COUNTED_ELSEWHERE_H
#define ORCHD_CONTROL_COUNTED_ELSEWHERE_H

/* Counters of objects of the ASIC that another program polls, in COUNTERS_DB.
 *
 * They are the values of its last poll; what an object holds now is left out
 * unless that was a moment ago.  Which counters there are depends on
 * the groups that it polls (FLEX_COUNTER_TABLE). */

#include <jansson.h>

#include "orchd/switch/switch_query.h"

struct call;

/* Adds to "stats" of each item of data[member], which are objects of 'kind'
 * with "name", and "index" if they belong to a port, the counters that
 * COUNTERS_DB has of it; then ends 'call' with 'data', a reference to which is
 * taken over. If there are none at all, data["uncounted"] says so, and what
 * would change that.  Uses the state of the call. */
void counted_elsewhere_add(struct call *call, enum switch_query_kind kind,
                           json_t *data, const char *member);

#endif /* orchd/control/counted_elsewhere.h */
