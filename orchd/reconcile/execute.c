/* SPDX-License-Identifier: Apache-2.0 */

/* Turns steps into SAI calls, and records what SAI accepts.
 *
 * The planner assumes that SAI accepts every step.  So each step first checks
 * that this held for the steps before it: that what it refers to exists, that
 * what it removes has no users, that what it sets still differs.  If not, the
 * step is skipped silently: the refused step has its refusal, and marks this
 * object again when that is resolved.
 *
 * Each accepted or refused step marks its object, so that the next round
 * compares it again.  A skipped step marks nothing, or the rounds would never
 * end. */

#include <config.h>

#include "orchd/reconcile/execute.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/reconcile/condition.h"
#include "orchd/reconcile/create.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/listener.h"
#include "orchd/reconcile/llr_order.h"
#include "orchd/reconcile/paired_bounds.h"
#include "orchd/reconcile/port_details.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/resolved_value.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/trimming.h"
#include "sai/core/status.h"

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

/* A change that SAI refused. */
struct refused_change {
    struct slot *slot;
    const sai_attribute_value_t *value; /* The value to be set. */
    sai_status_t status;
};

/* Returns whether a device that answers 'status' may nevertheless have made the
 * change. */
static bool
is_unknown_outcome(sai_status_t status)
{
    return st_from_sai(status) == ST_DEVICE;
}

/* Records that SAI refused 'change' of 'object'.  A device that failed, rather
 * than refused, may have made the change. */
static void
refuse_change(struct executor *executor, struct object *object,
              const struct refused_change *change, int64_t now)
{
    struct slot *refused =
        llr_order_refused(object, change->slot, change->value);

    if (is_unknown_outcome(change->status)) {
        paired_bounds_blur(object, change->slot, change->value);
        headroom_order_blur(object, change->slot, change->value);
        change->slot->uncertain = true;
    }
    executor_refuse(executor, object, &refused->refusal, change->status, now);
    refused->refusal.request = slot_request(refused);
}

/* Records that SAI accepted a change of 'slot', which may be what another
 * change of 'object' was refused for. */
static void
note_change(struct object *object, const struct slot *slot)
{
    if (!llr_order_is_passing(object, slot)) {
        refusal_note_change(object);
    }
}

/* Forgets the values of attributes of 'object' whose condition no longer holds,
 * now that another attribute has changed: they need no reset. */
static void
forget_unconditioned(struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        if (!condition_holds(object, slot) && !trimming_keeps(slot)) {
            object_release(object, slot);
            refusal_forget(&slot->refusal);
        }
    }
}

/* Records the result of setting 'slot' to 'resolved'. */
static void
commit_set(struct executor *executor, struct object *object, struct slot *slot,
           const struct resolved_value *resolved, sai_status_t status,
           int64_t now)
{
    if (status != SAI_STATUS_SUCCESS) {
        refuse_change(executor, object,
                      &(struct refused_change){slot, &resolved->value, status},
                      now);
        return;
    }
    note_change(object, slot);
    object_hold(object, slot, &resolved->value, resolved->targets,
                resolved->n_targets);
    headroom_order_note_change(object, slot);
    refusal_forget(&slot->refusal);
    forget_unconditioned(object);
    port_details_note(object, slot->meta, &slot->value);
    listener_notify_attribute(executor->listener, object, slot->meta,
                              &slot->value);
    graph_mark(object);
}

/* Returns whether 'slot' may be set to 'value' now, as far as it depends on
 * what other attributes are now: an earlier change may have been refused. */
static bool
is_allowed(const struct object *object, const struct slot *slot,
           const sai_attribute_value_t *value)
{
    return paired_bounds_allow(object, slot, value) &&
           headroom_order_allows(object, slot, value) &&
           llr_order_allows(object, slot, value);
}

/* Resolves the value that 'slot' is to be set to.  Returns false if it cannot
 * be set now: an object that it refers to does not exist, a planned change that
 * it depends on was not made, or is_allowed() says no. */
static bool
resolve_set(const struct object *object, const struct slot *slot,
            struct resolved_value *resolved)
{
    if (!slot_is_to_be_set(object, slot) || !resolved_value_exists(slot) ||
        !condition_holds(object, slot) ||
        !resolved_value_init(slot, resolved)) {
        return false;
    }
    if (!is_allowed(object, slot, &resolved->value)) {
        resolved_value_fini(resolved);
        return false;
    }
    return true;
}

static void
run_set(struct executor *executor, struct object *object, struct slot *slot,
        int64_t now)
{
    struct resolved_value resolved;

    if (!resolve_set(object, slot, &resolved)) {
        return;
    }
    commit_set(executor, object, slot, &resolved,
               call_set(executor, object, slot, &resolved.value), now);
    resolved_value_fini(&resolved);
}

/* An attribute without a known default cannot be reset: orchd only stops
 * managing it. */
static void
run_reset(struct executor *executor, struct object *object, struct slot *slot,
          int64_t now)
{
    sai_attribute_value_t value;

    if (!slot->held && !slot->uncertain) {
        return; /* An earlier step removed it. */
    }
    if (metadata_default(slot->meta, &value)) {
        sai_status_t status;

        if (!is_allowed(object, slot, &value)) {
            return;
        }
        status = call_set(executor, object, slot, &value);
        if (status != SAI_STATUS_SUCCESS) {
            refuse_change(executor, object,
                          &(struct refused_change){slot, &value, status}, now);
            return;
        }
        note_change(object, slot);
        port_details_note(object, slot->meta, &value);
        listener_notify_attribute(executor->listener, object, slot->meta,
                                  &value);
    }
    object_release(object, slot);
    headroom_order_note_change(object, slot);
    refusal_forget(&slot->refusal);
    forget_unconditioned(object);
    graph_mark(object);
    if (object->parent) {
        graph_mark(object->parent); /* It may be released now. */
    }
}

/* --- Removal ------------------------------------------------------------ */

/* Returns the meaning of the 'status' of a removal.  An object that the device
 * does not know counts as removed: an earlier removal that reported a failure
 * may have succeeded. */
static sai_status_t
removal_verdict(sai_status_t status)
{
    return st_from_sai(status) == ST_NOT_FOUND ||
                   status == SAI_STATUS_INVALID_OBJECT_ID
               ? SAI_STATUS_SUCCESS
               : status;
}

/* Removes the current version of 'object' from the records, and puts the latest
 * former one in its place: users find their binding unchanged. */
static void
commit_restoration(struct executor *executor, struct object *object)
{
    const sai_object_id_t oid = object->oid;

    for (size_t i = 0; i < object->n_slots; i++) {
        refusal_forget(&object->slots[i].refusal);
    }
    object_restore(object);
    listener_notify_appeared(executor->listener, object);
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->held) {
            listener_notify_attribute(executor->listener, object, slot->meta,
                                      &slot->value);
        }
    }
    listener_notify_gone(executor->listener, object, oid);
    refusal_note_change(object);
    graph_mark_referrers(object);
}

/* Returns the id that 'step' is to remove: of the object, or of a former
 * version; SAI_NULL_OBJECT_ID if it cannot be removed now. */
static sai_object_id_t
removal_target(const struct step *step)
{
    struct object *object = step->object;

    if (step->kind == STEP_REMOVE_FORMER) {
        const struct former_version *version =
            object_former_version(object, step->oid);

        /* The replacement may have failed, or a user kept the former one. */
        return version && version->n_users == 0 ? step->oid
                                                : SAI_NULL_OBJECT_ID;
    }
    if (object->n_users > 0) {
        /* A user could not be unbound.  Checking again costs one round. */
        graph_mark(object);
        return SAI_NULL_OBJECT_ID;
    }
    return object->oid;
}

/* Records that a removal of 'object' has an unknown outcome.  Where another
 * program makes the changes, it may still make this one, or not at all if the
 * object is wanted again before: then its attributes have to be confirmed. */
static void
doubt_removed(const struct executor *executor, struct object *object)
{
    if (!executor->graph->confirmation) {
        object->removal_uncertain = true;
        return;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];

        slot->uncertain |=
            slot->held && !(slot->meta->flags & METADATA_FLAG_CREATE_ONLY);
    }
}

/* Records what the refusal 'status' of the removal of 'oid' by 'step' says of
 * whether it is still there.  One that makes room for its former version is
 * wanted as long as that is not there, so it is replaced. */
static void
note_presence(const struct executor *executor, const struct step *step,
              sai_object_id_t oid, sai_status_t status)
{
    struct object *object = step->object;
    struct former_version *version = object_former_version(object, oid);
    const bool in_use = status == SAI_STATUS_OBJECT_IN_USE;

    if (!in_use && !is_unknown_outcome(status)) {
        return;
    }
    if (version) {
        version->removal_uncertain = !in_use;
    } else if (step->kind == STEP_RESTORE) {
        object->lost |= !in_use && !executor->graph->confirmation;
    } else if (in_use) {
        object->removal_uncertain = false; /* An earlier one was not made. */
    } else {
        doubt_removed(executor, object);
    }
}

/* Records the result of removing 'oid'. */
static void
commit_removal(struct executor *executor, const struct step *step,
               sai_object_id_t oid, sai_status_t status, int64_t now)
{
    struct object *object = step->object;

    executor->n_calls++;
    status = removal_verdict(status);
    if (status != SAI_STATUS_SUCCESS) {
        note_presence(executor, step, oid, status);
        executor_refuse(executor, object, &object->refusal, status, now);
        return;
    }
    refusal_forget(&object->refusal);
    graph_mark(object);
    if (step->kind == STEP_RESTORE) {
        commit_restoration(executor, object);
        return;
    }
    listener_notify_gone(executor->listener, object, oid);
    if (step->kind == STEP_REMOVE_FORMER) {
        object_bury(object, object_former_version(object, oid));
        return;
    }
    object->oid = SAI_NULL_OBJECT_ID;
    object->removal_uncertain = object->lost = false;
    for (size_t i = 0; i < object->n_slots; i++) {
        object_release(object, &object->slots[i]);
        refusal_forget(&object->slots[i].refusal);
    }
    graph_mark_referrers(object);
}

static void
run_remove(struct executor *executor, const struct step *step, int64_t now)
{
    const sai_object_id_t oid = removal_target(step);

    if (oid != SAI_NULL_OBJECT_ID) {
        commit_removal(executor, step, oid,
                       executor->backend->ops->remove(executor->backend,
                                                      step->object->type, oid),
                       now);
    }
}

/* Returns whether 'object' has an attribute that is being reset, but whose
 * reset SAI refused and that will be tried again.  After a release nothing
 * would retry it. */
static bool
is_being_undone(const struct object *object)
{
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->held && slot->refusal.status != SAI_STATUS_SUCCESS &&
            st_retry(st_from_sai(slot->refusal.status)) != ST_RETRY_NEVER) {
            return true;
        }
    }
    return false;
}

static void
run_release(struct executor *executor, struct object *object)
{
    bool holds = object_refers(object) || is_being_undone(object);

    for (const struct object *child = object_children(object); child && !holds;
         child = child->sibling) {
        holds = object_refers(child);
    }
    if (holds) {
        return; /* A refusal stands; its retry leads to the next plan. */
    }
    create_undo(executor, object);
    executor->freed = true;
}

/* --- The plan ----------------------------------------------------------- */

/* Reads the scheduler groups of the ports of 'n' steps; steps of the same port
 * follow each other.  If a port does not report its groups, records a refusal
 * for the group. */
static void
run_asks(struct executor *executor, const struct step *steps, size_t n,
         int64_t now)
{
    struct object **ports = check_calloc(n, sizeof(struct object *));
    sai_status_t *statuses = check_calloc(n, sizeof *statuses);
    uint32_t n_ports = 0;

    for (size_t i = 0; i < n; i++) {
        struct object *port = steps[i].object->parent;

        if (scheduler_groups_unknown(steps[i].object) &&
            (!n_ports || ports[n_ports - 1] != port)) {
            ports[n_ports++] = port;
        }
    }
    if (n_ports) {
        scheduler_groups_read(executor->backend, n_ports, ports, statuses);
    }
    for (size_t i = 0, k = 0; i < n; i++) {
        struct object *group = steps[i].object;

        if (scheduler_groups_unknown(group)) {
            while (ports[k] != group->parent) {
                k++;
            }
            executor_refuse(executor, group, &group->refusal, statuses[k], now);
        }
    }
    free(statuses);
    free(ports);
}

/* Returns whether 'step' frees resources. */
static bool
step_frees(const struct step *step)
{
    return step->phase == PHASE_REDUCE || step->phase == PHASE_SHRINK ||
           step->phase == PHASE_CLOSE || step->phase == PHASE_REMOVE ||
           step->phase == PHASE_RESTORE;
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
    case STEP_ASK:
        run_asks(executor, step, 1, now);
        break;
    case STEP_PREPARE:
        create_prepare(executor, object, now);
        break;
    case STEP_CREATE:
        create_one(executor, object, now);
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
    case STEP_REMOVE_FORMER:
    case STEP_RESTORE:
        run_remove(executor, step, now);
        break;
    }
    refusal_settle(object, executor->timeline);
    executor->freed |= step_frees(step) && executor->n_calls > n_calls &&
                       executor->n_refused == n_refused;
}

/* One call that sets several objects.  The arrays are parallel. */
struct batch {
    const struct step **steps;
    struct slot **slots;
    struct resolved_value *resolved;
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
        resolved_value_fini(&batch->resolved[i]);
    }
    free(batch->steps);
    free(batch->slots);
    free(batch->resolved);
    free(batch->oids);
    free(batch->attributes);
    free(batch->statuses);
}

/* Adds the change of 'step', unless it cannot be made now. */
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

/* Carries out 'n' steps that set attributes of objects of one type.  None of
 * them changes what another one sets, so all can be sent before the first
 * result is recorded. */
static void
set_several(struct executor *executor, const struct step *steps, size_t n,
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
        executor->freed |= step_frees(batch.steps[i]) &&
                           batch.statuses[i] == SAI_STATUS_SUCCESS;
    }
    batch_fini(&batch);
}

/* Carries out 'n' steps that remove different objects of one type, none of
 * which uses another. */
static void
remove_several(struct executor *executor, const struct step *steps, size_t n,
               int64_t now)
{
    const struct step **found = check_calloc(n, sizeof(struct step *));
    struct backend_many many = {.op = OP_REMOVE_MANY,
                                .type = steps->object->type,
                                .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                .keys = check_calloc(n, sizeof *many.keys),
                                .statuses =
                                    check_calloc(n, sizeof *many.statuses)};

    for (size_t i = 0; i < n; i++) {
        const sai_object_id_t oid = removal_target(&steps[i]);

        if (oid != SAI_NULL_OBJECT_ID) {
            many.keys[many.n].key.object_id = oid;
            found[many.n++] = &steps[i];
        }
    }
    if (many.n > 0) {
        (void)backend_do_many(executor->backend, &many);
    }
    for (uint32_t i = 0; i < many.n; i++) {
        commit_removal(executor, found[i], many.keys[i].key.object_id,
                       many.statuses[i], now);
        executor->freed |=
            removal_verdict(many.statuses[i]) == SAI_STATUS_SUCCESS;
    }
    free(many.keys);
    free(many.statuses);
    free(found);
}

/* Carries out 'n' steps that create different objects of one type. */
static void
run_creations(struct executor *executor, const struct step *steps, size_t n,
              int64_t now)
{
    struct object **objects = check_calloc(n, sizeof(struct object *));

    for (size_t i = 0; i < n; i++) {
        objects[i] = steps[i].object;
    }
    create_several(executor, objects, n, now);
    free(objects);
}

/* Carries out 'n' steps that can be sent in one call. */
static void
run_batch(struct executor *executor, const struct step *steps, size_t n,
          int64_t now)
{
    if (steps->kind == STEP_CREATE) {
        run_creations(executor, steps, n, now);
    } else if (steps->kind == STEP_ASK) {
        run_asks(executor, steps, n, now);
    } else if (steps->kind == STEP_SET) {
        set_several(executor, steps, n, now);
    } else {
        remove_several(executor, steps, n, now);
    }
    for (size_t i = 0; i < n; i++) {
        refusal_settle(steps[i].object, executor->timeline);
    }
}

/* Returns whether 'step' is independent of other steps of its kind, phase and
 * type. */
static bool
is_plain(const struct executor *executor, const struct step *step)
{
    switch (step->kind) {
    case STEP_ASK:
    case STEP_SET:
        return true;
    case STEP_CREATE:
        return create_is_plain(executor, step->object);
    case STEP_REMOVE:
    case STEP_REMOVE_FORMER:
        return create_is_apart(step->object);
    case STEP_PREPARE:
    case STEP_RESET:
    case STEP_RELEASE:
    case STEP_RESTORE:
        break;
    }
    return false;
}

/* Returns whether 'step' may be sent together with 'earlier', an earlier step
 * for the same object: neither depends on what the other one sets.  That holds
 * for objects that orchd does not create, but for link-level retry: only pools,
 * profiles and the like have paired bounds and headroom. */
static bool
is_independent(const struct step *step, const struct step *earlier)
{
    const struct metadata_attribute *meta =
        metadata_attribute(step->object->type, step->attribute);

    if (step->kind != STEP_SET || step->object->class == OBJECT_OWNED ||
        step->attribute == earlier->attribute ||
        (llr_order_concerns(step->object->type, step->attribute) &&
         llr_order_concerns(step->object->type, earlier->attribute))) {
        return false;
    }
    for (uint16_t i = 0; meta && i < meta->n_terms; i++) {
        if (meta->terms[i].id == earlier->attribute) {
            return false;
        }
    }
    return meta != NULL;
}

/* Returns whether the step after the 'n' 'steps' can be sent together with
 * them. */
static bool
joins(const struct step *steps, size_t n)
{
    const struct step *step = &steps[n];

    if (step->kind != steps->kind || step->phase != steps->phase ||
        step->object->type != steps->object->type) {
        return false;
    }
    /* The steps of one object are adjacent. */
    for (size_t i = n; i-- > 0 && steps[i].object == step->object;) {
        if (!is_independent(step, &steps[i])) {
            return false;
        }
    }
    return true;
}

/* Returns how many of at most 'n' steps from 'steps' on can be sent in one
 * call: those of one phase that do the same to objects of one type. */
static size_t
batch_length(const struct executor *executor, const struct step *steps,
             size_t n)
{
    size_t length = 1;

    while (length < n && length < EXECUTE_BATCH && joins(steps, length) &&
           (length > 1 || is_plain(executor, steps)) &&
           is_plain(executor, &steps[length])) {
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
        const size_t length = batch_length(executor, step, all - n);

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
