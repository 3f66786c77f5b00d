/* SPDX-License-Identifier: Apache-2.0 */

/* Which counters syncd is asked to poll, and when that is taken back. */

#include <config.h>

#include "orchd/orchagent/syncd_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/intent/field.h"

#define N(list) (sizeof(list) / sizeof *(list))

#define PG_ID    UINT64_C(0x1a000000000005)
#define QUEUE_ID UINT64_C(0x15000000000006)
#define PG_STAT  "SAI_INGRESS_PRIORITY_GROUP_STAT_"
#define PG_TYPE  SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP

struct fixture {
    struct syncd_plan *plan;
    struct text sent; /* One line for each request. */
};

static int
setup(void **state)
{
    static struct fixture fixture;

    memset(&fixture, 0, sizeof fixture);
    fixture.plan = syncd_plan_create();
    *state = &fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    syncd_plan_destroy(fixture->plan);
    text_fini(&fixture->sent);
    return 0;
}

/* Implements syncd_plan_send_fn. */
static void
send_request(void *fixture_, const char *table, const char *key,
             const struct field *fields, size_t n)
{
    struct fixture *fixture = fixture_;

    text_addf(&fixture->sent, "%s:%s", table, key);
    for (size_t i = 0; i < n; i++) {
        text_addf(&fixture->sent, " %s=%s", fields[i].name, fields[i].value);
    }
    text_add_char(&fixture->sent, '\n');
}

/* Makes a turn, and returns what it has sent. */
static const char *
turn(struct fixture *fixture, uint32_t interval_ms)
{
    text_clear(&fixture->sent);
    (void)syncd_plan_turn(fixture->plan, interval_ms, send_request, fixture);
    return text_string(&fixture->sent);
}

/* Sets the one field of a row; NULL: there is no row. */
static void
put(struct fixture *fixture, const char *key, const char *name,
    const char *value)
{
    const struct field field = {name, value};

    syncd_plan_put(fixture->plan, key, &field, value ? 1 : 0);
}

static bool
sends(const struct fixture *fixture, const char *request)
{
    return strstr(text_string(&fixture->sent), request) != NULL;
}

#define GROUP                                                                  \
    " POLL_INTERVAL=1000 STATS_MODE=STATS_MODE_READ "                          \
    "FLEX_COUNTER_STATUS=enable\n"

static void
test_requests(void **state)
{
    struct fixture *fixture = *state;

    assert_string_equal(turn(fixture, 1000), "");
    syncd_plan_add_object(fixture->plan, PG_TYPE, PG_ID);
    (void)turn(fixture, 1000);
    assert_string_equal(
        text_string(&fixture->sent),
        "FLEX_COUNTER_GROUP_TABLE:ORCHD_PG_OCCUPANCY" GROUP
        "FLEX_COUNTER_TABLE:ORCHD_PG_OCCUPANCY:oid:0x1a000000000005 "
        "PG_COUNTER_ID_LIST=" PG_STAT "CURR_OCCUPANCY_BYTES\n"
        "FLEX_COUNTER_GROUP_TABLE:ORCHD_PG_SHARED" GROUP
        "FLEX_COUNTER_TABLE:ORCHD_PG_SHARED:oid:0x1a000000000005 "
        "PG_COUNTER_ID_LIST=" PG_STAT "SHARED_CURR_OCCUPANCY_BYTES\n"
        "FLEX_COUNTER_GROUP_TABLE:ORCHD_PG_HEADROOM" GROUP
        "FLEX_COUNTER_TABLE:ORCHD_PG_HEADROOM:oid:0x1a000000000005 "
        "PG_COUNTER_ID_LIST=" PG_STAT "XOFF_ROOM_CURR_OCCUPANCY_BYTES\n"
        "FLEX_COUNTER_GROUP_TABLE:ORCHD_PG_DROPS" GROUP
        "FLEX_COUNTER_TABLE:ORCHD_PG_DROPS:oid:0x1a000000000005 "
        "PG_COUNTER_ID_LIST=" PG_STAT "DROPPED_PACKETS\n");
    assert_string_equal(turn(fixture, 1000), ""); /* Once. */
    (void)turn(fixture, 2000);
    assert_true(sends(fixture, "ORCHD_PG_DROPS POLL_INTERVAL=2000"));
    assert_false(sends(fixture, "oid:"));
}

/* Counters of an enabled group of others are left out, object by object. */
static void
test_what_others_poll(void **state)
{
    struct fixture *fixture = *state;
    static const char row[] =
        "FLEX_COUNTER_TABLE:PG_DROP_STAT_COUNTER:oid:0x1a000000000005";
    static const char group[] = "FLEX_COUNTER_GROUP_TABLE:PG_DROP_STAT_COUNTER";
    static const char drops[] = "TABLE:ORCHD_PG_DROPS:oid:0x1a000000000005";

    put(fixture, row, "PG_COUNTER_ID_LIST",
        PG_STAT "PACKETS," PG_STAT "DROPPED_PACKETS");
    syncd_plan_add_object(fixture->plan, PG_TYPE, PG_ID);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, drops)); /* It is not enabled. */
    put(fixture, group, "FLEX_COUNTER_STATUS", "enable");
    assert_string_equal(
        turn(fixture, 1000),
        "FLEX_COUNTER_TABLE:ORCHD_PG_DROPS:oid:0x1a000000000005\n"
        "FLEX_COUNTER_GROUP_TABLE:ORCHD_PG_DROPS\n");
    assert_true(
        syncd_plan_polls(fixture->plan, PG_TYPE,
                         SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS));
    syncd_plan_add_object(fixture->plan, PG_TYPE, PG_ID + 1);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, "ORCHD_PG_DROPS:oid:0x1a000000000006 PG_"));
    assert_false(sends(fixture, drops));
    /* Several objects in a key. */
    put(fixture,
        "FLEX_COUNTER_TABLE:PG_DROP_STAT_COUNTER:oid:0x1a000000000006,"
        "oid:0x1a000000000007",
        "PG_COUNTER_ID_LIST", PG_STAT "DROPPED_PACKETS");
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, "ORCHD_PG_DROPS:oid:0x1a000000000006\n"));
    put(fixture, row, "", NULL);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, drops));
}

/* What is no longer wanted is removed, of orchd's groups only. */
static void
test_removals(void **state)
{
    struct fixture *fixture = *state;
    static const char foreign[] =
        "FLEX_COUNTER_TABLE:QUEUE_STAT_COUNTER:oid:0x15000000000006";

    put(fixture, foreign, "QUEUE_COUNTER_ID_LIST", "SAI_QUEUE_STAT_BYTES");
    put(fixture, "FLEX_COUNTER_GROUP_TABLE:QUEUE_STAT_COUNTER",
        "FLEX_COUNTER_STATUS", "enable");
    put(fixture, "FLEX_COUNTER_TABLE:ORCHD_OLD:oid:0x15000000000006",
        "QUEUE_COUNTER_ID_LIST", "SAI_QUEUE_STAT_BYTES");
    put(fixture, "FLEX_COUNTER_GROUP_TABLE:ORCHD_OLD", "POLL_INTERVAL", "7");
    assert_string_equal(turn(fixture, 1000),
                        "FLEX_COUNTER_TABLE:ORCHD_OLD:oid:0x15000000000006\n"
                        "FLEX_COUNTER_GROUP_TABLE:ORCHD_OLD\n");
    syncd_plan_add_object(fixture->plan, SAI_OBJECT_TYPE_QUEUE, QUEUE_ID);
    syncd_plan_add_object(fixture->plan, SAI_OBJECT_TYPE_QUEUE, QUEUE_ID + 1);
    (void)turn(fixture, 1000);
    syncd_plan_begin_objects(fixture->plan);
    syncd_plan_add_object(fixture->plan, SAI_OBJECT_TYPE_QUEUE, QUEUE_ID + 1);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, "ORCHD_QUEUE_TRAFFIC:oid:0x15000000000006\n"));
    assert_false(sends(fixture, "oid:0x15000000000007"));
    assert_false(sends(fixture, "GROUP"));
    (void)turn(fixture, 0);
    assert_true(sends(fixture, "ORCHD_QUEUE_MARKS:oid:0x15000000000007\n"));
    assert_true(sends(fixture, "GROUP_TABLE:ORCHD_QUEUE_MARKS\n"));
    assert_false(sends(fixture, "QUEUE_STAT_COUNTER"));
    assert_string_equal(turn(fixture, 0), "");
}

/* Rows that are lost, or may be, are sent again. */
static void
test_repetition(void **state)
{
    struct fixture *fixture = *state;
    static const char row[] =
        "FLEX_COUNTER_TABLE:ORCHD_QUEUE_TRAFFIC:oid:0x15000000000006";

    syncd_plan_add_object(fixture->plan, SAI_OBJECT_TYPE_QUEUE, QUEUE_ID);
    syncd_plan_add_object(fixture->plan, SAI_OBJECT_TYPE_BUFFER_POOL, 0x18);
    (void)turn(fixture, 1000);
    put(fixture, row, "", NULL);
    assert_string_equal(
        turn(fixture, 1000),
        "FLEX_COUNTER_TABLE:ORCHD_QUEUE_TRAFFIC:oid:0x15000000000006 "
        "QUEUE_COUNTER_ID_LIST=SAI_QUEUE_STAT_PACKETS,"
        "SAI_QUEUE_STAT_DROPPED_PACKETS\n");
    put(fixture, row, "QUEUE_COUNTER_ID_LIST", "SAI_QUEUE_STAT_PACKETS");
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, row));
    syncd_plan_repeat(fixture->plan, SAI_OBJECT_TYPE_BUFFER_POOL);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, "GROUP_TABLE:ORCHD_POOL_OCCUPANCY POLL"));
    assert_true(sends(fixture, "TABLE:ORCHD_POOL_OCCUPANCY:oid:0x18 BUFFER"));
    assert_false(sends(fixture, "QUEUE_"));
    syncd_plan_repeat(fixture->plan, SAI_OBJECT_TYPE_NULL);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, row));
    assert_true(sends(fixture, "ORCHD_POOL_OCCUPANCY"));
    syncd_plan_clear(fixture->plan);
    (void)turn(fixture, 1000);
    assert_true(sends(fixture, row));
}

/* A counter is polled if it is of each object of its type. */
static void
test_polled(void **state)
{
    struct fixture *fixture = *state;
    struct syncd_plan *plan = fixture->plan;
    const sai_object_type_t pool = SAI_OBJECT_TYPE_BUFFER_POOL;
    static const char mark[] = "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES";

    (void)turn(fixture, 1000);
    assert_false(syncd_plan_polls(plan, pool,
                                  SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES));
    syncd_plan_add_object(plan, pool, UINT64_C(0x18000000000001));
    syncd_plan_add_object(plan, pool, UINT64_C(0x18000000000002));
    (void)turn(fixture, 1000);
    assert_false(sends(fixture, "WATERMARK"));
    assert_true(syncd_plan_polls(plan, pool,
                                 SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES));
    assert_false(
        syncd_plan_polls(plan, pool, SAI_BUFFER_POOL_STAT_WATERMARK_BYTES));
    put(fixture, "FLEX_COUNTER_GROUP_TABLE:W", "FLEX_COUNTER_STATUS", "enable");
    put(fixture, "FLEX_COUNTER_TABLE:W:oid:0x18000000000001",
        "BUFFER_POOL_COUNTER_ID_LIST", mark);
    (void)turn(fixture, 1000);
    assert_false(
        syncd_plan_polls(plan, pool, SAI_BUFFER_POOL_STAT_WATERMARK_BYTES));
    put(fixture, "FLEX_COUNTER_TABLE:W:oid:0x18000000000002",
        "BUFFER_POOL_COUNTER_ID_LIST", mark);
    (void)turn(fixture, 0);
    assert_true(
        syncd_plan_polls(plan, pool, SAI_BUFFER_POOL_STAT_WATERMARK_BYTES));
    assert_false(syncd_plan_polls(plan, pool,
                                  SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES));
}

/* Keys and fields that make no sense have no effect. */
static void
test_nonsense(void **state)
{
    struct fixture *fixture = *state;
    static const char *const keys[] = {
        "",
        "X:oid:0x1",
        "FLEX_COUNTER_TABLE:",
        "FLEX_COUNTER_TABLE:oid:0x1",
        "FLEX_COUNTER_TABLE:ORCHD_X:oid:",
        "FLEX_COUNTER_TABLE:ORCHD_X",
        "FLEX_COUNTER_TABLE:ORCHD_X:oid:0xg,,oid:0x1111111111111111111111111",
        ":oid:0x1"};

    for (size_t i = 0; i < N(keys); i++) {
        put(fixture, keys[i], "PG_COUNTER_ID_LIST", ",,SAI_X,");
    }
    assert_string_equal(turn(fixture, 1000), "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_others_poll, setup, teardown),
        cmocka_unit_test_setup_teardown(test_removals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_repetition, setup, teardown),
        cmocka_unit_test_setup_teardown(test_polled, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nonsense, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
