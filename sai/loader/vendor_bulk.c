/* SPDX-License-Identifier: Apache-2.0 */

/* Calls bulk functions and interprets their results.
 *
 * The bulk functions of all types have the same signature except for the keys,
 * an array of ids or of entries.  On every machine that SAI supports, pointers
 * to both have the same representation, so both are passed as an array of
 * bytes. Only creation differs, because it returns ids but no entries.
 *
 * Not every library stores a status for each object, and some fail without a
 * status of any object.  So the statuses are preset, and objects whose result
 * is unknown are done again one by one if that is harmless: a second set has
 * the same effect as the first, but a second creation has not. */

#include <config.h>

#include "sai/loader/vendor_bulk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/capability.h"
#include "sai/core/entry.h"
#include "sai/loader/function_table.h"
#include "sai/loader/vendor_library.h"

/* The functions for single entries of all types. */
typedef sai_status_t create_entry_fn(const void *entry, uint32_t n,
                                     const sai_attribute_t *attributes);
typedef sai_status_t remove_entry_fn(const void *entry);
typedef sai_status_t set_entry_fn(const void *entry,
                                  const sai_attribute_t *attribute);
typedef sai_status_t get_entry_fn(const void *entry, uint32_t n,
                                  sai_attribute_t *attributes);

/* The bulk functions; 'keys' are ids or entries. */
typedef sai_bulk_object_create_fn create_many_fn;
typedef sai_status_t create_entries_fn(uint32_t n, const void *keys,
                                       const uint32_t *counts,
                                       const sai_attribute_t **lists,
                                       sai_bulk_op_error_mode_t mode,
                                       sai_status_t *statuses);
typedef sai_status_t remove_many_fn(uint32_t n, const void *keys,
                                    sai_bulk_op_error_mode_t mode,
                                    sai_status_t *statuses);
typedef sai_status_t set_many_fn(uint32_t n, const void *keys,
                                 const sai_attribute_t *attributes,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);
typedef sai_status_t get_many_fn(uint32_t n, const void *keys,
                                 const uint32_t *counts,
                                 sai_attribute_t **lists,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);

/* The keys and lists of a call in the form that a bulk function takes. */
struct packed {
    uint8_t *keys;
    size_t key_bytes; /* Of one key. */
    sai_attribute_t **lists;
};

/* Returns the capability that attributes need for an operation. */
static unsigned int
needed_capability(enum op op)
{
    return op == OP_CREATE_MANY ? CAPABILITY_CREATE
           : op == OP_SET_MANY  ? CAPABILITY_SET
                                : 0;
}

static void
pack(const struct backend_many *call, struct packed *packed)
{
    sai_attribute_t *next = call->attributes;

    packed->key_bytes = entry_key_bytes(call->type);
    packed->keys = check_calloc(call->n, packed->key_bytes);
    packed->lists = call->op == OP_CREATE_MANY || call->op == OP_GET_MANY
                        ? check_calloc(call->n, sizeof(sai_attribute_t *))
                        : NULL;
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->op != OP_CREATE_MANY || entry_is_key(call->type)) {
            memcpy(packed->keys + i * packed->key_bytes, &call->keys[i],
                   packed->key_bytes);
        }
        if (packed->lists) {
            packed->lists[i] = next;
        }
        if (next) {
            next += backend_count(call, i);
        }
    }
}

static void
packed_fini(struct packed *packed)
{
    free(packed->keys);
    free(packed->lists);
}

/* Returns the bulk function of the table for 'call', or the exported one, which
 * reads objects of all types; NULL if there is neither. */
static vendor_any_fn *
find_function(const struct vendor *vendor, const struct backend_many *call)
{
    const struct function_table_row *row = function_table_find(call->type);
    const size_t offset = row ? function_table_offset(row, call->op) : 0;
    vendor_any_fn *function =
        offset ? vendor_library_find(vendor, row->api, offset) : NULL;

    return function || !row || call->op != OP_GET_MANY ||
                   entry_is_key(call->type)
               ? function
               : (vendor_any_fn *)vendor->get_many;
}

/* Returns the bulk function for 'call', or NULL if there is none or the library
 * does not support one of the attributes. */
static vendor_any_fn *
find_bulk(const struct vendor *vendor, const struct backend_many *call)
{
    if (call->n < 2 || (uint32_t)call->type >= VENDOR_MAX_TYPE ||
        vendor->refused[call->type] & (1u << call->op) ||
        vendor_library_check(vendor, call->type, backend_total(call),
                             call->attributes, needed_capability(call->op)) !=
            SAI_STATUS_SUCCESS) {
        return NULL;
    }
    return find_function(vendor, call);
}

/* Reads by the exported function. */
static sai_status_t
call_get(const struct vendor *vendor, const struct backend_many *call,
         struct packed *packed)
{
    uint32_t *counts = check_calloc(call->n, sizeof *counts);
    sai_status_t result;

    memcpy(counts, call->counts, call->n * sizeof *counts);
    result =
        vendor->get_many(vendor->backend.switch_id, call->type, call->n,
                         call->keys, counts, packed->lists, call->statuses);
    free(counts);
    return result;
}

/* Makes the bulk call.  Stores the ids of created objects in 'packed'. */
static sai_status_t
call_bulk(const struct vendor *vendor, vendor_any_fn *function,
          const struct backend_many *call, struct packed *packed)
{
    const sai_attribute_t **lists = (const sai_attribute_t **)packed->lists;
    const bool is_entry = entry_is_key(call->type);

    if (call->op == OP_REMOVE_MANY) {
        return ((remove_many_fn *)function)(call->n, packed->keys, call->mode,
                                            call->statuses);
    }
    if (call->op == OP_SET_MANY) {
        return ((set_many_fn *)function)(call->n, packed->keys,
                                         call->attributes, call->mode,
                                         call->statuses);
    }
    if (function == (vendor_any_fn *)vendor->get_many) {
        return call_get(vendor, call, packed);
    }
    if (call->op == OP_GET_MANY) {
        return ((get_many_fn *)function)(call->n, packed->keys, call->counts,
                                         packed->lists, call->mode,
                                         call->statuses);
    }
    if (is_entry) {
        return ((create_entries_fn *)function)(call->n, packed->keys,
                                               call->counts, lists, call->mode,
                                               call->statuses);
    }
    return ((create_many_fn)function)(
        vendor->backend.switch_id, call->n, call->counts, lists, call->mode,
        (sai_object_id_t *)(void *)packed->keys, call->statuses);
}

static bool
is_unsupported(sai_status_t status)
{
    return status == SAI_STATUS_NOT_SUPPORTED ||
           status == SAI_STATUS_NOT_IMPLEMENTED;
}

/* Returns whether the library refused the bulk function: either the call or
 * each of its objects. */
static bool
bulk_is_refused(sai_status_t result, const struct backend_many *call)
{
    if (result == SAI_STATUS_SUCCESS || is_unsupported(result)) {
        return result != SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (!is_unsupported(call->statuses[i])) {
            return false;
        }
    }
    return true;
}

/* Copies the ids of created objects.  An object with an id but without a status
 * was created; success without an id is a failure. */
static void
take_ids(const struct backend_many *call, const struct packed *packed)
{
    for (uint32_t i = 0; i < call->n; i++) {
        sai_object_id_t oid;

        memcpy(&oid, packed->keys + i * sizeof oid, sizeof oid);
        if (call->statuses[i] == SAI_STATUS_NOT_EXECUTED &&
            oid != SAI_NULL_OBJECT_ID) {
            call->statuses[i] = SAI_STATUS_SUCCESS;
        }
        if (call->statuses[i] == SAI_STATUS_SUCCESS) {
            call->keys[i].key.object_id = oid;
            if (oid == SAI_NULL_OBJECT_ID) {
                call->statuses[i] = SAI_STATUS_FAILURE;
            }
        }
    }
}

/* Performs 'call', which has one object: a backend_one_fn. */
static sai_status_t
do_one(struct sai_backend *backend, const struct backend_many *call)
{
    const struct vendor *vendor = (const struct vendor *)backend;
    const struct function_table_row *row = function_table_find(call->type);
    const enum op op = op_single(call->op);
    const uint32_t n = backend_count(call, 0);
    vendor_any_fn *function;
    sai_status_t status;

    if (!entry_is_key(call->type)) {
        return backend_do_one(backend, call);
    }
    status = vendor_library_check(vendor, call->type, n, call->attributes,
                                  needed_capability(call->op));
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    function = row ? vendor_library_find(vendor, row->api,
                                         function_table_offset(row, op))
                   : NULL;
    if (!function) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (op == OP_REMOVE) {
        return ((remove_entry_fn *)function)(call->keys);
    }
    if (op == OP_SET) {
        return ((set_entry_fn *)function)(call->keys, call->attributes);
    }
    if (op == OP_GET) {
        return ((get_entry_fn *)function)(call->keys, n, call->attributes);
    }
    return ((create_entry_fn *)function)(call->keys, n, call->attributes);
}

/* Completes a bulk call that returned 'result': does the objects that it
 * skipped although it should not stop, and, for a set that failed without a
 * failed object, all objects. */
static sai_status_t
complete(struct sai_backend *backend, const struct backend_many *call,
         sai_status_t result)
{
    struct backend_many part = *call;
    const bool again = result != SAI_STATUS_SUCCESS &&
                       call->op == OP_SET_MANY &&
                       backend_sum(call) == SAI_STATUS_SUCCESS;

    part.n = 1;
    for (uint32_t i = 0; i < call->n; i++) {
        const uint32_t n_attributes = backend_count(call, i);

        part.keys = &call->keys[i];
        part.counts = &n_attributes;
        part.statuses = &call->statuses[i];
        if (again || call->statuses[i] == SAI_STATUS_NOT_EXECUTED) {
            call->statuses[i] = do_one(backend, &part);
        }
        if (part.attributes) {
            part.attributes += n_attributes;
        }
    }
    return backend_sum(call);
}

/* Interprets the result of a bulk function. */
static sai_status_t
settle(struct sai_backend *backend, const struct backend_many *call,
       const struct packed *packed, sai_status_t result)
{
    if (call->op == OP_CREATE_MANY && !entry_is_key(call->type)) {
        take_ids(call, packed);
    }
    for (uint32_t i = 0; i < call->n && result == SAI_STATUS_SUCCESS; i++) {
        if (call->statuses[i] == SAI_STATUS_NOT_EXECUTED &&
            (call->op != OP_CREATE_MANY || entry_is_key(call->type))) {
            call->statuses[i] =
                SAI_STATUS_SUCCESS; /* Not stored by the library. */
        }
    }
    if (result != SAI_STATUS_SUCCESS &&
        call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR) {
        return SAI_STATUS_FAILURE;
    }
    return complete(backend, call, result);
}

sai_status_t
vendor_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct vendor *vendor = (struct vendor *)backend;
    vendor_any_fn *bulk = find_bulk(vendor, call);
    struct packed packed;
    sai_status_t result;
    bool refused;

    if (!bulk) {
        return backend_do_apart(backend, call, do_one);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        call->statuses[i] = SAI_STATUS_NOT_EXECUTED;
    }
    pack(call, &packed);
    result = call_bulk(vendor, bulk, call, &packed);
    refused = bulk_is_refused(result, call);
    if (refused) {
        vendor->refused[call->type] |= (uint16_t)(1u << call->op);
        result = backend_do_apart(backend, call, do_one);
    } else {
        result = settle(backend, call, &packed, result);
    }
    packed_fini(&packed);
    return result;
}
