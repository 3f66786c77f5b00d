/* SPDX-License-Identifier: Apache-2.0 */

/* The bytes that a profile, pool or binding reserves before and after a
 * change. */

#include <config.h>

#include "orchd/reconcile/reservation.h"

#include <stddef.h>

#include "orchd/reconcile/graph.h"

static const sai_attr_id_t reserved_size =
    SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE;

/* More than any chip has.  A size may be any 64-bit number; sizes up to this
 * decide which changes come first, and their sums do not overflow. */
#define BYTES_MAX (INT64_C(1) << 48)

static int64_t
value_bytes(const sai_attribute_value_t *value)
{
    return value->u64 < BYTES_MAX ? (int64_t)value->u64 : BYTES_MAX;
}

int64_t
reservation_bytes_change(const struct slot *slot)
{
    int64_t before = slot->held ? value_bytes(&slot->value) : 0;
    int64_t after = slot->want ? value_bytes(&slot->want->value) : 0;

    return after - before;
}

/* Returns the bytes that a user of 'profile' reserves while users move: a
 * profile that shrinks has already shrunk, one that grows has not grown yet,
 * and one that is created has its wanted size. */
static int64_t
profile_reserved(const struct object *profile)
{
    const struct slot *slot = object_slot(profile, reserved_size);

    if (!slot || profile->type != SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        return 0;
    }
    if (slot->want && (!slot->held || profile->recreate)) {
        return value_bytes(&slot->want->value);
    }
    return (slot->held ? value_bytes(&slot->value) : 0) +
           (slot->want && reservation_bytes_change(slot) < 0
                ? reservation_bytes_change(slot)
                : 0);
}

/* Returns the bytes reserved by the profile that 'slot' is bound to, while
 * users move.  A replaced object keeps its old size until it is removed. */
static int64_t
bound_reserved(const struct slot *slot)
{
    const struct object *profile = slot_targets(slot)[0];
    const sai_object_id_t oid = slot_target_oid(slot, 0);

    if (profile->recreate || oid != profile->oid) {
        const sai_attribute_value_t *size =
            object_version_value(profile, oid, reserved_size);

        return size ? value_bytes(size) : 0;
    }
    return profile_reserved(profile);
}

int64_t
reservation_slot_change(const struct object *object, const struct slot *slot)
{
    const struct object *after = NULL;

    if ((object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
         slot->meta->id == reserved_size) ||
        (object->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
         slot->meta->id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE)) {
        return reservation_bytes_change(slot);
    }
    if (object->class != OBJECT_CHILD) {
        return 0;
    }
    if (slot->want && slot->want->n_refs) {
        after = source_edges(slot->source, slot->want)->object;
    } else if (slot->frozen && slot->n_targets) {
        after = slot_targets(slot)[0];
    }
    return (after ? profile_reserved(after) : 0) -
           (slot->n_targets ? bound_reserved(slot) : 0);
}
