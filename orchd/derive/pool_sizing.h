/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_POOL_SIZING_H
#define ORCHD_DERIVE_POOL_SIZING_H

/* The rows of pools that leave out what the dynamic model computes.
 *
 * The arithmetic is in pool.h; here are the rules of what a row gets:
 *   - a pool without a size gets one;
 *   - ingress_lossless_pool gets the size of the shared headroom pool as xoff,
 *     even if its own size was given.
 * What cannot be computed leaves the pool as it was, and one that never had a
 * size uncreated: nothing is ever made with a size of zero.  While a reference
 * to a profile or a pool is missing, what pools have is not touched either,
 * because what is bound to it is still in force on the ASIC but unknown here.
 */

struct buffer_row;
struct dynamic_state;
struct terms;

/* Works out all pools again; rows that change are marked as due. */
void pool_sizing_update(struct dynamic_state *model);

/* Adds what decides on the sizes to 'terms', in the end the size of 'pool',
 * which was computed. */
void pool_sizing_explain(const struct dynamic_state *model,
                         const struct buffer_row *pool, struct terms *terms);

#endif /* orchd/derive/pool_sizing.h */
