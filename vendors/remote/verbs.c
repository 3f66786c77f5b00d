/* SPDX-License-Identifier: Apache-2.0 */

/* SAI's verbs as calls of the protocol.
 *
 * SAI passes keys and attributes in many forms: ids or entries, one list of
 * attributes or one for each object.  A call of the protocol has one form
 * (sai/core/backend.h), so this module copies from the former into the
 * latter. */

#include <config.h>

#include "vendors/remote/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/entry.h"
#include "sai/remote/client.h"
#include "vendors/remote/connection.h"

/* A call that is being packed. */
struct packed {
    struct backend_many many;
    sai_attribute_t *attributes; /* Owned; NULL: borrowed or none. */
};

/* Starts a call on 'n' objects with the keys at 'keys' (NULL: none yet). */
static void
pack(struct packed *packed, enum op op, sai_object_type_t type, uint32_t n,
     const void *keys, sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    const size_t size = entry_key_bytes(type);

    memset(packed, 0, sizeof *packed);
    packed->many.op = op;
    packed->many.type = type;
    packed->many.n = n;
    packed->many.mode = mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR
                            ? mode
                            : SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR;
    packed->many.statuses = statuses;
    packed->many.keys = check_calloc(n, sizeof *packed->many.keys);
    for (uint32_t i = 0; keys && i < n; i++) {
        memcpy(&packed->many.keys[i], (const char *)keys + i * size, size);
    }
}

/* Concatenates the lists of all objects. */
static void
pack_lists(struct packed *packed, const uint32_t *counts,
           sai_attribute_t *const *lists)
{
    uint32_t at = 0;

    packed->many.counts = counts;
    packed->attributes = check_calloc((size_t)backend_total(&packed->many) + 1,
                                      sizeof *packed->attributes);
    packed->many.attributes = packed->attributes;
    for (uint32_t i = 0; i < packed->many.n; i++) {
        if (counts[i]) {
            memcpy(packed->attributes + at, lists[i],
                   counts[i] * sizeof *packed->attributes);
        }
        at += counts[i];
    }
}

/* Makes the call. */
static sai_status_t
send_packed(const struct packed *packed)
{
    struct client *client = connection_client();

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return backend_do_many(client_backend(client), &packed->many);
}

static void
packed_fini(struct packed *packed)
{
    free(packed->many.keys);
    free(packed->attributes);
}

/* Returns whether no list with attributes is NULL. */
static bool
lists_are_there(uint32_t n, const uint32_t *counts,
                sai_attribute_t *const *lists)
{
    for (uint32_t i = 0; i < n; i++) {
        if (counts[i] && !lists[i]) {
            return false;
        }
    }
    return true;
}

/* One object -------------------------------------------------------------- */

/* Makes a call on one entry and returns its status. */
static sai_status_t
one_entry(enum op op, sai_object_type_t type, const void *entry, uint32_t n,
          sai_attribute_t *attributes)
{
    struct packed packed;
    sai_status_t status = SAI_STATUS_FAILURE;
    sai_status_t result;

    if (!connection_client()) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!entry || (n && !attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, op, type, 1, entry, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
         &status);
    packed.many.counts = &n;
    packed.many.attributes = n ? attributes : NULL;
    result = send_packed(&packed);
    packed_fini(&packed);
    return result == SAI_STATUS_SUCCESS ? result : status;
}

sai_status_t
verbs_create(sai_object_type_t type, sai_object_id_t *oid,
             sai_object_id_t switch_id, uint32_t n,
             const sai_attribute_t *attributes)
{
    struct client *client = connection_client();
    struct sai_backend *backend;

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!oid || (n && !attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    backend = client_backend(client);
    /* A reader has not created the switch, so only the host knows its id. */
    if (type != SAI_OBJECT_TYPE_SWITCH &&
        backend->switch_id != SAI_NULL_OBJECT_ID &&
        switch_id != backend->switch_id) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    return backend->ops->create(backend, type, n, attributes, oid);
}

sai_status_t
verbs_create_switch(sai_object_id_t *oid, uint32_t n,
                    const sai_attribute_t *attributes)
{
    return verbs_create(SAI_OBJECT_TYPE_SWITCH, oid, SAI_NULL_OBJECT_ID, n,
                        attributes);
}

sai_status_t
verbs_remove(sai_object_type_t type, sai_object_id_t oid)
{
    struct client *client = connection_client();

    return client ? client_backend(client)->ops->remove(client_backend(client),
                                                        type, oid)
                  : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
verbs_remove_switch(sai_object_id_t oid)
{
    return verbs_remove(SAI_OBJECT_TYPE_SWITCH, oid);
}

sai_status_t
verbs_set(sai_object_type_t type, sai_object_id_t oid,
          const sai_attribute_t *attribute)
{
    struct client *client = connection_client();

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return attribute ? client_backend(client)->ops->set(client_backend(client),
                                                        type, oid, attribute)
                     : SAI_STATUS_INVALID_PARAMETER;
}

sai_status_t
verbs_get(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
          sai_attribute_t *attributes)
{
    struct client *client = connection_client();

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return n && attributes
               ? client_backend(client)->ops->get(client_backend(client), type,
                                                  oid, n, attributes)
               : SAI_STATUS_INVALID_PARAMETER;
}

/* Counters ------------------------------------------------------------------
 */

/* Returns the mode for one object of a bulk mode; the host refuses invalid
 * modes. */
static sai_stats_mode_t
single_mode(sai_stats_mode_t mode)
{
    switch (mode) {
    case SAI_STATS_MODE_BULK_READ:
        return SAI_STATS_MODE_READ;
    case SAI_STATS_MODE_BULK_CLEAR:
    case SAI_STATS_MODE_BULK_READ_AND_CLEAR:
        return SAI_STATS_MODE_READ_AND_CLEAR;
    default:
        return mode;
    }
}

/* Reads counters of several objects; 'counters' may be NULL. */
static sai_status_t
several_stats(sai_object_type_t type, uint32_t n_objects,
              const sai_object_key_t *keys, uint32_t n,
              const sai_stat_id_t *ids, sai_stats_mode_t mode,
              sai_status_t *statuses, uint64_t *counters)
{
    struct client *client = connection_client();
    uint64_t *values = counters;
    sai_status_t status;

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n_objects == 0 || !keys || (n && !ids) || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (!counters) {
        values = check_calloc((size_t)n_objects * n + 1, sizeof *values);
    }
    status = client_stats(client, type, n_objects, keys, n, ids,
                          single_mode(mode), statuses, values);
    if (!counters) {
        free(values);
    }
    return status;
}

sai_status_t
verbs_stats(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
            const sai_stat_id_t *ids, sai_stats_mode_t mode, uint64_t *values)
{
    const sai_object_key_t key = {.key.object_id = oid};
    sai_status_t status = SAI_STATUS_FAILURE;
    sai_status_t result;

    if (!values && mode != SAI_STATS_MODE_READ_AND_CLEAR) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    result = several_stats(type, 1, &key, n, ids, mode, &status, values);
    return result == SAI_STATUS_FAILURE ? status : result;
}

sai_status_t
verbs_bulk_get_stats(sai_object_id_t switch_id, sai_object_type_t type,
                     uint32_t n_objects, const sai_object_key_t *keys,
                     uint32_t n, const sai_stat_id_t *ids,
                     sai_stats_mode_t mode, sai_status_t *statuses,
                     uint64_t *counters)
{
    (void)switch_id;
    return counters ? several_stats(type, n_objects, keys, n, ids, mode,
                                    statuses, counters)
                    : SAI_STATUS_INVALID_PARAMETER;
}

sai_status_t
verbs_bulk_clear_stats(sai_object_id_t switch_id, sai_object_type_t type,
                       uint32_t n_objects, const sai_object_key_t *keys,
                       uint32_t n, const sai_stat_id_t *ids,
                       sai_stats_mode_t mode, sai_status_t *statuses)
{
    (void)switch_id;
    (void)mode; /* The call always clears. */
    return several_stats(type, n_objects, keys, n, ids,
                         SAI_STATS_MODE_READ_AND_CLEAR, statuses, NULL);
}

/* Several objects
 * --------------------------------------------------------------- */

sai_status_t
verbs_bulk_create(sai_object_type_t type, sai_object_id_t switch_id,
                  uint32_t n_objects, const uint32_t *n,
                  const sai_attribute_t **attributes,
                  sai_bulk_op_error_mode_t mode, sai_object_id_t *oids,
                  sai_status_t *statuses)
{
    /* They are only read, but one function packs for reading and writing. */
    sai_attribute_t *const *lists = (sai_attribute_t *const *)attributes;
    struct packed packed;
    sai_status_t result;

    (void)switch_id; /* There is one. */
    if (n_objects == 0 || !n || !attributes || !oids || !statuses ||
        !lists_are_there(n_objects, n, lists)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, OP_CREATE_MANY, type, n_objects, NULL, mode, statuses);
    pack_lists(&packed, n, lists);
    result = send_packed(&packed);
    for (uint32_t i = 0; result != SAI_STATUS_UNINITIALIZED && i < n_objects;
         i++) {
        oids[i] = statuses[i] == SAI_STATUS_SUCCESS
                      ? packed.many.keys[i].key.object_id
                      : SAI_NULL_OBJECT_ID;
    }
    packed_fini(&packed);
    return result;
}

sai_status_t
verbs_entries_create(sai_object_type_t type, uint32_t n_entries,
                     const void *entries, const uint32_t *n,
                     const sai_attribute_t **attributes,
                     sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    sai_attribute_t *const *lists = (sai_attribute_t *const *)attributes;
    struct packed packed;
    sai_status_t result;

    if (n_entries == 0 || !entries || !n || !attributes || !statuses ||
        !lists_are_there(n_entries, n, lists)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, OP_CREATE_MANY, type, n_entries, entries, mode, statuses);
    pack_lists(&packed, n, lists);
    result = send_packed(&packed);
    packed_fini(&packed);
    return result;
}

sai_status_t
verbs_entries_remove(sai_object_type_t type, uint32_t n_entries,
                     const void *entries, sai_bulk_op_error_mode_t mode,
                     sai_status_t *statuses)
{
    struct packed packed;
    sai_status_t result;

    if (n_entries == 0 || !entries || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, OP_REMOVE_MANY, type, n_entries, entries, mode, statuses);
    result = send_packed(&packed);
    packed_fini(&packed);
    return result;
}

sai_status_t
verbs_entries_set(sai_object_type_t type, uint32_t n_entries,
                  const void *entries, const sai_attribute_t *attributes,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct packed packed;
    sai_status_t result;

    if (n_entries == 0 || !entries || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, OP_SET_MANY, type, n_entries, entries, mode, statuses);
    packed.many.attributes = (sai_attribute_t *)(uintptr_t)attributes;
    result = send_packed(&packed);
    packed_fini(&packed);
    return result;
}

sai_status_t
verbs_entries_get(sai_object_type_t type, uint32_t n_entries,
                  const void *entries, const uint32_t *n,
                  sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
                  sai_status_t *statuses)
{
    struct packed packed;
    sai_status_t result;
    uint32_t at = 0;

    if (n_entries == 0 || !entries || !n || !attributes || !statuses ||
        !lists_are_there(n_entries, n, attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    pack(&packed, OP_GET_MANY, type, n_entries, entries, mode, statuses);
    pack_lists(&packed, n, attributes);
    result = send_packed(&packed);
    for (uint32_t i = 0; i < n_entries; i++) {
        if (n[i]) {
            memcpy(attributes[i], packed.attributes + at,
                   n[i] * sizeof *packed.attributes);
        }
        at += n[i];
    }
    packed_fini(&packed);
    return result;
}

sai_status_t
verbs_bulk_remove(sai_object_type_t type, uint32_t n_objects,
                  const sai_object_id_t *oids, sai_bulk_op_error_mode_t mode,
                  sai_status_t *statuses)
{
    return verbs_entries_remove(type, n_objects, oids, mode, statuses);
}

sai_status_t
verbs_bulk_set(sai_object_type_t type, uint32_t n_objects,
               const sai_object_id_t *oids, const sai_attribute_t *attributes,
               sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    return verbs_entries_set(type, n_objects, oids, attributes, mode, statuses);
}

sai_status_t
verbs_bulk_get(sai_object_type_t type, uint32_t n_objects,
               const sai_object_id_t *oids, const uint32_t *n,
               sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
               sai_status_t *statuses)
{
    return verbs_entries_get(type, n_objects, oids, n, attributes, mode,
                             statuses);
}

/* A sai_object_key_t is longer than the keys that SAI's functions take. */
sai_status_t
verbs_bulk_get_attribute(sai_object_id_t switch_id, sai_object_type_t type,
                         uint32_t n_objects, const sai_object_key_t *keys,
                         uint32_t *n, sai_attribute_t **attributes,
                         sai_status_t *statuses)
{
    const size_t size = entry_key_bytes(type);
    char *entries;
    sai_status_t result;

    (void)switch_id;
    if (n_objects == 0 || !keys) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    entries = check_calloc(n_objects, size);
    for (uint32_t i = 0; i < n_objects; i++) {
        memcpy(entries + i * size, &keys[i], size);
    }
    result = verbs_entries_get(type, n_objects, entries, n, attributes,
                               SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses);
    free(entries);
    return result;
}

/* Entries
 * ---------------------------------------------------------------------- */

sai_status_t
verbs_entry_create(sai_object_type_t type, const void *entry, uint32_t n,
                   const sai_attribute_t *attributes)
{
    return one_entry(OP_CREATE_MANY, type, entry, n,
                     (sai_attribute_t *)(uintptr_t)attributes);
}

sai_status_t
verbs_entry_remove(sai_object_type_t type, const void *entry)
{
    return one_entry(OP_REMOVE_MANY, type, entry, 0, NULL);
}

sai_status_t
verbs_entry_set(sai_object_type_t type, const void *entry,
                const sai_attribute_t *attribute)
{
    return one_entry(OP_SET_MANY, type, entry, 1,
                     (sai_attribute_t *)(uintptr_t)attribute);
}

sai_status_t
verbs_entry_get(sai_object_type_t type, const void *entry, uint32_t n,
                sai_attribute_t *attributes)
{
    return n ? one_entry(OP_GET_MANY, type, entry, n, attributes)
             : SAI_STATUS_INVALID_PARAMETER;
}
