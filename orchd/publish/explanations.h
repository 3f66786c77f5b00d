/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_EXPLANATIONS_H
#define ORCHD_PUBLISH_EXPLANATIONS_H

/* STATE_DB: where the numbers of the dynamic buffer model come from.
 *
 * Internal to publish/.
 *
 *   ORCHD_BUFFER_EXPLAIN|port  effective_speed, cable, mtu: the inputs of the
 *                              formula; profile, xon, xoff, size: the result in
 *                              force; headroom_used, headroom_limit: bytes of
 *                              the port; longest_cable: that would still fit
 *   ORCHD_POOL_EXPLAIN|pool    size, xoff: the results
 *
 * and both have a field "term_NAME" for each term of the calculation:
 *
 *   term_cable  37878.787 bytes = 2 * cable_length * speed / 198,000 km/s
 *   term_mtu    9100 bytes (PORT)
 *
 * with formula and source if the term has them.  A row is written only if it
 * has changed, and is removed with the port or pool that it explains. */

#include "orchd/intent/table.h"

struct explanation;
struct explanations;
struct redis;

/* Creates explanations that write through 'redis', which is borrowed. */
struct explanations *explanations_create(struct redis *redis);

/* Frees 'explanations'; the rows in STATE_DB stay.  Accepts NULL. */
void explanations_destroy(struct explanations *explanations);

/* Forgets what was written, and starts to remove all rows that are not written
 * again before the sweep reaches them. */
void explanations_restart(struct explanations *explanations);

/* Writes the explanation of a port or pool; NULL removes it. */
void explanations_set(struct explanations *explanations, enum table table,
                      const char *key, const struct explanation *explanation);

#endif /* orchd/publish/explanations.h */
