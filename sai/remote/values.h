/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_VALUES_H
#define ORCHD_SAI_REMOTE_VALUES_H

/* Keys and attributes in the form of messages, by the layout of their kinds
 * (sai/core/kind.h).
 *
 * An attribute is its id, the length of the rest in bytes, and the runs of its
 * layout; a list also has its count, the number of elements that follow, and
 * the runs of each element.  In a get request, counts are capacities and no
 * elements follow; in the answer, counts are lengths, and the elements follow
 * if there was room.
 *
 * A reader that does not know an attribute, because the other side is newer,
 * skips it by its length and stores this in 'status' of the object, which is
 * then not passed to the library.  An attribute that the writer does not know
 * has length 0. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/wire.h"

struct arena;

/* The largest number of attributes of one object. */
#define VALUES_MAX UINT32_C(4096)

/* The received attributes of an object. */
struct values {
    uint32_t n;
    sai_attribute_t *attributes; /* Pieces of the arena, as their lists. */

    /* SAI_STATUS_SUCCESS, or the status to return instead of calling the
     * library, with the index of the attribute: UNKNOWN_ATTRIBUTE for an
     * unknown one, INVALID_ATTR_VALUE for a list without its elements. */
    sai_status_t status;
};

/* Write or parse the key of an object of 'type', its id or its entry. */
void values_put_key(struct wire_out *out, sai_object_type_t type,
                    const sai_object_key_t *key);
void values_get_key(struct wire_in *in, sai_object_type_t type,
                    sai_object_key_t *key);

/* Writes attributes of a create or set. */
void values_put(struct wire_out *out, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes);

/* Writes attributes of a get: their ids and the capacities of their lists. */
void values_put_room(struct wire_out *out, sai_object_type_t type, uint32_t n,
                     const sai_attribute_t *attributes);

/* Parses the output of either function.  Allocates lists of their counts and
 * subtracts their size from '*budget' (bytes); sets 'bad' if it does not
 * suffice. */
void values_get(struct wire_in *in, struct arena *arena, sai_object_type_t type,
                struct values *values);
void values_get_room(struct wire_in *in, struct arena *arena,
                     sai_object_type_t type, size_t *budget,
                     struct values *values);

/* Writes the result of a get; 'rooms[i]' is the capacity of a list. */
void values_put_answer(struct wire_out *out, sai_object_type_t type, uint32_t n,
                       const sai_attribute_t *attributes,
                       const uint32_t *rooms);

/* Returns the count of a list, 0 for other kinds. */
uint32_t values_room(sai_object_type_t type, const sai_attribute_t *attribute);

/* Parses that result into the 'n' attributes of the get, whose lists have the
 * capacities that were sent. */
void values_get_answer(struct wire_in *in, sai_object_type_t type, uint32_t n,
                       sai_attribute_t *attributes);

#endif /* sai/remote/values.h */
