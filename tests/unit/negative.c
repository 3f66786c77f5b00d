/* SPDX-License-Identifier: Apache-2.0 */

/* The libraries that wrong calls are tried on. */

#include <config.h>

#include "tests/unit/negative.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "sai/core/metadata.h"

enum { MAX_PORTS = 512 };

static const struct vendor {
    const char *path;
    const char *profile[8]; /* Key, value, key, value, ... */
} vendors[] = {
    {LIB_DIR "/libsai-softasic.so",
     {"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips", "SOFTASIC_MODEL", "td2"}},
    {LIB_DIR "/libsai-store.so",
     {"STORE_PORTS", "1,2,3,4;5,6,7,8;9,10,11,12", "STORE_BRIDGE", "initial"}},
};

static const struct vendor *vendor; /* The one under test. */

static const char *
profile_value(sai_switch_profile_id_t id, const char *key)
{
    (void)id;
    for (size_t i = 0; vendor->profile[i]; i += 2) {
        if (!strcmp(vendor->profile[i], key)) {
            return vendor->profile[i + 1];
        }
    }
    return NULL;
}

static int
profile_next(sai_switch_profile_id_t id, const char **key, const char **value)
{
    (void)id;
    (void)key;
    (void)value;
    return -1;
}

const sai_service_method_table_t negative_services = {profile_value,
                                                      profile_next};

static const struct negative_row rows[] = {
#define ROW(TYPE, API, table, name, stats, good, needs)                        \
    {                                                                          \
        SAI_OBJECT_TYPE_##TYPE, SAI_API_##API, offsetof(table, create_##name), \
            offsetof(table, remove_##name),                                    \
            offsetof(table, set_##name##_attribute),                           \
            offsetof(table, get_##name##_attribute), stats, good, needs        \
    }
    ROW(PORT, PORT, sai_port_api_t, port,
        offsetof(sai_port_api_t, get_port_stats), SAI_PORT_ATTR_ADMIN_STATE,
        true),
    ROW(BUFFER_POOL, BUFFER, sai_buffer_api_t, buffer_pool,
        offsetof(sai_buffer_api_t, get_buffer_pool_stats),
        SAI_BUFFER_POOL_ATTR_XOFF_SIZE, true),
    ROW(BUFFER_PROFILE, BUFFER, sai_buffer_api_t, buffer_profile, 0,
        SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, true),
    ROW(INGRESS_PRIORITY_GROUP, BUFFER, sai_buffer_api_t,
        ingress_priority_group,
        offsetof(sai_buffer_api_t, get_ingress_priority_group_stats),
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, true),
    ROW(QUEUE, QUEUE, sai_queue_api_t, queue,
        offsetof(sai_queue_api_t, get_queue_stats),
        SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, true),
    ROW(QOS_MAP, QOS_MAP, sai_qos_map_api_t, qos_map, 0,
        SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, true),
    ROW(SCHEDULER, SCHEDULER, sai_scheduler_api_t, scheduler, 0,
        SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE, false),
    ROW(WRED, WRED, sai_wred_api_t, wred, 0, SAI_WRED_ATTR_GREEN_ENABLE, false),
    ROW(SCHEDULER_GROUP, SCHEDULER_GROUP, sai_scheduler_group_api_t,
        scheduler_group, 0, SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
        true),
    ROW(VLAN, VLAN, sai_vlan_api_t, vlan,
        offsetof(sai_vlan_api_t, get_vlan_stats), SAI_VLAN_ATTR_LEARN_DISABLE,
        true),
    ROW(VLAN_MEMBER, VLAN, sai_vlan_api_t, vlan_member, 0,
        SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE, true),
    ROW(BRIDGE, BRIDGE, sai_bridge_api_t, bridge,
        offsetof(sai_bridge_api_t, get_bridge_stats),
        SAI_BRIDGE_ATTR_LEARN_DISABLE, true),
    ROW(BRIDGE_PORT, BRIDGE, sai_bridge_api_t, bridge_port,
        offsetof(sai_bridge_api_t, get_bridge_port_stats),
        SAI_BRIDGE_PORT_ATTR_ADMIN_STATE, true),
#undef ROW
};

typedef void any_fn(void);

static any_fn *
function_at(const struct negative_world *w, sai_api_t api, size_t offset)
{
    void *table = NULL;
    any_fn *function;

    assert_int_equal(w->query(api, &table), SAI_STATUS_SUCCESS);
    memcpy(&function, (const char *)table + offset, sizeof function);
    assert_non_null(function);
    return function;
}

sai_status_t
negative_create(const struct negative_world *w, const struct negative_row *row,
                sai_object_id_t *oid, sai_object_id_t sw, uint32_t n,
                const sai_attribute_t *list)
{
    return ((sai_create_port_fn)function_at(w, row->api, row->create))(oid, sw,
                                                                       n, list);
}

sai_status_t
negative_remove(const struct negative_world *w, const struct negative_row *row,
                sai_object_id_t oid)
{
    return ((sai_remove_port_fn)function_at(w, row->api, row->remove))(oid);
}

sai_status_t
negative_set(const struct negative_world *w, const struct negative_row *row,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    return ((sai_set_port_attribute_fn)function_at(w, row->api, row->set))(
        oid, attribute);
}

sai_status_t
negative_get(const struct negative_world *w, const struct negative_row *row,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *list)
{
    return ((sai_get_port_attribute_fn)function_at(w, row->api, row->get))(
        oid, n, list);
}

sai_status_t
negative_stats(const struct negative_world *w, const struct negative_row *row,
               sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
               uint64_t *values)
{
    return ((sai_get_port_stats_fn)function_at(w, row->api, row->stats))(
        oid, n, ids, values);
}

const struct negative_row *
negative_row_of(sai_object_type_t type)
{
    const struct negative_row *row = rows;

    while (row->type != type) {
        row++;
    }
    return row;
}

const struct negative_row *
negative_row(const struct negative_world *w, size_t i)
{
    for (size_t k = 0; k < COUNT(rows); k++) {
        if (w->objects[rows[k].type] != SAI_NULL_OBJECT_ID && i-- == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

static void
resolve(const struct negative_world *w, const char *name, void *function)
{
    void *symbol = dlsym(w->handle, name);

    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

static void
world_load(struct negative_world *w)
{
    memset(w, 0, sizeof *w);
    w->handle = dlopen(vendor->path, RTLD_NOW | RTLD_LOCAL);
    if (!w->handle) {
        fail_msg("%s", dlerror());
    }
    resolve(w, "sai_api_initialize", &w->initialize);
    resolve(w, "sai_api_query", &w->query);
    resolve(w, "sai_api_uninitialize", &w->uninitialize);
    resolve(w, "sai_query_api_version", &w->query_version);
    resolve(w, "sai_log_set", &w->log_set);
    resolve(w, "sai_object_type_query", &w->object_type);
    resolve(w, "sai_switch_id_query", &w->switch_of);
    resolve(w, "sai_dbg_generate_dump", &w->dump);
    (void)snprintf(w->dump_path, sizeof w->dump_path, "/tmp/negative-XXXXXX");
    close(mkstemp(w->dump_path));
}

/* Creates an object of 'type' and returns its id. */
static sai_object_id_t
make(struct negative_world *w, sai_object_type_t type, uint32_t n,
     const sai_attribute_t *list)
{
    sai_object_id_t oid = 0;

    assert_int_equal(
        negative_create(w, negative_row_of(type), &oid, w->sw, n, list),
        SAI_STATUS_SUCCESS);
    w->objects[type] = oid;
    return oid;
}

/* Returns the first element of a list of the first port. */
static sai_object_id_t
first_of(const struct negative_world *w, sai_attr_id_t id)
{
    sai_object_id_t oids[64];
    sai_attribute_t list = {id, {.objlist = {COUNT(oids), oids}}};

    assert_int_equal(negative_get(w, negative_row_of(SAI_OBJECT_TYPE_PORT),
                                  w->objects[SAI_OBJECT_TYPE_PORT], 1, &list),
                     SAI_STATUS_SUCCESS);
    return oids[0];
}

/* Notes an object that attribute 'id' of an object of 'type' names, alone or
 * first in a list. */
static void
find(struct negative_world *w, sai_object_type_t type, sai_attr_id_t id,
     sai_object_type_t found)
{
    sai_object_id_t oids[MAX_PORTS];
    sai_attribute_t answer = {id, {.objlist = {MAX_PORTS, oids}}};
    const struct metadata_attribute *meta = metadata_attribute(type, id);
    const sai_get_port_attribute_fn read =
        type == SAI_OBJECT_TYPE_SWITCH
            ? w->switches->get_switch_attribute
            : (sai_get_port_attribute_fn)function_at(
                  w, negative_row_of(type)->api, negative_row_of(type)->get);

    assert_int_equal(read(w->objects[type], 1, &answer), SAI_STATUS_SUCCESS);
    if (meta->kind == KIND_OID) {
        w->objects[found] = answer.value.oid;
    } else if (answer.value.objlist.count) {
        w->objects[found] = oids[0];
    }
}

/* Notes what a library that can bridge has from the start. */
static void
find_bridging(struct negative_world *w)
{
    void *table;

    if (w->query(SAI_API_VLAN, &table) != SAI_STATUS_SUCCESS) {
        return;
    }
    find(w, SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID,
         SAI_OBJECT_TYPE_VLAN);
    find(w, SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID,
         SAI_OBJECT_TYPE_BRIDGE);
    find(w, SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_MEMBER_LIST,
         SAI_OBJECT_TYPE_VLAN_MEMBER);
    find(w, SAI_OBJECT_TYPE_BRIDGE, SAI_BRIDGE_ATTR_PORT_LIST,
         SAI_OBJECT_TYPE_BRIDGE_PORT);
    find(w, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST,
         SAI_OBJECT_TYPE_SCHEDULER_GROUP);
}

void
negative_fill(struct negative_world *w)
{
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}}};
    sai_qos_map_t map[] = {{.key = {.dscp = 3}, .value = {.tc = 3}}};
    const sai_attribute_t maps[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {1, map}}}};
    sai_attribute_t profile[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = 0}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 0}}};
    sai_object_id_t ports[MAX_PORTS];
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {MAX_PORTS, ports}}};
    void *table;

    assert_int_equal(w->initialize(0, &negative_services), SAI_STATUS_SUCCESS);
    assert_int_equal(w->query(SAI_API_SWITCH, &table), SAI_STATUS_SUCCESS);
    w->switches = table;
    assert_int_equal(w->switches->create_switch(&w->sw, 1, &init),
                     SAI_STATUS_SUCCESS);
    w->objects[SAI_OBJECT_TYPE_SWITCH] = w->sw;
    assert_int_equal(w->switches->get_switch_attribute(w->sw, 1, &list),
                     SAI_STATUS_SUCCESS);
    w->objects[SAI_OBJECT_TYPE_PORT] = ports[0];
    w->objects[SAI_OBJECT_TYPE_QUEUE] =
        first_of(w, SAI_PORT_ATTR_QOS_QUEUE_LIST);
    w->objects[SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP] =
        first_of(w, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    w->stale = make(w, SAI_OBJECT_TYPE_BUFFER_POOL, COUNT(pool), pool);
    assert_int_equal(
        negative_remove(w, negative_row_of(SAI_OBJECT_TYPE_BUFFER_POOL),
                        w->stale),
        SAI_STATUS_SUCCESS);
    profile[0].value.oid =
        make(w, SAI_OBJECT_TYPE_BUFFER_POOL, COUNT(pool), pool);
    make(w, SAI_OBJECT_TYPE_BUFFER_PROFILE, COUNT(profile), profile);
    make(w, SAI_OBJECT_TYPE_QOS_MAP, COUNT(maps), maps);
    make(w, SAI_OBJECT_TYPE_SCHEDULER, 0, NULL);
    make(w, SAI_OBJECT_TYPE_WRED, 0, NULL);
    find_bridging(w);
}

/* Returns the dump of the library.  The caller frees it. */
static char *
dump(const struct negative_world *w)
{
    enum { SIZE = 1 << 22 };
    char *text = check_calloc(1, SIZE);
    FILE *file;

    assert_int_equal(w->dump(w->dump_path), SAI_STATUS_SUCCESS);
    file = fopen(w->dump_path, "r");
    assert_non_null(file);
    text[fread(text, 1, SIZE - 1, file)] = '\0';
    assert_true(strlen(text) < SIZE - 1);
    (void)fclose(file);
    return text;
}

static void
world_unload(struct negative_world *w)
{
    (void)w->uninitialize();
    (void)unlink(w->dump_path);
    dlclose(w->handle);
}

void
negative_on_each(void (*test)(const struct negative_world *w))
{
    for (size_t i = 0; i < COUNT(vendors); i++) {
        struct negative_world w;
        char *before, *after;

        vendor = &vendors[i];
        print_message("%s\n", strrchr(vendor->path, '/') + 1);
        world_load(&w);
        negative_fill(&w);
        before = dump(&w);
        assert_true(strlen(before) > 100);
        test(&w);
        after = dump(&w);
        assert_string_equal(after, before);
        free(before);
        free(after);
        world_unload(&w);
    }
}

void
negative_tell(const struct negative_row *row)
{
    print_message("  %s\n", metadata_type_name(row->type));
}

void
negative_on_each_bare(void (*test)(struct negative_world *w))
{
    for (size_t i = 0; i < COUNT(vendors); i++) {
        struct negative_world w;

        vendor = &vendors[i];
        world_load(&w);
        test(&w);
        world_unload(&w);
    }
}
