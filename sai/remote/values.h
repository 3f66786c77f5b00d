/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_VALUES_H
#define ORCHD_SAI_REMOTE_VALUES_H

/* Keys and attributes as bytes, by the layout of their kinds (sai/core/kind.h).
 *
 * An attribute is its id, the number of bytes that follow, and those: the runs
 * of its layout; for a list besides the count, the number of elements that
 * follow, and the runs of each.  In a request to read, counts say how much room
 * there is and no elements follow; in the answer they say what there is, and
 * elements follow if there was room.
 *
 * Who meets an attribute that it does not know, because the other side is
 * newer, skips it by its length and says so in 'status' of the object: it is
 * then not asked of the library.  One that the writer does not know itself has
 * no bytes at all. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/wire.h"

struct arena;

/* Most attributes of one object. */
#define VALUES_MAX UINT32_C(4096)

/* The attributes of an object as they came. */
struct values {
    uint32_t n;
    sai_attribute_t *attributes; /* Pieces of the arena, as their lists. */

    /* SAI_STATUS_SUCCESS, or what to answer instead of asking the library:
     * UNKNOWN_ATTRIBUTE for one that is not known here, INVALID_ATTR_VALUE for
     * a list without its elements; with its index. */
    sai_status_t status;
};

/* The key of an object of 'type': its id or, for entries, the entry. */
void values_put_key(struct wire_out *out, sai_object_type_t type,
                    const sai_object_key_t *key);
void values_get_key(struct wire_in *in, sai_object_type_t type,
                    sai_object_key_t *key);

/* Writes attributes to be created or set. */
void values_put(struct wire_out *out, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes);

/* Writes attributes to be read: their ids, and the room for their lists. */
void values_put_room(struct wire_out *out, sai_object_type_t type, uint32_t n,
                     const sai_attribute_t *attributes);

/* Reads what either of them has written.  Lists get memory for as many elements
 * as the count says, which '*budget' (bytes) is reduced by: more is bad. */
void values_get(struct wire_in *in, struct arena *arena, sai_object_type_t type,
                struct values *values);
void values_get_room(struct wire_in *in, struct arena *arena,
                     sai_object_type_t type, size_t *budget,
                     struct values *values);

/* Writes the answer to a request to read; 'rooms[i]' is what the count of a
 * list was before. */
void values_put_answer(struct wire_out *out, sai_object_type_t type, uint32_t n,
                       const sai_attribute_t *attributes,
                       const uint32_t *rooms);

/* Returns the count of a list, 0 of anything else. */
uint32_t values_room(sai_object_type_t type, const sai_attribute_t *attribute);

/* Reads that answer into the 'n' attributes that were asked for, whose lists
 * have the room that was said. */
void values_get_answer(struct wire_in *in, sai_object_type_t type, uint32_t n,
                       sai_attribute_t *attributes);

#endif /* sai/remote/values.h */
