/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_RECLAIM_H
#define ORCHD_DERIVE_RECLAIM_H

/* What happens to the buffers of a shut port.
 *
 * A port that is down needs no buffers, and other ports can share what it had
 * reserved.  Unbinding a profile is not enough, because the default of the
 * hardware returns, which may reserve something.  So orchd binds *zero
 * profiles*, which reserve nothing; the vendor defines them (zero_profiles.h).
 *
 * There are two ways, for priority groups and queues separately:
 *   - the vendor lists indices: these get the zero profile of the direction,
 *     and other indices get none.  A row with some of them gets it as a whole,
 *     because a row binds all its indices alike;
 *   - otherwise each configured row gets the zero profile of the pool that its
 *     profile used (or nothing, if that pool has none), and the other indices
 *     get the zero profile of the direction, if there is one.
 *
 * The result depends on the configured rows as they are, so a change while the
 * port is down needs no special case. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/derive/port_state.h"

/* A zero profile. */
struct reclaim_zero {
    const char *pool; /* Of the normal profiles that it replaces. */
    const char *profile;
};

/* One direction.  All borrowed. */
struct reclaim_rules {
    bool has_ids;
    uint64_t ids;        /* Mask of the indices that the vendor lists. */
    const char *profile; /* Of the direction; NULL: none. */
    const struct reclaim_zero *zeros;
    size_t n_zeros;
};

/* Returns the mask of the indices of 'run', which are below 64. */
uint64_t reclaim_mask(struct run run);

/* Returns what a configured row gets whose profile is in 'pool' (NULL: in
 * none); NULL: nothing. */
const char *reclaim_row(const struct reclaim_rules *rules, struct run run,
                        const char *pool);

/* Fills 'runs', which has room for 32, with the other indices that get the
 * profile of the direction on a port of 'n_indices' (at most 64); 'configured'
 * is the mask of those that rows have.  Returns their number. */
size_t reclaim_rest(const struct reclaim_rules *rules, uint64_t configured,
                    unsigned int n_indices, struct run *runs);

/* Returns the zero profile for a profile in 'pool', or NULL.  Profile lists
 * become lists of these; entries without one are left out. */
const char *reclaim_zero_of(const struct reclaim_rules *rules,
                            const char *pool);

/* Returns whether reclaiming is possible on a switch that cannot remove rows
 * ("support_removing_buffer_items" is "no"): the vendor lists no indices, and
 * each of the 'n' 'pools' has a zero profile. */
bool reclaim_without_removal(const struct reclaim_rules *rules,
                             const char *const *pools, size_t n);

#endif /* orchd/derive/reclaim.h */
