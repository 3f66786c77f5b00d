/* SPDX-License-Identifier: Apache-2.0 */

/* Steps become SAI calls; what SAI accepts becomes memory.
 *
 * The planner assumed that all steps before this one were accepted.  So each
 * step first looks whether that holds: whether what it refers to exists, what
 * it removes has no users, what it sets still differs.  If not, it is passed
 * over without a word: whoever was refused stands with its refusal, and marks
 * this object again when that is resolved.
 *
 * Each accepted or refused step marks its object, so that the next round
 * compares it again; a step that was passed over marks nothing, or the rounds
 * would never end. */

#include <config.h>

#include "orchd/reconcile/execute.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/bounds.h"
#include "orchd/reconcile/condition.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/refusal.h"
#include "sai/deep.h"
#include "sai/status.h"

static void
refuse(struct executor *executor, struct object *object,
       struct refusal *refusal, sai_status_t status, int64_t now)
{
    executor->n_refused++;
    refusal_note(object, refusal, status, executor->timeline, now);
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
        /* Its creation was refused earlier in this plan. */
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

/* What the device does not know is left out of creations until the row
 * changes, or the object could never be made. */
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
    refusal_note_change(object);
    refusal_forget(&object->refusal);
    object->refused = NULL;
    tell_appeared(executor, object);
    /* Slots that were not part of the creation have their defaults. */
    for (size_t i = 0, j = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        const struct resolved *resolved = &creation->resolved[j];

        if (j == creation->n || creation->slots[j] != slot) {
            object_release(slot);
            continue;
        }
        object_hold(slot, &resolved->value, resolved->targets,
                    resolved->n_targets);
        refusal_forget(&slot->refusal);
        tell_attribute(executor, object, slot->meta, &slot->value);
        j++;
    }
    graph_mark(object);
    graph_mark_referrers(object); /* They are not bound to it yet. */
}

/* Returns what 'status', with which a device refused to create 'object',
 * means.  Devices that do not let ports share lanes say so in many ways, most
 * of which sound as if there were no use in waiting. */
static sai_status_t
creation_verdict(const struct executor *executor, const struct object *object,
                 sai_status_t status)
{
    const struct slot *lanes = object_slot(object, SAI_PORT_ATTR_HW_LANE_LIST);
    bool shared = object->type == SAI_OBJECT_TYPE_PORT && lanes &&
                  lanes->want &&
                  ports_overlap(executor->ports, &lanes->want->value.u32list);

    return shared ? SAI_STATUS_OBJECT_IN_USE : status;
}

/* Creates 'object', leaving out attributes that turn out to be unsupported: one
 * more with each refusal, so that this ends. */
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
            refuse(executor, object, &object->refusal,
                   creation_verdict(executor, object, status), now);
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
    object->fresh = false; /* Who knows what was set before. */
    refusal_forget(&object->refusal);
    tell_appeared(executor, object);
    object_hold(lanes, &lanes->want->value, NULL, 0);
    refusal_note_change(object);
    tell_attribute(executor, object, lanes->meta, &lanes->value);
    graph_mark(object);
}

/* Makes the port of 'object' nobody's.  Attributes that have no default, such
 * as its speed, stay on the ASIC as they are; whoever adopts it sets them. */
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
        refusal_forget(&object->slots[i].refusal);
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

    orch_assert(lanes && lanes->want); /* The schema demands them. */
    oid = ports_take(executor->ports, &lanes->want->value.u32list);
    if (oid != SAI_NULL_OBJECT_ID) {
        adopt_port(executor, object, lanes, oid);
    } else {
        status = ports_taken(executor->ports, &lanes->want->value.u32list)
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

/* A change that SAI has refused. */
struct refused_change {
    struct slot *slot;
    const sai_attribute_value_t *value; /* That it was to be set to. */
    sai_status_t status;
};

/* Notes 'change' of 'object'.  A device that failed, instead of saying no, may
 * have made it all the same. */
static void
refuse_change(struct executor *executor, struct object *object,
              const struct refused_change *change, int64_t now)
{
    enum st st = st_from_sai(change->status);

    if (st == ST_DEVICE || st == ST_IO) {
        bounds_blur(object, change->slot, change->value);
        change->slot->uncertain = true;
    }
    refuse(executor, object, &change->slot->refusal, change->status, now);
}

/* Forgets what 'object' held of attributes that are gone, now that another one
 * has changed: nobody has to take them back. */
static void
forget_unconditioned(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        if (!condition_holds(object, slot)) {
            object_release(slot);
            refusal_forget(&slot->refusal);
        }
    }
}

/* Notes what SAI answered to setting 'slot' to 'resolved'. */
static void
commit_set(struct executor *executor, struct object *object, struct slot *slot,
           const struct resolved *resolved, sai_status_t status, int64_t now)
{
    if (status != SAI_STATUS_SUCCESS) {
        refuse_change(executor, object,
                      &(struct refused_change){slot, &resolved->value, status},
                      now);
        return;
    }
    refusal_note_change(object);
    object_hold(slot, &resolved->value, resolved->targets, resolved->n_targets);
    refusal_forget(&slot->refusal);
    forget_unconditioned(object);
    tell_attribute(executor, object, slot->meta, &slot->value);
    graph_mark(object);
}

/* Resolves what 'slot' is to be set to.  Returns false if there is nothing to
 * do: something that it refers to is not there, it was to follow a change that
 * was planned but not made, or it would cross its other bound. */
static bool
resolve_set(const struct object *object, const struct slot *slot,
            struct resolved *resolved)
{
    if (!plan_slot_differs(object, slot) || !has_value(slot) ||
        !condition_holds(object, slot) || !resolve(slot, resolved)) {
        return false;
    }
    if (!bounds_allow(object, slot, &resolved->value)) {
        resolved_fini(resolved);
        return false;
    }
    return true;
}

static void
run_set(struct executor *executor, struct object *object, struct slot *slot,
        int64_t now)
{
    struct resolved resolved;

    if (!resolve_set(object, slot, &resolved)) {
        return;
    }
    commit_set(executor, object, slot, &resolved,
               call_set(executor, object, slot, &resolved.value), now);
    resolved_fini(&resolved);
}

/* An attribute without a known default cannot be reset: it is then merely no
 * longer ours. */
static void
run_reset(struct executor *executor, struct object *object, struct slot *slot,
          int64_t now)
{
    sai_attribute_value_t value;

    if (!slot->held && !slot->uncertain) {
        return; /* An earlier step has made it go. */
    }
    if (metadata_default(slot->meta, &value)) {
        sai_status_t status;

        if (!bounds_allow(object, slot, &value)) {
            return;
        }
        status = call_set(executor, object, slot, &value);
        if (status != SAI_STATUS_SUCCESS) {
            refuse_change(executor, object,
                          &(struct refused_change){slot, &value, status}, now);
            return;
        }
        refusal_note_change(object);
        tell_attribute(executor, object, slot->meta, &value);
    }
    object_release(slot);
    refusal_forget(&slot->refusal);
    forget_unconditioned(object);
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

    /* A user that was to leave could not.  Looking again costs one round. */
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
        refusal_forget(&object->slots[i].refusal);
    }
    refusal_forget(&object->refusal);
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
    refusal_forget(&object->refusal);
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
    refusal_settle(object, executor->timeline);
    executor->freed |= step_frees(step) && executor->n_calls > n_calls &&
                       executor->n_refused == n_refused;
}

/* Several objects set at once.  The arrays are parallel. */
struct batch {
    const struct step **steps;
    struct slot **slots;
    struct resolved *resolved;
    sai_object_id_t *oids;
    sai_attribute_t *attributes;
    sai_status_t *statuses;
    uint32_t n;
};

static void
batch_init(struct batch *batch, size_t size)
{
    batch->steps = check_calloc(size, sizeof *batch->steps);
    batch->slots = check_calloc(size, sizeof *batch->slots);
    batch->resolved = check_calloc(size, sizeof *batch->resolved);
    batch->oids = check_calloc(size, sizeof *batch->oids);
    batch->attributes = check_calloc(size, sizeof *batch->attributes);
    batch->statuses = check_calloc(size, sizeof *batch->statuses);
    batch->n = 0;
}

static void
batch_fini(struct batch *batch)
{
    for (uint32_t i = 0; i < batch->n; i++) {
        resolved_fini(&batch->resolved[i]);
    }
    free(batch->steps);
    free(batch->slots);
    free(batch->resolved);
    free(batch->oids);
    free(batch->attributes);
    free(batch->statuses);
}

/* Adds what 'step' sets, unless something that it refers to is not there. */
static void
batch_add(struct batch *batch, const struct step *step)
{
    struct slot *slot = object_slot(step->object, step->attribute);
    const uint32_t n = batch->n;

    orch_assert(slot != NULL);
    if (!resolve_set(step->object, slot, &batch->resolved[n])) {
        return;
    }
    batch->steps[n] = step;
    batch->slots[n] = slot;
    batch->oids[n] = step->object->oid;
    batch->attributes[n].id = step->attribute;
    batch->attributes[n].value = batch->resolved[n].value;
    batch->n++;
}

/* Carries out 'n' steps that set the same attribute of different objects.  None
 * of them changes what another one sets, so that it makes no difference that
 * all are sent before the first is noted. */
static void
run_batch(struct executor *executor, const struct step *steps, size_t n,
          int64_t now)
{
    struct batch batch;

    batch_init(&batch, n);
    for (size_t i = 0; i < n; i++) {
        batch_add(&batch, &steps[i]);
    }
    if (batch.n > 0) {
        (void)backend_set_many(executor->backend, steps->object->type, batch.n,
                               batch.oids, batch.attributes,
                               SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                               batch.statuses);
    }
    executor->n_calls += batch.n;
    for (uint32_t i = 0; i < batch.n; i++) {
        commit_set(executor, batch.steps[i]->object, batch.slots[i],
                   &batch.resolved[i], batch.statuses[i], now);
        refusal_settle(batch.steps[i]->object, executor->timeline);
        executor->freed |= step_frees(batch.steps[i]) &&
                           batch.statuses[i] == SAI_STATUS_SUCCESS;
    }
    batch_fini(&batch);
}

/* Returns how many of at most 'n' steps from 'steps' on can be sent together:
 * those of one phase that set the same attribute of objects of one type. */
static size_t
batch_length(const struct step *steps, size_t n)
{
    size_t length = 1;

    while (steps->kind == STEP_SET && length < n && length < EXECUTE_BATCH &&
           steps[length].kind == STEP_SET &&
           steps[length].phase == steps->phase &&
           steps[length].object->type == steps->object->type &&
           steps[length].object != steps[length - 1].object &&
           steps[length].attribute == steps->attribute) {
        length++;
    }
    return length;
}

size_t
execute_steps(struct executor *executor, struct plan *plan, size_t budget,
              int64_t now)
{
    const size_t left = plan->n_steps - plan->next;
    const size_t all = left < budget ? left : budget;
    size_t n = 0;

    while (n < all) {
        const struct step *step = &plan->steps[plan->next];
        const size_t length = batch_length(step, all - n);

        if (length > 1) {
            run_batch(executor, step, length, now);
        } else {
            run_step(executor, step, now);
        }
        plan->next += length;
        n += length;
    }
    return n;
}
