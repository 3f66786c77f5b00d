/* SPDX-License-Identifier: Apache-2.0 */

/* Bulk operations, also on backends that have only operations on one object. */

#include <config.h>

#include "sai/core/backend.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/entry.h"

uint32_t
backend_count(const struct backend_many *call, uint32_t i)
{
    if (call->counts) {
        return call->counts[i];
    }
    return call->op == OP_SET_MANY ? 1 : 0;
}

uint32_t
backend_total(const struct backend_many *call)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < call->n; i++) {
        total += backend_count(call, i);
    }
    return total;
}

sai_status_t
backend_sum(const struct backend_many *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->statuses[i] != SAI_STATUS_SUCCESS) {
            return SAI_STATUS_FAILURE;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
backend_do_many(struct sai_backend *backend, const struct backend_many *call)
{
    return backend->ops->many ? backend->ops->many(backend, call)
                              : backend_do_singly(backend, call);
}

sai_status_t
backend_do_apart(struct sai_backend *backend, const struct backend_many *call,
                 backend_one_fn *one)
{
    struct backend_many part = *call;
    bool failed = false;

    part.n = 1;
    for (uint32_t i = 0; i < call->n; i++) {
        const uint32_t n_attributes = backend_count(call, i);

        part.keys = &call->keys[i];
        part.counts = &n_attributes;
        part.statuses = &call->statuses[i];
        call->statuses[i] =
            failed && call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR
                ? SAI_STATUS_NOT_EXECUTED
                : one(backend, &part);
        failed |= call->statuses[i] != SAI_STATUS_SUCCESS;
        if (part.attributes) {
            part.attributes += n_attributes;
        }
    }
    return failed ? SAI_STATUS_FAILURE : SAI_STATUS_SUCCESS;
}

sai_status_t
backend_do_one(struct sai_backend *backend, const struct backend_many *call)
{
    const struct sai_backend_ops *ops = backend->ops;
    sai_object_id_t *oid = &call->keys->key.object_id;

    if (entry_is_key(call->type)) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    switch (op_single(call->op)) {
    case OP_CREATE:
        return ops->create(backend, call->type, call->counts[0],
                           call->attributes, oid);
    case OP_REMOVE:
        return ops->remove(backend, call->type, *oid);
    case OP_SET:
        return ops->set(backend, call->type, *oid, call->attributes);
    case OP_GET:
        return ops->get(backend, call->type, *oid, call->counts[0],
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

sai_status_t
backend_do_singly(struct sai_backend *backend, const struct backend_many *call)
{
    return backend_do_apart(backend, call, backend_do_one);
}

sai_status_t
backend_get_stats_many(struct sai_backend *backend,
                       const struct backend_stats *call)
{
    return backend->ops->get_stats_many
               ? backend->ops->get_stats_many(backend, call)
               : backend_get_stats_singly(backend, call);
}

sai_status_t
backend_get_stats_singly(struct sai_backend *backend,
                         const struct backend_stats *call)
{
    sai_status_t sum = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < call->n; i++) {
        call->statuses[i] = backend->ops->get_stats(
            backend, call->type, call->keys[i].key.object_id, call->n_ids,
            call->ids, call->mode, call->values + (size_t)i * call->n_ids);
        if (call->statuses[i] != SAI_STATUS_SUCCESS) {
            sum = SAI_STATUS_FAILURE;
        }
    }
    return sum;
}

sai_status_t
backend_set_many(struct sai_backend *backend, sai_object_type_t type,
                 uint32_t n, const sai_object_id_t *oids,
                 const sai_attribute_t *attributes,
                 sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct backend_many call = {
        .op = OP_SET_MANY,
        .type = type,
        .mode = mode,
        .n = n,
        .keys = oids ? check_calloc(n + 1u, sizeof *call.keys) : NULL,
        .attributes = (sai_attribute_t *)(uintptr_t)attributes,
        .statuses = statuses};
    sai_status_t status;

    for (uint32_t i = 0; oids && i < n; i++) {
        call.keys[i].key.object_id = oids[i];
    }
    status = backend_do_many(backend, &call);
    free(call.keys);
    return status;
}
