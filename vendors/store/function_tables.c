/* SPDX-License-Identifier: Apache-2.0 */

/* The function tables of libsai-store. */

#include <config.h>

#include "vendors/store/function_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/store/library.h"

/* Functions by object type -------------------------------------------- */

#define ACCESS(name, TYPE)                                                     \
    static sai_status_t set_##name(sai_object_id_t oid,                        \
                                   const sai_attribute_t *attribute)           \
    {                                                                          \
        return library_set(SAI_OBJECT_TYPE_##TYPE, oid, attribute);            \
    }                                                                          \
    static sai_status_t get_##name(sai_object_id_t oid, uint32_t n,            \
                                   sai_attribute_t *attributes)                \
    {                                                                          \
        return library_get_attributes(SAI_OBJECT_TYPE_##TYPE, oid, n,          \
                                      attributes);                             \
    }

/* The four verbs on objects of 'TYPE', which are called 'name'. */
#define OBJECT(name, TYPE)                                                     \
    static sai_status_t create_##name(sai_object_id_t *oid,                    \
                                      sai_object_id_t switch_id, uint32_t n,   \
                                      const sai_attribute_t *attributes)       \
    {                                                                          \
        return library_create(SAI_OBJECT_TYPE_##TYPE, oid, switch_id, n,       \
                              attributes);                                     \
    }                                                                          \
    static sai_status_t remove_##name(sai_object_id_t oid)                     \
    {                                                                          \
        return library_remove(SAI_OBJECT_TYPE_##TYPE, oid);                    \
    }                                                                          \
    ACCESS(name, TYPE)

/* Counters of such objects. */
#define COUNTERS(name, TYPE)                                                   \
    static sai_status_t stats_##name(sai_object_id_t oid, uint32_t n,          \
                                     const sai_stat_id_t *ids,                 \
                                     uint64_t *values)                         \
    {                                                                          \
        return library_stats(SAI_OBJECT_TYPE_##TYPE, oid, n, ids,              \
                             SAI_STATS_MODE_READ, values);                     \
    }                                                                          \
    static sai_status_t stats_ext_##name(                                      \
        sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,             \
        sai_stats_mode_t mode, uint64_t *values)                               \
    {                                                                          \
        return library_stats(SAI_OBJECT_TYPE_##TYPE, oid, n, ids, mode,        \
                             values);                                          \
    }

ACCESS(switch, SWITCH)
OBJECT(port, PORT)
COUNTERS(port, PORT)
OBJECT(buffer_pool, BUFFER_POOL)
COUNTERS(buffer_pool, BUFFER_POOL)
OBJECT(buffer_profile, BUFFER_PROFILE)
OBJECT(ingress_priority_group, INGRESS_PRIORITY_GROUP)
COUNTERS(ingress_priority_group, INGRESS_PRIORITY_GROUP)
OBJECT(queue, QUEUE)
COUNTERS(queue, QUEUE)
OBJECT(qos_map, QOS_MAP)
OBJECT(scheduler, SCHEDULER)
OBJECT(scheduler_group, SCHEDULER_GROUP)
OBJECT(wred, WRED)

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

/* The bulk functions. */

static sai_status_t
refuse_create(sai_object_id_t switch_id, uint32_t n_objects, const uint32_t *n,
              const sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
              sai_object_id_t *oids, sai_status_t *statuses)
{
    (void)switch_id;
    (void)n_objects;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)oids;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
refuse_remove(uint32_t n_objects, const sai_object_id_t *oids,
              sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
refuse_set(uint32_t n_objects, const sai_object_id_t *oids,
           const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,
           sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
refuse_get(uint32_t n_objects, const sai_object_id_t *oids, const uint32_t *n,
           sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
           sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

/* Tables -------------------------------------------------------------- */

#define SET_GET(name)                                                          \
    .set_##name##_attribute = set_##name, .get_##name##_attribute = get_##name
#define VERBS(name)                                                            \
    .create_##name = create_##name, .remove_##name = remove_##name,            \
    SET_GET(name)
#define STATS(name)                                                            \
    .get_##name##_stats = stats_##name,                                        \
    .get_##name##_stats_ext = stats_ext_##name

/* Slots that are not named are NULL. */

static sai_switch_api_t
switch_table(void)
{
    return (sai_switch_api_t)
    {
        .create_switch = create_switch, .remove_switch = remove_switch,
        SET_GET(switch)
    };
}

static sai_port_api_t
port_table(bool bulk_absent)
{
    sai_port_api_t table = {VERBS(port), STATS(port)};

    if (!bulk_absent) {
        table.create_ports = refuse_create;
        table.remove_ports = refuse_remove;
        table.set_ports_attribute = refuse_set;
        table.get_ports_attribute = refuse_get;
    }
    return table;
}

static sai_buffer_api_t
buffer_table(bool bulk_absent)
{
    sai_buffer_api_t table = {
        VERBS(buffer_pool), STATS(buffer_pool), VERBS(ingress_priority_group),
        STATS(ingress_priority_group), VERBS(buffer_profile)};

    if (!bulk_absent) {
        table.set_ingress_priority_groups_attribute = refuse_set;
        table.get_ingress_priority_groups_attribute = refuse_get;
    }
    return table;
}

static sai_queue_api_t
queue_table(bool bulk_absent)
{
    sai_queue_api_t table = {VERBS(queue), STATS(queue)};

    if (!bulk_absent) {
        table.set_queues_attribute = refuse_set;
        table.get_queues_attribute = refuse_get;
    }
    return table;
}

/* The first slot that an API did not have before a release. */
static const struct {
    sai_api_t api;
    sai_api_version_t until;
    size_t size;
} sizes[] = {
    {SAI_API_SWITCH, SAI_VERSION(1, 11, 0),
     offsetof(sai_switch_api_t, switch_mdio_cl22_read)},
    {SAI_API_PORT, SAI_VERSION(1, 10, 2),
     offsetof(sai_port_api_t, create_ports)},
    {SAI_API_PORT, SAI_VERSION(1, 13, 0),
     offsetof(sai_port_api_t, create_port_serdess)},
    {SAI_API_PORT, SAI_VERSION(1, 18, 0),
     offsetof(sai_port_api_t, create_port_llr_profile)},
    {SAI_API_BUFFER, SAI_VERSION(1, 15, 0),
     offsetof(sai_buffer_api_t, set_ingress_priority_groups_attribute)},
    {SAI_API_QUEUE, SAI_VERSION(1, 15, 0),
     offsetof(sai_queue_api_t, set_queues_attribute)},
};

struct function_tables {
    void *by_api[SAI_API_MAX];
};

/* Puts a copy of as much of 'table' as 'version' has in place. */
static void
install(struct function_tables *tables, sai_api_version_t version,
        sai_api_t api, const void *table, size_t size)
{
    for (size_t i = sizeof sizes / sizeof sizes[0]; i-- > 0;) {
        if (sizes[i].api == api && version < sizes[i].until) {
            size = sizes[i].size;
        }
    }
    tables->by_api[api] = check_calloc(size, 1);
    memcpy(tables->by_api[api], table, size);
}

struct function_tables *
function_tables_create(sai_api_version_t version, bool bulk_absent)
{
    static const sai_qos_map_api_t qos_maps = {VERBS(qos_map)};
    static const sai_scheduler_api_t schedulers = {VERBS(scheduler)};
    static const sai_scheduler_group_api_t groups = {VERBS(scheduler_group)};
    static const sai_wred_api_t wreds = {VERBS(wred)};
    const sai_switch_api_t switches = switch_table();
    const sai_port_api_t ports = port_table(bulk_absent);
    const sai_buffer_api_t buffers = buffer_table(bulk_absent);
    const sai_queue_api_t queues = queue_table(bulk_absent);
    const struct {
        sai_api_t api;
        const void *table;
        size_t size;
    } all[] = {
        {SAI_API_SWITCH, &switches, sizeof switches},
        {SAI_API_PORT, &ports, sizeof ports},
        {SAI_API_BUFFER, &buffers, sizeof buffers},
        {SAI_API_QUEUE, &queues, sizeof queues},
        {SAI_API_QOS_MAP, &qos_maps, sizeof qos_maps},
        {SAI_API_SCHEDULER, &schedulers, sizeof schedulers},
        {SAI_API_SCHEDULER_GROUP, &groups, sizeof groups},
        {SAI_API_WRED, &wreds, sizeof wreds},
    };
    struct function_tables *tables = check_calloc(1, sizeof *tables);

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        install(tables, version, all[i].api, all[i].table, all[i].size);
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
