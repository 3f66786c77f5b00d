/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_POOL_USERS_H
#define ORCHD_DERIVE_POOL_USERS_H

/* What one port contributes to the sums from which pools get their sizes
 * (pool.h): the profiles that are bound to its groups and queues, index by
 * index, by the row that governs each; and those of its profile lists, once
 * each.  Zero profiles contribute nothing: where they are, nothing comes in. */

struct dynamic_state;
struct port_input;

/* Counts what is bound on 'port' into its own sums, and notes whether a
 * reference is missing. */
void pool_users_port(const struct dynamic_state *model,
                     struct port_input *port);

#endif /* orchd/derive/pool_users.h */
