/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_ROOM_H
#define ORCHD_ORCHLAB_WHATIF_ROOM_H

/* The room for bursts: what lossless priority groups may share before they ask
 * for a pause.  It is the size of their pool less guarantees and headroom, so
 * headroom that is over-subscribed r:1 leaves
 *
 *     S(r) = SIZE - guarantees - sum of headroom / r
 *
 * of which one burst gets a part, by its alpha (LAB A22). */

#include <jansson.h>
#include <stdint.h>

#include "base/text.h"
#include "orchlab/whatif_inquiry.h"

struct switch_instance;

/* Returns the room of a switch with the configuration 'config', 0 if no pool of
 * it has priority groups with headroom. */
uint64_t whatif_room_bytes(const struct switch_instance *instance,
                           const json_t *config);

/* Returns whether the question is one about headroom, which has this room for
 * an answer. */
bool whatif_room_is_asked(const struct whatif_inquiry *inquiry);

/* Adds a sentence for each role whose room changes. */
void whatif_room_say(const struct whatif_inquiry *inquiry, struct text *text);

/* Returns {ROLE: {"before": BYTES, "after": BYTES, "gained": BYTES}}. */
json_t *whatif_room_describe(const struct whatif_inquiry *inquiry);

#endif /* orchlab/whatif_room.h */
