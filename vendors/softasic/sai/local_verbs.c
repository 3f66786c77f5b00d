/* SPDX-License-Identifier: Apache-2.0 */

/* The verbs of SAI on the switch of this process.
 *
 * Objects have an id or, if they are entries, a key.  The bulk verbs differ
 * only in the size of what identifies an object, so they share one loop for
 * each verb. */

#include <config.h>

#include "vendors/softasic/sai/local_verbs.h"

#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/bulk.h"
#include "vendors/softasic/sai/chip_select.h"
#include "vendors/softasic/sai/gaps.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/sai/warm_restart.h"

/* Returns the API of an object type, for its log level; SAI_API_BUFFER of other
 * types. */
static sai_api_t
api_of(sai_object_type_t type)
{
    static const struct {
        sai_object_type_t type;
        sai_api_t api;
    } apis[] = {
        {SAI_OBJECT_TYPE_SWITCH, SAI_API_SWITCH},
        {SAI_OBJECT_TYPE_PORT, SAI_API_PORT},
        {SAI_OBJECT_TYPE_QUEUE, SAI_API_QUEUE},
        {SAI_OBJECT_TYPE_QOS_MAP, SAI_API_QOS_MAP},
        {SAI_OBJECT_TYPE_SCHEDULER, SAI_API_SCHEDULER},
        {SAI_OBJECT_TYPE_SCHEDULER_GROUP, SAI_API_SCHEDULER_GROUP},
        {SAI_OBJECT_TYPE_WRED, SAI_API_WRED},
        {SAI_OBJECT_TYPE_VLAN, SAI_API_VLAN},
        {SAI_OBJECT_TYPE_VLAN_MEMBER, SAI_API_VLAN},
        {SAI_OBJECT_TYPE_BRIDGE, SAI_API_BRIDGE},
        {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_API_BRIDGE},
        {SAI_OBJECT_TYPE_VIRTUAL_ROUTER, SAI_API_VIRTUAL_ROUTER},
        {SAI_OBJECT_TYPE_ROUTER_INTERFACE, SAI_API_ROUTER_INTERFACE},
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_API_NEXT_HOP},
        {SAI_OBJECT_TYPE_NEXT_HOP_GROUP, SAI_API_NEXT_HOP_GROUP},
        {SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER, SAI_API_NEXT_HOP_GROUP},
        {SAI_OBJECT_TYPE_FDB_ENTRY, SAI_API_FDB},
        {SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, SAI_API_NEIGHBOR},
        {SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_API_ROUTE},
        {SAI_OBJECT_TYPE_LAG, SAI_API_LAG},
        {SAI_OBJECT_TYPE_LAG_MEMBER, SAI_API_LAG},
        {SAI_OBJECT_TYPE_HASH, SAI_API_HASH},
        {SAI_OBJECT_TYPE_HOSTIF, SAI_API_HOSTIF},
        {SAI_OBJECT_TYPE_HOSTIF_TRAP, SAI_API_HOSTIF},
        {SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, SAI_API_HOSTIF},
        {SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP, SAI_API_HOSTIF},
        {SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY, SAI_API_HOSTIF},
        {SAI_OBJECT_TYPE_POLICER, SAI_API_POLICER},
        {SAI_OBJECT_TYPE_ACL_TABLE, SAI_API_ACL},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_API_ACL},
        {SAI_OBJECT_TYPE_ACL_COUNTER, SAI_API_ACL},
        {SAI_OBJECT_TYPE_ACL_RANGE, SAI_API_ACL},
        {SAI_OBJECT_TYPE_ACL_TABLE_GROUP, SAI_API_ACL},
        {SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER, SAI_API_ACL},
        {SAI_OBJECT_TYPE_MIRROR_SESSION, SAI_API_MIRROR},
        {SAI_OBJECT_TYPE_SAMPLEPACKET, SAI_API_SAMPLEPACKET},
        {SAI_OBJECT_TYPE_TUNNEL, SAI_API_TUNNEL},
        {SAI_OBJECT_TYPE_TUNNEL_MAP, SAI_API_TUNNEL},
        {SAI_OBJECT_TYPE_TUNNEL_MAP_ENTRY, SAI_API_TUNNEL},
        {SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY, SAI_API_TUNNEL},
        {SAI_OBJECT_TYPE_DEBUG_COUNTER, SAI_API_DEBUG_COUNTER},
        {SAI_OBJECT_TYPE_MY_MAC, SAI_API_MY_MAC},
        {SAI_OBJECT_TYPE_SYSTEM_PORT, SAI_API_SYSTEM_PORT},
    };

    for (size_t i = 0; i < sizeof apis / sizeof *apis; i++) {
        if (apis[i].type == type) {
            return apis[i].api;
        }
    }
    return SAI_API_BUFFER;
}

/* Returns 'status'.  If that is a refusal with an explanation, logs it; 'oid'
 * is that of the object, 0 for a new one. */
static sai_status_t
explain(sai_object_type_t type, sai_object_id_t oid, sai_status_t status,
        const struct err *err)
{
    if (status != SAI_STATUS_SUCCESS && err->reason[0]) {
        library_log(api_of(type), SAI_LOG_LEVEL_INFO, "0x%llx: %s",
                    (unsigned long long)oid, err->reason);
    }
    return status;
}

/* Returns the status of a call on an object while there is no switch: its id is
 * that of a removed one. */
static sai_status_t
no_object(void)
{
    return library_get()->is_initialized ? SAI_STATUS_INVALID_OBJECT_ID
                                         : SAI_STATUS_UNINITIALIZED;
}

/* Switch -------------------------------------------------------------- */

/* Returns the profile that a create_switch() call asks for; 0 by default. */
static sai_switch_profile_id_t
profile_id(uint32_t n, const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        if (attributes[i].id == SAI_SWITCH_ATTR_SWITCH_PROFILE_ID) {
            return attributes[i].value.u32;
        }
    }
    return 0;
}

/* Logs that objects of 'type' have no effect, once per type. */
static void
log_objects(sai_object_type_t type)
{
    bool *is_logged = &library_get()->logged_objects[type];

    if (!*is_logged) {
        library_log(api_of(type), SAI_LOG_LEVEL_NOTICE,
                    "%s is accepted, but not simulated",
                    metadata_type_name(type));
        *is_logged = true;
    }
}

/* Logs which of 'attributes' of object 'oid' have a value other than the
 * default but no effect, once for each. */
static void
log_attributes(const struct asic *asic, sai_object_type_t type,
               sai_object_id_t oid, uint32_t n,
               const sai_attribute_t *attributes)
{
    struct library *library = library_get();

    for (uint32_t i = 0; i < n; i++) {
        const sai_attr_id_t id = attributes[i].id;
        const uint32_t gap = gaps_attribute(type, id);

        /* The object is looked for last, because that takes longest. */
        if (gap < GAPS_N_ATTRIBUTES && !library->logged_attributes[gap] &&
            !l2_is_default(objects_find(asic->objects, oid), id)) {
            library_log(api_of(type), SAI_LOG_LEVEL_NOTICE,
                        "%s is accepted, but not simulated",
                        metadata_attribute(type, id)->name);
            library->logged_attributes[gap] = true;
        }
    }
}

sai_status_t
local_verbs_create_switch(sai_object_id_t *oid, uint32_t n,
                          const sai_attribute_t *attributes)
{
    struct library *library = library_get();
    struct chip *chip;
    struct err err = {0};
    sai_status_t status;

    if (!library->is_initialized) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!oid || (n && !attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (library->asic) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    if (warm_restart_resume(library, n, attributes)) {
        *oid = library->asic->sw->oid;
        return SAI_STATUS_SUCCESS;
    }
    /* Read the profile now, not at initialisation: its number is known only
     * now, and a client may learn which switch it needs after loading the
     * library. */
    status = chip_select_chip(&library->services, profile_id(n, attributes),
                              &chip, &err);
    if (status == SAI_STATUS_SUCCESS) {
        status = asic_create(chip, n, attributes,
                             library->listens ? &library->listener : NULL,
                             &library->asic, &err);
        if (status != SAI_STATUS_SUCCESS) {
            chip_file_destroy(chip);
        }
    }
    if (status != SAI_STATUS_SUCCESS) {
        library_log(SAI_API_SWITCH, SAI_LOG_LEVEL_ERROR,
                    "cannot create the switch (status %d): %s", status,
                    err.reason[0] ? err.reason : "its attributes are wrong");
        return status;
    }
    log_attributes(library->asic, SAI_OBJECT_TYPE_SWITCH,
                   library->asic->sw->oid, n, attributes);
    *oid = library->asic->sw->oid;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
local_verbs_remove_switch(sai_object_id_t oid)
{
    struct library *library = library_get();

    if (!library->asic) {
        return no_object();
    }
    if (oid != library->asic->sw->oid) {
        return objects_find(library->asic->objects, oid)
                   ? SAI_STATUS_INVALID_OBJECT_TYPE
                   : SAI_STATUS_INVALID_OBJECT_ID;
    }
    if (!warm_restart_switch(library)) {
        asic_destroy(library->asic);
        library->asic = NULL;
    }
    return SAI_STATUS_SUCCESS;
}

/* One object ---------------------------------------------------------- */

sai_status_t
local_verbs_create(sai_object_type_t type, sai_object_id_t *oid,
                   sai_object_id_t switch_id, uint32_t n,
                   const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;
    sai_status_t status;
    struct err err;

    err.reason[0] = '\0'; /* The rest is large, and never read. */
    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!oid || (n && !attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status =
        explain(type, 0, asic_add(asic, type, n, attributes, oid, &err), &err);
    if (status == SAI_STATUS_SUCCESS) {
        if (gaps_has_type(type) &&
            gaps_has_object(asic, objects_find(asic->objects, *oid))) {
            log_objects(type);
        }
        log_attributes(asic, type, *oid, n, attributes);
    }
    notify_deliver(asic);
    return status;
}

sai_status_t
local_verbs_remove(sai_object_type_t type, sai_object_id_t oid)
{
    struct asic *asic = library_get()->asic;
    struct err err;

    err.reason[0] = '\0';
    if (!asic) {
        return no_object();
    }
    return explain(type, oid, asic_remove(asic, type, oid, &err), &err);
}

sai_status_t
local_verbs_set(sai_object_type_t type, sai_object_id_t oid,
                const sai_attribute_t *attribute)
{
    struct asic *asic = library_get()->asic;
    sai_status_t status;
    struct err err;

    err.reason[0] = '\0'; /* The rest is large, and never read. */
    if (!asic) {
        return no_object();
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status =
        explain(type, oid, asic_set(asic, type, oid, attribute, &err), &err);
    if (status == SAI_STATUS_SUCCESS) {
        log_attributes(asic, type, oid, 1, attribute);
    }
    notify_deliver(asic);
    return status;
}

sai_status_t
local_verbs_get(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
                sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return no_object();
    }
    if (n == 0 || !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return asic_get(asic, type, oid, n, attributes);
}

sai_status_t
local_verbs_stats(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
                  const sai_stat_id_t *ids, sai_stats_mode_t mode,
                  uint64_t *values)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return no_object();
    }
    if (!values && mode != SAI_STATS_MODE_READ_AND_CLEAR) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return asic_stats(asic, type, oid, n, ids, mode, values);
}

sai_status_t
local_verbs_clear_port(sai_object_id_t oid)
{
    struct asic *asic = library_get()->asic;
    struct objects_item *port;
    sai_status_t status;

    if (!asic) {
        return no_object();
    }
    status = objects_locate(asic->objects, SAI_OBJECT_TYPE_PORT, oid, &port);
    if (status == SAI_STATUS_SUCCESS) {
        counters_clear_all(asic, port);
    }
    return status;
}

/* Entries ------------------------------------------------------------- */

/* The same as explain() for an entry, whose explanation names it. */
static sai_status_t
explain_entry(sai_object_type_t type, sai_status_t status,
              const struct err *err)
{
    if (status != SAI_STATUS_SUCCESS && err->reason[0]) {
        library_log(api_of(type), SAI_LOG_LEVEL_INFO, "%s", err->reason);
    }
    return status;
}

sai_status_t
local_verbs_entry_create(sai_object_type_t type, const void *entry, uint32_t n,
                         const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;
    struct err err = {0};

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n && !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return explain_entry(
        type, asic_add_entry(asic, type, entry, n, attributes, &err), &err);
}

sai_status_t
local_verbs_entry_remove(sai_object_type_t type, const void *entry)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return asic_remove_entry(asic, type, entry);
}

sai_status_t
local_verbs_entry_set(sai_object_type_t type, const void *entry,
                      const sai_attribute_t *attribute)
{
    struct asic *asic = library_get()->asic;
    struct err err = {0};

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return explain_entry(
        type, asic_set_entry(asic, type, entry, attribute, &err), &err);
}

sai_status_t
local_verbs_entry_get(sai_object_type_t type, const void *entry, uint32_t n,
                      sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n == 0 || !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return asic_get_entry(asic, type, entry, n, attributes);
}

sai_status_t
local_verbs_remove_all_neighbors(sai_object_id_t switch_id)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    routes_remove_neighbors(asic);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
local_verbs_flush_fdb_entries(sai_object_id_t switch_id, uint32_t n,
                              const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;
    sai_status_t status;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status = fdb_entries_flush(asic, n, attributes);
    notify_deliver(asic);
    return status;
}

/* Several objects or entries ------------------------------------------ */

/* Returns key 'i' of an array of ids or entries of 'type'. */
static const void *
key_at(sai_object_type_t type, const void *keys, uint32_t i)
{
    return (const char *)keys + i * entry_key_bytes(type);
}

static sai_object_id_t
oid_of(const void *key)
{
    return *(const sai_object_id_t *)key;
}

sai_status_t
local_verbs_bulk_create(sai_object_type_t type, sai_object_id_t switch_id,
                        uint32_t n_objects, const uint32_t *n,
                        const sai_attribute_t **attributes,
                        sai_bulk_op_error_mode_t mode, sai_object_id_t *oids,
                        sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_objects == 0 || !n || !attributes || !oids || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_objects; i++) {
        oids[i] = SAI_NULL_OBJECT_ID; /* What it stays if this one fails. */
        if (bulk_continues(&bulk, i)) {
            bulk_note(&bulk, i,
                      local_verbs_create(type, &oids[i], switch_id, n[i],
                                         attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
local_verbs_entries_create(sai_object_type_t type, uint32_t n_entries,
                           const void *entries, const uint32_t *n,
                           const sai_attribute_t **attributes,
                           sai_bulk_op_error_mode_t mode,
                           sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_continues(&bulk, i)) {
            bulk_note(&bulk, i,
                      local_verbs_entry_create(type, key_at(type, entries, i),
                                               n[i], attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
local_verbs_entries_remove(sai_object_type_t type, uint32_t n_entries,
                           const void *entries, sai_bulk_op_error_mode_t mode,
                           sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        const void *key = key_at(type, entries, i);

        if (bulk_continues(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_is_key(type)
                          ? local_verbs_entry_remove(type, key)
                          : local_verbs_remove(type, oid_of(key)));
        }
    }
    return bulk.result;
}

sai_status_t
local_verbs_entries_set(sai_object_type_t type, uint32_t n_entries,
                        const void *entries, const sai_attribute_t *attributes,
                        sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        const void *key = key_at(type, entries, i);

        if (bulk_continues(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_is_key(type)
                          ? local_verbs_entry_set(type, key, &attributes[i])
                          : local_verbs_set(type, oid_of(key), &attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
local_verbs_entries_get(sai_object_type_t type, uint32_t n_entries,
                        const void *entries, const uint32_t *n,
                        sai_attribute_t **attributes,
                        sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        const void *key = key_at(type, entries, i);

        if (bulk_continues(&bulk, i)) {
            bulk_note(
                &bulk, i,
                entry_is_key(type)
                    ? local_verbs_entry_get(type, key, n[i], attributes[i])
                    : local_verbs_get(type, oid_of(key), n[i], attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
local_verbs_bulk_remove(sai_object_type_t type, uint32_t n_objects,
                        const sai_object_id_t *oids,
                        sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    return entry_is_key(type) ? bulk_refuse_ids(n_objects, oids, mode, statuses)
                              : local_verbs_entries_remove(
                                    type, n_objects, oids, mode, statuses);
}

sai_status_t
local_verbs_bulk_set(sai_object_type_t type, uint32_t n_objects,
                     const sai_object_id_t *oids,
                     const sai_attribute_t *attributes,
                     sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    return entry_is_key(type)
               ? bulk_refuse_ids(n_objects, oids, mode, statuses)
               : local_verbs_entries_set(type, n_objects, oids, attributes,
                                         mode, statuses);
}

sai_status_t
local_verbs_bulk_get(sai_object_type_t type, uint32_t n_objects,
                     const sai_object_id_t *oids, const uint32_t *n,
                     sai_attribute_t **attributes,
                     sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    return entry_is_key(type)
               ? bulk_refuse_ids(n_objects, oids, mode, statuses)
               : local_verbs_entries_get(type, n_objects, oids, n, attributes,
                                         mode, statuses);
}
