/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_RECLAIM_H
#define ORCHD_DERIVE_RECLAIM_H

/* What becomes of the buffers of a port that is shut.
 *
 * A port that is down needs no buffer, and what it had reserved can be shared
 * by the others.  Unbinding a profile is not enough: the hardware's own default
 * returns, which may reserve something.  So *zero profiles*, which reserve
 * nothing, are bound instead; which ones there are is said by the vendor.
 *
 * Two ways, for priority groups and queues separately:
 *   - the vendor names the indices: every configured row goes, and these get
 *     the zero profile of the direction;
 *   - otherwise each configured row gets the zero profile of the pool that its
 *     profile used (or goes, if that pool has none), and what is not configured
 *     gets the zero profile of the direction, if there is one.
 *
 * The answer depends on the configured rows as they are, so a change while the
 * port is down is nothing special. */

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
    uint64_t ids;        /* Mask of the indices that the vendor names. */
    const char *profile; /* Of the direction; NULL: there is none. */
    const struct reclaim_zero *zeros;
    size_t n_zeros;
};

/* A configured row of the port. */
struct reclaim_row {
    struct run run;
    const char *pool; /* That its profile is in; NULL: it has none. */
};

/* What is to be bound instead. */
struct reclaim_binding {
    struct run run;
    const char *profile;
    bool configured; /* For a configured row; else for what is between. */
};

/* Fills 'bindings', which has room for 'n' + 32, from the 'n' rows of a port
 * with 'n_indices' (at most 64), ordered by kind, then index.  Returns their
 * number. */
size_t reclaim_bindings(const struct reclaim_rules *rules,
                        const struct reclaim_row *rows, size_t n,
                        unsigned int n_indices,
                        struct reclaim_binding *bindings);

/* Returns the zero profile for a profile in 'pool', or NULL.  Profile lists
 * become lists of these; entries without one are left out. */
const char *reclaim_zero_of(const struct reclaim_rules *rules,
                            const char *pool);

/* Returns whether reclaiming is possible on a switch that cannot remove rows
 * ("support_removing_buffer_items" is "no"): no indices are named, and each of
 * the 'n' 'pools' has a zero profile. */
bool reclaim_without_removal(const struct reclaim_rules *rules,
                             const char *const *pools, size_t n);

#endif /* orchd/derive/reclaim.h */
