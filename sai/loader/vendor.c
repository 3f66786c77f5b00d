/* SPDX-License-Identifier: Apache-2.0 */

/* Dispatches by object type to the functions of a library.
 *
 * Each operation is one function for all types.  The results of a library are
 * checked: an object that it claims to have created must have an id. */

#include <config.h>

#include "sai/loader/vendor.h"

#include <string.h>

#include "sai/core/capability.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/loader/function_table.h"
#include "sai/loader/vendor_bulk.h"
#include "sai/loader/vendor_stats.h"

/* The functions of all types have these signatures, except that the creation of
 * a switch has no switch id. */
typedef sai_create_switch_fn create_switch_fn;
typedef sai_create_port_fn create_fn;
typedef sai_remove_port_fn remove_fn;
typedef sai_set_port_attribute_fn set_fn;
typedef sai_get_port_attribute_fn get_fn;

/* Returns the functions for single objects of 'type', or NULL. */
static const struct function_table_row *
find_functions(sai_object_type_t type)
{
    return entry_is_key(type) ? NULL : function_table_find(type);
}

/* Returns the result of a creation.  Success with a null id, from a library
 * with a bug, is a failure, because a null id means "no object" everywhere
 * else. */
static sai_status_t
accept_new(sai_status_t status, sai_object_id_t created)
{
    return status == SAI_STATUS_SUCCESS && created == SAI_NULL_OBJECT_ID
               ? SAI_STATUS_FAILURE
               : status;
}

/* Creates the switch, of which there can be one. */
static sai_status_t
create_switch(struct vendor *vendor, const struct function_table_row *row,
              uint32_t n, const sai_attribute_t *attributes,
              sai_object_id_t *oid)
{
    create_switch_fn create =
        (create_switch_fn)vendor_library_find(vendor, row->api, row->create);
    sai_object_id_t created = SAI_NULL_OBJECT_ID;
    sai_status_t status;

    if (!create) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (vendor->backend.switch_id != SAI_NULL_OBJECT_ID) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    status = create(&created, n, attributes);
    status = accept_new(status, created);
    if (status == SAI_STATUS_SUCCESS) {
        vendor->backend.switch_id = created;
        *oid = created;
    }
    return status;
}

sai_status_t
vendor_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
              const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct vendor *vendor = (struct vendor *)backend;
    const struct function_table_row *row = find_functions(type);
    sai_object_id_t created = SAI_NULL_OBJECT_ID;
    sai_status_t status =
        vendor_library_check(vendor, type, n, attributes, CAPABILITY_CREATE);
    create_fn create;

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!row) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (type == SAI_OBJECT_TYPE_SWITCH) {
        return create_switch(vendor, row, n, attributes, oid);
    }
    create = (create_fn)vendor_library_find(vendor, row->api, row->create);
    if (!create) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    status = create(&created, backend->switch_id, n, attributes);
    status = accept_new(status, created);
    if (status == SAI_STATUS_SUCCESS) {
        *oid = created;
    }
    return status;
}

static sai_status_t
vendor_remove(struct sai_backend *backend, sai_object_type_t type,
              sai_object_id_t oid)
{
    struct vendor *vendor = (struct vendor *)backend;
    const struct function_table_row *row = find_functions(type);
    remove_fn remove =
        row ? (remove_fn)vendor_library_find(vendor, row->api, row->remove)
            : NULL;
    sai_status_t status;

    if (!remove) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    status = remove(oid);
    if (status == SAI_STATUS_SUCCESS && oid == backend->switch_id) {
        backend->switch_id = SAI_NULL_OBJECT_ID;
        capability_forget(vendor->capability);
    }
    return status;
}

static sai_status_t
vendor_set(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct vendor *vendor = (struct vendor *)backend;
    const struct function_table_row *row = find_functions(type);
    set_fn set =
        row ? (set_fn)vendor_library_find(vendor, row->api, row->set) : NULL;
    sai_status_t status =
        vendor_library_check(vendor, type, 1, attribute, CAPABILITY_SET);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return set ? set(oid, attribute) : SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
vendor_get(struct sai_backend *backend, sai_object_type_t type,
           sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct vendor *vendor = (struct vendor *)backend;
    const struct function_table_row *row = find_functions(type);
    get_fn get =
        row ? (get_fn)vendor_library_find(vendor, row->api, row->get) : NULL;
    sai_status_t status = vendor_library_check(vendor, type, n, attributes, 0);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return get ? get(oid, n, attributes) : SAI_STATUS_NOT_IMPLEMENTED;
}

static const struct sai_backend_ops vendor_ops = {
    .create = vendor_create,
    .remove = vendor_remove,
    .set = vendor_set,
    .get = vendor_get,
    .get_stats = vendor_get_stats,
    .get_stats_many = vendor_get_stats_many,
    .many = vendor_many,
};

void
vendor_init(struct vendor *vendor)
{
    memset(vendor, 0, sizeof *vendor);
    vendor->backend.ops = &vendor_ops;
    vendor->backend.switch_id = SAI_NULL_OBJECT_ID;
}
