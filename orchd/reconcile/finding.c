/* SPDX-License-Identifier: Apache-2.0 */

/* What can be said of a claim. */

#include <config.h>

#include "orchd/reconcile/finding.h"

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/source.h"
#include "sai/core/status.h"

/* Returns whether 'refusal' is one that the author of the row should hear of
 * rather than of what 'complaint' is: what a device cannot do is less urgent
 * than what went wrong. */
static bool
refusal_is_worse(const struct refusal *refusal,
                 const struct complaint *complaint)
{
    return refusal->status != SAI_STATUS_SUCCESS &&
           (!complaint->refusal ||
            (st_from_sai(complaint->refusal->status) == ST_UNSUPPORTED &&
             st_from_sai(refusal->status) != ST_UNSUPPORTED));
}

/* Looks for complaints about what the row of 'claim' wants. */
static void
complain_of_wants(const struct claim *claim, struct complaint *complaint)
{
    const struct object *object = claim->object;
    const struct demand *demand = &claim->source->demand;

    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];
        const struct slot *slot = object_slot(object, want->meta->id);

        if (scheduler_groups_concern(object, want) && slot && slot->want &&
            (slot->want == want || claim->ready) &&
            refusal_is_worse(&slot->refusal, complaint)) {
            *complaint = (struct complaint){&slot->refusal, slot->meta, want};
        }
        if (demand->defines && object->refused == want->meta &&
            refusal_is_worse(&object->refusal, complaint)) {
            *complaint =
                (struct complaint){&object->refusal, object->refused, want};
        }
    }
}

struct complaint
finding_complaint(const struct claim *claim)
{
    const struct object *object = claim->object;
    struct complaint complaint = {NULL, NULL, NULL};

    complain_of_wants(claim, &complaint);
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && !slot->want &&
            refusal_is_worse(&slot->refusal, &complaint)) {
            complaint = (struct complaint){&slot->refusal, slot->meta, NULL};
        }
    }
    if ((claim->source->demand.defines || scheduler_groups_unknown(object)) &&
        refusal_is_worse(&object->refusal, &complaint)) {
        complaint = (struct complaint){&object->refusal, NULL, NULL};
    }
    return complaint;
}

/* Returns whether the row of 'claim' names a queue of the group, but leaves its
 * scheduler to others. */
static bool
is_silent(const struct claim *claim)
{
    return claim->object->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP &&
           !scheduler_groups_want(claim);
}

/* Returns whether a plan has yet to do something for 'claim'. */
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
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table &&
            !(slot->want && is_silent(claim)) && slot_differs(object, slot)) {
            return true;
        }
    }
    return false;
}

/* Returns whether something is to be replaced, or a port let go, as soon as
 * others that are still bound to it are not. */
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
    return object->pinned ||
           (object->old_oid != SAI_NULL_OBJECT_ID && claim_unfinished(claim));
}

const struct object *
finding_lane_holder(const struct claim *claim)
{
    const struct object *port = claim->object;
    const struct slot *lanes = object_slot(port, SAI_PORT_ATTR_HW_LANE_LIST);

    if (!claim->source->demand.defines ||
        port->refusal.status != SAI_STATUS_OBJECT_IN_USE || !lanes ||
        !lanes->want || object_exists(port)) {
        return NULL;
    }
    for (const struct object *other = port->graph->objects; other;
         other = other->hh.next) {
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

/* The order is that in which the row's author would have to mend things. */
enum finding
finding_of(const struct claim *claim)
{
    struct complaint complaint;

    if (claim->out_of_range) {
        return FINDING_OUT_OF_RANGE;
    }
    if (!claim->wins) {
        return FINDING_SHADOWED;
    }
    if (claim->missing) {
        return object_is_cpu_port(claim->missing) ? FINDING_CPU_PORT
                                                  : FINDING_MISSING;
    }
    if (claim->misfit) {
        return FINDING_MISFIT;
    }
    if (claim->homeless) {
        return FINDING_HOMELESS;
    }
    if (claim->overruled) {
        return FINDING_OVERRULED;
    }
    if (finding_lane_holder(claim)) {
        return FINDING_LANES;
    }
    complaint = finding_complaint(claim);
    if (complaint.refusal) {
        return st_from_sai(complaint.refusal->status) == ST_UNSUPPORTED
                   ? FINDING_UNSUPPORTED
                   : FINDING_FAILED;
    }
    if (claim_is_kept(claim)) {
        return FINDING_KEPT;
    }
    if (!claim_unfinished(claim)) {
        return FINDING_DONE;
    }
    return headroom_order_waits_for(claim->object) ? FINDING_HELD_BACK
                                                   : FINDING_UNFINISHED;
}
