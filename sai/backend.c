/* SPDX-License-Identifier: Apache-2.0 */

/* Setting many objects where a backend can set only one. */

#include <config.h>

#include "sai/backend.h"

sai_status_t
backend_set_many(struct sai_backend *backend, sai_object_type_t type,
                 uint32_t n, const sai_object_id_t *oids,
                 const sai_attribute_t *attributes,
                 sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    return backend->ops->set_many
               ? backend->ops->set_many(backend, type, n, oids, attributes,
                                        mode, statuses)
               : backend_set_singly(backend, type, n, oids, attributes, mode,
                                    statuses);
}

sai_status_t
backend_set_singly(struct sai_backend *backend, sai_object_type_t type,
                   uint32_t n, const sai_object_id_t *oids,
                   const sai_attribute_t *attributes,
                   sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    sai_status_t result = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < n; i++) {
        if (result != SAI_STATUS_SUCCESS &&
            mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR) {
            statuses[i] = SAI_STATUS_NOT_EXECUTED;
            continue;
        }
        statuses[i] = backend->ops->set(backend, type, oids[i], &attributes[i]);
        if (statuses[i] != SAI_STATUS_SUCCESS) {
            result = SAI_STATUS_FAILURE;
        }
    }
    return result;
}
