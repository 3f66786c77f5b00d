/* SPDX-License-Identifier: Apache-2.0 */

/* Profiles of link-level retry from a lookup table (NEXTGEN 9 to 11). */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/derive/llr_lookup.h"
#include "orchd/files/lookup_file.h"
#include "orchd/intent/content.h"
#include "tests/support/agent_harness.h"
#include "tests/support/asic_trace.h"
#include "tests/support/tempfile.h"

#define NAMES "speed cable outstanding_frames outstanding_bytes "
#define BOTH  "llr_local=enabled;llr_remote=enabled"
#define PORT0 "LLR_PORT", "Ethernet0"
#define PORT4 "LLR_PORT", "Ethernet4"
#define CABLE "CABLE_LENGTH", "AZURE"
#define N5    "llr_40000_5m_profile"
#define N40   "llr_40000_40m_profile"
#define P5    "LLR_PROFILE", N5
#define P40   "LLR_PROFILE", N40
#define USER  "LLR_PROFILE", "mine"
#define LANES "lanes=1,2,3,4;speed="

#define BIND    "LLR_PROFILE=some LLR_MODE_REMOTE=1 LLR_MODE_LOCAL=1"
#define SWITCH  "LLR_MODE_LOCAL=0 LLR_MODE_REMOTE=0 " BIND
#define RELEASE "LLR_MODE_REMOTE=0 LLR_MODE_LOCAL=0 LLR_PROFILE=null"

static const char table[] = "# Measured.\n" NAMES "replay_timer init_action\n"
                            "40000  5m  10 1000 500 -\n"
                            "40000  40m 20 2000 -   block # the long one\n"
                            "100000 5m  30 3000 0   best_effort\n";

/* --- The file ----------------------------------------------------------- */

static enum st
read_file(const char *text, struct llr_lookup *lookup, struct err *err)
{
    char path[TEMPFILE_SIZE];
    enum st st;

    tempfile_make(path, text);
    st = lookup_file_read_llr(path, lookup, err);
    tempfile_remove(path);
    return st;
}

/* Returns the fields of the entry of a pair, as "name=value;". */
static char *
fields_of(const struct llr_lookup *lookup, uint32_t speed_mbps,
          uint32_t cable_m)
{
    const struct llr_lookup_entry *entry =
        llr_lookup_find(lookup, (struct lookup_pair){speed_mbps, cable_m});
    struct field fields[LLR_LOOKUP_FIELDS];
    struct text text = {0};
    size_t n;

    assert_non_null(entry);
    n = llr_lookup_fields(entry, fields);
    for (size_t i = 0; i < n; i++) {
        text_addf(&text, "%s=%s;", fields[i].name, fields[i].value);
    }
    return text_take(&text);
}

static void
test_a_table_is_read(void **state)
{
    static const struct {
        const char *text;
        uint32_t cable_m;
        const char *fields;
    } cases[] = {
        {table, 5,
         "max_outstanding_frames=10;max_outstanding_bytes=1000;"
         "max_replay_timer=500;"},
        {table, 40,
         "max_outstanding_frames=20;max_outstanding_bytes=2000;"
         "init_action=block;"},
        /* Any order, the names of the fields, and all of them. */
        {"\r\n\tspeed cable max_outstanding_bytes flush_action "
         "ctlos_spacing_bytes data_age_timeout pcs_lost_timeout "
         "max_replay_count outstanding_frames init_action max_replay_timer\r\n"
         "40000 1m 4294967295 discard 400 4290000000 0 255 524288 best_effort "
         "65535\r\n",
         1,
         "max_outstanding_frames=524288;max_outstanding_bytes=4294967295;"
         "max_replay_timer=65535;max_replay_count=255;pcs_lost_timeout=0;"
         "data_age_timeout=4290000000;init_action=best_effort;"
         "flush_action=discard;ctlos_spacing_bytes=400;"},
        /* The short names. */
        {NAMES "replay_count data_age_timer ctlos_spacing\n"
               "40000 1m 007 1 1 2 16384",
         1,
         "max_outstanding_frames=7;max_outstanding_bytes=1;max_replay_count=1;"
         "data_age_timeout=2;ctlos_spacing_bytes=16384;"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct llr_lookup lookup = {0};
        struct err err = {0};
        char *fields;

        assert_int_equal(read_file(cases[i].text, &lookup, &err), ST_OK);
        fields = fields_of(&lookup, 40000, cases[i].cable_m);
        assert_string_equal(fields, cases[i].fields);
        free(fields);
        llr_lookup_fini(&lookup);
    }
}

static void
test_a_wrong_table_is_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", " has no entry"},
        {"# nothing\n", " has no entry"},
        {NAMES, " has no entry"},
        {"40000 5m 1 1", ":1: expected the names of the columns: speed cable "
                         "outstanding_frames outstanding_bytes ..., not "
                         "'40000'"},
        {"speed\n", ":1: expected the names"},
        {"cable speed\n", ":1: expected the names"},
        {"\n" NAMES "replay_timr\n",
         ":2: no column is called 'replay_timr' (did you mean "
         "'replay_timer'?)"},
        {NAMES "max_outstanding_bytes\n",
         ":1: max_outstanding_bytes occurs twice"},
        {"speed cable outstanding_frames",
         ":1: the column outstanding_bytes is missing"},
        {"speed cable outstanding_bytes",
         ":1: the column outstanding_frames is missing"},
        {NAMES "a b c d e f g h", ":1: there are more columns than fields"},
        {NAMES "\n1 5m 1", ":2: expected 4 columns, as in the line of names, "
                           "found 3"},
        {NAMES "\n1 5m 1 1 1", "found 5"},
        {NAMES "\n1 5m 1 1 1 1 1 1 1 1 1 1 1", "found more than 11"},
        {NAMES "\n\n0 5m 1 1", ":3: speed must be 1..1600000 Mb/s, not '0'"},
        {NAMES "\n1 5 1 1", ":2: cable must be a length like 40m, not '5'"},
        {NAMES "\n1 5m - 1", "outstanding_frames must be a number, not '-'"},
        {NAMES "\n1 5m 1 -", "outstanding_bytes must be a number, not '-'"},
        {NAMES "\n1 5m 1 1\n1 5m 1 1", ":3: 1|5m occurs twice"},
        {NAMES "init_action\n1 5m 1 1 drop",
         "init_action must be discard, block or best_effort, not 'drop'"},
        {NAMES "replay_timer\n1 5m 1 1 65536",
         "replay_timer must be 0..65535, not '65536'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct llr_lookup lookup = {0};
        struct err err = {0};

        assert_int_equal(read_file(cases[i].text, &lookup, &err), ST_INVALID);
        if (!strstr(err.reason, cases[i].part)) {
            fail_msg("%s", err.reason);
        }
        assert_int_equal(lookup.n, 0);
    }
}

/* Writes 'value' into a field of LLR_PROFILE, and into a table, and asserts
 * whether each takes it. */
static void
try_value(struct harness *harness, const char *field, const char *value,
          bool good)
{
    const bool mandatory = strstr(field, "max_outstanding") != NULL;
    const char *other = strstr(field, "bytes") ? "max_outstanding_frames"
                                               : "max_outstanding_bytes";
    struct llr_lookup lookup = {0};
    struct err err = {0};
    char row[128], text[256];

    if (mandatory) {
        text_format(row, sizeof row, "%s=1;%s=%s", other, field, value);
        text_format(text, sizeof text, "speed cable %s %s\n1 5m 1 %s", other,
                    field, value);
    } else {
        text_format(row, sizeof row,
                    "max_outstanding_frames=1;max_outstanding_bytes=1;%s=%s",
                    field, value);
        text_format(text, sizeof text, NAMES "%s\n1 5m 1 1 %s", field, value);
    }
    harness_apply(harness, "LLR_PROFILE", value, row);
    harness_assert_state(harness, "LLR_PROFILE", value,
                         good ? "applied" : "rejected");
    harness_apply(harness, "LLR_PROFILE", value, NULL);
    assert_int_equal(read_file(text, &lookup, &err), good ? ST_OK : ST_INVALID);
    llr_lookup_fini(&lookup);
}

static void
test_a_table_has_the_ranges_of_the_schema(void **state)
{
    static const struct {
        const char *field, *good[2], *bad[2];
    } cases[] = {
        {"max_outstanding_frames", {"0", "524288"}, {"-1", "524289"}},
        {"max_outstanding_bytes", {"0", "4294967295"}, {"-1", "4294967296"}},
        {"max_replay_timer", {"0", "65535"}, {"-1", "65536"}},
        {"max_replay_count", {"1", "255"}, {"0", "256"}},
        {"pcs_lost_timeout", {"0", "4290000000"}, {"-1", "4290000001"}},
        {"data_age_timeout", {"0", "4290000000"}, {"-1", "4290000001"}},
        {"init_action", {"discard", "block"}, {"0", "drop"}},
        {"flush_action", {"block", "best_effort"}, {"besteffort", "none"}},
        {"ctlos_spacing_bytes", {"400", "16384"}, {"399", "16385"}},
    };
    struct harness harness;

    (void)state;
    harness_init(&harness, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < 2; k++) {
            try_value(&harness, cases[i].field, cases[i].good[k], true);
            try_value(&harness, cases[i].field, cases[i].bad[k], false);
        }
    }
    harness_fini(&harness);
}

/* --- The rows ----------------------------------------------------------- */

static void
set_table(struct harness *harness, const char *text)
{
    struct llr_lookup lookup = {0};
    struct err err = {0};

    assert_int_equal(llr_lookup_parse(&lookup, text, "t", &err), ST_OK);
    agent_set_llr_lookup(harness->agent, &lookup);
    assert_int_equal(lookup.n, 0);
}

/* Two ports of 40G without a cable. */
static void
init(struct harness *harness)
{
    harness_init(harness, 2);
    set_table(harness, table);
    harness_put(harness, "PORT", "Ethernet0", LANES "40000");
    harness_put(harness, "PORT", "Ethernet4", "lanes=5,6,7,8;speed=40000");
    harness_settle(harness);
}

static void
assert_code(const struct harness *harness, const char *key, const char *state,
            const char *code)
{
    harness_assert_state(harness, "LLR_PORT", key, state);
    assert_string_equal(harness_status(harness, "LLR_PORT", key)->err.code,
                        code);
}

/* Asserts the profile that is in force on a port. */
static void
assert_profile(const struct harness *harness, const char *key,
               const char *profile, const char *warnings)
{
    const struct row_status *status = harness_status(harness, "LLR_PORT", key);
    const struct object *port =
        agent_object(harness->agent, TABLE_PORT, key, -1);
    const struct object *target =
        object_target(port, SAI_PORT_ATTR_LLR_PROFILE);

    harness_assert_state(harness, "LLR_PORT", key, "applied");
    assert_string_equal(status->warnings, warnings);
    assert_non_null(target);
    assert_string_equal(target->name.name, profile);
}

static void
test_9_a_profile_needs_speed_and_cable(void **state)
{
    static const struct harness_row on = {PORT0, BOTH};
    static const struct harness_row cable = {CABLE, "Ethernet0=40m"};
    struct harness harness;

    (void)state;
    init(&harness);
    asic_trace_assert(&harness, &on, "");
    assert_code(&harness, "Ethernet0", "waiting", "no-cable");
    asic_trace_assert(&harness, &cable, BIND);
    assert_profile(&harness, "Ethernet0", N40, "");
    harness_assert_state(&harness, P40, "applied");
    harness_fini(&harness);
}

/* Writes rows, each with the calls that it causes. */
struct step {
    struct harness_row row;
    const char *trace;
};

static void
take_steps(struct harness *harness, const struct step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        asic_trace_assert(harness, &steps[i].row, steps[i].trace);
    }
}

#define TAKE_STEPS(harness, steps)                                             \
    take_steps(harness, steps, sizeof(steps) / sizeof *(steps))

static void
test_10_ports_share_a_profile(void **state)
{
    static const struct step steps[] = {
        {{CABLE, "Ethernet0=40m;Ethernet4=40m"}, ""},
        {{PORT0, BOTH}, BIND},
        {{PORT4, BOTH}, BIND},
        {{CABLE, "Ethernet0=5m;Ethernet4=40m"}, SWITCH},
        {{CABLE, "Ethernet0=40m;Ethernet4=40m"}, SWITCH " remove"},
        {{"PORT", "Ethernet0", LANES "100000"}, "SPEED=100000 " RELEASE},
        {{CABLE, "Ethernet0=5m;Ethernet4=40m"}, BIND},
        {{PORT0, NULL}, RELEASE " remove"},
        {{PORT4, NULL}, RELEASE " remove"},
    };
    struct harness harness;

    (void)state;
    init(&harness);
    TAKE_STEPS(&harness, steps);
    harness_assert_state(&harness, P40, "gone");
    harness_assert_state(&harness, P5, "gone");
    harness_fini(&harness);
}

static void
test_11_a_profile_of_the_user_wins_once_it_is_complete(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, CABLE, "Ethernet0=40m");
    harness_apply(&harness, USER, "max_outstanding_frames=7");
    harness_apply(&harness, PORT0, "llr_profile=mine;" BOTH);
    assert_profile(&harness, "Ethernet0", N40, "llr-profile-replaced mine");
    harness_apply(&harness, USER,
                  "max_outstanding_frames=7;max_outstanding_bytes=7000");
    assert_profile(&harness, "Ethernet0", "mine", "");
    harness_assert_state(&harness, P40, "gone");
    asic_trace_assert(&harness, &(struct harness_row){CABLE, "Ethernet0=5m"},
                      "");
    assert_profile(&harness, "Ethernet0", "mine", "");
    /* It goes: the table applies again. */
    asic_trace_assert(&harness, &(struct harness_row){USER, NULL},
                      SWITCH " remove");
    assert_profile(&harness, "Ethernet0", N5, "llr-profile-replaced mine");
    harness_fini(&harness);
}

static void
test_a_row_without_an_entry_says_why(void **state)
{
    static const struct {
        struct harness_row row;
        const char *state, *code;
    } cases[] = {
        {{CABLE, "Ethernet0=50m"}, "waiting", "no-lookup"},
        {{CABLE, "Ethernet0=0m"}, "waiting", "no-cable"},
        {{CABLE, "Ethernet0=5m"}, "applied", ""},
        {{"CABLE_LENGTH", "OTHER", "Ethernet0=40m"},
         "waiting",
         "contradiction"},
        {{"CABLE_LENGTH", "OTHER", NULL}, "applied", ""},
        {{"PORT", "Ethernet0", LANES "100000;autoneg=on;adv_speeds=1000"},
         "waiting",
         "no-lookup"},
        {{"PORT", "Ethernet0", LANES "40000;autoneg=on;adv_speeds=all"},
         "waiting",
         "no-speed"},
        {{PORT0, "llr_mode=dynamic;" BOTH}, "unsupported", "llr-mode"},
        {{PORT0, "llr_profile=mine;" BOTH}, "waiting", "missing-ref"},
        {{PORT0, "llr_local=disabled"}, "applied", ""},
    };
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, PORT0, "llr_remote=enabled");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        harness_apply(&harness, cases[i].row.table, cases[i].row.key,
                      cases[i].row.fields);
        assert_code(&harness, "Ethernet0", cases[i].state, cases[i].code);
        if (!strcmp(cases[i].code, "no-lookup")) {
            assert_non_null(strstr(harness_status(&harness, PORT0)->err.remedy,
                                   "set llr_lookup_file to a table"));
        }
    }
    harness_fini(&harness);
}

/* The user may have a profile of a derived name, which then applies; while it
 * is wrong, the derived one does. */
static void
test_a_profile_of_a_derived_name(void **state)
{
    static const char own[] =
        "max_outstanding_frames=9;max_outstanding_bytes=9000";
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, P5, "max_outstanding_frames=9");
    harness_apply(&harness, CABLE, "Ethernet0=5m");
    harness_apply(&harness, PORT0, BOTH);
    assert_profile(&harness, "Ethernet0", N5, "");
    harness_assert_state(&harness, P5, "rejected");
    asic_trace_assert(&harness, &(struct harness_row){P5, own},
                      SWITCH " remove");
    harness_assert_state(&harness, P5, "applied");
    asic_trace_assert(&harness, &(struct harness_row){P5, NULL},
                      SWITCH " remove");
    assert_profile(&harness, "Ethernet0", N5, "");
    harness_fini(&harness);
}

static void
test_another_table_applies_at_once(void **state)
{
    struct harness harness;

    (void)state;
    init(&harness);
    harness_apply(&harness, CABLE, "Ethernet0=5m");
    harness_apply(&harness, PORT0, BOTH);
    assert_profile(&harness, "Ethernet0", N5, "");
    set_table(&harness, NAMES "\n40000 40m 1 1\n");
    harness_settle(&harness);
    assert_code(&harness, "Ethernet0", "waiting", "no-lookup");
    harness_assert_state(&harness, P5, "gone");
    set_table(&harness, NAMES "replay_timer\n40000 5m 10 1000 7\n");
    harness_settle(&harness);
    assert_profile(&harness, "Ethernet0", N5, "");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_is_read),
        cmocka_unit_test(test_a_wrong_table_is_refused),
        cmocka_unit_test(test_a_table_has_the_ranges_of_the_schema),
        cmocka_unit_test(test_9_a_profile_needs_speed_and_cable),
        cmocka_unit_test(test_10_ports_share_a_profile),
        cmocka_unit_test(
            test_11_a_profile_of_the_user_wins_once_it_is_complete),
        cmocka_unit_test(test_a_row_without_an_entry_says_why),
        cmocka_unit_test(test_a_profile_of_a_derived_name),
        cmocka_unit_test(test_another_table_applies_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
