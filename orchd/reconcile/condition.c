/* SPDX-License-Identifier: Apache-2.0 */

/* Evaluates the terms of conditions on slots. */

#include <config.h>

#include "orchd/reconcile/condition.h"

#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/trimming.h"
#include "sai/core/metadata.h"

/* Returns the value of an attribute as a number. */
typedef int64_t number_fn(const struct object *object, sai_attr_id_t id);

static int64_t
number_by_default(const struct object *object, sai_attr_id_t id)
{
    const struct metadata_attribute *meta =
        metadata_attribute(object->type, id);
    sai_attribute_value_t value = {.u64 = 0};

    (void)metadata_default(meta, &value);
    return metadata_number(meta->kind, &value);
}

static int64_t
number_now(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    return slot && slot->held ? metadata_number(slot->meta->kind, &slot->value)
                              : number_by_default(object, id);
}

static int64_t
number_to_be(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    if (!slot || slot->frozen || refusal_stands(&slot->refusal) ||
        trimming_keeps(slot)) {
        return number_now(object, id);
    }
    return slot->want ? metadata_number(slot->meta->kind, &slot->want->value)
                      : number_by_default(object, id);
}

static bool
any_term(const struct object *object, const struct slot *slot,
         number_fn *number)
{
    const struct metadata_attribute *meta = slot->meta;
    bool any = !slot->conditional;

    for (uint16_t i = 0; i < meta->n_terms && !any; i++) {
        any = number(object, meta->terms[i].id) == meta->terms[i].value;
    }
    return any;
}

bool
condition_will_hold(const struct object *object, const struct slot *slot)
{
    return any_term(object, slot, number_to_be);
}

bool
condition_holds(const struct object *object, const struct slot *slot)
{
    return any_term(object, slot, number_now);
}
