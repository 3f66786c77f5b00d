/* SPDX-License-Identifier: Apache-2.0 */

/* The harness. */

#include <config.h>

#include "tests/support/agent_harness.h"

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

struct answer {
    char *id;
    char *key;
    char *blocked_by, *referenced_by, *warnings;
    struct row_status status;
    bool gone;
    UT_hash_handle hh;
};

const struct harness_row harness_rows[] = {
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

const size_t harness_n_rows = sizeof harness_rows / sizeof *harness_rows;

/* --- The record --------------------------------------------------------- */

static struct answer *
answer_find(const struct harness *harness, const char *table, const char *key)
{
    struct answer *answer;
    struct text id = {0};

    text_addf(&id, "%s|%s", table, key);
    HASH_FIND_STR(harness->answers, text_string(&id), answer);
    text_fini(&id);
    return answer;
}

static void
answer_fini(struct answer *answer)
{
    free(answer->key);
    free(answer->blocked_by);
    free(answer->referenced_by);
    free(answer->warnings);
}

static struct answer *
answer_make(struct harness *harness, enum table table, const char *key)
{
    struct answer *answer = answer_find(harness, table_name(table), key);
    struct text id = {0};

    harness->n_answers++;
    if (answer) {
        answer_fini(answer);
    } else {
        answer = check_calloc(1, sizeof *answer);
        text_addf(&id, "%s|%s", table_name(table), key);
        answer->id = text_take(&id);
        HASH_ADD_KEYPTR(hh, harness->answers, answer->id, strlen(answer->id),
                        answer);
    }
    answer->gone = false;
    answer->key = answer->blocked_by = answer->referenced_by =
        answer->warnings = NULL;
    return answer;
}

static void
on_status(void *context, const struct row_status *status)
{
    struct answer *answer = answer_make(context, status->table, status->key);

    answer->status = *status;
    answer->status.key = answer->key = check_strdup(status->key);
    answer->status.blocked_by = answer->blocked_by =
        check_strdup(status->blocked_by);
    answer->status.referenced_by = answer->referenced_by =
        check_strdup(status->referenced_by);
    answer->status.warnings = answer->warnings = check_strdup(status->warnings);
}

static void
on_gone(void *context, enum table table, const char *key)
{
    struct answer *answer = answer_make(context, table, key);

    memset(&answer->status, 0, sizeof answer->status);
    answer->gone = true;
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

/* --- The harness ------------------------------------------------------------
 */

/* Sets up an agent for the ASIC behind 'backend'. */
static void
attach(struct harness *harness, struct sai_backend *backend)
{
    struct err err = {0};

    harness->observer = (struct listener){on_status,    on_gone,   on_object,
                                          on_attribute, on_object, harness};
    harness->timeline = timeline_create();
    if (schema_create(SCHEMA_DIR, &harness->schema, &err) != ST_OK) {
        fail_msg("schema: %s", err.reason);
    }
    harness->backend = backend;
    harness->agent = agent_create(harness->schema, harness->timeline,
                                  &harness->observer, false);
    if (agent_attach(harness->agent, backend, &err) != ST_OK) {
        fail_msg("attach: %s", err.reason);
    }
}

/* Sets up an agent and an ASIC as in 'config', with 'n_ports' initial ports. */
static void
init(struct harness *harness, uint32_t n_ports, struct store_config config)
{
    struct store_port *ports = check_calloc(n_ports, sizeof *ports);

    config.ports = ports;
    config.n_ports = n_ports;
    config.has_groups = config.with_switch = true;
    for (uint32_t i = 0; i < n_ports; i++) {
        ports[i].n_lanes = 4;
        for (uint32_t j = 0; j < 4; j++) {
            ports[i].lanes[j] = 1 + 4 * i + j;
        }
    }
    memset(harness, 0, sizeof *harness);
    harness->store = store_create(&config);
    attach(harness, store_backend(harness->store));
    free(ports);
}

void
harness_init_backend(struct harness *harness, struct sai_backend *backend)
{
    memset(harness, 0, sizeof *harness);
    attach(harness, backend);
}

void
harness_init(struct harness *harness, uint32_t n_ports)
{
    init(harness, n_ports, (struct store_config){0});
}

void
harness_init_memory(struct harness *harness, uint32_t n_ports,
                    uint64_t memory_kb, uint32_t max_headroom_bytes)
{
    init(harness, n_ports,
         (struct store_config){.memory_kb = memory_kb,
                               .max_headroom_bytes = max_headroom_bytes});
}

void
harness_init_bridge(struct harness *harness, uint32_t n_ports)
{
    init(harness, n_ports, (struct store_config){.has_bridge = true});
}

/* What the agent believes of the ASIC is what the store holds. */
static void
check_object(void *context, const struct object *object)
{
    struct harness *harness = context;
    struct sai_backend *backend = harness->backend;

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
harness_fini(struct harness *harness)
{
    struct answer *answer, *next;

    agent_each_object(harness->agent, check_object, harness);
    agent_destroy(harness->agent);
    store_destroy(harness->store);
    schema_destroy(harness->schema);
    timeline_destroy(harness->timeline);
    HASH_ITER(hh, harness->answers, answer, next)
    {
        HASH_DEL(harness->answers, answer);
        answer_fini(answer);
        free(answer->id);
        free(answer);
    }
}

void
harness_put(struct harness *harness, const char *table, const char *key,
            const char *fields)
{
    struct intent *intent = agent_intent(harness->agent);
    struct field list[64];
    size_t n = 0;
    enum table id;
    char *copy = check_strdup(fields), *save = NULL;

    assert_true(table_find(table, strlen(table), &id));
    if (!fields) {
        intent_remove(intent, id, key, harness->now);
        return;
    }
    for (char *item = strtok_r(copy, ";", &save); item;
         item = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(item, '=');

        assert_non_null(equals);
        *equals = '\0';
        list[n++] = (struct field){item, equals + 1};
    }
    intent_put(intent, id, key, list, n, harness->now);
    free(copy);
}

/* Runs turns until there is nothing to do at this moment. */
static void
harness_turns(struct harness *harness)
{
    size_t n = 0;

    while (agent_turn(harness->agent, harness->now, 7)) {
        assert_true(++n < 100000);
    }
}

void
harness_pass(struct harness *harness, int64_t ns)
{
    int64_t end = harness->now + ns;

    harness_turns(harness);
    while (timeline_next(harness->timeline) <= end) {
        harness->now = timeline_next(harness->timeline);
        timeline_run(harness->timeline, harness->now);
        harness_turns(harness);
    }
    harness->now = end;
    /* Otherwise no later turn finishes it. */
    assert_true(agent_settled(harness->agent) ||
                timeline_next(harness->timeline) != TIMELINE_NEVER);
}

void
harness_settle(struct harness *harness)
{
    for (int i = 0; i < 100; i++) {
        harness_pass(harness, INTENT_QUIET_NS);
        if (agent_settled(harness->agent)) {
            return;
        }
    }
    fail_msg("the agent does not settle");
}

void
harness_apply(struct harness *harness, const char *table, const char *key,
              const char *fields)
{
    harness_put(harness, table, key, fields);
    harness_settle(harness);
}

const struct row_status *
harness_status(const struct harness *harness, const char *table,
               const char *key)
{
    static const struct row_status nothing = {
        .blocked_by = "", .referenced_by = "", .warnings = ""};
    const struct answer *answer = answer_find(harness, table, key);

    return answer && !answer->gone ? &answer->status : &nothing;
}

const char *
harness_state(const struct harness *harness, const char *table, const char *key)
{
    const struct answer *answer = answer_find(harness, table, key);

    if (!answer) {
        return "";
    }
    return answer->gone ? "gone" : row_state_name(answer->status.state);
}

void
harness_assert_state(const struct harness *harness, const char *table,
                     const char *key, const char *state)
{
    if (strcmp(harness_state(harness, table, key), state)) {
        fail_msg("%s|%s is %s, not %s: %s", table, key,
                 harness_state(harness, table, key), state,
                 harness_status(harness, table, key)->err.reason);
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
harness_dump(const struct harness *harness)
{
    char *dump = store_dump(harness->store), *save = NULL;
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
harness_assert_dump(const struct harness *harness, char *before)
{
    char *after = harness_dump(harness);

    assert_string_equal(before, after);
    free(before);
    free(after);
}

uint64_t
harness_changes(const struct harness *harness)
{
    return store_calls(harness->store, STORE_CREATE) +
           store_calls(harness->store, STORE_SET) +
           store_calls(harness->store, STORE_REMOVE);
}

void
harness_init_applied(struct harness *harness)
{
    harness_init(harness, 2);
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_put(harness, harness_rows[i].table, harness_rows[i].key,
                    harness_rows[i].fields);
    }
    harness_settle(harness);
}

int
harness_setup_applied(void **state)
{
    static struct harness harness;

    harness_init_applied(&harness);
    *state = &harness;
    return 0;
}

int
harness_teardown(void **state)
{
    harness_fini(*state);
    return 0;
}
