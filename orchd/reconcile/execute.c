/* SPDX-License-Identifier: Apache-2.0 */

/* Steps become SAI calls; what SAI accepts becomes memory. */

#include <config.h>

#include "orchd/reconcile/execute.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/reconcile/graph.h"
#include "sai/deep.h"
#include "sai/status.h"

/* --- Refusals ----------------------------------------------------------- */

/* Returns whether time alone may turn 'refusal' around. */
static bool
hopes_for_time(const struct refusal *refusal)
{
    return refusal->status != SAI_STATUS_SUCCESS &&
           st_retry(st_from_sai(refusal->status)) != ST_RETRY_NEVER;
}

/* What was refused has waited long enough: all of it that time may help, so
 * that one timer for each object will do. */
static void
retry_fire(struct timer *timer, int64_t when)
{
    struct object *object = timer->owner;

    (void)when;
    object->refusal.due |= hopes_for_time(&object->refusal);
    for (size_t i = 0; i < object->n_slots; i++) {
        struct refusal *refusal = &object->slots[i].refusal;

        refusal->due |= hopes_for_time(refusal);
    }
    graph_mark(object);
}

static int64_t
backoff_ns(unsigned int attempts)
{
    int64_t wait = EXECUTE_RETRY_MIN_NS;

    for (unsigned int i = 1; i < attempts && wait < EXECUTE_RETRY_MAX_NS; i++) {
        wait *= 2;
    }
    return wait < EXECUTE_RETRY_MAX_NS ? wait : EXECUTE_RETRY_MAX_NS;
}

/* Notes that SAI answered 'status', not success, to what 'refusal' of 'object'
 * stands for. */
static void
refuse(struct executor *executor, struct object *object,
       struct refusal *refusal, sai_status_t status, int64_t now)
{
    struct graph *graph = executor->graph;

    executor->n_refused++;
    refusal->status = status;
    refusal->attempts++;
    refusal->due = false;
    refusal->at = graph->n_accepted;
    if (hopes_for_time(refusal)) {
        int64_t when = now + backoff_ns(refusal->attempts);

        /* Something else of the object may be refused too, and be due before
         * that. */
        if (!timer_pending(&object->retry) || when < object->retry.when) {
            object->retry.fire = retry_fire;
            object->retry.owner = object;
            timeline_set(executor->timeline, &object->retry, when);
        }
    }
    if (!object->in_refused) {
        DL_APPEND2(graph->refused, object, prev_refused, next_refused);
        object->in_refused = true;
    }
    graph_mark(object);
}

/* Notes that SAI accepted a change of 'object': whoever was refused because of
 * how it was before may try again. */
static void
note_accepted(struct executor *executor, struct object *object)
{
    object->accepted_at = ++executor->graph->n_accepted;
}

static void
accept(struct refusal *refusal)
{
    memset(refusal, 0, sizeof *refusal);
}

/* Lets go of the timer once nothing of 'object' is refused any more. */
static void
settle_retry(struct executor *executor, struct object *object)
{
    if (object->refusal.status != SAI_STATUS_SUCCESS) {
        return;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].refusal.status != SAI_STATUS_SUCCESS) {
            return;
        }
    }
    timeline_cancel(executor->timeline, &object->retry);
}

/* Returns whether what is released elsewhere may turn 'refusal' around:
 * resources were lacking, or something was in the way. */
static bool
hopes_for_release(const struct refusal *refusal)
{
    enum st status = st_from_sai(refusal->status);

    return refusal->status != SAI_STATUS_SUCCESS &&
           (status == ST_NO_RESOURCE || st_retry(status) == ST_RETRY_EDGE);
}

/* Returns whether something that 'slot' wants to refer to has changed since
 * 'refusal'. */
static bool
target_changed(const struct slot *slot, const struct refusal *refusal)
{
    const struct edge *edges;

    if (!slot->want || !slot->want->n_refs) {
        return false;
    }
    edges = source_edges(slot->source, slot->want);
    for (size_t i = 0; i < slot->want->n_refs; i++) {
        if (edges[i].object->accepted_at > refusal->at) {
            return true;
        }
    }
    return false;
}

/* Makes those refusals of 'object' due whose reason may have gone, 'freed'
 * saying whether resources were given back.  Returns whether anything of it is
 * refused at all. */
static bool
reconsider(struct object *object, bool freed)
{
    bool any = object->refusal.status != SAI_STATUS_SUCCESS;
    bool due = freed && hopes_for_release(&object->refusal);

    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        struct refusal *refusal = &slot->refusal;

        /* A creation may have been refused for any of its references. */
        if (object->refusal.status != SAI_STATUS_SUCCESS) {
            due |= target_changed(slot, &object->refusal);
        }
        if (refusal->status != SAI_STATUS_SUCCESS) {
            any = true;
            if ((freed && hopes_for_release(refusal)) ||
                target_changed(slot, refusal)) {
                refusal->due = true;
                graph_mark(object);
            }
        }
    }
    if (due) {
        object->refusal.due = true;
        graph_mark(object);
    }
    return any;
}

void
execute_reconsider(struct executor *executor)
{
    struct graph *graph = executor->graph;
    struct object *object, *next;

    for (object = graph->refused; object; object = next) {
        next = object->next_refused;
        if (!reconsider(object, executor->freed)) {
            DL_DELETE2(graph->refused, object, prev_refused, next_refused);
            object->in_refused = false;
        }
    }
    executor->freed = false;
}

/* --- Telling ------------------------------------------------------------ */

static struct object_view
view_of(const struct object *object, sai_object_id_t oid)
{
    return (struct object_view){object->name.table, object->name.name,
                                object->name.index, object->type, oid};
}

static void
tell_appeared(const struct executor *executor, const struct object *object)
{
    struct object_view view = view_of(object, object->oid);

    executor->observer->object_appeared(executor->observer->context, &view);
}

static void
tell_gone(const struct executor *executor, const struct object *object,
          sai_object_id_t oid)
{
    struct object_view view = view_of(object, oid);

    executor->observer->object_gone(executor->observer->context, &view);
}

static void
tell_attribute(const struct executor *executor, const struct object *object,
               const struct metadata_attribute *meta,
               const sai_attribute_value_t *value)
{
    struct object_view view = view_of(object, object->oid);

    executor->observer->object_attribute(executor->observer->context, &view,
                                         meta, value);
}

/* --- Values ------------------------------------------------------------- */

/* What a slot wants, with ids in the place of references. */
struct resolved {
    sai_attribute_value_t value;
    struct object **targets;
    size_t n_targets;
    sai_object_id_t *oids; /* Owned; the memory of an object list. */
};

static void
resolved_fini(struct resolved *resolved)
{
    free(resolved->targets);
    free(resolved->oids);
}

/* Returns whether 'slot' wants something, or is frozen with what it holds. */
static bool
has_value(const struct slot *slot)
{
    return slot->want || (slot->frozen && slot->held);
}

/* Resolves what 'slot' wants, or what it holds if it is frozen.  Returns false
 * if something that it refers to is not there. */
static bool
resolve(const struct slot *slot, struct resolved *resolved)
{
    const struct edge *edges =
        slot->frozen ? NULL : source_edges(slot->source, slot->want);

    memset(resolved, 0, sizeof *resolved);
    if (slot->meta->kind != KIND_OID && slot->meta->kind != KIND_OBJLIST) {
        resolved->value = slot->frozen ? slot->value : slot->want->value;
        return true;
    }
    resolved->n_targets = slot->frozen ? slot->n_targets : slot->want->n_refs;
    resolved->targets =
        check_calloc(resolved->n_targets, sizeof *resolved->targets);
    resolved->oids = check_calloc(resolved->n_targets, sizeof *resolved->oids);
    for (size_t i = 0; i < resolved->n_targets; i++) {
        resolved->targets[i] =
            slot->frozen ? slot->targets[i] : edges[i].object;
        resolved->oids[i] = resolved->targets[i]->oid;
        if (resolved->oids[i] == SAI_NULL_OBJECT_ID) {
            resolved_fini(resolved);
            return false;
        }
    }
    if (slot->meta->kind == KIND_OBJLIST) {
        resolved->value.objlist.count = (uint32_t)resolved->n_targets;
        resolved->value.objlist.list = resolved->oids;
    } else {
        resolved->value.oid =
            resolved->n_targets ? resolved->oids[0] : SAI_NULL_OBJECT_ID;
    }
    return true;
}

/* --- Creation ----------------------------------------------------------- */

/* The attributes of an object to be created, and the slots they come from, in
 * the order of the slots of the object. */
struct creation {
    sai_attribute_t *attributes;
    struct slot **slots;
    struct resolved *resolved;
    uint32_t n;
};

static void
creation_fini(struct creation *creation)
{
    for (uint32_t i = 0; i < creation->n; i++) {
        resolved_fini(&creation->resolved[i]);
    }
    free(creation->attributes);
    free(creation->slots);
    free(creation->resolved);
}

static bool
is_unsupported(const struct slot *slot)
{
    return slot->refusal.status != SAI_STATUS_SUCCESS && !slot->refusal.due &&
           st_from_sai(slot->refusal.status) == ST_UNSUPPORTED;
}

/* Collects what 'object' wants.  Returns false if something that it refers to
 * is not there. */
static bool
creation_collect(const struct object *object, struct creation *creation)
{
    memset(creation, 0, sizeof *creation);
    creation->attributes =
        check_calloc(object->n_slots, sizeof *creation->attributes);
    creation->slots = check_calloc(object->n_slots, sizeof *creation->slots);
    creation->resolved =
        check_calloc(object->n_slots, sizeof *creation->resolved);
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        uint32_t n = creation->n;

        if (!has_value(slot) || is_unsupported(slot)) {
            continue;
        }
        if (!resolve(slot, &creation->resolved[n])) {
            creation_fini(creation);
            return false;
        }
        creation->slots[n] = slot;
        creation->attributes[n].id = slot->meta->id;
        creation->attributes[n].value = creation->resolved[n].value;
        creation->n++;
    }
    return true;
}

/* Returns the slot that 'status' complains about, or NULL. */
static struct slot *
creation_culprit(const struct creation *creation, sai_status_t status)
{
    uint32_t index;

    if (!status_attribute_index(status, &index) || index >= creation->n) {
        return NULL;
    }
    return creation->slots[index];
}

static void
commit_creation(struct executor *executor, struct object *object,
                const struct creation *creation, sai_object_id_t oid)
{
    if (object_exists(object)) {
        object_retire(object);
    }
    object->oid = oid;
    object->fresh = true;
    note_accepted(executor, object);
    accept(&object->refusal);
    object->refused = NULL;
    tell_appeared(executor, object);
    for (size_t i = 0, j = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        const struct resolved *resolved = &creation->resolved[j];

        if (j == creation->n || creation->slots[j] != slot) {
            object_release(slot);
            continue;
        }
        object_hold(slot, &resolved->value, resolved->targets,
                    resolved->n_targets);
        accept(&slot->refusal);
        tell_attribute(executor, object, slot->meta, &slot->value);
        j++;
    }
    graph_mark(object);
    graph_mark_referrers(object);
}

/* Creates 'object', leaving out attributes that turn out to be unsupported.
 * Returns what SAI said last. */
static void
create_owned(struct executor *executor, struct object *object, int64_t now)
{
    struct creation creation;

    while (creation_collect(object, &creation)) {
        sai_object_id_t oid = SAI_NULL_OBJECT_ID;
        sai_status_t status = executor->backend->ops->create(
            executor->backend, object->type, creation.n, creation.attributes,
            &oid);
        struct slot *culprit = creation_culprit(&creation, status);

        executor->n_calls++;
        if (status == SAI_STATUS_SUCCESS) {
            commit_creation(executor, object, &creation, oid);
        } else if (culprit && st_from_sai(status) == ST_UNSUPPORTED &&
                   !(culprit->meta->flags &
                     METADATA_FLAG_MANDATORY_ON_CREATE)) {
            refuse(executor, object, &culprit->refusal, status, now);
            creation_fini(&creation);
            continue;
        } else {
            object->refused = culprit ? culprit->meta : NULL;
            refuse(executor, object, &object->refusal, status, now);
        }
        creation_fini(&creation);
        return;
    }
}

/* Makes a port of the ASIC, which has the lanes that 'lanes' wants, that of
 * 'object'. */
static void
adopt_port(struct executor *executor, struct object *object, struct slot *lanes,
           sai_object_id_t oid)
{
    object->oid = oid;
    object->fresh = false;
    accept(&object->refusal);
    tell_appeared(executor, object);
    object_hold(lanes, &lanes->want->value, NULL, 0);
    note_accepted(executor, object);
    tell_attribute(executor, object, lanes->meta, &lanes->value);
    graph_mark(object);
}

/* Makes the port of 'object' nobody's. */
static void
let_go(struct executor *executor, struct object *object)
{
    for (struct object *child = object->children; child;
         child = child->sibling) {
        if (object_exists(child)) {
            tell_gone(executor, child, child->oid);
        }
    }
    tell_gone(executor, object, object->oid);
    ports_forget_places(object);
    ports_give(executor->ports, object->oid);
    object->oid = SAI_NULL_OBJECT_ID;
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(&object->slots[i]);
        accept(&object->slots[i].refusal);
    }
    graph_mark(object);
    graph_mark_referrers(object);
}

static void
create_port(struct executor *executor, struct object *object, int64_t now)
{
    struct slot *lanes = object_slot(object, SAI_PORT_ATTR_HW_LANE_LIST);
    sai_status_t status;
    sai_object_id_t oid;

    orch_assert(lanes && lanes->want);
    oid = ports_take(executor->ports, &lanes->want->value.u32list);
    if (oid != SAI_NULL_OBJECT_ID) {
        adopt_port(executor, object, lanes, oid);
    } else {
        status = ports_claimed(executor->ports, &lanes->want->value.u32list)
                     ? SAI_STATUS_OBJECT_IN_USE
                     : ports_clear(executor->ports, executor->backend,
                                   &lanes->want->value.u32list);
        if (status != SAI_STATUS_SUCCESS) {
            object->refused = NULL;
            refuse(executor, object, &object->refusal, status, now);
            return;
        }
        create_owned(executor, object, now);
        if (!object_exists(object)) {
            return;
        }
        ports_add(executor->ports, object->oid, &lanes->want->value.u32list);
    }
    status = ports_read_places(executor->backend, object);
    if (status != SAI_STATUS_SUCCESS) {
        let_go(executor, object); /* To be adopted by the next try. */
        refuse(executor, object, &object->refusal, status, now);
    }
}

static void
run_create(struct executor *executor, struct object *object, int64_t now)
{
    if (object->class == OBJECT_CLAIMED) {
        create_port(executor, object, now);
    } else {
        create_owned(executor, object, now);
    }
}

/* --- Attributes --------------------------------------------------------- */

static sai_status_t
call_set(struct executor *executor, const struct object *object,
         const struct slot *slot, const sai_attribute_value_t *value)
{
    sai_attribute_t attribute = {.id = slot->meta->id, .value = *value};

    executor->n_calls++;
    return executor->backend->ops->set(executor->backend, object->type,
                                       object->oid, &attribute);
}

/* Notes that the change of 'slot' was refused.  A device that failed, instead
 * of saying no, may have made it all the same. */
static void
refuse_change(struct executor *executor, struct object *object,
              struct slot *slot, sai_status_t status, int64_t now)
{
    enum st st = st_from_sai(status);

    slot->uncertain |= st == ST_DEVICE || st == ST_IO;
    refuse(executor, object, &slot->refusal, status, now);
}

static void
run_set(struct executor *executor, struct object *object, struct slot *slot,
        int64_t now)
{
    struct resolved resolved;
    sai_status_t status;

    /* Where a replacement was planned but not made, nothing is left to do for
     * those who were to follow it. */
    if (!plan_slot_differs(object, slot) || !has_value(slot) ||
        !resolve(slot, &resolved)) {
        return;
    }
    status = call_set(executor, object, slot, &resolved.value);
    if (status != SAI_STATUS_SUCCESS) {
        refuse_change(executor, object, slot, status, now);
    } else {
        note_accepted(executor, object);
        object_hold(slot, &resolved.value, resolved.targets,
                    resolved.n_targets);
        accept(&slot->refusal);
        tell_attribute(executor, object, slot->meta, &slot->value);
        graph_mark(object);
    }
    resolved_fini(&resolved);
}

/* An attribute without a known default cannot be reset: it is then merely no
 * longer ours. */
static void
run_reset(struct executor *executor, struct object *object, struct slot *slot,
          int64_t now)
{
    sai_attribute_value_t value;

    if (metadata_default(slot->meta, &value)) {
        sai_status_t status = call_set(executor, object, slot, &value);

        if (status != SAI_STATUS_SUCCESS) {
            refuse_change(executor, object, slot, status, now);
            return;
        }
        note_accepted(executor, object);
        tell_attribute(executor, object, slot->meta, &value);
    }
    object_release(slot);
    accept(&slot->refusal);
    graph_mark(object);
    if (object->parent) {
        graph_mark(object->parent); /* It may be let go now. */
    }
}

/* --- Removal ------------------------------------------------------------ */

/* Removes 'oid', which is or was that of 'object'.  An object that the device
 * does not know is as good as removed: an earlier removal may have come
 * through although it failed. */
static sai_status_t
call_remove(struct executor *executor, const struct object *object,
            sai_object_id_t oid)
{
    sai_status_t status;

    executor->n_calls++;
    status =
        executor->backend->ops->remove(executor->backend, object->type, oid);
    return st_from_sai(status) == ST_NOT_FOUND ||
                   status == SAI_STATUS_INVALID_OBJECT_ID
               ? SAI_STATUS_SUCCESS
               : status;
}

static void
run_remove(struct executor *executor, struct object *object, int64_t now)
{
    sai_status_t status;

    if (object->n_users > 0) {
        graph_mark(object);
        return;
    }
    status = call_remove(executor, object, object->oid);
    if (status != SAI_STATUS_SUCCESS) {
        refuse(executor, object, &object->refusal, status, now);
        return;
    }
    tell_gone(executor, object, object->oid);
    object->oid = SAI_NULL_OBJECT_ID;
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(&object->slots[i]);
        accept(&object->slots[i].refusal);
    }
    accept(&object->refusal);
    graph_mark(object);
    graph_mark_referrers(object);
}

static void
run_remove_old(struct executor *executor, struct object *object, int64_t now)
{
    sai_status_t status;

    if (object->old_oid == SAI_NULL_OBJECT_ID || object->n_old_users > 0) {
        return; /* It was not replaced, or a user could not follow. */
    }
    status = call_remove(executor, object, object->old_oid);
    if (status != SAI_STATUS_SUCCESS) {
        refuse(executor, object, &object->refusal, status, now);
        return;
    }
    tell_gone(executor, object, object->old_oid);
    object_bury(object);
    accept(&object->refusal);
    graph_mark(object);
}

static void
run_release(struct executor *executor, struct object *object)
{
    bool holds = object_refers(object);

    for (const struct object *child = object->children; child && !holds;
         child = child->sibling) {
        holds = object_refers(child);
    }
    if (holds) {
        return; /* A refusal stands; its retry brings the next plan. */
    }
    let_go(executor, object);
    executor->freed = true;
}

/* --- The plan ----------------------------------------------------------- */

/* Returns whether carrying out 'step' gives resources back. */
static bool
step_frees(const struct step *step)
{
    return step->phase == PHASE_REDUCE || step->phase == PHASE_SHRINK ||
           step->phase == PHASE_CLOSE || step->phase == PHASE_REMOVE;
}

static void
run_step(struct executor *executor, const struct step *step, int64_t now)
{
    struct object *object = step->object;
    struct slot *slot = NULL;
    uint64_t n_refused = executor->n_refused;
    uint64_t n_calls = executor->n_calls;

    if (step->kind == STEP_SET || step->kind == STEP_RESET) {
        slot = object_slot(object, step->attribute);
        orch_assert(slot != NULL);
    }
    switch (step->kind) {
    case STEP_CREATE:
        run_create(executor, object, now);
        break;
    case STEP_SET:
        run_set(executor, object, slot, now);
        break;
    case STEP_RESET:
        run_reset(executor, object, slot, now);
        break;
    case STEP_RELEASE:
        run_release(executor, object);
        break;
    case STEP_REMOVE:
        run_remove(executor, object, now);
        break;
    case STEP_REMOVE_OLD:
        run_remove_old(executor, object, now);
        break;
    }
    settle_retry(executor, object);
    executor->freed |= step_frees(step) && executor->n_calls > n_calls &&
                       executor->n_refused == n_refused;
}

size_t
execute_steps(struct executor *executor, struct plan *plan, size_t budget,
              int64_t now)
{
    size_t n = 0;

    while (n < budget && plan->next < plan->n_steps) {
        run_step(executor, &plan->steps[plan->next], now);
        plan->next++;
        n++;
    }
    return n;
}
