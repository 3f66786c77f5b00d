/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_OVERLAY_H
#define ORCHD_RECONCILE_OVERLAY_H

/* Values that are temporarily in force instead of what rows want.
 *
 * Rows hold the configuration.  A module that has to intervene (the watchdog
 * clears a priority in a port's PFC mask) does not change rows; it adds an
 * overlay to the attribute.  Plans compare and set the effective value.  When
 * the overlay ends, the attribute gets what the rows want at that time, not
 * what they wanted when it began.
 *
 *   bits    a mask without some of its bits, as far as rows want any of it
 *   value   a number, whatever rows want: for attributes that no row sets
 *
 * An overlay also works on a row that is not ready: the slot then keeps its
 * value without those bits, and gets them back afterwards. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct graph;
struct object;
struct object_name;

/* Adds ('on') or ends an overlay that clears bit 'bit' of attribute 'id', a
 * mask of 8 bits, of an object. */
void overlay_bit(struct graph *graph, const struct object_name *name,
                 sai_attr_id_t id, unsigned int bit, bool on);

/* Adds ('on') or ends an overlay that sets a boolean attribute of an object to
 * true; without it the attribute has its default. */
void overlay_flag(struct graph *graph, const struct object_name *name,
                  sai_attr_id_t id, bool on);

/* Applies the overlays of 'object' to its slots, which were just filled. */
void overlay_apply(struct object *object);

/* Ends all overlays. */
void overlay_end_all(struct graph *graph);

#endif /* orchd/reconcile/overlay.h */
