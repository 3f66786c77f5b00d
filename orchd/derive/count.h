/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_COUNT_H
#define ORCHD_DERIVE_COUNT_H

/* What one port contributes to the sums from which pools get their sizes
 * (pool.h): the profiles that are bound to its groups and queues, index by
 * index, by the row that governs each; and those of its profile lists, once
 * each.  Zero profiles contribute nothing: where they are, nothing comes in. */

struct model;
struct port_facts;

/* Counts what is bound on 'port' into its own sums, and notes whether a
 * reference is missing. */
void count_port(const struct model *model, struct port_facts *port);

#endif /* orchd/derive/count.h */
