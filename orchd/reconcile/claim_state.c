/* SPDX-License-Identifier: Apache-2.0 */

/* Derives the state of a claim from the graph. */

#include <config.h>

#include "orchd/reconcile/claim_state.h"

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/source.h"
#include "sai/core/status.h"

/* Returns whether 'refusal' is to be reported rather than 'found': a failure is
 * more serious than an unsupported attribute. */
static bool
refusal_is_worse(const struct refusal *refusal,
                 const struct claim_refusal *found)
{
    return refusal->status != SAI_STATUS_SUCCESS &&
           (!found->refusal ||
            (st_from_sai(found->refusal->status) == ST_UNSUPPORTED &&
             st_from_sai(refusal->status) != ST_UNSUPPORTED));
}

/* Looks for refusals of what the row of 'claim' wants and the ASIC does not
 * have. */
static void
refusal_of_wants(const struct claim *claim, struct claim_refusal *found)
{
    const struct object *object = claim->object;
    const struct demand *demand = &claim->source->demand;

    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];
        const struct slot *slot = object_slot(object, want->meta->id);

        if (scheduler_groups_concern(object, want) && slot && slot->want &&
            (slot->want == want || claim->ready) &&
            refusal_is_worse(&slot->refusal, found) &&
            slot_differs(object, slot)) {
            *found = (struct claim_refusal){&slot->refusal, slot->meta, want};
        }
        if (demand->defines && object->refused == want->meta &&
            refusal_is_worse(&object->refusal, found)) {
            *found =
                (struct claim_refusal){&object->refusal, object->refused, want};
        }
    }
}

struct claim_refusal
claim_state_refusal(const struct claim *claim)
{
    const struct object *object = claim->object;
    struct claim_refusal found = {NULL, NULL, NULL};

    refusal_of_wants(claim, &found);
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && !slot->want &&
            refusal_is_worse(&slot->refusal, &found)) {
            found = (struct claim_refusal){&slot->refusal, slot->meta, NULL};
        }
    }
    if ((claim->source->demand.defines || scheduler_groups_unknown(object)) &&
        refusal_is_worse(&object->refusal, &found)) {
        found = (struct claim_refusal){&object->refusal, NULL, NULL};
    }
    return found;
}

/* Returns whether the row of 'claim' names a queue of the group, but sets no
 * scheduler. */
static bool
leaves_scheduler(const struct claim *claim)
{
    return claim->object->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP &&
           !scheduler_groups_want(claim);
}

/* Returns whether a plan still has to change something for 'claim'. */
static bool
claim_unfinished(const struct claim *claim)
{
    const struct object *object = claim->object;

    if (claim->source->demand.defines && !object_exists(object)) {
        return true;
    }
    if (scheduler_groups_unknown(object) && scheduler_groups_want(claim)) {
        return true;
    }
    if (claim->source->demand.defines && object->port_children &&
        object->port_children->unprepared) {
        return true;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table &&
            !(slot->want && leaves_scheduler(claim)) &&
            slot_differs(object, slot)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the object is to be replaced, or its port released, once
 * others are no longer bound to it. */
static bool
claim_is_kept(const struct claim *claim)
{
    const struct object *object = claim->object;

    if (!claim->source->demand.defines || !object_exists(object)) {
        return false;
    }
    if (object->class == OBJECT_CLAIMED) {
        return !object->wanted;
    }
    return object->pinned;
}

const struct object *
claim_state_lane_holder(const struct claim *claim)
{
    const struct object *port = claim->object;
    const struct slot *lanes = object_slot(port, SAI_PORT_ATTR_HW_LANE_LIST);

    if (claim->source->demand.defines && port->port_children &&
        port->port_children->lanes_blocker) {
        return port->port_children->lanes_blocker;
    }
    if (!claim->source->demand.defines ||
        port->refusal.status != SAI_STATUS_OBJECT_IN_USE || !lanes ||
        !lanes->want || object_exists(port)) {
        return NULL;
    }
    for (const struct object *other = port->graph->objects; other;
         other = other->next) {
        const sai_attribute_value_t *held =
            other->type == port->type
                ? object_value(other, SAI_PORT_ATTR_HW_LANE_LIST)
                : NULL;

        if (held &&
            ports_share_a_lane(&held->u32list, &lanes->want->value.u32list)) {
            return other;
        }
    }
    return NULL;
}

/* The order is the one in which the author of the row would have to fix things.
 */
enum claim_state
claim_state_of(const struct claim *claim)
{
    struct claim_refusal found;

    if (claim->out_of_range) {
        return CLAIM_OUT_OF_RANGE;
    }
    if (!claim->wins) {
        return CLAIM_SHADOWED;
    }
    if (claim->missing && claim->source->table == TABLE_SYSTEM_PORT) {
        return CLAIM_SYSTEM_PORT;
    }
    if (claim->missing) {
        return object_is_cpu_port(claim->missing) ? CLAIM_CPU_PORT
                                                  : CLAIM_MISSING;
    }
    if (claim->conflict) {
        return CLAIM_CONFLICT;
    }
    if (claim->no_group) {
        return CLAIM_NO_GROUP;
    }
    if (claim->overruled) {
        return CLAIM_OVERRULED;
    }
    if (claim_state_lane_holder(claim)) {
        return CLAIM_LANES_IN_USE;
    }
    found = claim_state_refusal(claim);
    if (found.refusal) {
        return st_from_sai(found.refusal->status) == ST_UNSUPPORTED
                   ? CLAIM_UNSUPPORTED
                   : CLAIM_FAILED;
    }
    if (claim_is_kept(claim)) {
        return CLAIM_IN_USE;
    }
    if (!claim_unfinished(claim)) {
        return CLAIM_DONE;
    }
    return headroom_order_waits_for(claim->object) ? CLAIM_HELD_BACK
                                                   : CLAIM_UNFINISHED;
}
