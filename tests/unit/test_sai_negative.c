/* SPDX-License-Identifier: Apache-2.0 */

/* Wrong calls to a libsai as a client of it makes them: each has one exact
 * status and changes nothing.
 *
 * All cases run on every libsai of this project, through nothing but what they
 * export.  That nothing has changed is judged by the library's own dump. */

#include <config.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sai.h>

#include "base/check.h"
#include "sai/metadata.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_PORTS = 512, UNTOUCHED = 0x5a };

#define NO_SUCH_OBJECT    UINT64_C(0xdeadbeefcafe)
#define NO_SUCH_ATTRIBUTE 0x00777777u

/* --- Libraries ---------------------------------------------------------- */

static const struct vendor {
    const char *path;
    const char *profile[8]; /* Key, value, key, value, ... */
} vendors[] = {
    {LIB_DIR "/libsai-softasic.so",
     {"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips", "SOFTASIC_MODEL", "td2"}},
    {LIB_DIR "/libsai-store.so", {"STORE_PORTS", "1,2,3,4;5,6,7,8;9,10,11,12"}},
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

static const sai_service_method_table_t services = {profile_value,
                                                    profile_next};

/* A library with a switch and one object of each kind. */
struct world {
    void *handle;
    __typeof__(&sai_api_initialize) initialize;
    __typeof__(&sai_api_query) query;
    __typeof__(&sai_api_uninitialize) uninitialize;
    __typeof__(&sai_query_api_version) query_version;
    __typeof__(&sai_log_set) log_set;
    __typeof__(&sai_object_type_query) object_type;
    __typeof__(&sai_switch_id_query) switch_of;
    __typeof__(&sai_dbg_generate_dump) dump;
    char dump_path[64];

    const sai_switch_api_t *switches;
    sai_object_id_t sw, stale;
    sai_object_id_t objects[SAI_OBJECT_TYPE_MAX]; /* One of each type. */
};

/* The functions on objects of a type, as offsets in the table of its API. */
static const struct row {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get, stats; /* No counters: stats is 0. */
    sai_attr_id_t good;                     /* Can be set to zero. */
    bool needs_attributes;
} rows[] = {
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
#undef ROW
};

typedef void any_fn(void);

static any_fn *
function_at(const struct world *w, sai_api_t api, size_t offset)
{
    void *table = NULL;
    any_fn *function;

    assert_int_equal(w->query(api, &table), SAI_STATUS_SUCCESS);
    memcpy(&function, (const char *)table + offset, sizeof function);
    assert_non_null(function);
    return function;
}

static sai_status_t
create(const struct world *w, const struct row *row, sai_object_id_t *oid,
       sai_object_id_t sw, uint32_t n, const sai_attribute_t *list)
{
    return ((sai_create_port_fn)function_at(w, row->api, row->create))(oid, sw,
                                                                       n, list);
}

static sai_status_t
remove_object(const struct world *w, const struct row *row, sai_object_id_t oid)
{
    return ((sai_remove_port_fn)function_at(w, row->api, row->remove))(oid);
}

static sai_status_t
set(const struct world *w, const struct row *row, sai_object_id_t oid,
    const sai_attribute_t *attribute)
{
    return ((sai_set_port_attribute_fn)function_at(w, row->api, row->set))(
        oid, attribute);
}

static sai_status_t
get(const struct world *w, const struct row *row, sai_object_id_t oid,
    uint32_t n, sai_attribute_t *list)
{
    return ((sai_get_port_attribute_fn)function_at(w, row->api, row->get))(
        oid, n, list);
}

static sai_status_t
stats(const struct world *w, const struct row *row, sai_object_id_t oid,
      uint32_t n, const sai_stat_id_t *ids, uint64_t *values)
{
    return ((sai_get_port_stats_fn)function_at(w, row->api, row->stats))(
        oid, n, ids, values);
}

static const struct row *
row_of(sai_object_type_t type)
{
    const struct row *row = rows;

    while (row->type != type) {
        row++;
    }
    return row;
}

static void
resolve(const struct world *w, const char *name, void *function)
{
    void *symbol = dlsym(w->handle, name);

    assert_non_null(symbol);
    memcpy(function, &symbol, sizeof symbol);
}

static void
world_load(struct world *w)
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
make(struct world *w, sai_object_type_t type, uint32_t n,
     const sai_attribute_t *list)
{
    sai_object_id_t oid = 0;

    assert_int_equal(create(w, row_of(type), &oid, w->sw, n, list),
                     SAI_STATUS_SUCCESS);
    w->objects[type] = oid;
    return oid;
}

/* Returns the first element of a list of the first port. */
static sai_object_id_t
first_of(const struct world *w, sai_attr_id_t id)
{
    sai_object_id_t oids[64];
    sai_attribute_t list = {id, {.objlist = {COUNT(oids), oids}}};

    assert_int_equal(get(w, row_of(SAI_OBJECT_TYPE_PORT),
                         w->objects[SAI_OBJECT_TYPE_PORT], 1, &list),
                     SAI_STATUS_SUCCESS);
    return oids[0];
}

static void
world_fill(struct world *w)
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

    assert_int_equal(w->initialize(0, &services), SAI_STATUS_SUCCESS);
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
        remove_object(w, row_of(SAI_OBJECT_TYPE_BUFFER_POOL), w->stale),
        SAI_STATUS_SUCCESS);
    profile[0].value.oid =
        make(w, SAI_OBJECT_TYPE_BUFFER_POOL, COUNT(pool), pool);
    make(w, SAI_OBJECT_TYPE_BUFFER_PROFILE, COUNT(profile), profile);
    make(w, SAI_OBJECT_TYPE_QOS_MAP, COUNT(maps), maps);
    make(w, SAI_OBJECT_TYPE_SCHEDULER, 0, NULL);
    make(w, SAI_OBJECT_TYPE_WRED, 0, NULL);
}

/* Returns the dump of the library.  The caller frees it. */
static char *
dump(const struct world *w)
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
world_unload(struct world *w)
{
    (void)w->uninitialize();
    (void)unlink(w->dump_path);
    dlclose(w->handle);
}

/* Runs 'test' on every library, and compares what it leaves behind with what
 * was there before. */
static void
on_each(void (*test)(const struct world *w))
{
    for (size_t i = 0; i < COUNT(vendors); i++) {
        struct world w;
        char *before, *after;

        vendor = &vendors[i];
        print_message("%s\n", strrchr(vendor->path, '/') + 1);
        world_load(&w);
        world_fill(&w);
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

/* Names the type, for failures. */
static void
tell(const struct row *row)
{
    print_message("  %s\n", metadata_type_name(row->type));
}

/* --- Objects ------------------------------------------------------------ */

/* Returns an object of another type than 'type'. */
static sai_object_id_t
another(const struct world *w, sai_object_type_t type)
{
    return w->objects[type == SAI_OBJECT_TYPE_WRED ? SAI_OBJECT_TYPE_SCHEDULER
                                                   : SAI_OBJECT_TYPE_WRED];
}

static void
wrong_objects(const struct world *w)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const struct {
            sai_object_id_t oid;
            sai_status_t status;
        } wrong[] = {
            {SAI_NULL_OBJECT_ID, SAI_STATUS_INVALID_OBJECT_ID},
            {w->stale, SAI_STATUS_INVALID_OBJECT_ID},
            {NO_SUCH_OBJECT, SAI_STATUS_INVALID_OBJECT_ID},
            {UINT64_MAX, SAI_STATUS_INVALID_OBJECT_ID},
            {another(w, row->type), SAI_STATUS_INVALID_OBJECT_TYPE},
            {w->sw, SAI_STATUS_INVALID_OBJECT_TYPE},
        };

        tell(row);
        for (size_t j = 0; j < COUNT(wrong); j++) {
            sai_attribute_t good = {.id = row->good};
            const sai_stat_id_t id = 0;
            uint64_t value = UNTOUCHED;

            assert_int_equal(remove_object(w, row, wrong[j].oid),
                             wrong[j].status);
            assert_int_equal(set(w, row, wrong[j].oid, &good), wrong[j].status);
            assert_int_equal(get(w, row, wrong[j].oid, 1, &good),
                             wrong[j].status);
            if (row->stats) {
                assert_int_equal(stats(w, row, wrong[j].oid, 1, &id, &value),
                                 wrong[j].status);
                assert_int_equal(value, UNTOUCHED);
            }
        }
    }
    assert_int_equal(w->switches->remove_switch(w->stale),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(
        w->switches->remove_switch(w->objects[SAI_OBJECT_TYPE_PORT]),
        SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(w->object_type(w->stale), SAI_OBJECT_TYPE_NULL);
    assert_int_equal(w->object_type(SAI_NULL_OBJECT_ID), SAI_OBJECT_TYPE_NULL);
    assert_true(w->switch_of(w->stale) == SAI_NULL_OBJECT_ID);
    assert_true(w->switch_of(w->sw) == w->sw);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(w->object_type(w->objects[rows[i].type]),
                         rows[i].type);
    }
}

static void
test_wrong_objects_are_told_apart(void **state)
{
    (void)state;
    on_each(wrong_objects);
}

/* --- Memory and counts -------------------------------------------------- */

static void
missing_memory(const struct world *w)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const sai_object_id_t oid = w->objects[row->type];
        sai_attribute_t good = {.id = row->good};
        const sai_stat_id_t id = 0;
        uint64_t value = UNTOUCHED;
        sai_object_id_t made = UNTOUCHED;

        tell(row);
        assert_int_equal(create(w, row, NULL, w->sw, 1, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(create(w, row, &made, w->sw, 1, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        /* The list has one element; nobody may look at a second one. */
        assert_int_equal(create(w, row, &made, w->sw, UINT32_MAX, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(made, UNTOUCHED);
        assert_int_equal(set(w, row, oid, NULL), SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(get(w, row, oid, 0, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(get(w, row, oid, 1, NULL),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(get(w, row, oid, UINT32_MAX, &good),
                         SAI_STATUS_INVALID_PARAMETER);
        if (row->stats) {
            assert_int_equal(stats(w, row, oid, 1, NULL, &value),
                             SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(stats(w, row, oid, 1, &id, NULL),
                             SAI_STATUS_INVALID_PARAMETER);
            assert_int_equal(value, UNTOUCHED);
        }
    }
}

static void
test_missing_memory_and_absurd_counts(void **state)
{
    (void)state;
    on_each(missing_memory);
}

/* A list that is short gets the count and nothing else. */
static void
short_lists(const struct world *w)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
    } lists[] = {
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PORT_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_QUEUE_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_HW_LANE_LIST},
    };

    for (size_t i = 0; i < COUNT(lists); i++) {
        const sai_object_id_t oid = w->objects[lists[i].type];
        sai_get_port_attribute_fn read =
            lists[i].type == SAI_OBJECT_TYPE_SWITCH
                ? w->switches->get_switch_attribute
                : (sai_get_port_attribute_fn)function_at(
                      w, SAI_API_PORT, row_of(SAI_OBJECT_TYPE_PORT)->get);
        unsigned char memory[16], untouched[16];
        sai_attribute_t list = {.id = lists[i].id};
        uint32_t needed;

        memset(memory, UNTOUCHED, sizeof memory);
        memset(untouched, UNTOUCHED, sizeof untouched);
        assert_int_equal(read(oid, 1, &list), SAI_STATUS_BUFFER_OVERFLOW);
        needed = list.value.objlist.count;
        assert_true(needed > 1);
        list.value.objlist.count = 1;
        list.value.objlist.list = (sai_object_id_t *)(void *)memory;
        assert_int_equal(read(oid, 1, &list), SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(list.value.objlist.count, needed);
        assert_memory_equal(memory, untouched, sizeof memory);
        list.value.objlist.count = UINT32_MAX;
        list.value.objlist.list = NULL;
        assert_int_equal(read(oid, 1, &list), SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(list.value.objlist.count, needed);
    }
}

static void
test_short_lists_get_the_count_only(void **state)
{
    (void)state;
    on_each(short_lists);
}

/* --- Attributes --------------------------------------------------------- */

static void
wrong_attributes(const struct world *w)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *row = &rows[i];
        const sai_object_id_t oid = w->objects[row->type];
        const struct metadata_object *meta = metadata_object(row->type);
        const sai_attribute_t unknown = {.id = NO_SUCH_ATTRIBUTE};
        sai_attribute_t two[] = {{.id = row->good}, unknown};
        sai_object_id_t made = UNTOUCHED;

        tell(row);
        assert_int_equal(set(w, row, oid, &unknown),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(create(w, row, &made, w->sw, 1, &unknown),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(get(w, row, oid, 1, &two[1]),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
        assert_int_equal(get(w, row, oid, 2, two),
                         SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
        if (row->needs_attributes) {
            assert_int_equal(create(w, row, &made, w->sw, 0, NULL),
                             SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
        }
        assert_int_equal(create(w, row, &made, NO_SUCH_OBJECT, 0, NULL),
                         SAI_STATUS_INVALID_OBJECT_ID);
        assert_int_equal(create(w, row, &made, SAI_NULL_OBJECT_ID, 0, NULL),
                         SAI_STATUS_INVALID_OBJECT_ID);
        for (uint32_t a = 0; a < meta->n_attributes; a++) {
            const struct metadata_attribute *attribute = &meta->attributes[a];
            const sai_attribute_t given = {.id = attribute->id};

            if (attribute->since > 10900) {
                continue; /* Not every library knows it. */
            }
            if (!(attribute->flags & METADATA_FLAG_CREATE_AND_SET)) {
                assert_int_equal(set(w, row, oid, &given),
                                 SAI_STATUS_INVALID_ATTRIBUTE_0);
            }
            if (attribute->flags & METADATA_FLAG_READ_ONLY) {
                assert_int_equal(create(w, row, &made, w->sw, 1, &given),
                                 SAI_STATUS_INVALID_ATTRIBUTE_0);
            }
        }
        assert_int_equal(made, UNTOUCHED);
    }
}

static void
test_wrong_attributes_are_named(void **state)
{
    (void)state;
    on_each(wrong_attributes);
}

/* Values that an attribute cannot have, by what is wrong with them. */
enum wrong_value { BAD_ENUM, BAD_TYPE, STALE, NO_LIST, HUGE_LIST };

static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
    enum wrong_value wrong;
} values[] = {
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, BAD_TYPE},
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, BAD_TYPE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_WRED_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, BAD_TYPE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, STALE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FEC_MODE, BAD_ENUM},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
     NO_LIST},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
     HUGE_LIST},
    {SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, NO_LIST},
    {SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, HUGE_LIST},
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_SCHEDULING_TYPE, BAD_ENUM},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_ECN_MARK_MODE, BAD_ENUM},
};

static void
wrong_values(const struct world *w)
{
    sai_qos_map_t one = {.key = {.dscp = 1}};

    for (size_t i = 0; i < COUNT(values); i++) {
        const struct row *row = row_of(values[i].type);
        sai_attribute_t given = {.id = values[i].id};

        print_message("  %s\n", metadata_attribute(row->type, given.id)->name);
        switch (values[i].wrong) {
        case BAD_ENUM:
            given.value.s32 = 0x7abc;
            break;
        case BAD_TYPE:
            given.value.oid = w->objects[SAI_OBJECT_TYPE_BUFFER_POOL];
            break;
        case STALE:
            given.value.oid = w->stale;
            break;
        case NO_LIST:
            given.value.qosmap.count = 3;
            break;
        case HUGE_LIST:
            given.value.qosmap.count = UINT32_MAX;
            given.value.qosmap.list = &one;
            break;
        }
        assert_int_equal(set(w, row, w->objects[row->type], &given),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
    }
}

static void
test_wrong_values_change_nothing(void **state)
{
    (void)state;
    on_each(wrong_values);
}

/* The second attribute is wrong, so the code has index 1. */
static void
wrong_creations(const struct world *w)
{
    const struct row *pools = row_of(SAI_OBJECT_TYPE_BUFFER_POOL);
    const struct row *profiles = row_of(SAI_OBJECT_TYPE_BUFFER_PROFILE);
    const struct row *ports = row_of(SAI_OBJECT_TYPE_PORT);
    const sai_attribute_t size = {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000}};
    const sai_attribute_t bad_type[] = {
        size, {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = 99}}};
    const sai_attribute_t twice[] = {size, size};
    sai_attribute_t profile[] = {
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = w->stale}}};
    uint32_t numbers[64];
    sai_attribute_t lanes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {COUNT(numbers), numbers}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}}};
    sai_object_id_t made = UNTOUCHED;

    assert_int_equal(create(w, pools, &made, w->sw, 2, bad_type),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    assert_int_equal(create(w, pools, &made, w->sw, 2, twice),
                     SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(create(w, pools, &made, w->sw, 1, &size),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(create(w, profiles, &made, w->sw, 2, profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    profile[1].value.oid = w->objects[SAI_OBJECT_TYPE_WRED];
    assert_int_equal(create(w, profiles, &made, w->sw, 2, profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);

    /* Keys and references. */
    assert_int_equal(get(w, ports, w->objects[SAI_OBJECT_TYPE_PORT], 1, lanes),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(create(w, ports, &made, w->sw, 2, lanes),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(made, UNTOUCHED);
    assert_int_equal(
        remove_object(w, pools, w->objects[SAI_OBJECT_TYPE_BUFFER_POOL]),
        SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(remove_object(w, row_of(SAI_OBJECT_TYPE_QUEUE),
                                   w->objects[SAI_OBJECT_TYPE_QUEUE]),
                     SAI_STATUS_NOT_SUPPORTED);
}

static void
test_wrong_creations_change_nothing(void **state)
{
    (void)state;
    on_each(wrong_creations);
}

/* --- The library -------------------------------------------------------- */

static void
wrong_entries(const struct world *w)
{
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_object_id_t oid = UNTOUCHED;
    void *table = NULL;

    assert_int_equal(w->initialize(0, &services), SAI_STATUS_FAILURE);
    assert_int_equal(w->initialize(1, &services), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->initialize(0, NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query(SAI_API_PORT, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query(SAI_API_UNSPECIFIED, &table),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->query((sai_api_t)12345, &table),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_null(table);
    assert_int_equal(w->query_version(NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->log_set((sai_api_t)12345, SAI_LOG_LEVEL_WARN),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->log_set(SAI_API_PORT, (sai_log_level_t)99),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->dump(NULL), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->dump("/nonexistent/dump"),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(w->switches->create_switch(&oid, 1, &init),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(w->switches->create_switch(NULL, 1, &init),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(oid, UNTOUCHED);
}

static void
test_wrong_calls_of_entry_points(void **state)
{
    (void)state;
    on_each(wrong_entries);
}

/* Before there is a switch, and before there is anything. */
static void
test_calls_that_come_too_early(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(vendors); v++) {
        struct world w;
        void *table = NULL;

        vendor = &vendors[v];
        world_load(&w);
        assert_int_equal(w.query(SAI_API_PORT, &table),
                         SAI_STATUS_UNINITIALIZED);
        assert_null(table);
        assert_int_equal(w.uninitialize(), SAI_STATUS_UNINITIALIZED);
        assert_int_equal(w.object_type(1), SAI_OBJECT_TYPE_NULL);
        assert_int_equal(w.initialize(0, &services), SAI_STATUS_SUCCESS);
        for (size_t i = 0; i < COUNT(rows); i++) {
            sai_attribute_t good = {.id = rows[i].good};
            sai_object_id_t oid;

            assert_int_equal(create(&w, &rows[i], &oid, 1, 1, &good),
                             SAI_STATUS_UNINITIALIZED);
            assert_int_equal(remove_object(&w, &rows[i], 1),
                             SAI_STATUS_UNINITIALIZED);
            assert_int_equal(set(&w, &rows[i], 1, &good),
                             SAI_STATUS_UNINITIALIZED);
            assert_int_equal(get(&w, &rows[i], 1, 1, &good),
                             SAI_STATUS_UNINITIALIZED);
        }
        world_unload(&w);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_objects_are_told_apart),
        cmocka_unit_test(test_missing_memory_and_absurd_counts),
        cmocka_unit_test(test_short_lists_get_the_count_only),
        cmocka_unit_test(test_wrong_attributes_are_named),
        cmocka_unit_test(test_wrong_values_change_nothing),
        cmocka_unit_test(test_wrong_creations_change_nothing),
        cmocka_unit_test(test_wrong_calls_of_entry_points),
        cmocka_unit_test(test_calls_that_come_too_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
