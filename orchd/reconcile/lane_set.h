/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LANE_SET_H
#define ORCHD_RECONCILE_LANE_SET_H

/* A set of lanes; for lane_claims.h.  Pure. */

#include <stdbool.h>
#include <stdint.h>

#include "base/lanes.h"

/* The lanes, a bit each.  All zero: none. */
struct lane_set {
    uint64_t words[128];
};

/* Adds 'lanes' to 'set'.  Returns whether all fit, and none was in it; else
 * some may have been added. */
bool lane_set_add(struct lane_set *set, const struct lanes *lanes);

/* Removes 'lanes', which were added. */
void lane_set_remove(struct lane_set *set, const struct lanes *lanes);

#endif /* orchd/reconcile/lane_set.h */
