/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_POOL_USERS_H
#define ORCHD_DERIVE_POOL_USERS_H

/* What one port contributes to the sums that determine pool sizes (pool.h): the
 * profiles of its groups and queues, index by index, from the row that governs
 * each; and those of its profile lists, once each.  Zero profiles contribute
 * nothing, because they admit no traffic. */

struct dynamic_state;
struct port_input;

/* Adds what is bound on 'port' to its own sums, and records whether a reference
 * is missing. */
void pool_users_port(const struct dynamic_state *model,
                     struct port_input *port);

#endif /* orchd/derive/pool_users.h */
