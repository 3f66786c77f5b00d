/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_POOL_SIZING_H
#define ORCHD_DERIVE_POOL_SIZING_H

/* Fills in the fields of pools that the dynamic model computes.
 *
 * The arithmetic is in pool.h; this module decides what a row gets:
 *   - a pool without a size gets one;
 *   - ingress_lossless_pool gets the size of the shared headroom pool as xoff,
 *     even if its own size is configured.
 * If a value cannot be computed, the pool keeps the one it has, and a pool that
 * never had a size is not created: orchd never creates one of size zero.  While
 * a reference to a profile or a pool is missing, pools also keep their sizes,
 * because what the missing row had bound is still in force on the ASIC but
 * unknown here. */

struct buffer_row;
struct dynamic_state;
struct terms;

/* Computes all pools again and marks changed rows as due. */
void pool_sizing_update(struct dynamic_state *model);

/* Adds the terms of the sizes to 'terms', the size of 'pool', which was
 * computed, as the last. */
void pool_sizing_explain(const struct dynamic_state *model,
                         const struct buffer_row *pool, struct terms *terms);

#endif /* orchd/derive/pool_sizing.h */
