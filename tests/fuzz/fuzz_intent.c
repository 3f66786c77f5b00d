/* SPDX-License-Identifier: Apache-2.0 */

/* The flow: rows of any content in any order, time, turns, holds and an ASIC
 * that refuses, into an agent over an attribute store.
 *
 * Rows are made from lists of plausible tables, keys, fields and values, or
 * are an example row with a field changed; now and then any bytes.  At the end
 * the ASIC works again and nothing is held.  Then:
 *   - the agent settles;
 *   - every row has an answer, and no other row has;
 *   - what the agent believes of the ASIC is what it holds;
 *   - comparing everything changes nothing;
 *   - another agent that is given the last contents only ends in the same
 *     state, unless history matters (see is_plain());
 *   - and so it is when all rows are replaced by good ones. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/reconcile/agent.h"
#include "sai/core/status.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/modules.h"
#include "tests/fuzz/snapshot.h"
#include "vendors/store/store.h"

#define MS       INT64_C(1000000)
#define N(array) (sizeof(array) / sizeof((array)[0]))

enum {
    PORTS = 3,
    LANES = 4,
    MAX_FIELDS = 6,
    MAX_ROWS = 48,
    MAX_STEPS = 200,
    MAX_KEY = 96,
    MAX_TEXT = 48,
    MAX_TURNS = 20000,
};

/* Contents ------------------------------------------------------------ */

struct content {
    size_t n;
    struct {
        char name[MAX_TEXT];
        char value[MAX_TEXT];
    } fields[MAX_FIELDS];
};

/* Table, key, and "field=value;...". */
static const char *const examples[][3] = {
    {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;admin_status=up"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;mtu=9100"},
    {"PORT", "Ethernet8", "lanes=3,4,5,6;speed=40000"},
    {"PORT", "Ethernet12", "lanes=13,14;speed=50000"},
    {"BUFFER_POOL", "in", "type=ingress;mode=dynamic;size=10000000"},
    {"BUFFER_POOL", "in",
     "type=ingress;mode=dynamic;size=9000000;xoff=1000000"},
    {"BUFFER_POOL", "out", "type=egress;mode=static;size=12000000"},
    {"BUFFER_POOL", "both", "type=both;mode=dynamic;size=8000000"},
    {"BUFFER_PROFILE", "in_lossy", "pool=in;size=0;dynamic_th=3"},
    {"BUFFER_PROFILE", "in_lossless",
     "pool=in;size=1248;xon=2288;xoff=35776;dynamic_th=-3"},
    {"BUFFER_PROFILE", "out_lossless", "pool=out;size=0;static_th=12000000"},
    {"BUFFER_PROFILE", "out_lossy", "pool=out;size=1518;dynamic_th=3"},
    {"BUFFER_PROFILE", "x", "pool=[BUFFER_POOL|both];size=7;dynamic_th=0"},
    {"BUFFER_PG", "Ethernet0|0", "profile=in_lossy"},
    {"BUFFER_PG", "Ethernet0|3-4", "profile=in_lossless"},
    {"BUFFER_PG", "Ethernet0,Ethernet4|3", "profile=x"},
    {"BUFFER_PG", "Ethernet4|0-7", "profile=in_lossy"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2", "profile=out_lossy"},
    {"BUFFER_QUEUE", "Ethernet0|1", "profile=out_lossless"},
    {"DSCP_TO_TC_MAP", "AZURE", "3=3;4=4;0=0;46=5"},
    {"DSCP_TO_TC_MAP", "B", "63=7"},
    {"TC_TO_QUEUE_MAP", "AZURE", "0=0;3=3;4=4"},
    {"TC_TO_PRIORITY_GROUP_MAP", "AZURE", "0=0;3=3;4=4"},
    {"PORT_QOS_MAP", "global", "dscp_to_tc_map=AZURE"},
    {"PORT_QOS_MAP", "Ethernet0",
     "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
     "pfc_enable=3,4"},
    {"PORT_QOS_MAP", "Ethernet0,Ethernet4", "dscp_to_tc_map=B;pfc_enable=2"},
    {"DEVICE_METADATA", "localhost", "hwsku=x;buffer_model=traditional"},
    {"DEVICE_METADATA", "localhost", "buffer_model=dynamic"},
    {"CABLE_LENGTH", "AZURE", "Ethernet0=5m"},
    {"SCHEDULER", "s", "type=DWRR;weight=3"},
};

static const char *const keys[] = {
    "Ethernet0",
    "Ethernet4",
    "Ethernet8",
    "Ethernet12",
    "in",
    "out",
    "both",
    "in_lossy",
    "in_lossless",
    "out_lossy",
    "x",
    "AZURE",
    "B",
    "global",
    "localhost",
    "Ethernet0|0",
    "Ethernet0|3-4",
    "Ethernet0|4",
    "Ethernet0|9",
    "Ethernet4|7-3",
    "Ethernet0,Ethernet4|2-5",
    "Ethernet0,",
    "Ethernet0,Ethernet0",
    "Ethernet0,Ethernet4",
    "a|Ethernet0|b|3",
    "",
};

static const char *const names[] = {
    "lanes",
    "speed",
    "mtu",
    "admin_status",
    "pool",
    "size",
    "xoff",
    "xon",
    "xon_offset",
    "dynamic_th",
    "static_th",
    "type",
    "mode",
    "profile",
    "dscp_to_tc_map",
    "tc_to_queue_map",
    "tc_to_pg_map",
    "pfc_enable",
    "NULL",
    "0",
    "3",
    "63",
    "64",
    "03",
    "headroom_type",
    "packet_discard_action",
    "buffer_model",
    "percentage",
    "pfc_enable@",
    "alias",
    "index",
    "fec",
};

static const char *const values[] = {
    "1,2,3,4",
    "5,6,7,8",
    "1",
    "9,10",
    "100000",
    "40000",
    "9100",
    "up",
    "down",
    "in",
    "out",
    "both",
    "missing",
    "0",
    "1248",
    "35776",
    "10000000",
    "-3",
    "3",
    "-9",
    "ingress",
    "egress",
    "dynamic",
    "static",
    "in_lossy",
    "in_lossless",
    "out_lossy",
    "x",
    "AZURE",
    "B",
    "3,4",
    "7",
    "NULL",
    "",
    " 3 ",
    "[BUFFER_POOL|in]",
    "[BUFFER_PROFILE|x]",
    "18446744073709551615",
    "18446744073709551616",
    "0x10",
    "traditional",
    "lossless",
    "007",
    "1,2,3,4,",
    "-",
    "99",
};

static void
content_set(struct content *content, const char *name, const char *value)
{
    size_t i = 0;

    while (i < content->n && strcmp(content->fields[i].name, name) != 0) {
        i++;
    }
    if (i < MAX_FIELDS) {
        (void)text_copy(content->fields[i].name, MAX_TEXT, name);
        (void)text_copy(content->fields[i].value, MAX_TEXT, value);
        content->n += i == content->n;
    }
}

/* Fills 'content' from "field=value;...". */
static void
content_parse(struct content *content, const char *text)
{
    char copy[256], *save = NULL;

    content->n = 0;
    FUZZ_CHECK(text_copy(copy, sizeof copy, text));
    for (char *item = strtok_r(copy, ";", &save); item;
         item = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(item, '=');

        *equals = '\0';
        content_set(content, item, equals + 1);
    }
}

/* Returns one of 'n' words, or any text, in 'buffer'. */
static const char *
some_word(struct bytes *bytes, const char *const *words, size_t n, char *buffer)
{
    uint8_t i = bytes_u8(bytes);

    return i < 250 ? words[i % n] : bytes_string(bytes, buffer, MAX_TEXT);
}

static void
some_field(struct bytes *bytes, struct content *content)
{
    char name[MAX_TEXT], value[MAX_TEXT];
    const char *of = some_word(bytes, names, N(names), name);

    content_set(content, of, some_word(bytes, values, N(values), value));
}

/* One run of the flow ------------------------------------------------- */

struct flow {
    struct timeline *timeline;
    struct store *store;
    struct agent *agent;
    struct listener observer;
    int64_t now;
    size_t n_reported;
};

static void
on_status(void *context, const struct row_status *status)
{
    struct flow *flow = context;

    FUZZ_CHECK(status->state < N_ROW_STATES);
    FUZZ_CHECK(status->state == ROW_STATE_APPLIED || status->err.code[0]);
    FUZZ_CHECK(status->key && status->blocked_by && status->warnings);
    flow->n_reported++;
}

static void
on_gone(void *context, enum table table, const char *key)
{
    struct flow *flow = context;

    FUZZ_CHECK(table < N_TABLES && key);
    flow->n_reported++;
}

static void
on_object(void *context, const struct object_view *object)
{
    (void)context;
    FUZZ_CHECK(object->oid != SAI_NULL_OBJECT_ID && object->name);
}

static void
on_attribute(void *context, const struct object_view *object,
             const struct metadata_attribute *attribute,
             const sai_attribute_value_t *value)
{
    on_object(context, object);
    FUZZ_CHECK(attribute && value);
}

static void
flow_init(struct flow *flow)
{
    struct store_port ports[PORTS] = {0};
    const struct store_config config = {
        .ports = ports, .n_ports = PORTS, .with_switch = true};
    struct err err = {0};

    for (uint32_t i = 0; i < PORTS; i++) {
        ports[i].n_lanes = LANES;
        for (uint32_t j = 0; j < LANES; j++) {
            ports[i].lanes[j] = 1 + LANES * i + j;
        }
    }
    memset(flow, 0, sizeof *flow);
    flow->observer = (struct listener){on_status,    on_gone,   on_object,
                                       on_attribute, on_object, flow};
    flow->timeline = timeline_create();
    flow->store = store_create(&config);
    flow->agent =
        agent_create(modules(), flow->timeline, &flow->observer, false);
    FUZZ_CHECK(agent_attach(flow->agent, store_backend(flow->store), &err) ==
               ST_OK);
}

static void
flow_fini(struct flow *flow)
{
    agent_destroy(flow->agent);
    store_destroy(flow->store);
    timeline_destroy(flow->timeline);
}

static void
flow_put(struct flow *flow, enum table table, const char *key,
         const struct content *content)
{
    struct field fields[MAX_FIELDS];

    for (size_t i = 0; i < content->n; i++) {
        fields[i].name = content->fields[i].name;
        fields[i].value = content->fields[i].value;
    }
    intent_put(agent_intent(flow->agent), table, key, fields, content->n,
               flow->now);
}

static void
flow_turns(struct flow *flow)
{
    for (int i = 0; agent_turn(flow->agent, flow->now, 7); i++) {
        FUZZ_CHECK(i < MAX_TURNS);
    }
}

static void
flow_pass(struct flow *flow, int64_t ns)
{
    int64_t end = flow->now + ns;

    flow_turns(flow);
    while (timeline_next(flow->timeline) <= end) {
        flow->now = timeline_next(flow->timeline);
        timeline_run(flow->timeline, flow->now);
        flow_turns(flow);
    }
    flow->now = end;
}

static void
flow_settle(struct flow *flow)
{
    for (int i = 0; i < 100; i++) {
        flow_pass(flow, INTENT_QUIET_NS);
        if (agent_settled(flow->agent)) {
            return;
        }
    }
    FUZZ_CHECK(agent_settled(flow->agent));
}

/* What must hold ------------------------------------------------------ */

/* The answers to the rows in memory, and what kinds there are. */
struct tally {
    const struct agent *agent;
    size_t n, n_rows;
    size_t n_states[N_ROW_STATES];
    size_t n_refused; /* Unsupported because SAI refused a call. */
};

static void
tally_answer(void *context, const struct row_status *status)
{
    struct tally *tally = context;

    tally->n++;
    tally->n_states[status->state]++;
    tally->n_refused += status->state == ROW_STATE_UNSUPPORTED &&
                        strncmp(status->err.code, "sai:", 4) == 0;
    FUZZ_CHECK(status->state == ROW_STATE_APPLIED || status->err.reason[0]);
    FUZZ_CHECK(status->state != ROW_STATE_WAITING || status->blocked_by[0] ||
               status->err.code[0]);
}

static void
tally_row(const struct row *row, void *context)
{
    struct tally *tally = context;

    tally->n_rows += row->present;
}

static struct tally
tally_make(const struct flow *flow)
{
    struct tally tally = {.agent = flow->agent};

    agent_each_row(flow->agent, tally_answer, &tally);
    intent_each(agent_intent(flow->agent), tally_row, &tally);
    return tally;
}

/* What the agent believes of an object is what the store holds. */
static void
check_object(void *context, const struct object *object)
{
    struct flow *flow = context;
    struct sai_backend *backend = store_backend(flow->store);

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];
        sai_attribute_t attribute = {.id = slot->meta->id};

        if (slot->held && !kind_has_list(slot->meta->kind)) {
            FUZZ_CHECK(backend->ops->get(backend, object->type, object->oid, 1,
                                         &attribute) == SAI_STATUS_SUCCESS);
            FUZZ_CHECK(metadata_number(slot->meta->kind, &attribute.value) ==
                       metadata_number(slot->meta->kind, &slot->value));
            FUZZ_CHECK(slot->meta->kind != KIND_OID ||
                       attribute.value.oid == slot->value.oid);
        }
    }
}

/* Comparing everything with everything changes nothing. */
static void
check_compare_all(struct flow *flow)
{
    char *before = store_dump(flow->store), *after;
    uint64_t changes = store_calls(flow->store, STORE_CREATE) +
                       store_calls(flow->store, STORE_SET) +
                       store_calls(flow->store, STORE_REMOVE);
    struct tally tally;

    agent_compare_all(flow->agent);
    flow_settle(flow);
    after = store_dump(flow->store);
    FUZZ_CHECK(strcmp(before, after) == 0);
    tally = tally_make(flow);
    if (!tally.n_states[ROW_STATE_FAILED]) {
        FUZZ_CHECK(changes == store_calls(flow->store, STORE_CREATE) +
                                  store_calls(flow->store, STORE_SET) +
                                  store_calls(flow->store, STORE_REMOVE));
    }
    free(before);
    free(after);
}

/* The program --------------------------------------------------------- */

/* The rows that the database has. */
struct shadow {
    size_t n;
    struct shadow_row {
        enum table table;
        char key[MAX_KEY];
        struct content content; /* Without fields: no row. */
    } rows[MAX_ROWS];
};

struct program {
    struct bytes bytes;
    struct flow flow;
    struct shadow shadow;
    sai_status_t refusal;
    unsigned int n_refusals; /* Calls still to be refused. */
    bool remembered;         /* One was refused that is not tried again. */
};

/* Implements store_hook_fn. */
static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct program *program = context;

    if (!program->n_refusals || call->op == STORE_GET) {
        return SAI_STATUS_SUCCESS;
    }
    program->n_refusals--;
    program->remembered |= st_from_sai(program->refusal) == ST_UNSUPPORTED;
    return program->refusal;
}

/* Returns the place of a row in the shadow; NULL if there is no room. */
static struct shadow_row *
shadow_row(struct shadow *shadow, enum table table, const char *key)
{
    struct shadow_row *row = shadow->rows;

    for (; row < shadow->rows + shadow->n; row++) {
        if (row->table == table && strcmp(row->key, key) == 0) {
            return row;
        }
    }
    if (shadow->n == MAX_ROWS) {
        return NULL;
    }
    row = &shadow->rows[shadow->n++];
    row->table = table;
    (void)text_copy(row->key, sizeof row->key, key);
    row->content.n = 0;
    return row;
}

static void
do_put(struct program *program, enum table table, const char *key,
       const struct content *content)
{
    struct shadow_row *row = shadow_row(&program->shadow, table, key);

    if (row) {
        row->content = *content;
        flow_put(&program->flow, table, key, content);
    }
}

/* An example row, perhaps with a field changed, added or left out. */
static void
step_example(struct program *program)
{
    struct bytes *bytes = &program->bytes;
    uint32_t i = bytes_below(bytes, N(examples));
    uint8_t change = bytes_u8(bytes);
    struct content content;
    enum table table;

    content_parse(&content, examples[i][2]);
    FUZZ_CHECK(table_find(examples[i][0], strlen(examples[i][0]), &table));
    if (change >= 192) {
        some_field(bytes, &content);
    } else if (change >= 128) {
        char value[MAX_TEXT];

        content_set(&content, content.fields[change % content.n].name,
                    some_word(bytes, values, N(values), value));
    } else if (change >= 112 && content.n > 1) {
        content.n--;
    }
    do_put(program, table, examples[i][1], &content);
}

/* Any row. */
static void
step_any(struct program *program)
{
    struct bytes *bytes = &program->bytes;
    enum table table = (enum table)bytes_below(bytes, N_TABLES);
    char word[MAX_TEXT];
    const char *key = some_word(bytes, keys, N(keys), word);
    uint32_t n = 1 + bytes_below(bytes, 4);
    struct content content = {0};

    for (uint32_t i = 0; i < n; i++) {
        some_field(bytes, &content);
    }
    do_put(program, table, key, &content);
}

static void
step_change(struct program *program)
{
    struct bytes *bytes = &program->bytes;
    struct shadow *shadow = &program->shadow;
    struct shadow_row *row;

    if (!shadow->n) {
        return;
    }
    row = &shadow->rows[bytes_below(bytes, (uint32_t)shadow->n)];
    some_field(bytes, &row->content);
    flow_put(&program->flow, row->table, row->key, &row->content);
}

static void
step_remove(struct program *program)
{
    struct shadow *shadow = &program->shadow;
    struct shadow_row *row;

    if (shadow->n) {
        row = &shadow->rows[bytes_below(&program->bytes, (uint32_t)shadow->n)];
        row->content.n = 0;
        intent_remove(agent_intent(program->flow.agent), row->table, row->key,
                      program->flow.now);
    }
}

static void
step_time(struct program *program)
{
    uint8_t form = bytes_u8(&program->bytes);

    flow_pass(&program->flow, form < 200 ? form * MS : (form - 190) * 500 * MS);
}

static void
step_turn(struct program *program)
{
    (void)agent_turn(program->flow.agent, program->flow.now,
                     bytes_below(&program->bytes, 5));
}

/* Holds, full readings, comparisons. */
static void
step_order(struct program *program)
{
    struct intent *intent = agent_intent(program->flow.agent);
    uint8_t form = bytes_u8(&program->bytes);

    switch (form % 4) {
    case 0:
    case 1:
        intent_hold(intent, form & 1, program->flow.now);
        break;
    case 2:
        /* The database was read completely, without some of its rows. */
        intent_resync_begin(intent);
        for (size_t i = 0; i < program->shadow.n; i++) {
            struct shadow_row *row = &program->shadow.rows[i];

            if (form >> (2 + i % 6) & 1) {
                row->content.n = 0;
            } else if (row->content.n) {
                flow_put(&program->flow, row->table, row->key, &row->content);
            }
        }
        intent_resync_end(intent, program->flow.now);
        break;
    default:
        agent_compare_all(program->flow.agent);
        break;
    }
}

static void
step_refusals(struct program *program)
{
    static const sai_status_t statuses[] = {
        SAI_STATUS_INSUFFICIENT_RESOURCES, SAI_STATUS_FAILURE,
        SAI_STATUS_OBJECT_IN_USE,          SAI_STATUS_NOT_SUPPORTED,
        SAI_STATUS_ATTR_NOT_SUPPORTED_0,   SAI_STATUS_INVALID_ATTR_VALUE_0,
        SAI_STATUS_ITEM_ALREADY_EXISTS,    SAI_STATUS_TABLE_FULL};

    program->refusal = statuses[bytes_below(&program->bytes, N(statuses))];
    program->n_refusals = bytes_below(&program->bytes, 12);
}

static void
run(struct program *program)
{
    typedef void step_fn(struct program *);
    static step_fn *const steps[] = {
        step_example, step_example, step_example, step_example,
        step_example, step_example, step_change,  step_change,
        step_any,     step_any,     step_remove,  step_remove,
        step_time,    step_turn,    step_order,   step_refusals};

    store_set_hook(program->flow.store, refuse, program);
    for (int i = 0; i < MAX_STEPS && bytes_more(&program->bytes); i++) {
        steps[bytes_u8(&program->bytes) % N(steps)](program);
    }
    program->n_refusals = 0;
    intent_hold(agent_intent(program->flow.agent), false, program->flow.now);
}

static struct program the_program; /* Large. */

/* The other agent ----------------------------------------------------- */

static struct flow fresh; /* Has had no rows. */
static char *home;        /* What its switch holds with the examples. */

/* Returns whether the end does not depend on the history: a row in error keeps
 * what it had when it was right, and one that waits leaves what was there.
 * 'remembered' says that the switch refused a call as unsupported; orchd makes
 * such a call again only when the row changes. */
static bool
is_plain(const struct tally *tally, bool remembered)
{
    return (!remembered || !tally->n_refused) &&
           tally->n_states[ROW_STATE_APPLIED] +
                   tally->n_states[ROW_STATE_SHADOWED] +
                   tally->n_states[ROW_STATE_UNSUPPORTED] ==
               tally->n;
}

/* Checks that each line of 'a' is in 'b', ports that are left over aside. */
static void
check_within(const char *a, const char *b)
{
    char *copy = check_strdup(a), *save = NULL;

    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        bool found = strstr(b, line) || strncmp(line, "PORT{", 5) == 0;

        if (!found) {
            fprintf(stderr, "only one has %s\n--- one\n%s--- other\n%s", line,
                    a, b);
        }
        FUZZ_CHECK(found);
    }
    free(copy);
}

static void
check_same_as_fresh(const struct program *program)
{
    struct tally tally;
    char *a, *b;

    for (size_t i = 0; i < program->shadow.n; i++) {
        const struct shadow_row *row = &program->shadow.rows[i];

        if (row->content.n) {
            flow_put(&fresh, row->table, row->key, &row->content);
        }
    }
    flow_settle(&fresh);
    tally = tally_make(&fresh);
    if (is_plain(&tally, false)) {
        a = store_dump(program->flow.store);
        b = store_dump(fresh.store);
        check_within(a, b);
        check_within(b, a);
        free(a);
        free(b);
    }
}

/* Writes the examples, of those with equal keys the first. */
static void
put_examples(struct flow *flow)
{
    for (size_t i = N(examples); i > 0; i--) {
        struct content content;
        enum table table;

        content_parse(&content, examples[i - 1][2]);
        FUZZ_CHECK(
            table_find(examples[i - 1][0], strlen(examples[i - 1][0]), &table));
        flow_put(flow, table, examples[i - 1][1], &content);
    }
    flow_settle(flow);
    flow_pass(flow, 200000 * MS);
}

/* Removes all rows and writes the examples instead: then all is as in an agent
 * that has never had others, whatever was before. */
static void
come_home(struct program *program)
{
    struct shadow *shadow = &program->shadow;
    struct tally tally;
    char *now;

    for (size_t i = 0; i < shadow->n; i++) {
        intent_remove(agent_intent(program->flow.agent), shadow->rows[i].table,
                      shadow->rows[i].key, program->flow.now);
    }
    flow_settle(&program->flow);
    put_examples(&program->flow);
    tally = tally_make(&program->flow);
    if (is_plain(&tally, program->remembered)) {
        now = store_dump(program->flow.store);
        check_within(now, home);
        check_within(home, now);
        free(now);
    }
}

static void
make(void)
{
    struct flow model;

    flow_init(&the_program.flow);
    flow_init(&fresh);
    flow_init(&model);
    put_examples(&model);
    home = store_dump(model.store);
    flow_fini(&model);
}

static void
end(void)
{
    flow_fini(&the_program.flow);
    flow_fini(&fresh);
    free(home);
}

static void
one(const uint8_t *data, size_t size)
{
    struct tally tally;

    the_program.bytes = (struct bytes){data, size};
    run(&the_program);
    flow_settle(&the_program.flow);
    flow_pass(&the_program.flow, 200000 * MS);
    flow_settle(&the_program.flow);
    tally = tally_make(&the_program.flow);
    FUZZ_CHECK(tally.n ==
               tally.n_rows + tally.n_states[ROW_STATE_PENDING_DELETE]);
    agent_each_object(the_program.flow.agent, check_object, &the_program.flow);
    if (fuzz_is_due(data, size, 8)) {
        check_compare_all(&the_program.flow);
    }
    if (is_plain(&tally, the_program.remembered) &&
        fuzz_is_due(data, size, 12)) {
        check_same_as_fresh(&the_program);
    }
    if (fuzz_is_due(data, size, 20)) {
        come_home(&the_program);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct snapshot_job job = {
        .make = make,
        .run = one,
        .leave = modules_forget,
        .end = end,
        .variables = {{&the_program, sizeof the_program},
                      {&fresh, sizeof fresh},
                      {&home, sizeof home}}};

    (void)modules();
    snapshot_run(&job, data, size);
    return 0;
}
