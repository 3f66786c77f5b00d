/* SPDX-License-Identifier: Apache-2.0 */

/* Checks each call, passes it on, and records its effect.
 *
 * Every operation has these three steps.  The check uses the registry and the
 * metadata, and reads from the vendor only what neither knows: the current
 * value of an attribute of an object that existed before the guard.  The effect
 * is recorded only after success, so the registry never has objects that the
 * vendor lacks.  It may lack objects and references that were made without the
 * guard; the vendor then refuses what the guard could not. */

#include <config.h>

#include "sai/stack/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/validate.h"
#include "sai/stack/call_check.h"
#include "sai/stack/discovery.h"
#include "sai/stack/registry.h"

struct guard {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    struct registry *registry;
    struct call_check check; /* Of the two. */
    uint64_t n_refusals;
};

static const struct sai_backend_ops guard_ops;

static void follow_switch(struct guard *guard);

struct guard *
guard_create(struct sai_backend *inner)
{
    struct guard *guard = check_calloc(1, sizeof *guard);

    guard->backend.ops = &guard_ops;
    guard->inner = inner;
    guard->registry = registry_create();
    guard->check = (struct call_check){guard->registry, inner};
    follow_switch(guard);
    return guard;
}

void
guard_destroy(struct guard *guard)
{
    if (guard) {
        registry_destroy(guard->registry);
        free(guard);
    }
}

struct sai_backend *
guard_backend(struct guard *guard)
{
    return &guard->backend;
}

struct sai_backend *
guard_inner(const struct guard *guard)
{
    return guard->inner;
}

const struct registry *
guard_registry(const struct guard *guard)
{
    return guard->registry;
}

uint64_t
guard_refusals(const struct guard *guard)
{
    return guard->n_refusals;
}

/* Counts a refused call and returns 'status'. */
static sai_status_t
refuse(struct guard *guard, sai_status_t status)
{
    guard->n_refusals++;
    return status;
}

/* Updates the switch id from the vendor; clears the registry if it changed. */
static void
follow_switch(struct guard *guard)
{
    const sai_object_id_t oid = guard->inner->switch_id;

    guard->backend.switch_id = oid;
    if (oid != SAI_NULL_OBJECT_ID && !registry_find(guard->registry, oid)) {
        registry_add(guard->registry, SAI_OBJECT_TYPE_SWITCH, oid);
    }
}

/* The verbs ----------------------------------------------------------- */

/* Records that an object was created. */
static void
note_new(struct guard *guard, sai_object_type_t type, sai_object_id_t oid,
         uint32_t n, const sai_attribute_t *attributes)
{
    struct registry_item *item = registry_add(guard->registry, type, oid);

    item->created = true;
    registry_key(guard->registry, item, n, attributes);
    for (uint32_t i = 0; i < n; i++) {
        registry_note(guard->registry, item, &attributes[i]);
    }
}

/* Records that an object was removed. */
static void
note_gone(struct guard *guard, struct registry_item *item)
{
    if (item->type == SAI_OBJECT_TYPE_SWITCH) {
        registry_clear(guard->registry);
        follow_switch(guard);
    } else {
        registry_drop(guard->registry, item);
    }
}

static sai_status_t
guard_do_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct guard *guard = (struct guard *)backend;
    sai_status_t status =
        oid ? call_check_create(&guard->check, type, n, attributes)
            : SAI_STATUS_INVALID_PARAMETER;

    if (status == SAI_STATUS_SUCCESS && entry_is_key(type)) {
        status = SAI_STATUS_INVALID_OBJECT_TYPE;
    }
    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->create(guard->inner, type, n, attributes, oid);
    if (status == SAI_STATUS_SUCCESS) {
        note_new(guard, type, *oid, n, attributes);
        follow_switch(guard);
    }
    return status;
}

static sai_status_t
guard_do_remove(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid)
{
    struct guard *guard = (struct guard *)backend;
    struct registry_item *item;
    sai_status_t status = call_check_remove(&guard->check, type, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->remove(guard->inner, type, oid);
    if (status == SAI_STATUS_SUCCESS || status == SAI_STATUS_ITEM_NOT_FOUND ||
        status == SAI_STATUS_INVALID_OBJECT_ID) {
        note_gone(guard, item); /* Another process may have removed it. */
    }
    return status;
}

static sai_status_t
guard_do_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct guard *guard = (struct guard *)backend;
    struct registry_item *item;
    sai_status_t status = call_check_locate(&guard->check, type, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        status = call_check_set(&guard->check, type, attribute, item);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->set(guard->inner, type, oid, attribute);
    if (status == SAI_STATUS_SUCCESS) {
        registry_note(guard->registry, item, attribute);
    }
    return status;
}

static sai_status_t
guard_do_get(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct guard *guard = (struct guard *)backend;
    const struct discovery discovery = {guard->registry, guard->inner};
    struct registry_item *item;
    sai_status_t status = call_check_locate(&guard->check, type, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        status = validate_get(type, n, attributes);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->get(guard->inner, type, oid, n, attributes);
    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        discovery_learn(&discovery, item, &attributes[i]);
    }
    return status;
}

static sai_status_t
guard_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    struct guard *guard = (struct guard *)backend;
    const struct call_check_stats call = {type, oid, n, ids, mode, values};
    const sai_status_t status = call_check_stats(&guard->check, &call);

    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    return guard->inner->ops->get_stats(guard->inner, type, oid, n, ids, mode,
                                        values);
}

/* One invalid object would fail the call for all objects: in that case each
 * object gets a call of its own. */
static sai_status_t
guard_do_get_stats_many(struct sai_backend *backend,
                        const struct backend_stats *call)
{
    struct guard *guard = (struct guard *)backend;

    for (uint32_t i = 0; i < call->n; i++) {
        const struct call_check_stats one = {
            call->type,  call->keys[i].key.object_id,
            call->n_ids, call->ids,
            call->mode,  call->values};

        if (call_check_stats(&guard->check, &one) != SAI_STATUS_SUCCESS) {
            return backend_get_stats_singly(backend, call);
        }
    }
    return backend_get_stats_many(guard->inner, call);
}

/* Several objects ----------------------------------------------------- */

/* The valid objects of a call as a call of their own, and the index of each in
 * the original call. */
struct batch {
    struct backend_many many;
    uint32_t *places;
    uint32_t *counts;
};

static void
batch_init(struct batch *batch, const struct backend_many *call)
{
    const size_t n = call->n + 1u;

    batch->many = *call;
    batch->many.n = 0;
    batch->places = check_calloc(n, sizeof *batch->places);
    batch->counts = check_calloc(n, sizeof *batch->counts);
    batch->many.counts = batch->counts;
    batch->many.keys = check_calloc(n, sizeof *batch->many.keys);
    batch->many.attributes =
        check_calloc(backend_total(call) + 1u, sizeof *batch->many.attributes);
    batch->many.statuses = check_calloc(n, sizeof *batch->many.statuses);
}

static void
batch_fini(struct batch *batch)
{
    free(batch->places);
    free(batch->counts);
    free(batch->many.keys);
    free(batch->many.attributes);
    free(batch->many.statuses);
}

/* Checks the only object of 'call'. */
static sai_status_t
check_one(struct guard *guard, const struct backend_many *call)
{
    const sai_object_type_t type = call->type;
    const uint32_t n = backend_count(call, 0);
    struct registry_item *item = NULL;
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (call->op != OP_CREATE_MANY || entry_is_key(type)) {
        status = call_check_key(&guard->check, type, call->keys, &item);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (op_single(call->op)) {
    case OP_CREATE:
        return call_check_create(&guard->check, type, n, call->attributes);
    case OP_REMOVE:
        return item && registry_in_use(item) ? SAI_STATUS_OBJECT_IN_USE
                                             : SAI_STATUS_SUCCESS;
    case OP_SET:
        return call_check_set(&guard->check, type, call->attributes, item);
    case OP_GET:
        return validate_get(type, n, call->attributes);
    case OP_GET_STATS:
    case OP_CREATE_MANY:
    case OP_REMOVE_MANY:
    case OP_SET_MANY:
    case OP_GET_MANY:
    case OP_GET_STATS_MANY:
    case OP_SNAPSHOT:
    case N_OPS:
    default:
        return SAI_STATUS_INVALID_PARAMETER;
    }
}

/* Records the success of 'call', which has one object. */
static void
note_one(struct guard *guard, const struct backend_many *call)
{
    const struct discovery discovery = {guard->registry, guard->inner};
    const sai_object_id_t oid = call->keys->key.object_id;
    struct registry_item *item;

    if (entry_is_key(call->type)) {
        return;
    }
    item = registry_find(guard->registry, oid);
    if (call->op == OP_CREATE_MANY) {
        note_new(guard, call->type, oid, backend_count(call, 0),
                 call->attributes);
    } else if (item && call->op == OP_REMOVE_MANY) {
        note_gone(guard, item);
    } else if (item && call->op == OP_SET_MANY) {
        registry_note(guard->registry, item, call->attributes);
    }
    for (uint32_t i = 0;
         item && call->op == OP_GET_MANY && i < backend_count(call, 0); i++) {
        discovery_learn(&discovery, item, &call->attributes[i]);
    }
}

/* Returns a call on object 'i' of 'call' only, whose attributes begin at
 * 'first'.  '*n' gets their number and must outlive the result. */
static struct backend_many
part_of(const struct backend_many *call, uint32_t i, uint32_t first,
        uint32_t *n)
{
    struct backend_many part = *call;

    *n = backend_count(call, i);
    part.n = 1;
    part.keys = &call->keys[i];
    part.counts = n;
    part.attributes = call->attributes ? &call->attributes[first] : NULL;
    part.statuses = &call->statuses[i];
    return part;
}

/* Adds 'part', which has index 'place' in the original call, behind the 'first'
 * attributes. */
static void
batch_add(struct batch *batch, const struct backend_many *part, uint32_t place,
          uint32_t first)
{
    const uint32_t at = batch->many.n++;
    const uint32_t n = part->counts[0];

    batch->places[at] = place;
    batch->counts[at] = n;
    batch->many.keys[at] = part->keys[0];
    if (n) {
        memcpy(&batch->many.attributes[first], part->attributes,
               n * sizeof *part->attributes);
    }
}

/* Checks the objects of 'call', with STOP_ON_ERROR only up to the first invalid
 * one, stores their statuses and returns whether all are valid.  Of two new
 * objects with the same key the second is invalid, but only when the first has
 * been created. */
static bool
check_all(struct guard *guard, const struct backend_many *call)
{
    const bool stop = call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;
    uint32_t first = 0, n;
    bool good = true;

    for (uint32_t i = 0; i < call->n; i++) {
        const struct backend_many part = part_of(call, i, first, &n);

        first += n;
        call->statuses[i] = SAI_STATUS_NOT_EXECUTED;
        if (stop && !good) {
            continue;
        }
        call->statuses[i] = check_one(guard, &part);
        if (call->statuses[i] != SAI_STATUS_SUCCESS) {
            (void)refuse(guard, call->statuses[i]);
            good = false;
        }
    }
    return good;
}

/* Fills 'batch' with the valid objects of 'call'. */
static void
batch_fill(struct batch *batch, const struct backend_many *call)
{
    uint32_t first = 0, n_kept = 0, n;

    for (uint32_t i = 0; i < call->n; i++) {
        const struct backend_many part = part_of(call, i, first, &n);

        first += n;
        if (call->statuses[i] == SAI_STATUS_SUCCESS) {
            batch_add(batch, &part, i, n_kept);
            n_kept += n;
        }
    }
}

/* Copies the results of 'batch' to 'call' and records the effects.  'first_of'
 * has the index of the first attribute of each object of 'call'. */
static void
batch_take(struct guard *guard, const struct batch *batch,
           const struct backend_many *call, const uint32_t *first_of)
{
    uint32_t first = 0, n;

    for (uint32_t i = 0; i < batch->many.n; i++) {
        const struct backend_many part = part_of(&batch->many, i, first, &n);
        const uint32_t place = batch->places[i];

        first += n;
        call->statuses[place] = part.statuses[0];
        if (call->op == OP_GET_MANY && n) {
            memcpy(&call->attributes[first_of[place]], part.attributes,
                   n * sizeof *part.attributes);
        }
        if (part.statuses[0] == SAI_STATUS_SUCCESS) {
            call->keys[place] = part.keys[0];
            note_one(guard, &part);
        }
    }
}

/* Passes on the valid objects.  If the vendor stops at one, the objects behind
 * it that the guard refused were not executed either. */
static sai_status_t
batch_run(struct guard *guard, struct batch *batch,
          const struct backend_many *call)
{
    uint32_t *first_of = check_calloc(call->n + 1u, sizeof *first_of);
    const bool stop = call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < call->n; i++) {
        first_of[i + 1] = first_of[i] + backend_count(call, i);
    }
    if (batch->many.n) {
        status = backend_do_many(guard->inner, &batch->many);
    }
    batch_take(guard, batch, call, first_of);
    for (uint32_t i = batch->many.n;
         stop && status != SAI_STATUS_SUCCESS && i < call->n; i++) {
        call->statuses[i] = SAI_STATUS_NOT_EXECUTED;
    }
    free(first_of);
    follow_switch(guard);
    return backend_sum(call);
}

/* Passes on 'call' unchanged, because all its objects are valid: the usual
 * case, without copies. */
static sai_status_t
run_whole(struct guard *guard, const struct backend_many *call)
{
    uint32_t first = 0, n;

    (void)backend_do_many(guard->inner, call);
    for (uint32_t i = 0; i < call->n; i++) {
        const struct backend_many part = part_of(call, i, first, &n);

        first += n;
        if (call->statuses[i] == SAI_STATUS_SUCCESS) {
            note_one(guard, &part);
        }
    }
    follow_switch(guard);
    return backend_sum(call);
}

/* Returns whether 'call' has all arrays that it needs. */
static bool
has_arrays(const struct backend_many *call)
{
    const bool counted = call->op == OP_CREATE_MANY || call->op == OP_GET_MANY;

    return call->keys && call->statuses && (call->counts || !counted) &&
           (call->attributes || call->op == OP_REMOVE_MANY ||
            (counted && !backend_total(call)));
}

static sai_status_t
guard_do_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct guard *guard = (struct guard *)backend;
    struct batch batch;
    sai_status_t status;

    if (!op_is_many(call->op) || (call->n && !has_arrays(call))) {
        return refuse(guard, SAI_STATUS_INVALID_PARAMETER);
    }
    if (check_all(guard, call)) {
        return call->n ? run_whole(guard, call) : SAI_STATUS_SUCCESS;
    }
    batch_init(&batch, call);
    batch_fill(&batch, call);
    status = batch_run(guard, &batch, call);
    batch_fini(&batch);
    return status;
}

static const struct sai_backend_ops guard_ops = {
    .create = guard_do_create,
    .remove = guard_do_remove,
    .set = guard_do_set,
    .get = guard_do_get,
    .get_stats = guard_do_get_stats,
    .get_stats_many = guard_do_get_stats_many,
    .many = guard_do_many,
};
