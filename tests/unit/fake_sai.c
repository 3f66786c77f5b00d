/* SPDX-License-Identifier: Apache-2.0 */

/* FAKE_VERSION is its release; 0 for one that cannot tell. */

#include <config.h>

#include "tests/unit/fake_sai.h"

#include <string.h>

static struct fake_log calls;

struct fake_log *
fake_log(void)
{
    return &calls;
}

static void
note(const char *function, sai_object_id_t oid, uint32_t n)
{
    calls.function = function;
    calls.oid = oid;
    calls.n = n;
}

static sai_status_t
create_switch(sai_object_id_t *oid, uint32_t n, const sai_attribute_t *list)
{
    note("create_switch", 0, n);
    calls.first_id = list[0].id;
    if (!list[0].value.booldata) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    *oid = FAKE_SWITCH;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
remove_switch(sai_object_id_t oid)
{
    note("remove_switch", oid, 0);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
create_pool(sai_object_id_t *oid, sai_object_id_t switch_id, uint32_t n,
            const sai_attribute_t *list)
{
    note("create_buffer_pool", 0, n);
    calls.switch_id = switch_id;
    calls.first_id = list[0].id;
    *oid = FAKE_POOL;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
create_nothing(sai_object_id_t *oid, sai_object_id_t switch_id, uint32_t n,
               const sai_attribute_t *list)
{
    (void)oid;
    (void)switch_id;
    (void)list;
    note("create_buffer_profile", 0, n);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
remove_pool(sai_object_id_t oid)
{
    note("remove_buffer_pool", oid, 0);
    return SAI_STATUS_OBJECT_IN_USE;
}

static sai_status_t
set_queue(sai_object_id_t oid, const sai_attribute_t *attribute)
{
    note("set_queue_attribute", oid, 1);
    calls.first_id = attribute->id;
    calls.n_set++;
    return calls.set_status;
}

static sai_status_t
set_queues(uint32_t n, const sai_object_id_t *oids,
           const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,
           sai_status_t *statuses)
{
    (void)mode;
    note("set_queues_attribute", oids[n - 1], n);
    calls.first_id = attributes[0].id;
    calls.n_bulk++;
    for (uint32_t i = 0; i < n && i < FAKE_MAX; i++) {
        if (calls.bulk_statuses[i] != FAKE_UNTOUCHED) {
            statuses[i] = calls.bulk_statuses[i];
        }
    }
    return calls.bulk_result;
}

static sai_status_t
get_queue(sai_object_id_t oid, uint32_t n, sai_attribute_t *list)
{
    note("get_queue_attribute", oid, n);
    list[0].value.u8 = 7;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
get_queue_stats(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                uint64_t *values)
{
    note("get_queue_stats", oid, n);
    values[0] = 100 + ids[0];
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
get_queue_stats_ext(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                    sai_stats_mode_t mode, uint64_t *values)
{
    note("get_queue_stats_ext", oid, n);
    calls.mode = mode;
    values[0] = 200 + ids[0];
    return SAI_STATUS_SUCCESS;
}

/* Slots that are not named are empty. */
static sai_switch_api_t switch_api = {
    .create_switch = create_switch,
    .remove_switch = remove_switch,
};
static sai_port_api_t port_api;
static sai_buffer_api_t buffer_api = {
    .create_buffer_pool = create_pool,
    .remove_buffer_pool = remove_pool,
    .create_buffer_profile = create_nothing,
};
static sai_queue_api_t queue_api = {
    .set_queue_attribute = set_queue,
    .get_queue_attribute = get_queue,
    .get_queue_stats = get_queue_stats,
    .get_queue_stats_ext = get_queue_stats_ext,
    .set_queues_attribute = set_queues,
};

static const sai_service_method_table_t *services;

sai_status_t
sai_api_initialize(uint64_t flags, const sai_service_method_table_t *table)
{
    const char *variable = NULL;
    const char *value = NULL;

    services = table;
    calls.n_initialize++;
    calls.n_profile_pairs = 0;
    (void)table->profile_get_next_value(0, NULL, NULL);
    while (!table->profile_get_next_value(0, &variable, &value)) {
        calls.n_profile_pairs++;
    }
    value = table->profile_get_value(0, "FAKE_KEY");
    strncpy(calls.profile_value, value ? value : "(none)",
            sizeof calls.profile_value - 1);
    if (flags || table->profile_get_value(0, "FAKE_REFUSE")) {
        return SAI_STATUS_INVALID_NV_STORAGE;
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_api_uninitialize(void)
{
    calls.n_uninitialize++;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_api_query(sai_api_t api, void **table)
{
    switch ((int)api) {
    case SAI_API_SWITCH:
        *table = &switch_api;
        return SAI_STATUS_SUCCESS;
    case SAI_API_PORT:
        if (services->profile_get_value(0, "FAKE_NO_PORT")) {
            return SAI_STATUS_NOT_IMPLEMENTED;
        }
        *table = &port_api;
        return SAI_STATUS_SUCCESS;
    case SAI_API_BUFFER:
        *table = &buffer_api;
        return SAI_STATUS_SUCCESS;
    case SAI_API_QUEUE:
        *table = &queue_api;
        return SAI_STATUS_SUCCESS;
    default:
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
}

sai_status_t
sai_query_attribute_capability(sai_object_id_t switch_id,
                               sai_object_type_t type, sai_attr_id_t id,
                               sai_attr_capability_t *capability)
{
    (void)type;
    (void)id;
    calls.n_capability++;
    *capability = calls.capability;
    return switch_id == FAKE_SWITCH ? calls.capability_status
                                    : SAI_STATUS_INVALID_PARAMETER;
}

#if FAKE_VERSION
sai_status_t
sai_query_api_version(sai_api_version_t *version)
{
    *version = FAKE_VERSION;
    return SAI_STATUS_SUCCESS;
}
#endif
