/* SPDX-License-Identifier: Apache-2.0 */

/* Ports that are shut, in the dynamic buffer model (BEHAVIOUR 6.8), through the
 * flow. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/platform.h"
#include "orchd/derive/zero_profiles.h"
#include "tests/support/agent_harness.h"
#include "tests/support/asic_table.h"

#define P5           "pg_lossless_100000_5m_profile"
#define ZERO_PG      "ingress_lossy_pg_zero_profile"
#define ZERO_LOSSY   "egress_lossy_zero_profile"
#define ZERO_LOSS    "egress_lossless_zero_profile"
#define ZERO_LIST    "ingress_lossless_zero_profile"
#define LANES        "lanes=1,2,3,4;speed=100000;"
#define PORT         "PORT", "Ethernet0"
#define N_OF(things) (sizeof(things) / sizeof(things)[0])

enum { MEMORY_KB = 59391 };

static void
add(struct zero_profiles *zeros, enum table table, const char *key,
    const char *const fields[3][2])
{
    struct field list[3];
    struct err err = {0};

    for (size_t i = 0; i < 3; i++) {
        list[i] = (struct field){fields[i][0], fields[i][1]};
    }
    assert_int_equal(zero_profiles_add(zeros, table, key, list, 3, &err),
                     ST_OK);
}

/* What the virtual switch is delivered with; 'named': with its control fields.
 */
static void
make_zeros(struct zero_profiles *zeros, bool named)
{
    struct err err = {0};

    add(zeros, TABLE_BUFFER_POOL, "ingress_zero_pool",
        (const char *const[3][2]){
            {"type", "ingress"}, {"mode", "static"}, {"size", "0"}});
    add(zeros, TABLE_BUFFER_PROFILE, ZERO_PG,
        (const char *const[3][2]){
            {"pool", "ingress_zero_pool"}, {"size", "0"}, {"static_th", "0"}});
    add(zeros, TABLE_BUFFER_PROFILE, ZERO_LIST,
        (const char *const[3][2]){{"pool", "ingress_lossless_pool"},
                                  {"size", "0"},
                                  {"dynamic_th", "-8"}});
    add(zeros, TABLE_BUFFER_PROFILE, ZERO_LOSS,
        (const char *const[3][2]){{"pool", "egress_lossless_pool"},
                                  {"size", "0"},
                                  {"dynamic_th", "-8"}});
    add(zeros, TABLE_BUFFER_PROFILE, ZERO_LOSSY,
        (const char *const[3][2]){{"pool", "egress_lossy_pool"},
                                  {"size", "0"},
                                  {"dynamic_th", "-8"}});
    if (named) {
        assert_int_equal(zero_profiles_set_ids(zeros, ZERO_INGRESS, "0", &err),
                         ST_OK);
        assert_int_equal(
            zero_profiles_set_named(zeros, ZERO_INGRESS, ZERO_PG, &err), ST_OK);
        assert_int_equal(
            zero_profiles_set_named(zeros, ZERO_EGRESS, ZERO_LOSS, &err),
            ST_OK);
    }
}

static const struct harness_row rows[] = {
    {"DEVICE_METADATA", "localhost",
     "buffer_model=dynamic;platform=x86_64-kvm_x86_64-r0"},
    {"DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "default_dynamic_th=0"},
    {"BUFFER_POOL", "ingress_lossless_pool", "type=ingress;mode=dynamic"},
    {"BUFFER_POOL", "egress_lossy_pool", "type=egress;mode=dynamic"},
    {"BUFFER_POOL", "egress_lossless_pool",
     "type=egress;mode=dynamic;size=60000000"},
    {"BUFFER_PROFILE", "in_lossy",
     "pool=ingress_lossless_pool;size=0;dynamic_th=3"},
    {"BUFFER_PROFILE", "out_lossy",
     "pool=egress_lossy_pool;size=9216;dynamic_th=7"},
    {"BUFFER_PROFILE", "out_lossless",
     "pool=egress_lossless_pool;size=0;dynamic_th=7"},
    {"PORT", "Ethernet0", LANES "admin_status=up"},
    {"PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000;admin_status=up"},
    {"CABLE_LENGTH", "AZURE", "Ethernet0=5m;Ethernet4=5m"},
    {"BUFFER_PG", "Ethernet0|0", "profile=in_lossy"},
    {"BUFFER_PG", "Ethernet0,Ethernet4|3-4", "profile=NULL"},
    {"BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2", "profile=out_lossy"},
    {"BUFFER_QUEUE", "Ethernet0|3-4", "profile=out_lossless"},
    {"BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0", "profile_list=in_lossy"},
    {"BUFFER_PORT_EGRESS_PROFILE_LIST", "Ethernet0,Ethernet4",
     "profile_list=out_lossless,out_lossy"},
};

/* Makes a switch that has no rows. */
static void
init_empty(struct harness *harness, struct zero_profiles *zeros)
{
    struct dynamic_state_chip chip = {.known = true};

    harness_init_memory(harness, 2, MEMORY_KB, 0);
    assert_true(asic_table_find("VS-ASIC", &chip.asic));
    agent_set_chip(harness->agent, &chip);
    agent_set_zeros(harness->agent, zeros);
}

/* Writes the rows, with Ethernet0 up or not from the first. */
static void
init_port(struct harness *harness, struct zero_profiles *zeros, bool up)
{
    init_empty(harness, zeros);
    for (size_t i = 0; i < N_OF(rows); i++) {
        harness_put(harness, rows[i].table, rows[i].key, rows[i].fields);
    }
    if (!up) {
        harness_put(harness, PORT, LANES "admin_status=down");
    }
    harness_settle(harness);
}

static void
init(struct harness *harness, struct zero_profiles *zeros)
{
    init_port(harness, zeros, true);
}

static void
set_up(struct harness *harness, bool up)
{
    harness_apply(harness, PORT,
                  up ? LANES "admin_status=up" : LANES "admin_status=down");
}

/* Returns the names of what an object is bound to by an attribute: "a,b". */
static const char *
bound(const struct harness *harness, enum table table, int index,
      sai_attr_id_t id)
{
    static char text[256];
    const struct object *object =
        agent_object(harness->agent, table, "Ethernet0", index);
    const struct slot *slot = object ? object_slot(object, id) : NULL;
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; slot && slot->held && i < slot->n_targets; i++) {
        text_format(text + length, sizeof text - length, "%s%s", i ? "," : "",
                    slot_targets(slot)[i]->name.name);
        length = strlen(text);
    }
    return text;
}

static const char *
group(const struct harness *harness, int index)
{
    return bound(harness, TABLE_BUFFER_PG, index,
                 SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE);
}

static const char *
queue(const struct harness *harness, int index)
{
    return bound(harness, TABLE_BUFFER_QUEUE, index,
                 SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
}

static int64_t
pool_size(const struct harness *harness)
{
    const struct object *pool = agent_object(harness->agent, TABLE_BUFFER_POOL,
                                             "egress_lossy_pool", -1);

    return (int64_t)object_value(pool, SAI_BUFFER_POOL_ATTR_SIZE)->u64;
}

/* The example of the virtual switch. */
static void
test_zero_profiles_are_bound_while_a_port_is_shut(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;
    char *before;
    int64_t size;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", ZERO_PG), "");
    before = harness_dump(&harness);
    size = pool_size(&harness);
    set_up(&harness, false);
    assert_string_equal(group(&harness, 0), ZERO_PG);
    assert_string_equal(group(&harness, 3), "");
    assert_string_equal(group(&harness, 7), "");
    assert_string_equal(queue(&harness, 2), ZERO_LOSSY);
    assert_string_equal(queue(&harness, 3), ZERO_LOSS);
    assert_string_equal(queue(&harness, 5), ZERO_LOSS);
    assert_string_equal(bound(&harness, TABLE_PORT, -1,
                              SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST),
                        ZERO_LIST);
    assert_string_equal(bound(&harness, TABLE_PORT, -1,
                              SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST),
                        ZERO_LOSS "," ZERO_LOSSY);
    assert_string_equal(
        harness_state(&harness, "BUFFER_POOL", "ingress_zero_pool"), "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    /* What it had: two lossless groups, a lossy one, three lossy queues and one
     * in a list; and what a port that is up has: management, mirror. */
    assert_int_equal(pool_size(&harness) - size,
                     2 * 91136 + 18432 + 4 * 9216 + 18432 + 10240);
    set_up(&harness, true);
    assert_string_equal(
        harness_state(&harness, "BUFFER_POOL", "ingress_zero_pool"), "gone");
    harness_assert_dump(&harness, before);
    harness_fini(&harness);
}

/* PEER_BUGS D8: a port that is shut from the start has its zero profiles in the
 * first plan, with a status that says whose they are; nothing more comes when
 * the switch is up for a while. */
static void
test_d8_zero_profiles_are_no_late_surprise(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;
    uint64_t changes;
    size_t n_answers;

    (void)state;
    make_zeros(&zeros, false);
    init_port(&harness, &zeros, false);
    assert_string_equal(group(&harness, 1), ZERO_PG);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1-2", "applied");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|1-2")->origin, "auto");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", ZERO_PG)->origin, "auto");
    changes = harness_changes(&harness);
    n_answers = harness.n_answers;
    harness_pass(&harness, INT64_C(60) * 1000 * 1000 * 1000);
    assert_int_equal(harness_changes(&harness), changes);
    assert_int_equal(harness.n_answers, n_answers);
    harness_fini(&harness);
}

/* Without named indices each row gets the zero profile of its pool, and the
 * rest that of the side: the first, if none is named. */
static void
test_each_row_gets_the_zero_profile_of_its_pool(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, false);
    init(&harness, &zeros);
    set_up(&harness, false);
    assert_string_equal(group(&harness, 0), ZERO_LIST);
    assert_string_equal(group(&harness, 3), ZERO_LIST);
    assert_string_equal(group(&harness, 1), ZERO_PG);
    assert_string_equal(group(&harness, 7), ZERO_PG);
    assert_string_equal(queue(&harness, 7), ZERO_LOSS);
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|5-7")->origin, "auto");
    harness_fini(&harness);
}

/* Rows that change while the port is shut: runs between are split and joined,
 * and a row of the user replaces a derived one. */
static void
test_changes_while_a_port_is_shut(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, false);
    init(&harness, &zeros);
    set_up(&harness, false);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|6", "profile=out_lossy");
    assert_string_equal(queue(&harness, 6), ZERO_LOSSY);
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|5", "applied");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|7", "applied");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|5-7", "gone");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|6", NULL);
    assert_string_equal(queue(&harness, 6), ZERO_LOSS);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|5-7",
                  "profile=out_lossy");
    assert_string_equal(queue(&harness, 7), ZERO_LOSSY);
    assert_string_equal(
        harness_status(&harness, "BUFFER_QUEUE", "Ethernet0|5-7")->origin,
        "user");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|5-7", NULL);
    assert_string_equal(queue(&harness, 7), ZERO_LOSS);
    set_up(&harness, true);
    assert_string_equal(queue(&harness, 7), "");
    assert_string_equal(group(&harness, 3), P5);
    harness_fini(&harness);
}

/* A port that comes up has room for one of two groups: it gets it, because the
 * zero profile that the other one keeps reserves nothing. */
static void
test_zero_profiles_take_no_headroom_of_their_port(void **state)
{
    struct dynamic_state_chip chip = {.known = true};
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, false);
    /* 4096 + 18432 + 20480 + 91136, and one more. */
    harness_init_memory(&harness, 2, MEMORY_KB, 134145);
    assert_true(asic_table_find("VS-ASIC", &chip.asic));
    agent_set_chip(harness.agent, &chip);
    agent_set_zeros(harness.agent, &zeros);
    for (size_t i = 0; i < N_OF(rows); i++) {
        if (strcmp(rows[i].table, "BUFFER_PG") != 0) {
            harness_put(&harness, rows[i].table, rows[i].key, rows[i].fields);
        }
    }
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3", "profile=NULL");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|4", "profile=NULL");
    set_up(&harness, false);
    assert_string_equal(group(&harness, 3), ZERO_LIST);
    set_up(&harness, true);
    assert_string_equal(group(&harness, 3), P5);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|4", "waiting");
    harness_fini(&harness);
}

/* Without zero profiles, nothing is left bound. */
static void
test_bindings_go_where_there_are_no_zero_profiles(void **state)
{
    struct zero_profiles none = {0};
    struct harness harness;
    char *before;

    (void)state;
    init(&harness, &none);
    before = harness_dump(&harness);
    set_up(&harness, false);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(group(&harness, i), "");
        assert_string_equal(queue(&harness, i), "");
    }
    assert_string_equal(bound(&harness, TABLE_PORT, -1,
                              SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST),
                        "");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|3-4", "applied");
    set_up(&harness, true);
    harness_assert_dump(&harness, before);
    harness_fini(&harness);
}

/* The zero profile of a side may be known only when its pool is, also on a port
 * that has no rows. */
static void
test_pools_that_come_late(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, false);
    init_empty(&harness, &zeros);
    harness_put(&harness, rows[0].table, rows[0].key, rows[0].fields);
    harness_apply(&harness, PORT, LANES "admin_status=down");
    assert_string_equal(queue(&harness, 5), "");
    harness_put(&harness, "BUFFER_POOL", "egress_lossless_pool",
                "type=egress;mode=dynamic;size=1000000");
    harness_settle(&harness);
    assert_string_equal(queue(&harness, 5), ZERO_LOSS);
    assert_string_equal(group(&harness, 5), ZERO_PG);
    harness_fini(&harness);
}

/* A switch that cannot remove bindings keeps what it has, unless there is a
 * zero profile for each pool. */
static void
test_switch_that_cannot_remove(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;
    int64_t size;

    (void)state;
    make_zeros(&zeros, false);
    zeros.keeps_rows = true;
    init(&harness, &zeros);
    harness_put(&harness, "BUFFER_POOL", "other",
                "type=egress;mode=dynamic;size=1000000");
    harness_settle(&harness);
    size = pool_size(&harness);
    set_up(&harness, false);
    assert_string_equal(group(&harness, 0), "in_lossy");
    assert_string_equal(group(&harness, 3), P5);
    assert_string_equal(queue(&harness, 2), "out_lossy");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", ZERO_PG), "");
    assert_int_equal(pool_size(&harness) - size, 18432 + 10240);
    harness_apply(&harness, "BUFFER_POOL", "other", NULL);
    assert_string_equal(group(&harness, 3), ZERO_LIST);
    assert_string_equal(queue(&harness, 2), ZERO_LOSSY);
    harness_fini(&harness);
}

/* Who waits for all pools to be gone does not wait for those of the vendor. */
static void
test_zero_pools_go_with_the_pools(void **state)
{
    static const struct harness_row *row;
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    set_up(&harness, false);
    for (row = rows; row < rows + N_OF(rows); row++) {
        if (!strncmp(row->table, "BUFFER_", strlen("BUFFER_"))) {
            harness_put(&harness, row->table, row->key, NULL);
        }
    }
    harness_settle(&harness);
    assert_string_equal(
        harness_state(&harness, "BUFFER_POOL", "ingress_zero_pool"), "gone");
    assert_string_equal(
        harness_state(&harness, "BUFFER_POOL", "egress_lossy_pool"), "gone");
    assert_string_equal(queue(&harness, 2), "");
    harness_fini(&harness);
}

static void
test_models_change_while_a_port_is_shut(void **state)
{
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    set_up(&harness, false);
    harness_apply(&harness, "DEVICE_METADATA", "localhost",
                  "platform=x86_64-kvm_x86_64-r0");
    assert_string_equal(group(&harness, 0), "in_lossy");
    assert_string_equal(queue(&harness, 2), "out_lossy");
    assert_string_equal(queue(&harness, 7), "");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", ZERO_PG),
                        "gone");
    harness_apply(&harness, "DEVICE_METADATA", "localhost", rows[0].fields);
    assert_string_equal(group(&harness, 0), ZERO_PG);
    assert_string_equal(queue(&harness, 7), ZERO_LOSS);
    harness_fini(&harness);
}

/* What a port was when a call on its buffers was made. */
struct offline_watchdog {
    struct harness *harness;
    bool up;
    size_t n_calls; /* On groups and queues. */
};

static sai_status_t
watch_call(void *context, const struct store_call *call)
{
    struct offline_watchdog *watch = context;

    if (call->op == STORE_SET && call->type == SAI_OBJECT_TYPE_PORT &&
        call->attributes->id == SAI_PORT_ATTR_ADMIN_STATE) {
        watch->up = call->attributes->value.booldata;
    } else if (call->op == STORE_SET &&
               (call->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
                call->type == SAI_OBJECT_TYPE_QUEUE)) {
        watch->n_calls++;
        assert_false(watch->up);
    }
    return SAI_STATUS_SUCCESS;
}

/* Traffic never meets a port whose buffers are on their way: it is shut before,
 * and started up after; also when it has just been made. */
static void
test_buffers_change_only_while_a_port_is_shut(void **state)
{
    struct zero_profiles zeros = {0};
    struct offline_watchdog watch = {.up = true};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    store_set_hook(harness.store, watch_call, &watch);
    set_up(&harness, false);
    assert_true(watch.n_calls >= 8);
    watch.n_calls = 0;
    set_up(&harness, true);
    assert_true(watch.n_calls >= 8 && watch.up);
    watch = (struct offline_watchdog){.up = false};
    harness_put(&harness, "PORT", "Ethernet8",
                "lanes=21,22,23,24;speed=100000;admin_status=up");
    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=5m;Ethernet4=5m;Ethernet8=5m");
    harness_apply(&harness, "BUFFER_PG", "Ethernet8|3-4", "profile=NULL");
    assert_int_equal(watch.n_calls, 2);
    assert_true(watch.up);
    store_set_hook(harness.store, NULL, NULL);
    harness_fini(&harness);
}

/* A switch that refuses to shut a port, and what else it was asked. */
struct stubborn {
    sai_status_t status;
    size_t n_calls; /* On groups, queues and the lists of ports. */
};

static sai_status_t
refuse_to_shut(void *context, const struct store_call *call)
{
    struct stubborn *stubborn = context;
    const sai_attr_id_t id = call->op == STORE_SET ? call->attributes->id : 0;

    if (call->op == STORE_SET && call->type == SAI_OBJECT_TYPE_PORT &&
        id == SAI_PORT_ATTR_ADMIN_STATE && !call->attributes->value.booldata) {
        return stubborn->status;
    }
    stubborn->n_calls +=
        call->op == STORE_SET &&
        (call->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
         call->type == SAI_OBJECT_TYPE_QUEUE ||
         call->type == SAI_OBJECT_TYPE_PORT);
    return SAI_STATUS_SUCCESS;
}

/* Traffic passes a port until the switch has shut it, and needs its buffers. */
static void
test_port_that_is_not_shut_keeps_its_buffers(void **state)
{
    struct stubborn stubborn = {SAI_STATUS_INVALID_PARAMETER, 0};
    struct zero_profiles zeros = {0};
    struct harness harness;
    int64_t before;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    before = pool_size(&harness);
    store_set_hook(harness.store, refuse_to_shut, &stubborn);
    set_up(&harness, false);
    assert_string_equal(harness_state(&harness, PORT), "failed");
    assert_int_equal(stubborn.n_calls, 0);
    assert_string_equal(group(&harness, 3), P5);
    assert_true(pool_size(&harness) == before);
    stubborn.status = SAI_STATUS_SUCCESS;
    set_up(&harness, true);
    set_up(&harness, false);
    assert_string_equal(group(&harness, 0), ZERO_PG);
    assert_string_equal(group(&harness, 3), "");
    assert_true(pool_size(&harness) > before);
    store_set_hook(harness.store, NULL, NULL);
    harness_fini(&harness);
}

/* A refusal that passes is tried again, and the buffers follow then. */
static void
test_buffers_go_when_the_port_is_shut_at_last(void **state)
{
    struct stubborn stubborn = {SAI_STATUS_INSUFFICIENT_RESOURCES, 0};
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, true);
    init(&harness, &zeros);
    store_set_hook(harness.store, refuse_to_shut, &stubborn);
    set_up(&harness, false);
    assert_string_equal(group(&harness, 3), P5);
    stubborn.status = SAI_STATUS_SUCCESS;
    harness_pass(&harness, INT64_C(2) * 1000 * 1000 * 1000);
    assert_string_equal(harness_state(&harness, PORT), "applied");
    assert_string_equal(group(&harness, 0), ZERO_PG);
    assert_string_equal(group(&harness, 3), "");
    store_set_hook(harness.store, NULL, NULL);
    harness_fini(&harness);
}

/* A mistyped name is reported although nothing needs it yet. */
static void
test_rows_of_a_shut_port_are_judged(void **state)
{
    static const struct {
        struct harness_row row;
        const char *code;
    } cases[] = {
        {{"BUFFER_PG", "Ethernet0|0", "profile=in_lossi"}, "missing-ref"},
        {{"BUFFER_PG", "Ethernet0|0", "profile=out_lossy"}, "wrong-direction"},
        {{"BUFFER_QUEUE", "Ethernet0|3-4", "profile=none"}, "missing-ref"},
        {{"BUFFER_QUEUE", "Ethernet0|3-4", "profile=in_lossy"},
         "wrong-direction"},
        {{"BUFFER_PORT_EGRESS_PROFILE_LIST", "Ethernet0,Ethernet4",
          "profile_list=out_lossless,none"},
         "missing-ref"},
        {{"BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0",
          "profile_list=out_lossy"},
         "wrong-direction"},
    };
    struct zero_profiles zeros = {0};
    struct harness harness;

    (void)state;
    make_zeros(&zeros, true);
    init_port(&harness, &zeros, false);
    for (size_t i = 0; i < N_OF(cases); i++) {
        const struct harness_row *row = &cases[i].row;

        harness_apply(&harness, row->table, row->key, row->fields);
        harness_assert_state(&harness, row->table, row->key, "waiting");
        assert_string_equal(
            harness_status(&harness, row->table, row->key)->err.code,
            cases[i].code);
        for (size_t j = 0; j < N_OF(rows); j++) {
            if (!strcmp(rows[j].table, row->table) &&
                !strcmp(rows[j].key, row->key)) {
                harness_put(&harness, row->table, row->key, rows[j].fields);
            }
        }
        harness_settle(&harness);
        harness_assert_state(&harness, row->table, row->key, "applied");
    }
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", "profile=late");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "waiting");
    assert_string_equal(group(&harness, 0), ZERO_PG);
    harness_put(&harness, "BUFFER_PROFILE", "late",
                "pool=ingress_lossless_pool;size=0;dynamic_th=1");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_profiles_are_bound_while_a_port_is_shut),
        cmocka_unit_test(test_d8_zero_profiles_are_no_late_surprise),
        cmocka_unit_test(test_each_row_gets_the_zero_profile_of_its_pool),
        cmocka_unit_test(test_changes_while_a_port_is_shut),
        cmocka_unit_test(test_zero_profiles_take_no_headroom_of_their_port),
        cmocka_unit_test(test_bindings_go_where_there_are_no_zero_profiles),
        cmocka_unit_test(test_pools_that_come_late),
        cmocka_unit_test(test_switch_that_cannot_remove),
        cmocka_unit_test(test_zero_pools_go_with_the_pools),
        cmocka_unit_test(test_models_change_while_a_port_is_shut),
        cmocka_unit_test(test_buffers_change_only_while_a_port_is_shut),
        cmocka_unit_test(test_rows_of_a_shut_port_are_judged),
        cmocka_unit_test(test_port_that_is_not_shut_keeps_its_buffers),
        cmocka_unit_test(test_buffers_go_when_the_port_is_shut_at_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
