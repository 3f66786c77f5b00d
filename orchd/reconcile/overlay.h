/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_OVERLAY_H
#define ORCHD_RECONCILE_OVERLAY_H

/* What is in force for a while instead of what rows want.
 *
 * Rows say what is configured.  Somebody who has to intervene (the watchdog
 * clears a priority out of a port's PFC mask) does not change rows but lays
 * something over the attribute.  What a plan compares and sets is then the
 * effective value; when the overlay ends it is whatever the rows say by then,
 * not what they said when it began.
 *
 *   bits    a mask without some of its bits, as far as rows want any of it
 *   value   a number, whatever rows want: of attributes that no row sets
 *
 * An overlay works on a row that is not ready, too: the slot then has what it
 * had, without the bits, and gets it back. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct graph;
struct object;
struct object_name;

/* Clears ('on') bit 'bit' of attribute 'id', a mask of 8 bits, of an object, or
 * leaves it to the rows. */
void overlay_bit(struct graph *graph, const struct object_name *name,
                 sai_attr_id_t id, unsigned int bit, bool on);

/* Gives a boolean attribute of an object the value true ('on'), or its
 * default. */
void overlay_flag(struct graph *graph, const struct object_name *name,
                  sai_attr_id_t id, bool on);

/* Lays over the slots of 'object', which were just filled, what there is. */
void overlay_apply(struct object *object);

/* Ends all overlays. */
void overlay_end_all(struct graph *graph);

#endif /* orchd/reconcile/overlay.h */
