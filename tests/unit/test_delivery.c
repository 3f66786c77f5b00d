/* SPDX-License-Identifier: Apache-2.0 */

/* When a switch is usable, and when rows that ASIC_DB does not confirm are
 * published again. */

#include <config.h>

#include "orchd/orchagent/delivery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/schema.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/reconcile/agent.h"
#include "tests/support/delivery_harness.h"
#include "tests/support/memory_redis.h"

#define MS_NS   (INT64_C(1000) * 1000)
#define S_NS    (INT64_C(1000) * MS_NS)
#define N(list) (sizeof(list) / sizeof *(list))

#define POOL "ASIC_STATE:SAI_OBJECT_TYPE_BUFFER_POOL:oid:0x18000000000010"

struct fixture {
    struct schema *schema;
    struct delivery_harness orchd;
};

static int
setup(void **state)
{
    static struct fixture fixture;
    struct err err;

    if (schema_create(SCHEMA_DIR, &fixture.schema, &err)) {
        fail_msg("schema: %s", err.reason);
    }
    delivery_harness_init(&fixture.orchd, fixture.schema, S_NS);
    delivery_harness_start(&fixture.orchd);
    *state = &fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    delivery_harness_fini(&fixture->orchd);
    schema_destroy(fixture->schema);
    return 0;
}

/* --- What CONFIG_DB and the switch say ---------------------------------- */

/* Ends the reading of CONFIG_DB, and lets rows have their effect. */
static void
begin(struct fixture *fixture)
{
    delivery_note_reading(fixture->orchd.delivery);
    delivery_harness_turns(&fixture->orchd);
    delivery_harness_drain(&fixture->orchd);
    delivery_harness_pass(&fixture->orchd, INTENT_QUIET_NS);
}

/* Writes a row of BUFFER_POOL. */
static void
want_pool(struct fixture *fixture, const char *xoff)
{
    const struct field fields[] = {{"type", "ingress"},
                                   {"mode", "dynamic"},
                                   {"size", "1000000"},
                                   {"xoff", xoff}};

    intent_put(agent_intent(fixture->orchd.agent), TABLE_BUFFER_POOL, "in",
               fields, xoff ? N(fields) : N(fields) - 1, fixture->orchd.now);
}

static void
put(struct fixture *fixture, enum database database, const char *key,
    const char *field, const char *value)
{
    memory_redis_put(fixture->orchd.redis, database, key, field, value);
}

static void
add_switch(struct fixture *fixture)
{
    put(fixture, ASIC_DB,
        "ASIC_STATE:SAI_OBJECT_TYPE_SWITCH:oid:0x21000000000000", "NULL",
        "NULL");
}

/* Has the switch the port 'name', with the id 'oid'. */
static void
add_port(struct fixture *fixture, const char *name, const char *key)
{
    const size_t type = sizeof "ASIC_STATE:SAI_OBJECT_TYPE_PORT:" - 1;

    put(fixture, ASIC_DB, key, "NULL", "NULL");
    put(fixture, COUNTERS_DB, "COUNTERS_PORT_NAME_MAP", name, key + type);
}

#define PORT(oid) "ASIC_STATE:SAI_OBJECT_TYPE_PORT:oid:" oid

/* Does syncd show the pool. */
static void
add_pool(struct fixture *fixture)
{
    put(fixture, ASIC_DB, POOL, "SAI_BUFFER_POOL_ATTR_TYPE",
        "SAI_BUFFER_POOL_TYPE_INGRESS");
    put(fixture, ASIC_DB, POOL, "SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE",
        "SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC");
    put(fixture, ASIC_DB, POOL, "SAI_BUFFER_POOL_ATTR_SIZE", "1000000");
    put(fixture, COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP", "in",
        "oid:0x18000000000010");
    delivery_harness_drain(&fixture->orchd);
}

/* --- What is published -------------------------------------------------- */

/* Returns whether the pool was published since the last call: orchagent takes
 * it at once. */
static bool
take(struct fixture *fixture)
{
    struct redis *redis = fixture->orchd.redis;
    size_t n;
    bool is;

    delivery_harness_drain(&fixture->orchd);
    is = memory_redis_fields(redis, APPL_DB, "BUFFER_POOL_TABLE_KEY_SET", &n) !=
         NULL;
    memory_redis_remove(redis, APPL_DB, "BUFFER_POOL_TABLE_KEY_SET");
    memory_redis_remove(redis, APPL_DB, "BUFFER_POOL_TABLE_DEL_SET");
    memory_redis_remove(redis, APPL_DB, "_BUFFER_POOL_TABLE:in");
    return is;
}

/* Asserts that the pool is published again after 'ns', and not before. */
static void
assert_next(struct fixture *fixture, int64_t ns)
{
    delivery_harness_pass(&fixture->orchd, ns - 1);
    assert_false(take(fixture));
    delivery_harness_pass(&fixture->orchd, 1);
    assert_true(take(fixture));
}

/* --- The tests ---------------------------------------------------------- */

/* The intervals double up to a limit. */
static void
test_intervals_double(void **state)
{
    static const int seconds[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    struct fixture *fixture = *state;

    add_switch(fixture);
    want_pool(fixture, NULL);
    begin(fixture);
    assert_true(fixture->orchd.usable);
    assert_true(take(fixture));
    for (size_t i = 0; i < N(seconds); i++) {
        assert_next(fixture, seconds[i] * S_NS);
    }
}

/* News from the switch begin with the shortest interval again. */
static void
test_news_bring_it_forward(void **state)
{
    struct fixture *fixture = *state;

    add_switch(fixture);
    want_pool(fixture, NULL);
    begin(fixture);
    assert_true(take(fixture));
    for (int seconds = 1; seconds < 16; seconds *= 2) {
        assert_next(fixture, seconds * S_NS);
    }
    put(fixture, ASIC_DB,
        "ASIC_STATE:SAI_OBJECT_TYPE_SCHEDULER:oid:0x16000000000020", "NULL",
        "NULL");
    delivery_harness_drain(&fixture->orchd);
    assert_next(fixture, S_NS);
    assert_next(fixture, 2 * S_NS);
    /* It is not put off by news that come more often. */
    for (int i = 0; i < 3; i++) {
        delivery_harness_pass(&fixture->orchd, 300 * MS_NS);
        assert_false(take(fixture));
        put(fixture, ASIC_DB,
            "ASIC_STATE:SAI_OBJECT_TYPE_SCHEDULER:oid:0x16000000000020",
            "SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT",
            i == 0   ? "1"
            : i == 1 ? "2"
                     : "3");
        delivery_harness_drain(&fixture->orchd);
    }
    assert_next(fixture, 400 * MS_NS);
}

/* What was confirmed is published again soon after it was lost; what is
 * confirmed is not. */
static void
test_what_was_lost(void **state)
{
    struct fixture *fixture = *state;

    add_switch(fixture);
    want_pool(fixture, NULL);
    begin(fixture);
    assert_true(take(fixture));
    add_pool(fixture);
    delivery_harness_pass(&fixture->orchd, 100 * S_NS);
    assert_false(take(fixture));
    memory_redis_remove(fixture->orchd.redis, ASIC_DB, POOL);
    delivery_harness_drain(&fixture->orchd);
    assert_next(fixture, DELIVERY_REPEAT_LOST_NS);
}

/* A removal is published again as well. */
static void
test_a_removal_is_repeated(void **state)
{
    struct fixture *fixture = *state;

    add_switch(fixture);
    want_pool(fixture, NULL);
    begin(fixture);
    add_pool(fixture);
    assert_true(take(fixture));
    intent_remove(agent_intent(fixture->orchd.agent), TABLE_BUFFER_POOL, "in",
                  fixture->orchd.now);
    delivery_harness_pass(&fixture->orchd, INTENT_QUIET_NS);
    assert_true(take(fixture));
    assert_next(fixture, S_NS);
    assert_next(fixture, 2 * S_NS);
    memory_redis_remove(fixture->orchd.redis, ASIC_DB, POOL);
    delivery_harness_drain(&fixture->orchd);
    delivery_harness_pass(&fixture->orchd, 100 * S_NS);
    assert_false(take(fixture));
}

/* orchagent leaves an attribute alone whose field is gone: that is set to 0,
 * each time. */
static void
test_a_field_that_is_gone(void **state)
{
    struct fixture *fixture = *state;
    struct redis *redis = fixture->orchd.redis;

    add_switch(fixture);
    want_pool(fixture, "1000");
    begin(fixture);
    assert_true(take(fixture));
    want_pool(fixture, NULL);
    delivery_harness_pass(&fixture->orchd, INTENT_QUIET_NS);
    assert_true(take(fixture));
    for (int i = 0; i < 2; i++) {
        delivery_harness_pass(&fixture->orchd, 60 * S_NS);
        delivery_harness_drain(&fixture->orchd);
        assert_string_equal(
            memory_redis_get(redis, APPL_DB, "_BUFFER_POOL_TABLE:in", "xoff"),
            "0");
        assert_true(take(fixture));
    }
}

/* All ports with their limits: nothing is waited for. */
static void
test_a_complete_switch_is_usable_at_once(void **state)
{
    struct fixture *fixture = *state;

    add_switch(fixture);
    add_port(fixture, "Ethernet0", PORT("0x1000000000002"));
    put(fixture, STATE_DB, "BUFFER_MAX_PARAM_TABLE|Ethernet0",
        "max_priority_groups", "8");
    evidence_set_lanes(delivery_evidence(fixture->orchd.delivery), "Ethernet0",
                       "1,2");
    begin(fixture);
    assert_true(fixture->orchd.usable);
    assert_false(delivery_asic_coming(fixture->orchd.delivery));
}

/* The patience with limits begins when there is the first port; without any
 * port of the rows the switch is of no use. */
static void
test_patience_begins_with_the_first_port(void **state)
{
    struct fixture *fixture = *state;
    struct delivery_harness *orchd = &fixture->orchd;

    add_switch(fixture);
    evidence_set_lanes(delivery_evidence(orchd->delivery), "Ethernet0", "1,2");
    evidence_set_lanes(delivery_evidence(orchd->delivery), "Ethernet4", "3,4");
    begin(fixture);
    assert_false(fixture->orchd.usable);
    assert_true(delivery_asic_coming(orchd->delivery));
    delivery_harness_pass(orchd, DELIVERY_PATIENCE_NS - INTENT_QUIET_NS - 1);
    assert_true(delivery_asic_coming(orchd->delivery));
    delivery_harness_pass(orchd, 1);
    assert_false(delivery_asic_coming(orchd->delivery));
    assert_false(fixture->orchd.usable);
    add_port(fixture, "Ethernet0", PORT("0x1000000000002"));
    delivery_harness_drain(orchd);
    assert_true(delivery_asic_coming(orchd->delivery));
    delivery_harness_pass(orchd, DELIVERY_PATIENCE_NS - 1);
    assert_false(fixture->orchd.usable);
    delivery_harness_pass(orchd, 1);
    assert_true(fixture->orchd.usable);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_intervals_double),
        TEST(test_news_bring_it_forward),
        TEST(test_what_was_lost),
        TEST(test_a_removal_is_repeated),
        TEST(test_a_field_that_is_gone),
        TEST(test_a_complete_switch_is_usable_at_once),
        TEST(test_patience_begins_with_the_first_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
