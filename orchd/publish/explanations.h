/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_EXPLANATIONS_H
#define ORCHD_PUBLISH_EXPLANATIONS_H

/* STATE_DB: where the numbers of the dynamic buffer model come from.
 *
 * Internal to publish/.
 *
 *   ORCHD_BUFFER_EXPLAIN|port  effective_speed, cable, mtu: what the formula
 *                              was asked; profile, xon, xoff, size: what is in
 *                              force; headroom_used, headroom_limit: bytes of
 *                              the port; longest_cable: that would still fit
 *   ORCHD_POOL_EXPLAIN|pool    size, xoff: what was worked out
 *
 * and in both a field "term_NAME" for each term of the calculation:
 *
 *   term_cable  37878.787 bytes = 2 * cable_length * speed / 198,000 km/s
 *   term_mtu    9100 bytes (PORT)
 *
 * with formula and source where it has one.  A row is written only if it says
 * anything new, and is gone with what it explains. */

#include "orchd/intent/table.h"

struct explanation;
struct explanations;
struct redis;

/* Creates explanations that are written through 'redis', which is borrowed. */
struct explanations *explanations_create(struct redis *redis);

/* Frees 'explanations'; what was written stays.  Accepts NULL. */
void explanations_destroy(struct explanations *explanations);

/* Forgets what was written, and removes what is there and is not written again
 * before it is come across. */
void explanations_restart(struct explanations *explanations);

/* What there is to say about a port or pool is now 'explanation'; NULL:
 * nothing. */
void explanations_tell(struct explanations *explanations, enum table table,
                       const char *key, const struct explanation *explanation);

#endif /* orchd/publish/explanations.h */
