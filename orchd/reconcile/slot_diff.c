/* SPDX-License-Identifier: Apache-2.0 */

/* Compares wanted with held values. */

#include <config.h>

#include "orchd/reconcile/slot_diff.h"

#include "orchd/reconcile/binding.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/trimming.h"
#include "sai/core/attr_value.h"

static bool
is_reference(const struct metadata_attribute *meta)
{
    return meta->kind == KIND_OID || meta->kind == KIND_OBJLIST;
}

bool
slot_is_stale(const struct slot *slot)
{
    for (size_t i = 0; slot->held && i < slot->n_targets; i++) {
        if (slot_targets(slot)[i]->recreate ||
            slot_target_oid(slot, i) != slot_targets(slot)[i]->oid) {
            return true;
        }
    }
    return false;
}

static bool
references_differ(const struct slot *slot)
{
    const struct edge *edges = source_edges(slot->source, slot->want);

    if (slot->n_targets != slot->want->n_refs) {
        return true;
    }
    for (size_t i = 0; i < slot->n_targets; i++) {
        if (slot_targets(slot)[i] != edges[i].object) {
            return true;
        }
    }
    return slot_is_stale(slot);
}

/* Returns whether the default of 'slot', which was never set, is what it wants.
 * That is known only for objects that orchd created: an adopted port may have
 * been configured by others. */
static bool
default_suffices(const struct object *object, const struct slot *slot)
{
    sai_attribute_value_t value;

    if (!object->fresh || !metadata_default(slot->meta, &value)) {
        return false;
    }
    if (is_reference(slot->meta)) {
        return slot->want->n_refs == 0;
    }
    return attr_value_equal(slot->meta->kind, &value, &slot->want->value);
}

/* Returns whether 'slot', which is frozen, is to follow a replacement.  It
 * keeps a former version if the new one is of the direction that does not fit.
 */
static bool
is_to_follow(const struct object *object, const struct slot *slot)
{
    for (size_t i = 0; i < slot->n_targets; i++) {
        if (!binding_fits(object, slot->meta->id, slot_targets(slot)[i])) {
            return false;
        }
    }
    return slot_is_stale(slot);
}

bool
slot_differs(const struct object *object, const struct slot *slot)
{
    if (slot->dormant) {
        return false; /* It disappears with its condition. */
    }
    if (trimming_keeps(slot)) {
        return false;
    }
    if (slot->uncertain) {
        return !slot->frozen || slot->held;
    }
    if (slot->frozen) {
        return is_to_follow(object, slot);
    }
    if (!slot->want) {
        return slot->held;
    }
    if (!slot->held) {
        return !default_suffices(object, slot);
    }
    if (is_reference(slot->meta)) {
        return references_differ(slot);
    }
    return !attr_value_equal(slot->meta->kind, &slot->value,
                             &slot->want->value);
}

static bool
is_create_only(const struct metadata_attribute *meta)
{
    return (meta->flags & METADATA_FLAG_CREATE_ONLY) != 0;
}

bool
slot_is_to_be_set(const struct object *object, const struct slot *slot)
{
    if (is_create_only(slot->meta)) {
        return false;
    }
    /* A reference to nothing is not a value that a row names. */
    return slot_differs(object, slot) ||
           (slot->want && *slot->want->field && !slot->frozen &&
            !slot->dormant && !slot->held && !is_reference(slot->meta));
}

const struct object *
object_awaited_pool(const struct object *object)
{
    const struct object *pool =
        object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE
            ? object_wanted_target(object, SAI_BUFFER_PROFILE_ATTR_POOL_ID)
            : NULL;
    const sai_attribute_value_t *type =
        pool && !pool->recreate ? object_value(pool, SAI_BUFFER_POOL_ATTR_TYPE)
                                : NULL;

    if (pool && pool->restore) {
        return pool;
    }
    return type && type->s32 != SAI_BUFFER_POOL_TYPE_BOTH &&
                   pool->direction != DIRECTION_UNKNOWN &&
                   type->s32 != pool->direction
               ? pool
               : NULL;
}

bool
object_needs_replacement(const struct object *object)
{
    if (object->class != OBJECT_OWNED || !object_exists(object) ||
        !object->wanted) {
        return false;
    }
    if (object->lost) {
        return true;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (is_create_only(slot->meta) && slot_differs(object, slot)) {
            return true;
        }
    }
    return false;
}
