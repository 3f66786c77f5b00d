/* SPDX-License-Identifier: Apache-2.0 */

/* Judge, pass on, note what came of it.
 *
 * Every verb has the same three steps.  Judging uses the register and the
 * metadata, and asks the vendor only where neither knows: the present value of
 * an attribute of an object that existed before the guard.  Noting happens only
 * after success, so the register never runs ahead of the vendor; it may lag
 * behind him, when an object or a reference was made without the guard, and
 * then he has the last word.
 *
 * Learning by get has a limit that is meant: an object is known from the moment
 * when an answer has named it.  Callers find objects in no other way, and an id
 * from elsewhere is most likely one of a former life. */

#include <config.h>

#include "sai/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/metadata.h"
#include "sai/registry.h"
#include "sai/validate.h"

struct guard {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    struct registry *registry;
    uint64_t n_refusals;
};

/* What validation asks. */
struct question {
    struct guard *guard;
    const struct registry_item *item; /* NULL at creation. */
    bool unknown;                     /* An answer could not be had. */
};

static const struct sai_backend_ops guard_ops;

static sai_object_type_t type_of(void *context, sai_object_id_t oid);
static bool current(void *context, sai_attr_id_t id, int64_t *value);
static sai_status_t locate(const struct guard *guard, sai_object_type_t type,
                           sai_object_id_t oid, struct registry_item **item);
static void follow_switch(struct guard *guard);
static void discover(struct guard *guard, struct registry_item *item,
                     const sai_attribute_t *attribute);

struct guard *
guard_create(struct sai_backend *inner)
{
    struct guard *guard = check_calloc(1, sizeof *guard);

    guard->backend.ops = &guard_ops;
    guard->inner = inner;
    guard->registry = registry_create();
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

uint64_t
guard_refusals(const struct guard *guard)
{
    return guard->n_refusals;
}

/* Counts a call that is refused with 'status', and returns it. */
static sai_status_t
refuse(struct guard *guard, sai_status_t status)
{
    guard->n_refusals++;
    return status;
}

/* Takes over the switch of the vendor, or that it has none any more. */
static void
follow_switch(struct guard *guard)
{
    const sai_object_id_t oid = guard->inner->switch_id;

    guard->backend.switch_id = oid;
    if (oid != SAI_NULL_OBJECT_ID && !registry_find(guard->registry, oid)) {
        registry_add(guard->registry, SAI_OBJECT_TYPE_SWITCH, oid);
    }
}

/* Judging ------------------------------------------------------------- */

static sai_object_type_t
type_of(void *context, sai_object_id_t oid)
{
    const struct question *question = context;
    const struct registry_item *item =
        registry_find(question->guard->registry, oid);

    return item ? item->type : SAI_OBJECT_TYPE_NULL;
}

/* The present value of a number: as it was given; of an object that was
 * created without it, not known here, so that its default is taken; of one
 * that was there before, what the vendor says. */
static bool
current(void *context, sai_attr_id_t id, int64_t *value)
{
    struct question *question = context;
    const struct registry_item *item = question->item;
    const struct registry_fact *fact = registry_fact(item, id);
    const struct metadata_attribute *meta = metadata_attribute(item->type, id);
    struct sai_backend *inner = question->guard->inner;
    sai_attribute_t attribute = {.id = id};

    if (fact) {
        *value = fact->number;
        return true;
    }
    if (item->created) {
        return false;
    }
    if (!meta || kind_has_list(meta->kind) ||
        inner->ops->get(inner, item->type, item->oid, 1, &attribute) !=
            SAI_STATUS_SUCCESS) {
        question->unknown = true;
        return false;
    }
    *value = metadata_number(meta->kind, &attribute.value);
    return true;
}

static sai_status_t
locate(const struct guard *guard, sai_object_type_t type, sai_object_id_t oid,
       struct registry_item **item)
{
    *item = registry_find(guard->registry, oid);
    if (!*item) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    return (*item)->type == type ? SAI_STATUS_SUCCESS
                                 : SAI_STATUS_INVALID_OBJECT_TYPE;
}

/* Whether there is a switch is asked first: without one nothing else is worth
 * a word. */
static sai_status_t
judge_create(struct guard *guard, sai_object_type_t type, uint32_t n,
             const sai_attribute_t *attributes, const sai_object_id_t *oid)
{
    struct question question = {.guard = guard};
    const struct validate_env env = {.context = &question, .type_of = type_of};
    const bool is_switch = type == SAI_OBJECT_TYPE_SWITCH;
    const bool has_switch = guard->inner->switch_id != SAI_NULL_OBJECT_ID;

    if (!oid) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (is_switch == has_switch) {
        return is_switch ? SAI_STATUS_ITEM_ALREADY_EXISTS
                         : SAI_STATUS_UNINITIALIZED;
    }
    return validate_create(type, n, attributes, &env);
}

static sai_status_t
judge_set(struct guard *guard, sai_object_type_t type, sai_object_id_t oid,
          const sai_attribute_t *attribute, struct registry_item **item)
{
    struct question question = {.guard = guard};
    const struct validate_env env = {
        .context = &question, .type_of = type_of, .current = current};
    sai_status_t status = locate(guard, type, oid, item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    question.item = *item;
    status = validate_set(type, attribute, &env);
    /* A condition is not held against a caller on a guess. */
    return status == SAI_STATUS_INVALID_PARAMETER && attribute &&
                   question.unknown
               ? SAI_STATUS_SUCCESS
               : status;
}

/* A child may be removed here: whether queues can be is up to the vendor. */
static sai_status_t
judge_remove(const struct guard *guard, sai_object_type_t type,
             sai_object_id_t oid, struct registry_item **item)
{
    const sai_status_t status = locate(guard, type, oid, item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return registry_in_use(*item) ? SAI_STATUS_OBJECT_IN_USE
                                  : SAI_STATUS_SUCCESS;
}

/* All or nothing: with one counter that does not exist none is read. */
static sai_status_t
judge_stats(const struct guard *guard, sai_object_type_t type,
            sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
            sai_stats_mode_t mode, const uint64_t *values)
{
    struct registry_item *item;
    const sai_status_t status = locate(guard, type, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!metadata_object(type)->n_stats) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if ((n && (!ids || !values)) || (mode != SAI_STATS_MODE_READ &&
                                     mode != SAI_STATS_MODE_READ_AND_CLEAR)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!metadata_stat(type, ids[i])) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Learning ------------------------------------------------------------ */

/* Returns the type of 'oid', which 'meta' has named: the only one allowed, or
 * that as which the vendor knows it. */
static sai_object_type_t
find_type(struct guard *guard, const struct metadata_attribute *meta,
          sai_object_id_t oid)
{
    const sai_object_type_t *types = meta->objects;
    struct sai_backend *inner = guard->inner;

    if (types[0] == SAI_OBJECT_TYPE_NULL || types[1] == SAI_OBJECT_TYPE_NULL) {
        return types[0];
    }
    for (; *types != SAI_OBJECT_TYPE_NULL; types++) {
        const struct metadata_object *object = metadata_object(*types);
        sai_attribute_t probe = {0};
        sai_status_t status;

        if (!object || !object->n_attributes) {
            continue;
        }
        probe.id = object->attributes[0].id;
        status = inner->ops->get(inner, *types, oid, 1, &probe);
        if (status == SAI_STATUS_SUCCESS ||
            status == SAI_STATUS_BUFFER_OVERFLOW) {
            return *types;
        }
    }
    return SAI_OBJECT_TYPE_NULL;
}

/* Returns whether objects of 'type' come and go with their port. */
static bool
is_of_port(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_QUEUE ||
           type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
           type == SAI_OBJECT_TYPE_SCHEDULER_GROUP;
}

/* Learns of object 'oid', which attribute 'meta' of 'item' has named. */
static void
discover_one(struct guard *guard, struct registry_item *item,
             const struct metadata_attribute *meta, sai_object_id_t oid)
{
    struct registry_item *found = registry_find(guard->registry, oid);
    sai_object_type_t type;

    if (oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    type = found ? found->type : find_type(guard, meta, oid);
    if (!found && type != SAI_OBJECT_TYPE_NULL) {
        found = registry_add(guard->registry, type, oid);
    }
    if (found && item->type == SAI_OBJECT_TYPE_PORT && is_of_port(type)) {
        registry_adopt(guard->registry, found, item);
    }
}

/* Learns what an answer tells: of objects, and who refers to them. */
static void
discover(struct guard *guard, struct registry_item *item,
         const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(item->type, attribute->id);
    const sai_object_id_t *oids = &attribute->value.oid;
    uint32_t n = 1;

    if (meta->kind == KIND_OBJLIST) {
        oids = attribute->value.objlist.list;
        n = oids ? attribute->value.objlist.count : 0;
    } else if (meta->kind != KIND_OID) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        discover_one(guard, item, meta, oids[i]);
    }
    if (!(meta->flags & METADATA_FLAG_READ_ONLY) && (n || !oids)) {
        registry_note(guard->registry, item, attribute);
    }
}

/* The verbs ----------------------------------------------------------- */

static sai_status_t
guard_do_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct guard *guard = (struct guard *)backend;
    struct registry_item *item;
    sai_status_t status = judge_create(guard, type, n, attributes, oid);

    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->create(guard->inner, type, n, attributes, oid);
    if (status == SAI_STATUS_SUCCESS) {
        item = registry_add(guard->registry, type, *oid);
        item->created = true;
        for (uint32_t i = 0; i < n; i++) {
            registry_note(guard->registry, item, &attributes[i]);
        }
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
    sai_status_t status = judge_remove(guard, type, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->remove(guard->inner, type, oid);
    if (status == SAI_STATUS_SUCCESS && type == SAI_OBJECT_TYPE_SWITCH) {
        registry_clear(guard->registry);
        follow_switch(guard);
    } else if (status == SAI_STATUS_SUCCESS) {
        registry_drop(guard->registry, item);
    }
    return status;
}

static sai_status_t
guard_do_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct guard *guard = (struct guard *)backend;
    struct registry_item *item;
    sai_status_t status = judge_set(guard, type, oid, attribute, &item);

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
    struct registry_item *item;
    sai_status_t status = locate(guard, type, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        status = validate_get(type, n, attributes);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    status = guard->inner->ops->get(guard->inner, type, oid, n, attributes);
    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        discover(guard, item, &attributes[i]);
    }
    return status;
}

static sai_status_t
guard_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    struct guard *guard = (struct guard *)backend;
    const sai_status_t status =
        judge_stats(guard, type, oid, n, ids, mode, values);

    if (status != SAI_STATUS_SUCCESS) {
        return refuse(guard, status);
    }
    return guard->inner->ops->get_stats(guard->inner, type, oid, n, ids, mode,
                                        values);
}

/* The calls of a set_many that are sound, and where each came from. */
struct batch {
    uint32_t n;
    uint32_t *places;
    sai_object_id_t *oids;
    sai_attribute_t *attributes;
    sai_status_t *statuses;
};

static void
batch_init(struct batch *batch, uint32_t n)
{
    batch->n = 0;
    batch->places = check_calloc(n + 1u, sizeof *batch->places);
    batch->oids = check_calloc(n + 1u, sizeof *batch->oids);
    batch->attributes = check_calloc(n + 1u, sizeof *batch->attributes);
    batch->statuses = check_calloc(n + 1u, sizeof *batch->statuses);
}

static void
batch_fini(struct batch *batch)
{
    free(batch->places);
    free(batch->oids);
    free(batch->attributes);
    free(batch->statuses);
}

/* Passes 'batch' on, notes what was set, and puts the outcomes in their
 * places.  Returns whether all succeeded. */
static bool
batch_run(struct guard *guard, sai_object_type_t type, struct batch *batch,
          sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    bool good = true;

    if (batch->n) {
        good = backend_set_many(guard->inner, type, batch->n, batch->oids,
                                batch->attributes, mode,
                                batch->statuses) == SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < batch->n; i++) {
        statuses[batch->places[i]] = batch->statuses[i];
        if (batch->statuses[i] == SAI_STATUS_SUCCESS) {
            registry_note(guard->registry,
                          registry_find(guard->registry, batch->oids[i]),
                          &batch->attributes[i]);
        }
    }
    return good;
}

/* Judges 'n' sets.  'batch' gets those that are sound, in STOP_ON_ERROR only
 * up to the first that is not; 'statuses' get why the others are refused.
 * Returns whether all are sound. */
static bool
batch_fill(struct guard *guard, sai_object_type_t type, struct batch *batch,
           uint32_t n, const sai_object_id_t *oids,
           const sai_attribute_t *attributes, bool stop, sai_status_t *statuses)
{
    struct registry_item *item;
    bool good = true;

    for (uint32_t i = 0; i < n; i++) {
        statuses[i] = SAI_STATUS_NOT_EXECUTED;
        if (stop && !good) {
            continue;
        }
        statuses[i] = judge_set(guard, type, oids[i], &attributes[i], &item);
        if (statuses[i] != SAI_STATUS_SUCCESS) {
            (void)refuse(guard, statuses[i]);
            good = false;
            continue;
        }
        batch->places[batch->n] = i;
        batch->oids[batch->n] = oids[i];
        batch->attributes[batch->n++] = attributes[i];
    }
    return good;
}

static sai_status_t
guard_do_set_many(struct sai_backend *backend, sai_object_type_t type,
                  uint32_t n, const sai_object_id_t *oids,
                  const sai_attribute_t *attributes,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct guard *guard = (struct guard *)backend;
    const bool stop = mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;
    struct batch batch;
    bool good;

    if (n && (!oids || !attributes || !statuses)) {
        return refuse(guard, SAI_STATUS_INVALID_PARAMETER);
    }
    batch_init(&batch, n);
    good = batch_fill(guard, type, &batch, n, oids, attributes, stop, statuses);
    if (!batch_run(guard, type, &batch, mode, statuses)) {
        /* The vendor may have stopped before the one that the guard refused. */
        for (uint32_t i = stop ? batch.n : n; i < n; i++) {
            statuses[i] = SAI_STATUS_NOT_EXECUTED;
        }
        good = false;
    }
    batch_fini(&batch);
    return good ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
}

static const struct sai_backend_ops guard_ops = {
    .create = guard_do_create,
    .remove = guard_do_remove,
    .set = guard_do_set,
    .get = guard_do_get,
    .get_stats = guard_do_get_stats,
    .set_many = guard_do_set_many,
};
