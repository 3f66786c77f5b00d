/* SPDX-License-Identifier: Apache-2.0 */

/* Derived rows in the flow: what the ASIC holds because of them, the status
 * that they get, and that the user's rows take precedence; and the files of
 * lookup tables. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/platform.h"
#include "orchd/files/lookup_file.h"
#include "tests/support/agent_harness.h"
#include "tests/support/tempfile.h"

#define PROFILE_5M  "pg_lossless_100000_5m_profile"
#define PROFILE_40M "pg_lossless_100000_40m_profile"

static void
init(struct harness *harness)
{
    struct pg_profile_lookup lookup = {0};

    harness_init(harness, 2);
    assert_int_equal(
        pg_profile_lookup_parse(&lookup,
                                "100000 5m 1248 2288 165568 0 2288\n"
                                "100000 40m 1248 2288 177632 -1 2288\n",
                                "t", NULL),
        ST_OK);
    agent_set_lookup(harness->agent, &lookup);
    harness_put(harness, "BUFFER_POOL", "ingress_lossless_pool",
                "type=ingress;mode=dynamic;size=10000000;xoff=1000000");
    harness_put(harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_put(harness, "PORT", "Ethernet4",
                "lanes=5,6,7,8;speed=100000;admin_status=up");
    harness_put(harness, "CABLE_LENGTH", "AZURE", "Ethernet0=5m;Ethernet4=5m");
    harness_put(harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    harness_apply(harness, "PORT_QOS_MAP", "Ethernet4", "pfc_enable=3,4");
}

/* Returns the profile that a priority group has on the ASIC, "" if none. */
static const char *
profile_of(const struct harness *harness, const char *port, int index)
{
    const struct object *pg =
        agent_object(harness->agent, TABLE_BUFFER_PG, port, index);
    const struct object *profile =
        pg ? object_target(pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
           : NULL;

    return profile ? profile->name.name : "";
}

static void
test_derived_rows_reach_the_asic(void **state)
{
    const struct object *profile;
    struct harness harness;

    (void)state;
    init(&harness);
    for (int i = 0; i < 8; i++) {
        const char *expected = i == 3 || i == 4 ? PROFILE_5M : "";

        assert_string_equal(profile_of(&harness, "Ethernet0", i), expected);
        assert_string_equal(profile_of(&harness, "Ethernet4", i), expected);
    }
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->origin, "auto");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet0")->origin,
                        "user");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", PROFILE_5M)->origin, "auto");
    profile = agent_object(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M, -1);
    assert_int_equal(
        object_value(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH)->u64, 165568);
    assert_string_equal(
        row_field(agent_row(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M),
                  "xon"),
        "2288");
    assert_null(agent_row(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_40M));
    harness_fini(&harness);
}

static void
test_changed_cable_exchanges_the_profile(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=40m;Ethernet4=5m");
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_40M);
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), PROFILE_5M);
    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=40m;Ethernet4=40m");
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), PROFILE_40M);
    assert_null(
        agent_object(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M, -1));
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", PROFILE_5M),
                        "gone");
    harness_fini(&harness);
}

static void
test_unknown_pair_is_reported_and_unbound(void **state)
{
    const struct row_status *status;
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=300m;Ethernet4=5m");
    harness_settle(&harness);
    status = harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    assert_string_equal(status->err.code, "no-lookup");
    assert_string_equal(status->err.value, "100000|300m");
    assert_string_equal(status->err.allowed, "40m");
    assert_string_equal(status->origin, "auto");
    /* As if it had never been known. */
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), PROFILE_5M);
    harness_put(&harness, "CABLE_LENGTH", "AZURE",
                "Ethernet0=40m;Ethernet4=5m");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_40M);
    harness_fini(&harness);
}

static void
test_withdrawn_rows_leave_the_asic_clean(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_5M);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), "");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "gone");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3"),
                        "applied");
    harness_apply(&harness, "CABLE_LENGTH", "AZURE", NULL);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), "");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", PROFILE_5M),
                        "gone");
    harness_fini(&harness);
}

/* The same key, a list of ports, and a wider range: a row of the user goes
 * before whatever is derived. */
static void
test_rows_of_the_user_go_first(void **state)
{
    static const char *const keys[] = {"Ethernet0|3-4", "Ethernet0,Ethernet4|3",
                                       "Ethernet0|0-7"};

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct harness harness;

        init(&harness);
        harness_put(&harness, "BUFFER_PROFILE", "mine",
                    "pool=ingress_lossless_pool;size=0;dynamic_th=0");
        harness_apply(&harness, "BUFFER_PG", keys[i], "profile=mine");
        assert_string_equal(profile_of(&harness, "Ethernet0", 3), "mine");
        assert_string_equal(harness_state(&harness, "BUFFER_PG", keys[i]),
                            "applied");
        assert_string_equal(
            harness_status(&harness, "BUFFER_PG", keys[i])->origin, "user");
        harness_apply(&harness, "BUFFER_PG", keys[i], NULL);
        assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_5M);
        assert_string_equal(profile_of(&harness, "Ethernet0", 4), PROFILE_5M);
        assert_string_equal(
            harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"), "applied");
        assert_string_equal(
            harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->origin,
            "auto");
        harness_fini(&harness);
    }
}

static void
test_shut_port_by_the_rules_of_the_platform(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=down");
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_5M);
    agent_set_platform(harness.agent, platform_find("mellanox"));
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    agent_set_platform(harness.agent, NULL);
    harness_settle(&harness);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), PROFILE_5M);
    harness_fini(&harness);
}

/* Reads 'text' as a file; returns the reason if it is refused, "" if not. */
static enum st
read_table(const char *text, struct pg_profile_lookup *lookup, struct err *err)
{
    char path[TEMPFILE_SIZE];
    enum st st;

    tempfile_make(path, text);
    st = lookup_file_read(path, lookup, err);
    tempfile_remove(path);
    return st;
}

static void
test_both_forms_of_a_table_are_read(void **state)
{
    static const char *const forms[] = {
        "# speed cable size xon xoff threshold\n100000 5m 1248 2288 165568 0\n"
        "100000 40m 1 2 3 -1 4\n",
        " {\"100000|5m\": {\"size\": \"1248\", \"xon\": 2288, \"xoff\": "
        "\"165568\", \"threshold\": 0}, \"100000|40m\": {\"size\": \"1\", "
        "\"xon\": \"2\", \"xoff\": \"3\", \"threshold\": \"-1\", "
        "\"xon_offset\": \"4\"}}",
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct pg_profile_lookup lookup = {0};
        struct err err = {0};
        const struct pg_profile_lookup_entry *entry;

        assert_int_equal(read_table(forms[i], &lookup, &err), ST_OK);
        assert_int_equal(lookup.n, 2);
        entry = pg_profile_lookup_find(&lookup, 100000, 5);
        assert_int_equal(entry->xon, 2288);
        assert_false(entry->has_xon_offset);
        entry = pg_profile_lookup_find(&lookup, 100000, 40);
        assert_int_equal(entry->threshold, -1);
        assert_int_equal(entry->xon_offset, 4);
        pg_profile_lookup_fini(&lookup);
    }
}

static void
test_wrong_tables_are_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "no entry"},
        {"# nothing\n", "no entry"},
        {"{}", "no entry"},
        {"{\"100000|5m\": ", ":1:"},
        {"{\"100000\": {}}", "100000|40m"},
        {"{\"100000|5m\": 7}", "threshold is missing"},
        {"{\"100000|5m\": {\"threshold\": 0, \"size\": true}}",
         "size is missing"},
        {"{\"1|5m\": {\"size\": 1, \"xon\": 2, \"xoff\": -3, "
         "\"threshold\": 0}}",
         "xoff must be a number of bytes, not '-3'"},
        {"100000 5m 1", ":1: expected speed"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pg_profile_lookup lookup = {0};
        struct err err = {0};

        assert_int_equal(read_table(cases[i].text, &lookup, &err), ST_INVALID);
        if (!strstr(err.reason, cases[i].part)) {
            fail_msg("%s", err.reason);
        }
        assert_int_equal(lookup.n, 0);
    }
}

static void
test_file_that_is_none_is_refused(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct pg_profile_lookup lookup = {0};
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "x");
    assert_int_equal(lookup_file_read(nowhere, &lookup, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, nowhere));
    assert_int_equal(lookup_file_read("/dev/zero", &lookup, &err), ST_INVALID);
    assert_int_equal(lookup_file_read("/tmp", &lookup, &err), ST_IO);
}

/* Returns an attribute of a profile on the ASIC as a number. */
static int64_t
held(const struct harness *harness, const char *profile, sai_attr_id_t id)
{
    const struct object *object =
        agent_object(harness->agent, TABLE_BUFFER_PROFILE, profile, -1);
    const sai_attribute_value_t *value =
        object ? object_value(object, id) : NULL;

    assert_non_null(value);
    return id == SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH
               ? value->s8
               : (int64_t)value->u64;
}

/* Expects the answer to a row of BUFFER_PROFILE, and alpha and xoff on the
 * ASIC. */
static void
expect_profile(const struct harness *harness, const char *state,
               const char *origin, int64_t alpha, int64_t xoff)
{
    assert_string_equal(harness_state(harness, "BUFFER_PROFILE", PROFILE_5M),
                        state);
    assert_string_equal(
        harness_status(harness, "BUFFER_PROFILE", PROFILE_5M)->origin, origin);
    assert_int_equal(
        held(harness, PROFILE_5M, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH),
        alpha);
    assert_int_equal(held(harness, PROFILE_5M, SAI_BUFFER_PROFILE_ATTR_XOFF_TH),
                     xoff);
    assert_string_equal(profile_of(harness, "Ethernet0", 3), PROFILE_5M);
}

static void
test_one_field_overrides_a_derived_profile(void **state)
{
    struct pg_profile_lookup lookup = {0};
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=-2");
    expect_profile(&harness, "applied", "user+auto", -2, 165568);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M,
                  "dynamic_th=-3;xoff=200000");
    expect_profile(&harness, "applied", "user+auto", -3, 200000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=-3");
    expect_profile(&harness, "applied", "user+auto", -3, 165568);
    /* The other fields follow the table. */
    assert_int_equal(pg_profile_lookup_parse(
                         &lookup, "100000 5m 1248 2288 150000 0\n", "t", NULL),
                     ST_OK);
    agent_set_lookup(harness.agent, &lookup);
    harness_settle(&harness);
    expect_profile(&harness, "applied", "user+auto", -3, 150000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, NULL);
    expect_profile(&harness, "applied", "auto", 0, 150000);
    harness_fini(&harness);
}

static void
test_a_merged_profile_is_validated(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=99");
    expect_profile(&harness, "rejected", "user+auto", 0, 165568);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "xoff=0");
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "static_th=5000");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", PROFILE_5M),
                        "applied");
    assert_int_equal(
        held(&harness, PROFILE_5M, SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH),
        5000);
    assert_null(
        row_field(agent_row(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M),
                  "dynamic_th"));
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M,
                  "dynamic_th=1;static_th=5000");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", PROFILE_5M)->err.code,
        "exclusive");
    harness_fini(&harness);
}

static void
test_a_rejected_profile_leaves_the_derived_one_in_force(void **state)
{
    struct pg_profile_lookup lookup = {0};
    struct harness harness;

    (void)state;
    init(&harness);
    /* It is there before any port needs the profile, as after a restart. */
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=40m;Ethernet4=40m");
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=99");
    harness_assert_state(&harness, "BUFFER_PROFILE", PROFILE_5M, "rejected");
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=5m;Ethernet4=5m");
    expect_profile(&harness, "rejected", "user+auto", 0, 165568);
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", PROFILE_5M)->err.field,
        "dynamic_th");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    assert_int_equal(pg_profile_lookup_parse(
                         &lookup, "100000 5m 1248 2288 150000 0\n", "t", NULL),
                     ST_OK);
    agent_set_lookup(harness.agent, &lookup);
    harness_settle(&harness);
    expect_profile(&harness, "rejected", "user+auto", 0, 150000);
    assert_string_equal(
        row_field(agent_row(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M),
                  "xoff"),
        "150000");
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=0m;Ethernet4=0m");
    assert_null(
        agent_object(harness.agent, TABLE_BUFFER_PROFILE, PROFILE_5M, -1));
    harness_assert_state(&harness, "BUFFER_PROFILE", PROFILE_5M, "rejected");
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=5m;Ethernet4=5m");
    expect_profile(&harness, "rejected", "user+auto", 0, 150000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=-1");
    expect_profile(&harness, "applied", "user+auto", -1, 150000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=99");
    expect_profile(&harness, "rejected", "user+auto", -1, 150000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, NULL);
    expect_profile(&harness, "applied", "auto", 0, 150000);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, "dynamic_th=99");
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_5M, NULL);
    expect_profile(&harness, "applied", "auto", 0, 150000);
    harness_fini(&harness);
}

static void
test_a_partial_profile_needs_a_derived_one(void **state)
{
    const struct row_status *status;
    struct harness harness;

    (void)state;
    init(&harness);
    /* No port needs it yet. */
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_40M, "dynamic_th=-2");
    status = harness_status(&harness, "BUFFER_PROFILE", PROFILE_40M);
    assert_int_equal(status->state, ROW_STATE_REJECTED);
    assert_non_null(strstr(status->err.remedy, "derives no profile of this"));
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=40m;Ethernet4=40m");
    status = harness_status(&harness, "BUFFER_PROFILE", PROFILE_40M);
    assert_int_equal(status->state, ROW_STATE_APPLIED);
    assert_string_equal(status->origin, "user+auto");
    assert_int_equal(
        held(&harness, PROFILE_40M, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH),
        -2);
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), PROFILE_40M);
    /* Without users it is not derived any more. */
    harness_apply(&harness, "CABLE_LENGTH", "AZURE",
                  "Ethernet0=5m;Ethernet4=5m");
    harness_pass(&harness, INTENT_PATIENCE_NS);
    harness_settle(&harness);
    status = harness_status(&harness, "BUFFER_PROFILE", PROFILE_40M);
    assert_int_equal(status->state, ROW_STATE_REJECTED);
    harness_apply(&harness, "BUFFER_PROFILE", PROFILE_40M, NULL);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", PROFILE_40M),
                        "gone");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derived_rows_reach_the_asic),
        cmocka_unit_test(test_changed_cable_exchanges_the_profile),
        cmocka_unit_test(test_unknown_pair_is_reported_and_unbound),
        cmocka_unit_test(test_withdrawn_rows_leave_the_asic_clean),
        cmocka_unit_test(test_rows_of_the_user_go_first),
        cmocka_unit_test(test_one_field_overrides_a_derived_profile),
        cmocka_unit_test(test_a_merged_profile_is_validated),
        cmocka_unit_test(
            test_a_rejected_profile_leaves_the_derived_one_in_force),
        cmocka_unit_test(test_a_partial_profile_needs_a_derived_one),
        cmocka_unit_test(test_shut_port_by_the_rules_of_the_platform),
        cmocka_unit_test(test_both_forms_of_a_table_are_read),
        cmocka_unit_test(test_wrong_tables_are_refused),
        cmocka_unit_test(test_file_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
