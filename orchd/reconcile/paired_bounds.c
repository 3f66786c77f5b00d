/* SPDX-License-Identifier: Apache-2.0 */

/* Widens a range before it narrows it. */

#include <config.h>

#include "orchd/reconcile/paired_bounds.h"

#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/graph.h"
#include "sai/core/metadata.h"

struct pair {
    sai_object_type_t type;
    sai_attr_id_t lower, upper;
};

static const struct pair pairs[] = {
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD,
     SAI_WRED_ATTR_GREEN_MAX_THRESHOLD},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_YELLOW_MIN_THRESHOLD,
     SAI_WRED_ATTR_YELLOW_MAX_THRESHOLD},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_RED_MIN_THRESHOLD,
     SAI_WRED_ATTR_RED_MAX_THRESHOLD},
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE,
     SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE},
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_BURST_RATE,
     SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE},
};

static const struct pair *
pair_of(const struct object *object, const struct slot *slot)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].type == object->type &&
            (pairs[i].lower == slot->meta->id ||
             pairs[i].upper == slot->meta->id)) {
            return &pairs[i];
        }
    }
    return NULL;
}

/* Returns 'value' of attribute 'id' as a bound. */
static uint64_t
bound(const struct pair *pair, sai_attr_id_t id,
      const sai_attribute_value_t *value)
{
    enum kind kind = metadata_attribute(pair->type, id)->kind;
    uint64_t number = (uint64_t)metadata_number(kind, value);

    return id == pair->upper && number == 0 ? UINT64_MAX : number;
}

static uint64_t
default_bound(const struct pair *pair, sai_attr_id_t id)
{
    sai_attribute_value_t value = {.u64 = 0};

    (void)metadata_default(metadata_attribute(pair->type, id), &value);
    return bound(pair, id, &value);
}

/* The range in which a bound on the ASIC is. */
struct extent {
    uint64_t least, most;
};

static struct extent
extent_now(const struct object *object, const struct pair *pair,
           sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);
    uint64_t number;

    if (slot && slot->uncertain) {
        return (struct extent){slot->least, slot->most};
    }
    number = slot && slot->held ? bound(pair, id, &slot->value)
                                : default_bound(pair, id);
    return (struct extent){number, number};
}

/* Returns the wanted value of attribute 'id' as a bound. */
static uint64_t
bound_wanted(const struct object *object, const struct pair *pair,
             sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    if (slot && slot->frozen) {
        return extent_now(object, pair, id).least;
    }
    return slot && slot->want ? bound(pair, id, &slot->want->value)
                              : default_bound(pair, id);
}

sai_attr_id_t
paired_bounds_place(const struct object *object, const struct slot *slot)
{
    const struct pair *pair = pair_of(object, slot);
    sai_attr_id_t id = slot->meta->id;

    if (pair && bound_wanted(object, pair, pair->lower) >
                    extent_now(object, pair, pair->upper).least) {
        return id == pair->lower ? pair->upper : pair->lower;
    }
    return id;
}

bool
paired_bounds_allow(const struct object *object, const struct slot *slot,
                    const sai_attribute_value_t *value)
{
    const struct pair *pair = pair_of(object, slot);
    sai_attr_id_t id = slot->meta->id;

    if (!pair || object_is_made_elsewhere(object)) {
        return true;
    }
    return id == pair->lower ? bound(pair, id, value) <=
                                   extent_now(object, pair, pair->upper).least
                             : bound(pair, id, value) >=
                                   extent_now(object, pair, pair->lower).most;
}

void
paired_bounds_blur(const struct object *object, struct slot *slot,
                   const sai_attribute_value_t *value)
{
    const struct pair *pair = pair_of(object, slot);

    if (pair) {
        struct extent now = extent_now(object, pair, slot->meta->id);
        uint64_t tried = bound(pair, slot->meta->id, value);

        slot->least = tried < now.least ? tried : now.least;
        slot->most = tried > now.most ? tried : now.most;
    }
}
