/* SPDX-License-Identifier: Apache-2.0 */

/* Winners, readiness, availability, and what each slot wants.
 *
 * An object is evaluated from its own claims and from the results of the
 * objects that its rows refer to, never from those that refer to it.  So a
 * change travels from pools to profiles to bindings, and stops where a result
 * stays the same. An evaluation may read of another object only its results
 * (wanted, available, direction, trims) and whether its port exists, because
 * only a change of these marks the readers. */

#include <config.h>

#include "orchd/reconcile/evaluate.h"

#include <string.h>

#include "orchd/reconcile/binding.h"
#include "orchd/reconcile/condition.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/llr_answer.h"
#include "orchd/reconcile/overlay.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/trimming.h"
#include "sai/core/attr_value.h"
#include "sai/core/status.h"

/* Returns whether 'a' is more specific than 'b'. */
static bool
claim_beats(const struct claim *a, const struct claim *b)
{
    const struct demand *x = &a->source->demand;
    const struct demand *y = &b->source->demand;

    if (x->width != y->width) {
        return x->width < y->width;
    }
    if (x->n_ports != y->n_ports) {
        return x->n_ports < y->n_ports;
    }
    /* Keys of one table differ, so this is a total order: the winner does not
     * depend on the order of arrival. */
    return strcmp(source_key(a->source), source_key(b->source)) < 0;
}

static bool
claim_wins(const struct claim *claim)
{
    for (const struct claim *other = claim->object->claims; other;
         other = other->next_on_object) {
        if (other != claim && other->source->table == claim->source->table &&
            other->index == claim->index && claim_beats(other, claim)) {
            return false;
        }
    }
    return true;
}

/* Returns whether 'target', or the object that it replaces, is in force here.
 */
static bool
slot_holds_target(const struct slot *slot, const struct object *target)
{
    for (size_t i = 0; slot && slot->held && i < slot->n_targets; i++) {
        if (slot_targets(slot)[i] == target) {
            return true;
        }
    }
    return false;
}

/* Returns whether something that 'slot' holds is about to be removed: an
 * object, or a former version that refers to one. */
static bool
holds_torn(const struct slot *slot)
{
    for (size_t i = 0; slot && slot->held && i < slot->n_targets; i++) {
        const struct object *target = slot_targets(slot)[i];
        const struct former_version *version =
            object_former_version(target, slot_target_oid(slot, i));

        if (target->torn) {
            return true;
        }
        for (size_t j = 0; version && j < version->n_slots; j++) {
            if (holds_torn(&version->slots[j])) {
                return true;
            }
        }
    }
    return false;
}

/* Returns the first object that 'claim' refers to and that is not available, or
 * NULL.  The edges of a source are in the order of its wants. */
static struct object *
claim_missing_reference(const struct claim *claim)
{
    const struct demand *demand = &claim->source->demand;
    const struct edge *edge = source_first_edge(claim->source);

    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];
        const struct slot *slot = object_slot(claim->object, want->meta->id);

        for (size_t j = 0; j < want->n_refs; j++, edge++) {
            if (scheduler_groups_concern(claim->object, want) &&
                !edge->object->available &&
                (edge->object->torn || holds_torn(slot) ||
                 !slot_holds_target(slot, edge->object))) {
                return edge->object;
            }
        }
    }
    return NULL;
}

/* Returns whether the row of 'port' is gone, so that the port is to be
 * released. */
static bool
is_leaving(const struct object *port)
{
    const struct claim *claim = port->claims;

    while (claim && !claim->source->demand.defines) {
        claim = claim->next_on_object;
    }
    return port->class == OBJECT_CLAIMED && !claim;
}

/* Returns the object that must exist, and stay, before 'claim' can take effect,
 * or NULL. */
static struct object *
claim_missing_place(const struct claim *claim)
{
    struct object *object = claim->object;
    struct object *port = object->parent ? object->parent : object;

    if (object_is_cpu_port(object)) {
        return object; /* orchd manages only its queues. */
    }
    if (object->parent && !object_exists(object->parent)) {
        return object->parent;
    }
    if (!claim->source->demand.defines && !claim->source->demand.idle &&
        !object->parent && !object_exists(object)) {
        return object;
    }
    if (!claim->source->demand.defines && !claim->source->demand.idle &&
        is_leaving(port)) {
        return port;
    }
    return NULL;
}

/* Returns a port or priority group, whose packets cannot be trimmed, that
 * 'profile' is bound to on the ASIC; NULL if there is none.  Visits all
 * objects, but for a rare change. */
static struct object *
untrimmable_user(const struct object *profile)
{
    for (struct object *object = profile->graph->objects; object;
         object = object->next) {
        for (size_t i = 0; i < object->n_slots; i++) {
            const struct slot *slot = &object->slots[i];
            const struct binding *binding = binding_of(object, slot->meta->id);

            if (binding && !binding->trims &&
                slot_holds_target(slot, profile)) {
                return object;
            }
        }
    }
    return NULL;
}

static bool
value_trims(const sai_attribute_value_t *value)
{
    return value->s32 ==
           SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM;
}

/* Returns whether 'object', a profile, trims packets or is about to. */
static bool
object_trims(const struct object *object)
{
    const struct slot *slot =
        object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE
            ? object_slot(object,
                          SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION)
            : NULL;

    if (slot && slot->want) {
        return value_trims(&slot->want->value);
    }
    return slot && slot->held && value_trims(&slot->value);
}

/* Returns what the profile of 'claim' conflicts with, or NULL. */
static struct object *
profile_conflict(const struct claim *claim)
{
    const struct demand *demand = &claim->source->demand;
    struct object *pool = claim->source->n_edges > 0
                              ? source_first_edge(claim->source)->object
                              : NULL;
    bool lossless = false, trims = false;

    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];

        lossless |= want->meta->id == SAI_BUFFER_PROFILE_ATTR_XOFF_TH;
        trims |= want->meta->id ==
                     SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION &&
                 value_trims(&want->value);
    }
    if (lossless && pool && pool->direction == SAI_BUFFER_POOL_TYPE_EGRESS) {
        return pool;
    }
    return trims && claim->object->n_users > 0 && !object_trims(claim->object)
               ? untrimmable_user(claim->object)
               : NULL;
}

/* Returns what the object of 'claim' must not be combined with although its row
 * says so, or NULL. */
static struct object *
claim_conflict(const struct claim *claim)
{
    const struct demand *demand = &claim->source->demand;
    const struct object *point = claim->object;
    const struct edge *edge = source_first_edge(claim->source);

    if (point->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        return profile_conflict(claim);
    }
    for (size_t i = 0; i < demand->n_wants; i++) {
        const struct want *want = &demand->wants[i];
        const struct binding *binding = binding_of(point, want->meta->id);

        for (size_t j = 0; j < want->n_refs; j++, edge++) {
            if (binding && scheduler_groups_concern(point, want) &&
                (edge->object->direction == binding->other ||
                 (edge->object->trims && !binding->trims))) {
                return edge->object;
            }
        }
    }
    return NULL;
}

/* Returns whether 'object' has no port, or exists on it. */
static bool
object_is_placed(const struct object *object)
{
    return !object->parent || object_exists(object);
}

/* Determines why the object of 'claim' does not exist on its port, if so.  For
 * the scheduler group of an existing queue that matters only if the row wants a
 * scheduler. */
static void
claim_find_place(struct claim *claim)
{
    const struct object *object = claim->object;
    bool absent = !claim->missing && !object_is_placed(object);
    bool group = object->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP;
    bool beyond =
        group && absent &&
        (uint32_t)claim->index >= object->parent->port_children->n_queues;

    claim->out_of_range = (absent && (!group || beyond)) ||
                          trimming_lacking(claim) != NULL ||
                          llr_answer_concerns(claim->source);
    claim->no_group = absent && group && !beyond &&
                      !scheduler_groups_unknown(object) &&
                      scheduler_groups_want(claim);
}

/* Returns whether the row of 'claim' cannot have its lanes now. */
static bool
claim_lacks_lanes(const struct claim *claim)
{
    const struct port_children *children = claim->object->port_children;

    return claim->source->demand.defines && children &&
           (children->lanes_blocker || children->unprepared ||
            children->move_refused);
}

/* Checks in the order in which a user would repair: the port, the index, the
 * reference, the direction.  Claims that do not win are evaluated as well,
 * because their rows get an answer, too. */
static void
claim_evaluate(struct claim *claim)
{
    struct object *object = claim->object;

    claim->wins = claim_wins(claim);
    claim->missing = claim_missing_place(claim);
    claim_find_place(claim);
    if (!claim->missing) {
        claim->missing = claim_missing_reference(claim);
    }
    claim->conflict = claim->missing ? NULL : claim_conflict(claim);
    claim->ready = claim->wins && !claim->missing && !claim->out_of_range &&
                   !claim->conflict && object_is_placed(object) &&
                   !claim_lacks_lanes(claim);
}

/* Returns the winning claim of the row that 'object' stands for, or NULL. */
static const struct claim *
defining_claim(const struct object *object)
{
    for (const struct claim *claim = object->claims; claim;
         claim = claim->next_on_object) {
        if (claim->wins && claim->source->demand.defines) {
            return claim;
        }
    }
    return NULL;
}

/* Returns whether the row of a port names other lanes than the port has.  If it
 * can have them, the port is released, and one with the new lanes is adopted or
 * created. */
static bool
port_moved(const struct object *port, const struct claim *defining)
{
    const struct demand *demand = &defining->source->demand;
    const struct slot *lanes = object_slot(port, SAI_PORT_ATTR_HW_LANE_LIST);

    if (!lanes || !lanes->held) {
        return false;
    }
    for (size_t i = 0; i < demand->n_wants; i++) {
        if (demand->wants[i].meta == lanes->meta) {
            return !attr_value_equal(lanes->meta->kind, &lanes->value,
                                     &demand->wants[i].value);
        }
    }
    return false;
}

/* Returns whether 'object' should be on the ASIC.  Once there, it stays as
 * long as its row does, ready or not: a missing reference never removes what
 * works. */
static bool
object_is_wanted(const struct object *object)
{
    const struct claim *defining = defining_claim(object);

    switch (object->class) {
    case OBJECT_SWITCH:
        return object_exists(object);
    case OBJECT_CHILD:
        return object->parent->wanted && object_exists(object);
    case OBJECT_CLAIMED:
        return defining && (defining->ready ? !port_moved(object, defining)
                                            : object_exists(object));
    case OBJECT_OWNED:
        break;
    }
    return defining && !object->removal_uncertain &&
           (defining->ready || object_exists(object));
}

/* Clears what is wanted of attributes that will not exist. */
static void
drop_unconditioned(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        if (slot->want && !condition_will_hold(object, slot)) {
            slot->want = NULL;
            slot->dormant = true;
        }
    }
}

/* A row that is not ready must not block others that share its group. */
static void
thaw_wanted(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        object->slots[i].frozen &= !object->slots[i].want;
    }
}

/* Returns whether 'object' must be removed before it can be created as wanted:
 * because there is no room for two of it, or because it refers, by a
 * create-only attribute, to an object that must be removed. */
static bool
is_to_be_torn(const struct object *object)
{
    if (object->class != OBJECT_OWNED || !object_exists(object)) {
        return false;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if ((slot->meta->flags & METADATA_FLAG_CREATE_ONLY) &&
            holds_torn(slot)) {
            return true;
        }
    }
    return object->graph->allow_disruptive &&
           st_from_sai(object->refusal.status) == ST_NO_RESOURCE &&
           object_needs_replacement(object);
}

/* What the ASIC refused while a slot was frozen says nothing about the value of
 * its row, nor about its default, nor the reverse. */
static void
forget_other_refusals(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        if (slot->refusal.request != slot_request(slot)) {
            refusal_forget(&slot->refusal);
        }
    }
}

/* Lets go of what is about to be removed where the ASIC refuses the successor:
 * the refusal may last until the removed object is back, because its cause is
 * another object that waits for this one. */
static void
unbind_refused(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        const bool refused = refusal_stands(&slot->refusal);

        if (!slot->want || slot->frozen ||
            (slot->meta->flags & METADATA_FLAG_CREATE_ONLY) ||
            !holds_torn(slot) ||
            (!refused && (!slot->unbound || slot->refusal.due))) {
            slot->unbound = false;
            continue;
        }
        if (!slot->unbound) {
            refusal_forget(&slot->refusal); /* Of the successor. */
        }
        slot->want = NULL;
        slot->unbound = true;
    }
}

/* Fills the slots with what the ready claims want.  The slots of a winner that
 * is not ready keep their values as long as the object exists. */
static void
evaluate_slots(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        object->slots[i].want = NULL;
        object->slots[i].frozen = object->slots[i].dormant = false;
    }
    if (!object->wanted) {
        return;
    }
    for (const struct claim *claim = object->claims; claim;
         claim = claim->next_on_object) {
        const struct demand *demand = &claim->source->demand;

        if (claim->ready) {
            for (size_t i = 0; i < demand->n_wants; i++) {
                struct slot *slot;

                if (!scheduler_groups_concern(object, &demand->wants[i])) {
                    continue;
                }
                slot = object_slot_make(object, demand->wants[i].meta);
                slot->want = &demand->wants[i];
                slot->source = claim->source;
                slot->owner = claim->source->table;
                slot->conditional = slot->want->conditional;
            }
        } else if (claim->wins && !claim->overruled) {
            for (size_t i = 0; i < object->n_slots; i++) {
                object->slots[i].frozen |=
                    object->slots[i].owner == claim->source->table &&
                    !holds_torn(&object->slots[i]);
            }
        }
    }
    thaw_wanted(object);
    drop_unconditioned(object);
    overlay_apply(object);
    forget_other_refusals(object);
    unbind_refused(object);
}

/* Returns the wanted direction of 'object'; the current one if nothing is
 * wanted. */
static int32_t
direction_of(const struct object *object)
{
    bool pool = object->type == SAI_OBJECT_TYPE_BUFFER_POOL;
    const struct slot *slot = NULL;

    if (pool) {
        slot = object_slot(object, SAI_BUFFER_POOL_ATTR_TYPE);
    } else if (object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        slot = object_slot(object, SAI_BUFFER_PROFILE_ATTR_POOL_ID);
    }
    if (slot && slot->want && (pool || slot->want->n_refs)) {
        return pool ? slot->want->value.s32
                    : source_edges(slot->source, slot->want)->object->direction;
    }
    if (slot && slot->held && (pool || slot->n_targets)) {
        return pool ? slot->value.s32 : slot_targets(slot)[0]->direction;
    }
    return DIRECTION_UNKNOWN;
}

/* A profile or its pool that could not be replaced because of a binding may be
 * replaceable now that this has changed. */
static void
mark_pinned_targets(const struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        for (size_t j = 0; j < object->slots[i].n_targets; j++) {
            struct object *target = slot_targets(&object->slots[i])[j];

            if (target->pinned) {
                graph_mark(target);
            }
            mark_pinned_targets(target);
        }
    }
}

/* Marks the objects that hold what is about to be removed; those that are to
 * refer to something else are no referrers.  Visits all, but for a rare
 * change. */
static void
mark_holders_of_torn(struct graph *graph)
{
    for (struct object *object = graph->objects; object;
         object = object->next) {
        for (size_t i = 0; i < object->n_slots; i++) {
            if (holds_torn(&object->slots[i])) {
                graph_mark(object);
                break;
            }
        }
    }
}

static void
evaluate_object(struct object *object)
{
    bool was_wanted = object->wanted;
    bool was_available = object->available;
    bool did_trim = object->trims;
    int32_t was_direction = object->direction;

    for (struct claim *claim = object->claims; claim;
         claim = claim->next_on_object) {
        claim_evaluate(claim);
    }
    scheduler_groups_arbitrate(object);
    object->torn &= object_exists(object);
    object->wanted = object_is_wanted(object) && !object->torn;
    evaluate_slots(object);
    if (!object->torn && is_to_be_torn(object)) {
        object->torn = true;
        object->wanted = false;
        refusal_forget(&object->refusal);
        object->refused = NULL;
        evaluate_slots(object);
        mark_holders_of_torn(object->graph);
    }
    object->available = object->wanted && (object_exists(object) ||
                                           (!refusal_stands(&object->refusal) &&
                                            !headroom_order_waits_for(object)));
    object->direction = direction_of(object);
    object->trims = object_trims(object);
    graph_mark_answers(object);
    if (object->parent && !object->parent->wanted) {
        graph_mark_answers(
            object->parent); /* Its answer may list what still uses it. */
    }
    mark_pinned_targets(object);
    if (object->available != was_available || object->trims != did_trim ||
        object->direction != was_direction) {
        graph_mark_referrers(object);
    }
    if (object->wanted != was_wanted) {
        for (struct object *child = object_children(object); child;
             child = child->sibling) {
            graph_mark(child);
        }
    }
}

void
evaluate_marked(struct graph *graph)
{
    while (graph->dirty_first) {
        struct object *object = graph->dirty_first;

        graph->dirty_first = object->next_dirty;
        if (!graph->dirty_first) {
            graph->dirty_last = NULL;
        }
        object->dirty = false;
        evaluate_object(object);
        graph_touch(object);
    }
}
