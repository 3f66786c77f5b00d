/* SPDX-License-Identifier: Apache-2.0 */

/* The rig. */

#include <config.h>

#include "tests/support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/schema.h"

struct told {
    char *id;
    char *key;
    char *blocked_by, *referenced_by, *warnings;
    struct row_status status;
    bool gone;
    UT_hash_handle hh;
};

const struct rig_row rig_rows[] = {
    {"PORT", "Ethernet0",
     "lanes=1,2,3,4;speed=100000;mtu=9100;admin_status=up"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;admin_status=up"},
    {"BUFFER_POOL", "ingress", "type=ingress;mode=dynamic;size=10000000"},
    {"BUFFER_POOL", "egress_lossless", "type=egress;mode=static;size=12000000"},
    {"BUFFER_POOL", "egress_lossy", "type=egress;mode=dynamic;size=8000000"},
    {"BUFFER_PROFILE", "in_lossy", "pool=ingress;size=0;dynamic_th=3"},
    {"BUFFER_PROFILE", "in_lossless",
     "pool=ingress;size=1248;xon=2288;xoff=35776;dynamic_th=-3"},
    {"BUFFER_PROFILE", "out_lossless",
     "pool=egress_lossless;size=0;static_th=12000000"},
    {"BUFFER_PROFILE", "out_lossy", "pool=egress_lossy;size=1518;dynamic_th=3"},
    {"BUFFER_PG", "Ethernet0|0", "profile=in_lossy"},
    {"BUFFER_PG", "Ethernet0|3-4", "profile=in_lossless"},
    {"BUFFER_PG", "Ethernet4|0", "profile=in_lossy"},
    {"BUFFER_PG", "Ethernet4|3-4", "profile=in_lossless"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2", "profile=out_lossy"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4", "profile=out_lossless"},
    {"DSCP_TO_TC_MAP", "AZURE", "3=3;4=4;0=0;46=5"},
    {"TC_TO_QUEUE_MAP", "AZURE", "0=0;3=3;4=4;5=5"},
    {"TC_TO_PRIORITY_GROUP_MAP", "AZURE", "0=0;3=3;4=4;5=0"},
    {"PORT_QOS_MAP", "global", "dscp_to_tc_map=AZURE"},
    {"PORT_QOS_MAP", "Ethernet0",
     "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
     "pfc_enable=3,4"},
    {"PORT_QOS_MAP", "Ethernet4",
     "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
     "pfc_to_pg_map=AZURE;pfc_to_queue_map=AZURE;pfc_enable=3,4;"
     "scheduler=shaper"},
    {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "AZURE", "3=3;4=4"},
    {"MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "0=0;3=3;4=4"},
    {"SCHEDULER", "scheduler.0", "type=DWRR;weight=14"},
    {"SCHEDULER", "scheduler.1", "type=DWRR;weight=15;cir=1000;pir=2000"},
    {"SCHEDULER", "shaper", "pir=9000000000;pbs=8192"},
    {"WRED_PROFILE", "AZURE_LOSSLESS",
     "wred_green_enable=true;ecn=ecn_all;green_min_threshold=1048576;"
     "green_max_threshold=2097152;green_drop_probability=5"},
    {"QUEUE", "Ethernet0,Ethernet4|0-2", "scheduler=scheduler.0"},
    {"QUEUE", "Ethernet0|3-4",
     "scheduler=scheduler.1;wred_profile=AZURE_LOSSLESS"},
    {"QUEUE", "Ethernet4|3", "wred_profile=AZURE_LOSSLESS"},
};

const size_t rig_n_rows = sizeof rig_rows / sizeof *rig_rows;

/* --- The record --------------------------------------------------------- */

static struct told *
told_find(const struct testbench *rig, const char *table, const char *key)
{
    struct told *told;
    struct text id = {0};

    text_addf(&id, "%s|%s", table, key);
    HASH_FIND_STR(rig->told, text_string(&id), told);
    text_fini(&id);
    return told;
}

static void
told_fini(struct told *told)
{
    free(told->key);
    free(told->blocked_by);
    free(told->referenced_by);
    free(told->warnings);
}

static struct told *
told_make(struct testbench *rig, enum table table, const char *key)
{
    struct told *told = told_find(rig, table_name(table), key);
    struct text id = {0};

    rig->n_told++;
    if (told) {
        told_fini(told);
    } else {
        told = check_calloc(1, sizeof *told);
        text_addf(&id, "%s|%s", table_name(table), key);
        told->id = text_take(&id);
        HASH_ADD_KEYPTR(hh, rig->told, told->id, strlen(told->id), told);
    }
    told->gone = false;
    told->key = told->blocked_by = told->referenced_by = told->warnings = NULL;
    return told;
}

static void
on_status(void *context, const struct row_status *status)
{
    struct told *told = told_make(context, status->table, status->key);

    told->status = *status;
    told->status.key = told->key = check_strdup(status->key);
    told->status.blocked_by = told->blocked_by =
        check_strdup(status->blocked_by);
    told->status.referenced_by = told->referenced_by =
        check_strdup(status->referenced_by);
    told->status.warnings = told->warnings = check_strdup(status->warnings);
}

static void
on_gone(void *context, enum table table, const char *key)
{
    struct told *told = told_make(context, table, key);

    memset(&told->status, 0, sizeof told->status);
    told->gone = true;
}

static void
on_object(void *context, const struct object_view *object)
{
    (void)context;
    assert_true(object->oid != SAI_NULL_OBJECT_ID);
}

static void
on_attribute(void *context, const struct object_view *object,
             const struct metadata_attribute *attribute,
             const sai_attribute_value_t *value)
{
    (void)context;
    (void)value;
    assert_true(object->oid != SAI_NULL_OBJECT_ID);
    assert_non_null(attribute);
}

/* --- The rig ------------------------------------------------------------ */

void
rig_init(struct testbench *rig, uint32_t n_ports)
{
    rig_init_memory(rig, n_ports, 0, 0);
}

void
rig_init_memory(struct testbench *rig, uint32_t n_ports, uint64_t memory_kb,
                uint32_t max_headroom_bytes)
{
    struct store_port *ports = check_calloc(n_ports, sizeof *ports);
    struct store_config config = {.ports = ports,
                                  .n_ports = n_ports,
                                  .memory_kb = memory_kb,
                                  .max_headroom_bytes = max_headroom_bytes,
                                  .has_groups = true,
                                  .with_switch = true};
    struct err err = {0};

    for (uint32_t i = 0; i < n_ports; i++) {
        ports[i].n_lanes = 4;
        for (uint32_t j = 0; j < 4; j++) {
            ports[i].lanes[j] = 1 + 4 * i + j;
        }
    }
    memset(rig, 0, sizeof *rig);
    rig->observer = (struct listener){on_status,    on_gone,   on_object,
                                      on_attribute, on_object, rig};
    rig->timeline = timeline_create();
    if (schema_create(SCHEMA_DIR, &rig->schema, &err) != ST_OK) {
        fail_msg("schema: %s", err.reason);
    }
    rig->store = store_create(&config);
    rig->agent =
        agent_create(rig->schema, rig->timeline, &rig->observer, false);
    if (agent_attach(rig->agent, store_backend(rig->store), &err) != ST_OK) {
        fail_msg("attach: %s", err.reason);
    }
    free(ports);
}

/* What the agent believes of the ASIC is what the store holds. */
static void
check_object(void *context, const struct object *object)
{
    struct testbench *rig = context;
    struct sai_backend *backend = store_backend(rig->store);

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];
        sai_attribute_t attribute = {.id = slot->meta->id};

        if (slot->held && slot->meta->kind == KIND_OID) {
            assert_int_equal(backend->ops->get(backend, object->type,
                                               object->oid, 1, &attribute),
                             SAI_STATUS_SUCCESS);
            assert_true(attribute.value.oid == slot->value.oid);
        }
    }
}

void
testbench_fini(struct testbench *rig)
{
    struct told *told, *next;

    agent_each_object(rig->agent, check_object, rig);
    agent_destroy(rig->agent);
    store_destroy(rig->store);
    schema_destroy(rig->schema);
    timeline_destroy(rig->timeline);
    HASH_ITER(hh, rig->told, told, next)
    {
        HASH_DEL(rig->told, told);
        told_fini(told);
        free(told->id);
        free(told);
    }
}

void
rig_put(struct testbench *rig, const char *table, const char *key,
        const char *fields)
{
    struct intent *intent = agent_intent(rig->agent);
    struct field list[64];
    size_t n = 0;
    enum table id;
    char *copy = check_strdup(fields), *save = NULL;

    assert_true(table_find(table, strlen(table), &id));
    if (!fields) {
        intent_remove(intent, id, key, rig->now);
        return;
    }
    for (char *item = strtok_r(copy, ";", &save); item;
         item = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(item, '=');

        assert_non_null(equals);
        *equals = '\0';
        list[n++] = (struct field){item, equals + 1};
    }
    intent_put(intent, id, key, list, n, rig->now);
    free(copy);
}

/* Runs turns until there is nothing to do at this moment. */
static void
rig_turns(struct testbench *rig)
{
    size_t n = 0;

    while (agent_turn(rig->agent, rig->now, 7)) {
        assert_true(++n < 100000);
    }
}

void
rig_pass(struct testbench *rig, int64_t ns)
{
    int64_t end = rig->now + ns;

    rig_turns(rig);
    while (timeline_next(rig->timeline) <= end) {
        rig->now = timeline_next(rig->timeline);
        timeline_run(rig->timeline, rig->now);
        rig_turns(rig);
    }
    rig->now = end;
    /* Else nobody would ever call a turn that finishes it. */
    assert_true(agent_settled(rig->agent) ||
                timeline_next(rig->timeline) != TIMELINE_NEVER);
}

void
rig_settle(struct testbench *rig)
{
    for (int i = 0; i < 100; i++) {
        rig_pass(rig, INTENT_QUIET_NS);
        if (agent_settled(rig->agent)) {
            return;
        }
    }
    fail_msg("the agent does not settle");
}

void
rig_apply(struct testbench *rig, const char *table, const char *key,
          const char *fields)
{
    rig_put(rig, table, key, fields);
    rig_settle(rig);
}

const struct row_status *
rig_status(const struct testbench *rig, const char *table, const char *key)
{
    static const struct row_status nothing = {
        .blocked_by = "", .referenced_by = "", .warnings = ""};
    const struct told *told = told_find(rig, table, key);

    return told && !told->gone ? &told->status : &nothing;
}

const char *
rig_state(const struct testbench *rig, const char *table, const char *key)
{
    const struct told *told = told_find(rig, table, key);

    if (!told) {
        return "";
    }
    return told->gone ? "gone" : row_state_name(told->status.state);
}

void
rig_assert_state(const struct testbench *rig, const char *table,
                 const char *key, const char *state)
{
    if (strcmp(rig_state(rig, table, key), state)) {
        fail_msg("%s|%s is %s, not %s: %s", table, key,
                 rig_state(rig, table, key), state,
                 rig_status(rig, table, key)->err.reason);
    }
}

/* Takes "NAME=value," out of the line. */
static void
cut_attribute(char *line, const char *name)
{
    char *start = strstr(line, name);
    size_t length = start ? strcspn(start, ",}") : 0;

    if (start && start[length] == ',') {
        length++;
    } else if (start && start[-1] == ',') {
        start--;
        length++;
    }
    if (start) {
        memmove(start, start + length, strlen(start + length) + 1);
    }
}

/* A real device has no mask of the mode that is not in force; the store keeps
 * what was set last. */
char *
rig_dump(const struct testbench *rig)
{
    char *dump = store_dump(rig->store), *save = NULL;
    struct text text = {0};

    for (char *line = strtok_r(dump, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (strstr(line, "FLOW_CONTROL_MODE_SEPARATE")) {
            cut_attribute(line, "PRIORITY_FLOW_CONTROL=");
        } else if (!strncmp(line, "PORT{", 5)) {
            cut_attribute(line, "PRIORITY_FLOW_CONTROL_RX=");
            cut_attribute(line, "PRIORITY_FLOW_CONTROL_TX=");
        }
        text_addf(&text, "%s\n", line);
    }
    free(dump);
    return text_take(&text);
}

void
rig_assert_dump(const struct testbench *rig, char *before)
{
    char *after = rig_dump(rig);

    assert_string_equal(before, after);
    free(before);
    free(after);
}

uint64_t
rig_changes(const struct testbench *rig)
{
    return store_calls(rig->store, STORE_CREATE) +
           store_calls(rig->store, STORE_SET) +
           store_calls(rig->store, STORE_REMOVE);
}

void
rig_init_applied(struct testbench *rig)
{
    rig_init(rig, 2);
    for (size_t i = 0; i < rig_n_rows; i++) {
        rig_put(rig, rig_rows[i].table, rig_rows[i].key, rig_rows[i].fields);
    }
    rig_settle(rig);
}
