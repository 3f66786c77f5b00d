/* SPDX-License-Identifier: Apache-2.0 */

/* The five positions are the ids of the attributes and of the two that follow,
 * which can only be read. */

#include <config.h>

#include "orchd/reconcile/llr_order.h"

#include <stddef.h>

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/slot_diff.h"

enum {
    FIRST_OFF = SAI_PORT_ATTR_LLR_MODE_LOCAL,
    SECOND_OFF = SAI_PORT_ATTR_LLR_MODE_REMOTE,
    PROFILE = SAI_PORT_ATTR_LLR_PROFILE,
    REMOTE_ON = SAI_PORT_ATTR_LLR_TX_STATUS,
    LOCAL_ON = SAI_PORT_ATTR_LLR_RX_STATUS,
};

static bool
is_mode(const struct object *object, const struct slot *slot)
{
    return object->type == SAI_OBJECT_TYPE_PORT &&
           (slot->meta->id == SAI_PORT_ATTR_LLR_MODE_LOCAL ||
            slot->meta->id == SAI_PORT_ATTR_LLR_MODE_REMOTE);
}

bool
llr_order_concerns(sai_object_type_t type, sai_attr_id_t id)
{
    return type == SAI_OBJECT_TYPE_PORT && id >= SAI_PORT_ATTR_LLR_MODE_LOCAL &&
           id <= SAI_PORT_ATTR_LLR_PROFILE;
}

/* Returns the slot of the profile of 'object' if its row wants another one, or
 * it is unknown which one it has; NULL otherwise. */
static struct slot *
profile_to_change(const struct object *object)
{
    struct slot *slot = object_slot(object, SAI_PORT_ATTR_LLR_PROFILE);

    return slot && slot->want && slot->want->n_refs &&
                   slot_is_to_be_set(object, slot)
               ? slot
               : NULL;
}

/* Returns whether 'slot' is a direction that its row wants on. */
static bool
is_wanted_on(const struct object *object, const struct slot *slot)
{
    return is_mode(object, slot) && slot->want && slot->want->value.booldata;
}

/* Returns whether the direction of 'slot' is on, as far as is known. */
static bool
may_be_on(const struct slot *slot)
{
    return slot && (slot->uncertain || (slot->held && slot->value.booldata));
}

/* Returns whether direction 'id' of 'object' is not wanted on, but the device
 * has refused to turn it off. */
static bool
stays_on(const struct object *object, sai_attr_id_t id)
{
    const struct slot *slot = object_slot(object, id);

    return may_be_on(slot) && !is_wanted_on(object, slot) &&
           refusal_stands(&slot->refusal);
}

/* Returns whether 'object' is about to have another profile. */
static bool
changes_profile(const struct object *object)
{
    const struct slot *slot = profile_to_change(object);

    return slot && !refusal_stands(&slot->refusal) &&
           !stays_on(object, SAI_PORT_ATTR_LLR_MODE_LOCAL) &&
           !stays_on(object, SAI_PORT_ATTR_LLR_MODE_REMOTE);
}

bool
llr_order_order(const struct object *object, const struct slot *slot,
                int *order)
{
    const bool local = slot->meta->id == SAI_PORT_ATTR_LLR_MODE_LOCAL;

    if (!llr_order_concerns(object->type, slot->meta->id)) {
        return false;
    }
    if (!is_mode(object, slot)) {
        *order = PROFILE;
    } else if (slot->want && slot->want->value.booldata) {
        *order = local ? LOCAL_ON : REMOTE_ON;
    } else {
        *order = local == changes_profile(object) ? FIRST_OFF : SECOND_OFF;
    }
    return true;
}

bool
llr_order_pauses(const struct object *object, const struct slot *slot, int *off,
                 int *on)
{
    const bool local = slot->meta->id == SAI_PORT_ATTR_LLR_MODE_LOCAL;

    if (!is_wanted_on(object, slot) || object_is_made_elsewhere(object) ||
        !may_be_on(slot) || !changes_profile(object)) {
        return false;
    }
    *off = local ? FIRST_OFF : SECOND_OFF;
    *on = local ? LOCAL_ON : REMOTE_ON;
    return true;
}

/* Returns whether a direction may be on. */
static bool
may_protect(const struct object *object)
{
    return may_be_on(object_slot(object, SAI_PORT_ATTR_LLR_MODE_LOCAL)) ||
           may_be_on(object_slot(object, SAI_PORT_ATTR_LLR_MODE_REMOTE));
}

bool
llr_order_allows(const struct object *object, const struct slot *slot,
                 const sai_attribute_value_t *value)
{
    const struct slot *profile;

    if (!llr_order_concerns(object->type, slot->meta->id) ||
        object_is_made_elsewhere(object)) {
        return true;
    }
    if (!is_mode(object, slot)) {
        return !may_protect(object);
    }
    if (!value->booldata) {
        return !is_wanted_on(object, slot) || changes_profile(object);
    }
    profile = object_slot(object, SAI_PORT_ATTR_LLR_PROFILE);
    return profile && profile->held && !profile->uncertain &&
           profile->n_targets > 0;
}

struct slot *
llr_order_refused(const struct object *object, struct slot *slot,
                  const sai_attribute_value_t *value)
{
    struct slot *profile = is_wanted_on(object, slot) && !value->booldata
                               ? profile_to_change(object)
                               : NULL;

    return profile ? profile : slot;
}

bool
llr_order_is_passing(const struct object *object, const struct slot *slot)
{
    return is_wanted_on(object, slot) && profile_to_change(object);
}
