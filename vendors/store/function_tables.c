/* SPDX-License-Identifier: Apache-2.0 */

/* The function tables of libsai-store: parts of those of vendors/libsai.
 *
 * Each table is a copy of the slots that the library implements, cut off where
 * the table of its release ends.  All other slots are NULL. */

#include <config.h>

#include "vendors/store/function_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/libsai/function_tables.h"
#include "vendors/libsai/libsai.h"
#include "vendors/libsai/stubs.h"
#include "vendors/store/library.h"

/* The provider of the functions that the library has slots for --------- */

static sai_status_t
create_switch(sai_object_id_t *oid, uint32_t n,
              const sai_attribute_t *attributes)
{
    return library_create(SAI_OBJECT_TYPE_SWITCH, oid, SAI_NULL_OBJECT_ID, n,
                          attributes);
}

static sai_status_t
remove_switch(sai_object_id_t oid)
{
    return library_remove(SAI_OBJECT_TYPE_SWITCH, oid);
}

const struct libsai *
libsai_provider(void)
{
    static const struct libsai provider = {
        .create_switch = create_switch,
        .remove_switch = remove_switch,
        .create = library_create,
        .remove = library_remove,
        .set = library_set,
        .get = library_get_attributes,
        .stats = library_stats,
    };

    return &provider;
}

/* Tables -------------------------------------------------------------- */

/* A row of slots: the four verbs, followed by get_stats and get_stats_ext where
 * objects have counters; or the bulk verbs, or the last two of them. */
enum {
    N_VERBS = 4,
    N_VERBS_AND_STATS = 6,
    N_STATS = 2,
    N_BULK = 4,
    N_BULK_ACCESS = 2,
};

#define SLOT(api, function) offsetof(sai_##api##_api_t, function)

static const struct slots {
    sai_api_t api;
    size_t offset; /* Of the first. */
    size_t n;
    bool is_bulk;
} implemented[] = {
    {SAI_API_SWITCH, SLOT(switch, create_switch), N_VERBS, false},
    {SAI_API_PORT, SLOT(port, create_port), N_VERBS_AND_STATS, false},
    {SAI_API_PORT, SLOT(port, create_ports), N_BULK, true},
    {SAI_API_PORT, SLOT(port, create_port_llr_profile), N_VERBS, false},
    {SAI_API_BUFFER, SLOT(buffer, create_buffer_pool), N_VERBS_AND_STATS,
     false},
    {SAI_API_BUFFER, SLOT(buffer, create_ingress_priority_group),
     N_VERBS_AND_STATS, false},
    {SAI_API_BUFFER, SLOT(buffer, create_buffer_profile), N_VERBS, false},
    {SAI_API_BUFFER, SLOT(buffer, set_ingress_priority_groups_attribute),
     N_BULK_ACCESS, true},
    {SAI_API_QUEUE, SLOT(queue, create_queue), N_VERBS_AND_STATS, false},
    {SAI_API_QUEUE, SLOT(queue, set_queues_attribute), N_BULK_ACCESS, true},
    {SAI_API_QOS_MAP, SLOT(qos_map, create_qos_map), N_VERBS, false},
    {SAI_API_SCHEDULER, SLOT(scheduler, create_scheduler), N_VERBS, false},
    {SAI_API_SCHEDULER_GROUP, SLOT(scheduler_group, create_scheduler_group),
     N_VERBS, false},
    {SAI_API_WRED, SLOT(wred, create_wred), N_VERBS, false},
    {SAI_API_VLAN, SLOT(vlan, create_vlan), N_VERBS, false},
    {SAI_API_VLAN, SLOT(vlan, create_vlan_member), N_VERBS, false},
    {SAI_API_VLAN, SLOT(vlan, get_vlan_stats), N_STATS, false},
    {SAI_API_BRIDGE, SLOT(bridge, create_bridge), N_VERBS_AND_STATS, false},
    {SAI_API_BRIDGE, SLOT(bridge, create_bridge_port), N_VERBS_AND_STATS,
     false},
};

/* The bulk verbs of a library that refuses them. */
static stubs_fn *const refusing[N_BULK] = {
    (stubs_fn *)stubs_bulk_create,
    (stubs_fn *)stubs_bulk_remove,
    (stubs_fn *)stubs_bulk_set,
    (stubs_fn *)stubs_bulk_get,
};

/* How long tables were before a release.  Sorted by release within an API;
 * UINT64_MAX is this one. */
static const struct {
    sai_api_t api;
    sai_api_version_t until;
    size_t size;
} sizes[] = {
    {SAI_API_SWITCH, SAI_VERSION(1, 11, 0),
     SLOT(switch, switch_mdio_cl22_read)},
    {SAI_API_SWITCH, UINT64_MAX, sizeof(sai_switch_api_t)},
    {SAI_API_PORT, SAI_VERSION(1, 10, 2), SLOT(port, create_ports)},
    {SAI_API_PORT, SAI_VERSION(1, 13, 0), SLOT(port, create_port_serdess)},
    {SAI_API_PORT, SAI_VERSION(1, 18, 0), SLOT(port, create_port_llr_profile)},
    {SAI_API_PORT, UINT64_MAX, sizeof(sai_port_api_t)},
    {SAI_API_BUFFER, SAI_VERSION(1, 15, 0),
     SLOT(buffer, set_ingress_priority_groups_attribute)},
    {SAI_API_BUFFER, UINT64_MAX, sizeof(sai_buffer_api_t)},
    {SAI_API_QUEUE, SAI_VERSION(1, 15, 0), SLOT(queue, set_queues_attribute)},
    {SAI_API_QUEUE, UINT64_MAX, sizeof(sai_queue_api_t)},
    {SAI_API_QOS_MAP, UINT64_MAX, sizeof(sai_qos_map_api_t)},
    {SAI_API_SCHEDULER, UINT64_MAX, sizeof(sai_scheduler_api_t)},
    {SAI_API_SCHEDULER_GROUP, UINT64_MAX, sizeof(sai_scheduler_group_api_t)},
    {SAI_API_WRED, UINT64_MAX, sizeof(sai_wred_api_t)},
    {SAI_API_VLAN, UINT64_MAX, sizeof(sai_vlan_api_t)},
    {SAI_API_BRIDGE, UINT64_MAX, sizeof(sai_bridge_api_t)},
};

struct function_tables {
    void *by_api[SAI_API_MAX];
};

/* Returns the size of the table of 'api' in release 'version'; 0 if the library
 * has none. */
static size_t
size_of(sai_api_t api, sai_api_version_t version)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].api == api && version < sizes[i].until) {
            return sizes[i].size;
        }
    }
    return 0;
}

struct function_tables *
function_tables_create(sai_api_version_t version, bool bulk_absent)
{
    struct function_tables *tables = check_calloc(1, sizeof *tables);

    for (size_t i = 0; i < sizeof implemented / sizeof implemented[0]; i++) {
        const struct slots *slots = &implemented[i];
        const size_t size = size_of(slots->api, version);
        const char *from =
            (const char *)function_tables_get(slots->api) + slots->offset;
        char *table = tables->by_api[slots->api];

        if (!table) {
            table = check_calloc(size, 1);
            tables->by_api[slots->api] = table;
        }
        if (slots->offset >= size || (slots->is_bulk && bulk_absent)) {
            continue;
        }
        if (slots->is_bulk) {
            from = (const char *)&refusing[N_BULK - slots->n];
        }
        memcpy(table + slots->offset, from, slots->n * sizeof refusing[0]);
    }
    return tables;
}

void
function_tables_destroy(struct function_tables *tables)
{
    if (tables) {
        for (size_t i = 0; i < SAI_API_MAX; i++) {
            free(tables->by_api[i]);
        }
        free(tables);
    }
}

void *
function_tables_find(const struct function_tables *tables, sai_api_t api)
{
    return (unsigned int)api < SAI_API_MAX ? tables->by_api[api] : NULL;
}
