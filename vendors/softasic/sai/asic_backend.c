/* SPDX-License-Identifier: Apache-2.0 */

/* One software switch as a backend. */

#include <config.h>

#include "vendors/softasic/sai/asic_backend.h"

#include "sai/core/entry.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/sai/asic.h"

static struct asic_backend *
asic_backend_of(struct sai_backend *backend)
{
    return (struct asic_backend *)(void *)backend;
}

/* Starts a call: there is no explanation yet. */
static struct asic_backend *
start(struct sai_backend *backend)
{
    struct asic_backend *made = asic_backend_of(backend);

    made->last.reason[0] = '\0'; /* The rest is large, and never read. */
    return made;
}

/* Ends a call that may have changed the switch. */
static sai_status_t
end(struct asic_backend *backend, sai_status_t status)
{
    notify_deliver(backend->asic);
    return status;
}

static sai_status_t
backend_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
               const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct asic_backend *b = start(backend);

    return end(b, asic_add(b->asic, type, n, attributes, oid, &b->last));
}

static sai_status_t
backend_remove(struct sai_backend *backend, sai_object_type_t type,
               sai_object_id_t oid)
{
    struct asic_backend *b = start(backend);

    return end(b, asic_remove(b->asic, type, oid, &b->last));
}

static sai_status_t
backend_set(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct asic_backend *b = start(backend);

    return end(b, asic_set(b->asic, type, oid, attribute, &b->last));
}

static sai_status_t
backend_get(struct sai_backend *backend, sai_object_type_t type,
            sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    return asic_get(start(backend)->asic, type, oid, n, attributes);
}

static sai_status_t
backend_get_stats(struct sai_backend *backend, sai_object_type_t type,
                  sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                  sai_stats_mode_t mode, uint64_t *values)
{
    return asic_stats(start(backend)->asic, type, oid, n, ids, mode, values);
}

/* A backend_one_fn for entries. */
static sai_status_t
do_entry(struct sai_backend *backend, const struct backend_many *call)
{
    struct asic_backend *b = start(backend);
    const void *key = &call->keys->key;

    switch (op_single(call->op)) {
    case OP_CREATE:
        return end(b, asic_add_entry(b->asic, call->type, key,
                                     backend_count(call, 0), call->attributes,
                                     &b->last));
    case OP_REMOVE:
        return end(b, asic_remove_entry(b->asic, call->type, key));
    case OP_SET:
        return end(b, asic_set_entry(b->asic, call->type, key, call->attributes,
                                     &b->last));
    case OP_GET:
        return asic_get_entry(b->asic, call->type, key, backend_count(call, 0),
                              call->attributes);
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

static sai_status_t
backend_many(struct sai_backend *backend, const struct backend_many *call)
{
    return backend_do_apart(
        backend, call, entry_is_key(call->type) ? do_entry : backend_do_one);
}

void
asic_backend_init(struct asic_backend *backend, struct asic *asic)
{
    static const struct sai_backend_ops ops = {
        .create = backend_create,
        .remove = backend_remove,
        .set = backend_set,
        .get = backend_get,
        .get_stats = backend_get_stats,
        .many = backend_many,
    };

    *backend = (struct asic_backend){
        .backend = {.ops = &ops, .switch_id = asic->sw->oid}, .asic = asic};
}

sai_status_t
asic_backend_list(void *backend_, sai_object_type_t type, uint32_t *n,
                  sai_object_key_t *keys)
{
    const struct asic_backend *backend = backend_;

    return asic_list(backend->asic, type, n, keys);
}
