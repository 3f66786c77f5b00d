/* SPDX-License-Identifier: Apache-2.0 */

/* The dialects in which existing tools write rows. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/intent/normalize.h"

#define N(array)   (sizeof(array) / sizeof *(array))
#define MAX_FIELDS 5

/* A row, and its normal form: "field=value" items in order of name, or the
 * code of the error; and the warnings. */
struct normalize_row_case {
    enum table table;
    const char *key;
    struct field fields[MAX_FIELDS];
    const char *result;
    const char *warnings;
};

/* clang-format off */
static const struct normalize_row_case normalize_cases[] = {
    /* The placeholder. */
    {TABLE_PORT_QOS_MAP, "e0", {{"NULL", "NULL"}}, "", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"NULL", "NULL"}, {"profile", "x"}},
     "profile=x", ""},
    {TABLE_PORT_QOS_MAP, "e0", {{"NULL", "x"}}, "", "unknown-field NULL"},
    {TABLE_DSCP_TO_TC_MAP, "m", {{"NULL", "NULL"}}, "!mandatory", ""},

    /* Lists. */
    {TABLE_PORT_QOS_MAP, "e0", {{"pfc_enable@", "3,4"}},
     "pfc_enable=3,4", ""},
    {TABLE_PORT_QOS_MAP, "e0", {{"pfc_enable@", "3"}, {"pfc_enable", "3"}},
     "!duplicate", ""},
    {TABLE_PORT_QOS_MAP, "e0", {{"@", "3"}}, "", "unknown-field @"},
    {TABLE_PORT, "e0", {{"lanes@", "1,2"}, {"speed", "1"}},
     "lanes=1,2 speed=1", ""},
    {TABLE_DSCP_TO_TC_MAP, "m", {{"3@", "1"}, {"3", "1"}}, "!duplicate", ""},

    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0", {{"profile_list@", "x,y"}},
     "profile_list=x,y", ""},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0",
     {{"profile_list", "[BUFFER_PROFILE|x],[BUFFER_PROFILE_TABLE:y],z"}},
     "profile_list=x,y,z", "legacy-reference profile_list"},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0",
     {{"profile_list", "x,[],[BUFFER_PROFILE|y]"}},
     "profile_list=x,y", "legacy-reference profile_list"},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0",
     {{"profile_list", "[BUFFER_PROFILE|x],[BUFFER_POOL|y]"}},
     "!reference", ""},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0", {{"profile_list", "[]"}},
     "!mandatory",
     "legacy-reference profile_list, empty-reference profile_list"},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "e0", {{"profile_list", ""}},
     "!mandatory", "empty-reference profile_list"},

    /* Cables. */
    {TABLE_CABLE_LENGTH, "c", {{"e0", "None"}, {"e4", "5m"}},
     "e4=5m", "no-length e0"},

    /* Blanks. */
    {TABLE_BUFFER_PG, "e0|3", {{"profile", " x\t"}},
     "profile=x", "trimmed-blanks profile"},
    {TABLE_PORT_QOS_MAP, "e0", {{"pfc_enable", "  "}},
     "pfc_enable=", "trimmed-blanks pfc_enable"},
    {TABLE_DSCP_TO_TC_MAP, "m", {{"3", " 04 "}}, "3=4", "trimmed-blanks 3"},
    {TABLE_DSCP_TO_TC_MAP, "m", {{" 3", "4"}}, "!type", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "x y"}}, "!pattern", ""},

    /* References. */
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[BUFFER_PROFILE|x]"}},
     "profile=x", "legacy-reference profile"},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[BUFFER_PROFILE_TABLE:x]"}},
     "profile=x", "legacy-reference profile"},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", " [BUFFER_PROFILE|x] "}},
     "profile=x", "trimmed-blanks profile, legacy-reference profile"},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[BUFFER_POOL|x]"}},
     "!reference", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[BUFFER_PROFILES|x]"}},
     "!reference", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[BUFFER_PROFILE|x"}},
     "!reference", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "BUFFER_PROFILE|x]"}},
     "!pattern", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[x]"}}, "!reference", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "["}}, "!reference", ""},
    {TABLE_BUFFER_PG, "e0|3",
     {{"profile", "[BUFFER_PROFILE|x],[BUFFER_PROFILE|y]"}}, "!pattern",
     "legacy-reference profile"},
    {TABLE_PORT_QOS_MAP, "e0",
     {{"dscp_to_tc_map", "[DSCP_TO_TC_MAP|AZURE]"},
      {"pfc_to_queue_map", "[MAP_PFC_PRIORITY_TO_QUEUE|AZURE]"}},
     "dscp_to_tc_map=AZURE pfc_to_queue_map=AZURE",
     "legacy-reference dscp_to_tc_map, legacy-reference pfc_to_queue_map"},
    {TABLE_PORT_QOS_MAP, "e0", {{"dscp_to_tc_map", "[TC_TO_QUEUE_MAP|A]"}},
     "!reference", ""},

    /* Empty references. */
    {TABLE_PORT_QOS_MAP, "e0", {{"dscp_to_tc_map", ""}},
     "", "empty-reference dscp_to_tc_map"},
    {TABLE_PORT_QOS_MAP, "e0", {{"dscp_to_tc_map", "[]"}}, "",
     "legacy-reference dscp_to_tc_map, empty-reference dscp_to_tc_map"},
    {TABLE_PORT_QOS_MAP, "e0", {{"dscp_to_tc_map", "[DSCP_TO_TC_MAP|]"}}, "",
     "legacy-reference dscp_to_tc_map, empty-reference dscp_to_tc_map"},
    {TABLE_BUFFER_QUEUE, "e0|3", {{"profile", ""}}, "!mandatory",
     "empty-reference profile"},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", ""}}, "!pattern", ""},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "[]"}}, "!pattern",
     "legacy-reference profile"},
    {TABLE_BUFFER_PG, "e0|3", {{"profile", "NULL"}}, "profile=NULL", ""},

    /* Metadata: bad values keep what is in force, see 'previous'. */
    {TABLE_DEVICE_METADATA, "localhost",
     {{"hwsku", "x"}, {"buffer_model", "y"}, {"switch_type", "z"}},
     "buffer_model=dynamic hwsku=x",
     "unusable-field buffer_model (allowed: dynamic|traditional), "
     "unusable-field switch_type (allowed: npu|switch|voq|chassis-packet|"
     "fabric|dpu|dummy-sup)"},
    {TABLE_DEVICE_METADATA, "localhost", {{"hwsku", "x"}}, "hwsku=x", ""},
};
/* clang-format on */

/* Writes what normalize_row() made of 'c' in the form of the table above. */
static void
describe(struct schema *schema, const struct normalize_row_case *c,
         struct text *result, struct text *warnings)
{
    static const struct field in_force = {"buffer_model", "dynamic"};
    struct content *previous = content_create(&in_force, 1);
    struct content *content = NULL;
    struct err err = {0};
    struct key key;
    size_t n = 0;
    struct content *raw;
    struct normalize_input input;

    while (n < MAX_FIELDS && c->fields[n].name) {
        n++;
    }
    raw = content_create(c->fields, n);
    assert_int_equal(key_parse(c->table, c->key, &key, NULL), ST_OK);
    input =
        (struct normalize_input){c->table, &key, raw, previous, NULL, false};
    if (normalize_row(schema, &input, &content, warnings, &err)) {
        assert_null(content);
        assert_string_not_equal(err.remedy, "");
        text_addf(result, "!%s", err.code);
    } else {
        for (size_t i = 0; i < content->n; i++) {
            text_addf(result, "%s%s=%s", i ? " " : "", content->fields[i].name,
                      content->fields[i].value);
        }
    }
    key_fini(&key);
    content_unref(raw);
    content_unref(previous);
    content_unref(content);
}

static void
test_dialects_are_reduced_to_one(void **state)
{
    for (size_t i = 0; i < N(normalize_cases); i++) {
        const struct normalize_row_case *c = &normalize_cases[i];
        struct text result = {0}, warnings = {0};

        describe(*state, c, &result, &warnings);
        if (strcmp(text_string(&result), c->result) != 0 ||
            strcmp(text_string(&warnings), c->warnings) != 0) {
            fail_msg("case %zu, %s|%s: \"%s\", \"%s\"", i, table_name(c->table),
                     c->key, text_string(&result), text_string(&warnings));
        }
        text_fini(&result);
        text_fini(&warnings);
    }
}

static void
test_content_is_sorted_and_compared(void **state)
{
    static const struct field ab[] = {{"b", "1"}, {"a", ""}, {NULL, "x"}};
    static const struct field a[] = {{"a", "2"}, {"b", NULL}};
    struct content *both = content_create(ab, N(ab));
    struct content *one = content_create(a, N(a));
    struct content *none = content_create(NULL, 0);

    (void)state;
    assert_int_equal(both->n, 2);
    assert_string_equal(both->fields[0].name, "a");
    assert_string_equal(both->fields[1].name, "b");
    assert_string_equal(content_find(both->fields, both->n, "a"), "");
    assert_null(content_find(both->fields, both->n, "c"));
    assert_null(content_find(none->fields, none->n, "c"));
    assert_true(content_covers(both, one));
    assert_false(content_covers(one, both));
    assert_true(content_covers(one, none));
    assert_true(content_equal(both, both));
    assert_false(content_equal(both, one));
    free(both);
    free(one);
    free(none);
}

static int
setup(void **state)
{
    struct schema *schema = NULL;

    if (schema_create(SCHEMA_DIR, &schema, NULL)) {
        return -1;
    }
    *state = schema;
    return 0;
}

static int
teardown(void **state)
{
    schema_destroy(*state);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialects_are_reduced_to_one),
        cmocka_unit_test(test_content_is_sorted_and_compared),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
