/* SPDX-License-Identifier: Apache-2.0 */

/* Objects with attributes as text, tasks that wait, and writes that are
 * late. */

#include <config.h>

#include "tests/support/orchagent_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/field.h"
#include "tests/support/memory_redis.h"
#include "tests/support/seed.h"

enum { MAX_ATTRIBUTES = 12, MAX_OBJECTS = 512, MAX_TASKS = 512 };

enum kind {
    KIND_SWITCH,
    KIND_PORT,
    KIND_PG,
    KIND_QUEUE,
    KIND_GROUP,
    KIND_POOL,
    KIND_PROFILE,
    KIND_MAP,
    KIND_SCHEDULER,
};

static const struct {
    const char *name;
    unsigned int byte; /* Of its ids. */
} kinds[] = {
    [KIND_SWITCH] = {"SWITCH", 0x21},
    [KIND_PORT] = {"PORT", 0x01},
    [KIND_PG] = {"INGRESS_PRIORITY_GROUP", 0x1a},
    [KIND_QUEUE] = {"QUEUE", 0x15},
    [KIND_GROUP] = {"SCHEDULER_GROUP", 0x17},
    [KIND_POOL] = {"BUFFER_POOL", 0x18},
    [KIND_PROFILE] = {"BUFFER_PROFILE", 0x19},
    [KIND_MAP] = {"QOS_MAP", 0x14},
    [KIND_SCHEDULER] = {"SCHEDULER", 0x16},
};

/* A field, and the attribute that it becomes. */
struct rule {
    const char *field, *attribute;
};

static const struct rule pool_rules[] = {
    {"size", "SIZE"}, {"xoff", "XOFF_SIZE"}, {NULL, NULL}};
static const struct rule profile_rules[] = {
    {"size", "RESERVED_BUFFER_SIZE"},    {"xon", "XON_TH"},
    {"xon_offset", "XON_OFFSET_TH"},     {"xoff", "XOFF_TH"},
    {"dynamic_th", "SHARED_DYNAMIC_TH"}, {NULL, NULL}};
static const struct rule scheduler_rules[] = {{"weight", "SCHEDULING_WEIGHT"},
                                              {NULL, NULL}};

enum table_here {
    POOLS,
    PROFILES,
    PGS,
    QUEUES,
    INGRESS_LISTS,
    EGRESS_LISTS,
    N_TABLES_HERE,
};

static const char *const tables[] = {
    "BUFFER_POOL_TABLE",
    "BUFFER_PROFILE_TABLE",
    "BUFFER_PG_TABLE",
    "BUFFER_QUEUE_TABLE",
    "BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE",
    "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE",
};

struct attribute {
    const char *name;
    char *value;
    bool written; /* In the view before this one. */
};

struct object {
    enum kind kind;
    char vid[32];
    char *name;
    struct attribute attributes[MAX_ATTRIBUTES];
    size_t n;
};

/* A key whose row is to be applied. */
struct task {
    enum table_here table;
    char *key;
};

/* A command for ASIC_DB.  'field' NULL: the row goes; 'value' NULL: the field
 * does. */
struct late {
    struct late *next;
    char *key, *field, *value;
};

struct orchagent_model {
    struct redis *redis;
    size_t n_ports;
    uint64_t seed;
    uint64_t counter; /* Of ids. */
    struct object *objects[MAX_OBJECTS];
    size_t n_objects;
    struct task tasks[MAX_TASKS];
    size_t n_tasks;
    struct late *first, **last;
    unsigned int refusals; /* How many more requests are refused. */
    bool forgets;          /* What is refused is not tried again. */
    bool in_view;          /* ASIC_DB shows the old view. */
    struct orchagent_model_figures figures;
};

static size_t
dice(struct orchagent_model *model, size_t n)
{
    return seed_below(&model->seed, n);
}

/* --- ASIC_DB ------------------------------------------------------------ */

/* Notes a command.  Takes 'key' over. */
static void
write_late(struct orchagent_model *model, char *key, const char *field,
           const char *value)
{
    struct late *late = check_calloc(1, sizeof *late);

    if (model->in_view) {
        free(key);
        free(late);
        return;
    }
    late->key = key;
    late->field = check_strdup(field);
    late->value = check_strdup(value);
    *model->last = late;
    model->last = &late->next;
}

static void
drop_first(struct orchagent_model *model)
{
    struct late *late = model->first;

    model->first = late->next;
    if (!model->first) {
        model->last = &model->first;
    }
    free(late->key);
    free(late->field);
    free(late->value);
    free(late);
}

/* Writes the first 'most' commands. */
static void
write_out(struct orchagent_model *model, size_t most)
{
    while (model->first && most-- > 0) {
        const struct late *late = model->first;

        if (!late->field) {
            memory_redis_remove(model->redis, ASIC_DB, late->key);
        } else if (!late->value) {
            memory_redis_unset(model->redis, ASIC_DB, late->key, late->field);
        } else {
            memory_redis_put(model->redis, ASIC_DB, late->key, late->field,
                             late->value);
        }
        drop_first(model);
    }
}

static char *
key_of(const struct object *object)
{
    struct text key = {0};

    text_addf(&key, "ASIC_STATE:SAI_OBJECT_TYPE_%s:%s",
              kinds[object->kind].name, object->vid);
    return text_take(&key);
}

static void
write_attribute(struct orchagent_model *model, const struct object *object,
                const char *name, const char *value)
{
    struct text field = {0};

    text_addf(&field, "SAI_%s_ATTR_%s", kinds[object->kind].name, name);
    write_late(model, key_of(object), text_string(&field), value);
    text_fini(&field);
}

/* --- Objects ------------------------------------------------------------ */

static struct object *
find(const struct orchagent_model *model, enum kind kind, const char *name)
{
    for (size_t i = 0; i < model->n_objects; i++) {
        if (model->objects[i]->kind == kind &&
            !strcmp(model->objects[i]->name, name)) {
            return model->objects[i];
        }
    }
    return NULL;
}

static const char *
value_of(const struct object *object, const char *name)
{
    for (size_t i = 0; i < object->n; i++) {
        if (!strcmp(object->attributes[i].name, name)) {
            return object->attributes[i].value;
        }
    }
    return NULL;
}

/* Sets an attribute on the switch, and in ASIC_DB later. */
static void
put(struct orchagent_model *model, struct object *object, const char *name,
    const char *value)
{
    size_t i = 0;

    while (i < object->n && strcmp(object->attributes[i].name, name) != 0) {
        i++;
    }
    orch_assert(i < MAX_ATTRIBUTES);
    if (i == object->n) {
        object->attributes[object->n++] = (struct attribute){.name = name};
    }
    free(object->attributes[i].value);
    object->attributes[i].value = check_strdup(value);
    write_attribute(model, object, name, value);
}

/* Returns whether the next request is refused. */
static bool
refuses(struct orchagent_model *model)
{
    if (model->refusals == 0) {
        return false;
    }
    model->refusals--;
    model->figures.n_refused++;
    return true;
}

/* Sets an attribute unless it is so already.  Returns false if refused. */
static bool
set(struct orchagent_model *model, struct object *object, const char *name,
    const char *value)
{
    const char *old = value_of(object, name);

    if (!strcmp(old ? old : "oid:0x0", value)) {
        return true;
    }
    if (refuses(model)) {
        return false;
    }
    put(model, object, name, value);
    return true;
}

static void
give_id(struct orchagent_model *model, struct object *object)
{
    text_format(object->vid, sizeof object->vid, "oid:0x%llx",
                (unsigned long long)((uint64_t)kinds[object->kind].byte << 48 |
                                     ++model->counter));
}

/* Creates an object; NULL: refused.  Its attributes follow. */
static struct object *
create(struct orchagent_model *model, enum kind kind, const char *name)
{
    struct object *object;

    if (kind >= KIND_POOL && refuses(model)) {
        return NULL;
    }
    orch_assert(model->n_objects < MAX_OBJECTS);
    object = check_calloc(1, sizeof *object);
    object->kind = kind;
    object->name = check_strdup(name);
    give_id(model, object);
    model->objects[model->n_objects++] = object;
    if (kind < KIND_POOL) {
        write_late(model, key_of(object), "NULL", "NULL");
    }
    return object;
}

static void
free_object(struct object *object)
{
    for (size_t i = 0; i < object->n; i++) {
        free(object->attributes[i].value);
    }
    free(object->name);
    free(object);
}

static void
remove_object(struct orchagent_model *model, struct object *object)
{
    size_t i = 0;

    while (model->objects[i] != object) {
        i++;
    }
    model->objects[i] = model->objects[--model->n_objects];
    write_late(model, key_of(object), NULL, NULL);
    free_object(object);
}

/* Returns whether an object refers to 'target'. */
static bool
is_used(const struct orchagent_model *model, const struct object *target)
{
    const size_t length = strlen(target->vid);

    for (size_t i = 0; i < model->n_objects; i++) {
        const struct object *object = model->objects[i];

        for (size_t k = 0; k < object->n; k++) {
            const char *found = object->attributes[k].value;

            while ((found = strstr(found, target->vid))) {
                if (!found[length] || found[length] == ',') {
                    return true;
                }
                found += length;
            }
        }
    }
    return false;
}

/* --- Buffers ------------------------------------------------------------ */

/* The row that a task is about. */
struct appl_row {
    const struct field *fields;
    size_t n;
};

static const char *
row_value(const struct appl_row *row, const char *name)
{
    for (size_t i = 0; i < row->n; i++) {
        if (!strcmp(row->fields[i].name, name)) {
            return row->fields[i].value;
        }
    }
    return NULL;
}

/* Sets what the rules make of a row.  Returns false if something was
 * refused. */
static bool
set_by(struct orchagent_model *model, struct object *object,
       const struct rule *rules, const struct appl_row *row, bool new)
{
    bool done = true;

    for (; rules->field; rules++) {
        const char *value = row_value(row, rules->field);

        if (value && new) {
            put(model, object, rules->attribute, value);
        } else if (value) {
            done &= set(model, object, rules->attribute, value);
        }
    }
    return done;
}

/* Removes a pool or a profile.  Returns false if it is in use. */
static bool
apply_removal(struct orchagent_model *model, struct object *object)
{
    if (object && is_used(model, object)) {
        return false;
    }
    if (object && object->kind == KIND_POOL) {
        memory_redis_unset(model->redis, COUNTERS_DB,
                           "COUNTERS_BUFFER_POOL_NAME_MAP", object->name);
    }
    if (object) {
        remove_object(model, object);
    }
    return true;
}

static bool
apply_pool(struct orchagent_model *model, const char *key,
           const struct appl_row *row)
{
    struct object *pool = find(model, KIND_POOL, key);

    if (row->n == 0) {
        return apply_removal(model, pool);
    }
    if (pool) {
        return set_by(model, pool, pool_rules, row, false);
    }
    pool = create(model, KIND_POOL, key);
    if (!pool) {
        return false;
    }
    put(model, pool, "TYPE",
        !strcmp(row_value(row, "type"), "ingress")
            ? "SAI_BUFFER_POOL_TYPE_INGRESS"
            : "SAI_BUFFER_POOL_TYPE_EGRESS");
    put(model, pool, "THRESHOLD_MODE",
        "SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC");
    (void)set_by(model, pool, pool_rules, row, true);
    memory_redis_put(model->redis, COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP",
                     key, pool->vid);
    return true;
}

static bool
apply_profile(struct orchagent_model *model, const char *key,
              const struct appl_row *row)
{
    struct object *profile = find(model, KIND_PROFILE, key);
    const struct object *pool;

    if (row->n == 0) {
        return apply_removal(model, profile);
    }
    if (profile) {
        return set_by(model, profile, profile_rules, row, false);
    }
    pool = row_value(row, "pool")
               ? find(model, KIND_POOL, row_value(row, "pool"))
               : NULL;
    profile = pool ? create(model, KIND_PROFILE, key) : NULL;
    if (!profile) {
        return false;
    }
    put(model, profile, "POOL_ID", pool->vid);
    put(model, profile, "THRESHOLD_MODE",
        "SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC");
    (void)set_by(model, profile, profile_rules, row, true);
    return true;
}

static bool
apply_binding(struct orchagent_model *model, enum kind kind, const char *key,
              const struct appl_row *row)
{
    const char *name = row_value(row, "profile");
    const struct object *profile =
        name ? find(model, KIND_PROFILE, name) : NULL;
    const char *separator = strchr(key, ':');
    const char *dash = strchr(separator, '-');
    const int first = atoi(separator + 1);
    const int last = dash ? atoi(dash + 1) : first;
    bool done = true;

    if (row->n && !profile) {
        return false;
    }
    for (int i = first; i <= last; i++) {
        char part[64];
        struct object *object;

        text_format(part, sizeof part, "%.*s:%d", (int)(separator - key), key,
                    i);
        object = find(model, kind, part);
        if (!object && row->n == 0) {
            continue; /* The port is gone. */
        }
        done &= object &&
                set(model, object,
                    kind == KIND_PG ? "BUFFER_PROFILE" : "BUFFER_PROFILE_ID",
                    profile ? profile->vid : "oid:0x0");
    }
    return done;
}

static bool
apply_list(struct orchagent_model *model, const char *attribute,
           const char *key, const struct appl_row *row)
{
    struct object *port = find(model, KIND_PORT, key);
    char *names = check_strdup(row->n ? row_value(row, "profile_list") : "");
    char *save = NULL;
    struct text ids = {0}, value = {0};
    bool done = port || row->n == 0;
    int n = 0;

    for (const char *name = strtok_r(names, ",", &save); name;
         name = strtok_r(NULL, ",", &save)) {
        const struct object *profile = find(model, KIND_PROFILE, name);

        done &= profile != NULL;
        text_addf(&ids, "%s%s", n++ ? "," : "", profile ? profile->vid : "");
    }
    text_addf(&value, "%d:%s", n, n ? text_string(&ids) : "null");
    done = done && (!port || set(model, port, attribute, text_string(&value)));
    text_fini(&ids);
    text_fini(&value);
    free(names);
    return done;
}

/* Applies the row of a task.  Returns false if that has to be tried again. */
static bool
apply(struct orchagent_model *model, const struct task *task)
{
    struct text key = {0};
    struct appl_row row;

    text_addf(&key, "%s:%s", tables[task->table], task->key);
    row.fields =
        memory_redis_fields(model->redis, APPL_DB, text_string(&key), &row.n);
    text_fini(&key);
    switch (task->table) {
    case POOLS:
        return apply_pool(model, task->key, &row);
    case PROFILES:
        return apply_profile(model, task->key, &row);
    case PGS:
        return apply_binding(model, KIND_PG, task->key, &row);
    case QUEUES:
        return apply_binding(model, KIND_QUEUE, task->key, &row);
    case INGRESS_LISTS:
        return apply_list(model, "QOS_INGRESS_BUFFER_PROFILE_LIST", task->key,
                          &row);
    default:
        return apply_list(model, "QOS_EGRESS_BUFFER_PROFILE_LIST", task->key,
                          &row);
    }
}

static void
add_task(struct orchagent_model *model, enum table_here table, const char *key)
{
    for (size_t i = 0; i < model->n_tasks; i++) {
        if (model->tasks[i].table == table &&
            !strcmp(model->tasks[i].key, key)) {
            return;
        }
    }
    orch_assert(model->n_tasks < MAX_TASKS);
    model->tasks[model->n_tasks++] = (struct task){table, check_strdup(key)};
}

static void
drop_task(struct orchagent_model *model, size_t i)
{
    free(model->tasks[i].key);
    memmove(&model->tasks[i], &model->tasks[i + 1],
            (--model->n_tasks - i) * sizeof *model->tasks);
}

/* Takes one key: clears its row if it was deleted, and merges what is
 * pending. */
static void
consume_key(struct orchagent_model *model, enum table_here table,
            const char *key)
{
    struct redis *redis = model->redis;
    struct text row = {0}, set_name = {0};
    const struct field *fields;
    size_t n;

    text_addf(&set_name, "%s_DEL_SET", tables[table]);
    text_addf(&row, "_%s:%s", tables[table], key);
    if (memory_redis_get(redis, APPL_DB, text_string(&set_name), key)) {
        memory_redis_unset(redis, APPL_DB, text_string(&set_name), key);
        memory_redis_remove(redis, APPL_DB, text_string(&row) + 1);
    }
    while (
        (fields = memory_redis_fields(redis, APPL_DB, text_string(&row), &n))) {
        char *name = check_strdup(fields[0].name);

        memory_redis_put(redis, APPL_DB, text_string(&row) + 1, name,
                         fields[0].value);
        memory_redis_unset(redis, APPL_DB, text_string(&row), name);
        free(name);
    }
    text_fini(&row);
    text_fini(&set_name);
}

static void
consume(struct orchagent_model *model)
{
    for (int table = 0; table < N_TABLES_HERE; table++) {
        const struct field *keys;
        char name[64];
        size_t n;

        text_format(name, sizeof name, "%s_KEY_SET", tables[table]);
        while ((keys = memory_redis_fields(model->redis, APPL_DB, name, &n))) {
            char *key = check_strdup(keys[0].name);

            memory_redis_unset(model->redis, APPL_DB, name, key);
            consume_key(model, (enum table_here)table, key);
            add_task(model, (enum table_here)table, key);
            free(key);
        }
    }
}

/* --- Rows of CONFIG_DB -------------------------------------------------- */

static const char *
config(const struct orchagent_model *model, const char *key, const char *field)
{
    return memory_redis_get(model->redis, CONFIG_DB, key, field);
}

/* Creates the object of a row, or finds it; NULL: refused. */
static struct object *
make(struct orchagent_model *model, enum kind kind, const char *name)
{
    struct object *object = find(model, kind, name);

    return object ? object : create(model, kind, name);
}

static void
apply_map(struct orchagent_model *model)
{
    static const char side[] =
        "{\"color\":\"SAI_PACKET_COLOR_GREEN\",\"dot1p\":0,\"dscp\":%s,"
        "\"fc\":0,\"mpls_exp\":0,\"pg\":0,\"prio\":0,\"qidx\":0,\"tc\":%s}";
    struct object *map = make(model, KIND_MAP, "AZURE");
    struct text value = {0};
    const struct field *fields;
    size_t n;

    if (!map) {
        return;
    }
    fields = memory_redis_fields(model->redis, CONFIG_DB,
                                 "DSCP_TO_TC_MAP|AZURE", &n);
    text_addf(&value, "{\"count\":%zu,\"list\":[", n);
    for (size_t i = 0; i < n; i++) {
        char key[200], entry[200];

        text_format(key, sizeof key, side, fields[i].name, "0");
        text_format(entry, sizeof entry, side, "0", fields[i].value);
        text_addf(&value, "%s{\"key\":%s,\"value\":%s}", i ? "," : "", key,
                  entry);
    }
    text_add(&value, "]}");
    (void)set(model, map, "TYPE", "SAI_QOS_MAP_TYPE_DSCP_TO_TC");
    (void)set(model, map, "MAP_TO_VALUE_LIST", text_string(&value));
    text_fini(&value);
}

static void
apply_scheduler(struct orchagent_model *model)
{
    struct object *scheduler = make(model, KIND_SCHEDULER, "s");
    struct appl_row row;

    row.fields =
        memory_redis_fields(model->redis, CONFIG_DB, "SCHEDULER|s", &row.n);
    if (scheduler) {
        (void)set(model, scheduler, "SCHEDULING_TYPE",
                  "SAI_SCHEDULING_TYPE_DWRR");
        (void)set_by(model, scheduler, scheduler_rules, &row, false);
    }
}

static void
apply_port(struct orchagent_model *model, const char *name)
{
    struct object *port = find(model, KIND_PORT, name);
    const struct object *map = find(model, KIND_MAP, "AZURE");
    const struct object *scheduler = find(model, KIND_SCHEDULER, "s");
    struct object *group;
    char key[64];

    text_format(key, sizeof key, "PORT|%s", name);
    if (!port || !config(model, key, "speed")) {
        return;
    }
    (void)set(model, port, "ADMIN_STATE",
              strcmp(config(model, key, "admin_status"), "up") ? "false"
                                                               : "true");
    (void)set(model, port, "SPEED", config(model, key, "speed"));
    text_format(key, sizeof key, "PORT_QOS_MAP|%s", name);
    if (map && config(model, key, "dscp_to_tc_map")) {
        (void)set(model, port, "QOS_DSCP_TO_TC_MAP", map->vid);
        (void)set(model, port, "PRIORITY_FLOW_CONTROL", "24");
    }
    text_format(key, sizeof key, "QUEUE|%s|3", name);
    if (scheduler && config(model, key, "scheduler")) {
        text_format(key, sizeof key, "%s:3", name);
        group = find(model, KIND_GROUP, key);
        (void)set(model, group, "SCHEDULER_PROFILE_ID", scheduler->vid);
    }
}

/* --- Ports -------------------------------------------------------------- */

/* Creates the parts of a port. */
static void
boot_parts(struct orchagent_model *model, const char *port, enum kind kind,
           int n, const char *map)
{
    for (int i = 0; i < n; i++) {
        char name[64];
        const struct object *object;

        text_format(name, sizeof name, "%s:%d", port, i);
        object = create(model, kind, name);
        if (map) {
            memory_redis_put(model->redis, COUNTERS_DB, map, name, object->vid);
        }
    }
}

static void
boot_port(struct orchagent_model *model, size_t i)
{
    struct redis *redis = model->redis;
    const struct object *port;
    char name[32], real[32], limits[64];

    text_format(name, sizeof name, "Ethernet%zu", 4 * i);
    port = create(model, KIND_PORT, name);
    memory_redis_put(redis, COUNTERS_DB, "COUNTERS_PORT_NAME_MAP", name,
                     port->vid);
    text_format(real, sizeof real, "oid:0x1%06zx", model->counter);
    memory_redis_put(redis, ASIC_DB, "RIDTOVID", real, port->vid);
    for (size_t lane = 4 * i + 1; lane <= 4 * i + 4; lane++) {
        char text[16];

        text_format(text, sizeof text, "%zu", lane);
        memory_redis_put(redis, ASIC_DB, "LANES", text, real);
    }
    boot_parts(model, name, KIND_PG, ORCHAGENT_MODEL_PGS,
               "COUNTERS_PG_NAME_MAP");
    boot_parts(model, name, KIND_QUEUE, ORCHAGENT_MODEL_QUEUES,
               "COUNTERS_QUEUE_NAME_MAP");
    boot_parts(model, name, KIND_GROUP, ORCHAGENT_MODEL_QUEUES, NULL);
    text_format(limits, sizeof limits, "BUFFER_MAX_PARAM_TABLE|%s", name);
    memory_redis_put(redis, STATE_DB, limits, "max_priority_groups", "8");
    memory_redis_put(redis, STATE_DB, limits, "max_queues", "8");
}

/* Returns whether 'object' is the port 'name' or a part of it. */
static bool
belongs(const struct object *object, const char *name)
{
    const size_t length = strlen(name);

    return object->kind <= KIND_GROUP && object->kind != KIND_SWITCH &&
           !strncmp(object->name, name, length) &&
           (!object->name[length] || object->name[length] == ':');
}

/* Returns whether a part of the port is bound. */
static bool
is_bound(const struct orchagent_model *model, const char *port)
{
    for (size_t i = 0; i < model->n_objects; i++) {
        const struct object *object = model->objects[i];

        for (size_t k = 0; k < object->n && belongs(object, port); k++) {
            if ((object->kind == KIND_PG || object->kind == KIND_QUEUE) &&
                strcmp(object->attributes[k].value, "oid:0x0") != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Removes a port with its parts. */
static void
remove_port(struct orchagent_model *model, const char *name)
{
    static const char *const maps[] = {
        [KIND_PORT] = "COUNTERS_PORT_NAME_MAP",
        [KIND_PG] = "COUNTERS_PG_NAME_MAP",
        [KIND_QUEUE] = "COUNTERS_QUEUE_NAME_MAP",
    };

    for (size_t i = model->n_objects; i-- > 0;) {
        struct object *object = model->objects[i];

        if (!belongs(object, name)) {
            continue;
        }
        if (object->kind != KIND_GROUP) {
            memory_redis_unset(model->redis, COUNTERS_DB, maps[object->kind],
                               object->name);
        }
        remove_object(model, object);
    }
}

/* Creates and removes ports as CONFIG_DB says. */
static void
follow_ports(struct orchagent_model *model)
{
    for (size_t i = 0; i < model->n_ports; i++) {
        char name[32], key[64];
        const struct object *port;
        bool wanted;

        text_format(name, sizeof name, "Ethernet%zu", 4 * i);
        text_format(key, sizeof key, "PORT|%s", name);
        port = find(model, KIND_PORT, name);
        wanted = config(model, key, "lanes") != NULL;
        if (wanted && !port) {
            boot_port(model, i);
        } else if (!wanted && port && !is_bound(model, name)) {
            remove_port(model, name);
        }
    }
}

/* --- Steps -------------------------------------------------------------- */

/* Puts the tasks into another order. */
static void
shuffle(struct orchagent_model *model)
{
    for (size_t i = model->n_tasks; i > 1; i--) {
        const size_t k = dice(model, i);
        const struct task task = model->tasks[i - 1];

        model->tasks[i - 1] = model->tasks[k];
        model->tasks[k] = task;
    }
}

/* Returns whether a task is about a row that exists: removals are not
 * forgotten. */
static bool
is_wanted(const struct orchagent_model *model, const struct task *task)
{
    struct text key = {0};
    size_t n;

    text_addf(&key, "%s:%s", tables[task->table], task->key);
    (void)memory_redis_fields(model->redis, APPL_DB, text_string(&key), &n);
    text_fini(&key);
    return n > 0;
}

/* Does all that can be done now. */
static void
work(struct orchagent_model *model)
{
    follow_ports(model);
    consume(model);
    if (model->seed) {
        shuffle(model);
    }
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < model->n_tasks;) {
            const unsigned int before = model->figures.n_refused;
            const bool done = apply(model, &model->tasks[i]);
            const bool forgotten = model->forgets &&
                                   model->figures.n_refused != before &&
                                   is_wanted(model, &model->tasks[i]);

            model->figures.n_forgotten += forgotten;
            if (done || forgotten) {
                drop_task(model, i);
            } else {
                i++;
            }
        }
    }
    apply_map(model);
    apply_scheduler(model);
    for (size_t i = 0; i < model->n_ports; i++) {
        char name[32];

        text_format(name, sizeof name, "Ethernet%zu", 4 * i);
        apply_port(model, name);
    }
}

struct orchagent_model *
orchagent_model_create(struct redis *redis, size_t n_ports, uint64_t seed)
{
    struct orchagent_model *model = check_calloc(1, sizeof *model);

    model->redis = redis;
    model->n_ports = n_ports;
    model->seed = seed;
    model->last = &model->first;
    return model;
}

/* Drops what is late, and what waits. */
static void
forget(struct orchagent_model *model)
{
    while (model->first) {
        drop_first(model);
    }
    while (model->n_tasks) {
        drop_task(model, model->n_tasks - 1);
    }
    model->refusals = 0;
    model->in_view = false;
}

static void
free_objects(struct orchagent_model *model)
{
    while (model->n_objects) {
        free_object(model->objects[--model->n_objects]);
    }
}

void
orchagent_model_destroy(struct orchagent_model *model)
{
    forget(model);
    free_objects(model);
    free(model);
}

void
orchagent_model_boot(struct orchagent_model *model)
{
    (void)create(model, KIND_SWITCH, "");
    for (size_t i = 0; i < model->n_ports; i++) {
        boot_port(model, i);
    }
    memory_redis_put(model->redis, STATE_DB, "BUFFER_MAX_PARAM_TABLE|global",
                     "mmu_size", "33554432");
}

/* Removes what orchagent has created, and resets the rest. */
static void
reset(struct orchagent_model *model)
{
    for (size_t i = model->n_objects; i-- > 0;) {
        struct object *object = model->objects[i];

        if (object->kind >= KIND_POOL) {
            remove_object(model, object);
            continue;
        }
        for (size_t k = 0; k < object->n; k++) {
            write_attribute(model, object, object->attributes[k].name, NULL);
            free(object->attributes[k].value);
        }
        if (object->n) {
            write_late(model, key_of(object), "NULL", "NULL");
        }
        object->n = 0;
    }
    memory_redis_remove(model->redis, COUNTERS_DB,
                        "COUNTERS_BUFFER_POOL_NAME_MAP");
}

/* What collect() has found in ASIC_DB. */
struct keys {
    char **keys;
    size_t n;
};

static void
collect(void *keys_, const char *key)
{
    struct keys *keys = keys_;

    keys->keys = check_realloc(keys->keys, (keys->n + 1) * sizeof *keys->keys);
    keys->keys[keys->n++] = check_strdup(key);
}

/* Lets ASIC_DB show the new view: removes what it does not have, and writes
 * what it has, late. */
static void
apply_view(struct orchagent_model *model)
{
    struct keys keys = {0};

    model->in_view = false;
    memory_redis_each(model->redis, ASIC_DB, "ASIC_STATE:", collect, &keys);
    for (size_t i = 0; i < keys.n; i++) {
        size_t n;
        const struct field *fields =
            memory_redis_fields(model->redis, ASIC_DB, keys.keys[i], &n);
        bool kept = false;

        for (size_t k = 0; k < model->n_objects && !kept; k++) {
            char *key = key_of(model->objects[k]);

            kept = !strcmp(key, keys.keys[i]);
            free(key);
        }
        for (size_t k = 0; kept && k < n; k++) {
            if (strcmp(fields[k].name, "NULL") != 0) {
                write_late(model, check_strdup(keys.keys[i]), fields[k].name,
                           NULL);
            }
        }
        if (!kept) {
            write_late(model, check_strdup(keys.keys[i]), NULL, NULL);
        }
        free(keys.keys[i]);
    }
    free(keys.keys);
    for (size_t i = 0; i < model->n_objects; i++) {
        const struct object *object = model->objects[i];

        if (object->kind < KIND_POOL) {
            write_late(model, key_of(object), "NULL", "NULL");
        }
        for (size_t k = 0; k < object->n; k++) {
            write_attribute(model, object, object->attributes[k].name,
                            object->attributes[k].value);
        }
    }
}

void
orchagent_model_restart(struct orchagent_model *model,
                        enum orchagent_restart how)
{
    static const enum database emptied[] = {APPL_DB, ASIC_DB, COUNTERS_DB};

    if (how == RESTART_VIEW) {
        model->figures.n_views++;
        write_out(model, SIZE_MAX);
        forget(model);
        model->in_view = true;
        reset(model);
        return;
    }
    forget(model);
    if (how == RESTART_AT_ONCE) {
        model->figures.n_restarts++;
        reset(model);
        /* What was late is gone, so the rows are written as they are. */
        apply_view(model);
        return;
    }
    model->figures.n_colds++;
    for (size_t i = 0; i < sizeof emptied / sizeof *emptied; i++) {
        memory_redis_flush(model->redis, emptied[i]);
    }
    free_objects(model);
    model->counter += 1000;
    orchagent_model_boot(model);
}

/* Another process changes an attribute of a pool, a profile or a group. */
static void
tamper(struct orchagent_model *model)
{
    struct object *object = model->objects[dice(model, model->n_objects)];

    if (object->kind == KIND_POOL) {
        put(model, object, "SIZE", "7");
    } else if (object->kind == KIND_PROFILE) {
        put(model, object, "RESERVED_BUFFER_SIZE", "7");
    } else if (object->kind == KIND_PG) {
        put(model, object, "BUFFER_PROFILE", "oid:0x0");
    } else {
        return;
    }
    model->figures.n_tampered++;
}

void
orchagent_model_step(struct orchagent_model *model)
{
    size_t chance;

    if (!model->seed) {
        work(model);
        if (model->in_view) {
            apply_view(model);
        }
        write_out(model, SIZE_MAX);
        return;
    }
    chance = dice(model, 100);
    if (chance < 2) {
        orchagent_model_restart(model, (enum orchagent_restart)dice(model, 3));
    } else if (chance < 6) {
        model->refusals = 1 + (unsigned int)dice(model, 8);
        model->forgets = dice(model, 2) == 0;
    } else if (chance < 8) {
        tamper(model);
    } else if (chance < 55) {
        work(model);
    }
    if (model->in_view && dice(model, 4) == 0) {
        apply_view(model);
    }
    write_out(model, dice(model, 60));
}

void
orchagent_model_calm(struct orchagent_model *model)
{
    model->seed = 0;
    model->refusals = 0;
    model->forgets = false;
}

struct orchagent_model_figures
orchagent_model_figures(const struct orchagent_model *model)
{
    return model->figures;
}
