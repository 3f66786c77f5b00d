/* SPDX-License-Identifier: Apache-2.0 */

/* Checks profiles before and after a call, given the shared headroom of their
 * pools. */

#include <config.h>

#include "orchd/reconcile/headroom_order.h"

#include <stdint.h>

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/slot_diff.h"

static const sai_attr_id_t size_id =
    SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE;
static const sai_attr_id_t xon_id = SAI_BUFFER_PROFILE_ATTR_XON_TH;
static const sai_attr_id_t xoff_id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH;
static const sai_attr_id_t shared_id = SAI_BUFFER_POOL_ATTR_XOFF_SIZE;

/* The range in which an attribute is, or is to be. */
struct extent {
    uint64_t least, most;
};

/* The relevant values of a profile at one time. */
struct sizes {
    struct extent size, xon, xoff;
    struct extent shared; /* Of its pool. */
};

static bool
is_profile(const struct object *object)
{
    return object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE;
}

/* Returns whether attribute 'id' of 'object' affects headroom. */
static bool
matters(const struct object *object, sai_attr_id_t id)
{
    if (is_profile(object)) {
        return id == size_id || id == xon_id || id == xoff_id;
    }
    return object->type == SAI_OBJECT_TYPE_BUFFER_POOL && id == shared_id;
}

static struct extent
exactly(uint64_t number)
{
    return (struct extent){number, number};
}

/* Returns the value of attribute 'id' on the ASIC.  All defaults are zero. */
static struct extent
now(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    if (slot && slot->uncertain) {
        return (struct extent){slot->least, slot->most};
    }
    return exactly(slot && slot->held ? slot->value.u64 : 0);
}

/* Returns the value that attribute 'id' is to have in the end. */
static struct extent
finally(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    if (slot && (slot->frozen || !object->wanted)) {
        return now(object, id);
    }
    return exactly(slot && slot->want ? slot->want->value.u64 : 0);
}

/* Returns whether a profile is sound: certainly, or ('hoping') possibly. */
static bool
sound(const struct sizes *sizes, bool hoping)
{
    uint64_t size = hoping ? sizes->size.most : sizes->size.least;
    uint64_t xon = hoping ? sizes->xon.least : sizes->xon.most;
    uint64_t xoff = hoping ? sizes->xoff.least : sizes->xoff.most;
    uint64_t shared = hoping ? sizes->shared.most : sizes->shared.least;

    return size >= xon && (shared > 0 || size - xon >= xoff);
}

/* Returns the pool that 'profile' is in, or NULL. */
static struct object *
pool_of(const struct object *profile)
{
    const struct slot *slot =
        object_slot(profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID);

    return slot && slot->held && slot->n_targets ? slot_targets(slot)[0] : NULL;
}

/* Returns the pool that 'profile' is to be in; its current one if nothing is
 * wanted. */
static struct object *
pool_finally(const struct object *profile)
{
    const struct slot *slot =
        object_slot(profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID);

    return slot && slot->want && slot->want->n_refs
               ? source_edges(slot->source, slot->want)->object
               : pool_of(profile);
}

/* Returns the shared headroom of 'pool'.  A pool that does not exist is created
 * with its final value. */
static struct extent
shared_now(const struct object *pool)
{
    if (!pool) {
        return exactly(0);
    }
    return object_exists(pool) ? now(pool, shared_id)
                               : finally(pool, shared_id);
}

static struct sizes
sizes_now(const struct object *profile)
{
    return (struct sizes){now(profile, size_id), now(profile, xon_id),
                          now(profile, xoff_id), shared_now(pool_of(profile))};
}

static struct sizes
sizes_finally(const struct object *profile)
{
    const struct object *pool = pool_finally(profile);

    return (struct sizes){finally(profile, size_id), finally(profile, xon_id),
                          finally(profile, xoff_id),
                          pool ? finally(pool, shared_id) : exactly(0)};
}

/* Returns whether 'profile' may become 'after'. */
static bool
may_become(const struct object *profile, const struct sizes *after)
{
    const struct sizes before = sizes_now(profile);
    const struct sizes in_the_end = sizes_finally(profile);

    return sound(after, false) || !sound(&before, true) ||
           !sound(&in_the_end, true);
}

/* Returns whether 'profile' would become unsound if its pool had no shared
 * headroom.  A profile whose row was deleted must stay sound while it has
 * users. */
static bool
suffers(const struct object *profile)
{
    const struct sizes before = sizes_now(profile);
    struct sizes after = before;

    after.shared = exactly(0);
    if (!profile->wanted) {
        return profile->n_users > 0 && sound(&before, true) &&
               !sound(&after, false);
    }
    return !may_become(profile, &after);
}

/* Returns a profile that would become unsound if 'pool' had no shared headroom,
 * or NULL.  Visits all objects, but for a rare change. */
static const struct object *
sufferer(const struct object *pool)
{
    for (const struct object *profile = pool->graph->objects; profile;
         profile = profile->next) {
        if (is_profile(profile) && object_exists(profile) &&
            pool_of(profile) == pool && suffers(profile)) {
            return profile;
        }
    }
    return NULL;
}

bool
headroom_order_order(const struct object *object, const struct slot *slot,
                     int *order)
{
    uint64_t before, after;
    bool grows;

    if (!matters(object, slot->meta->id)) {
        return false;
    }
    before = now(object, slot->meta->id).most;
    after = finally(object, slot->meta->id).most;
    grows = after > before;
    if (slot->meta->id == size_id) {
        *order = grows ? -2 : INT32_MAX;
    } else {
        *order = grows ? INT32_MAX - 1 : -1;
    }
    return is_profile(object);
}

bool
headroom_order_allows(const struct object *object, const struct slot *slot,
                      const sai_attribute_value_t *value)
{
    const sai_attr_id_t id = slot->meta->id;
    struct sizes after;

    if (!matters(object, id) || object_is_made_elsewhere(object)) {
        return true;
    }
    if (!is_profile(object)) {
        return value->u64 > 0 || !sufferer(object);
    }
    after = sizes_now(object);
    if (id == size_id) {
        after.size = exactly(value->u64);
    } else if (id == xon_id) {
        after.xon = exactly(value->u64);
    } else {
        after.xoff = exactly(value->u64);
    }
    return may_become(object, &after);
}

bool
headroom_order_allows_creation(const struct object *object)
{
    struct sizes made, in_the_end;

    if (!is_profile(object) || object_is_made_elsewhere(object)) {
        return true;
    }
    made = in_the_end = sizes_finally(object);
    made.shared = shared_now(pool_finally(object));
    return sound(&made, false) || !sound(&in_the_end, true);
}

/* Returns whether a pending change of 'object' is not allowed yet. */
static bool
is_held_back(const struct object *object)
{
    if (!object_exists(object)) {
        return object->wanted && !headroom_order_allows_creation(object);
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];
        sai_attribute_value_t value = {.u64 = 0};

        if (matters(object, slot->meta->id) && slot_differs(object, slot)) {
            value.u64 = finally(object, slot->meta->id).most;
            if (!headroom_order_allows(object, slot, &value)) {
                return true;
            }
        }
    }
    return false;
}

const struct object *
headroom_order_waits_for(const struct object *object)
{
    const struct object *pool;
    const struct slot *shared;

    if (object->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        return object_exists(object) && is_held_back(object) ? sufferer(object)
                                                             : NULL;
    }
    pool = is_profile(object) ? pool_finally(object) : NULL;
    shared = pool ? object_slot(pool, shared_id) : NULL;
    return shared && slot_differs(pool, shared) && is_held_back(object) ? pool
                                                                        : NULL;
}

void
headroom_order_blur(const struct object *object, struct slot *slot,
                    const sai_attribute_value_t *value)
{
    if (matters(object, slot->meta->id)) {
        struct extent before = now(object, slot->meta->id);

        slot->least = value->u64 < before.least ? value->u64 : before.least;
        slot->most = value->u64 > before.most ? value->u64 : before.most;
    }
}

void
headroom_order_note_change(struct object *object, const struct slot *slot)
{
    struct object *pool;

    if (!matters(object, slot->meta->id)) {
        return;
    }
    pool = is_profile(object) ? pool_of(object) : NULL;
    if (pool) {
        graph_mark(pool);
    } else {
        graph_mark_referrers(object);
    }
}
