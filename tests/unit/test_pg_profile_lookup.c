/* SPDX-License-Identifier: Apache-2.0 */

/* The lookup table of the traditional model. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/shipped_lookups.h"

static const char table[] =
    "# PG lossless profiles.\n"
    "# speed cable size xon  xoff   threshold  xon_offset\n"
    "\n"
    "   100000  300m  1248 2288 268736 -3 2288  # the longest\r\n"
    "100000\t5m\t1248 2288 165568 0 2288\n"
    "10000 5m 49152 19456 29696 0\n"
    "100000 40m 1248 2288 177632 1 2288";

static void
test_columns_are_read(void **state)
{
    struct pg_profile_lookup lookup = {0};
    const struct pg_profile_lookup_entry *entry;
    struct err err = {0};

    (void)state;
    assert_int_equal(pg_profile_lookup_parse(&lookup, table, "t.ini", &err),
                     ST_OK);
    assert_int_equal(lookup.n, 4);
    entry = pg_profile_lookup_find(&lookup, 100000, 300);
    assert_non_null(entry);
    assert_int_equal(entry->size, 1248);
    assert_int_equal(entry->xon, 2288);
    assert_int_equal(entry->xoff, 268736);
    assert_int_equal(entry->threshold, -3);
    assert_true(entry->has_xon_offset);
    assert_int_equal(entry->xon_offset, 2288);
    entry = pg_profile_lookup_find(&lookup, 10000, 5);
    assert_non_null(entry);
    assert_false(entry->has_xon_offset);
    assert_int_equal(entry->size, 49152);
    assert_null(pg_profile_lookup_find(&lookup, 10000, 40));
    assert_null(pg_profile_lookup_find(&lookup, 100000, 301));
    assert_null(pg_profile_lookup_find(&lookup, 400000, 5));
    for (size_t i = 1; i < lookup.n; i++) {
        assert_true(lookup.entries[i - 1].pair.speed_mbps <=
                    lookup.entries[i].pair.speed_mbps);
    }
    pg_profile_lookup_fini(&lookup);
}

static void
test_wrong_lines_are_named(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"100000 5m 1 2 3", "t.ini:1: expected speed cable size xon xoff "
                            "threshold [xon_offset], found 5 columns"},
        {"\n#\n100000 5m 1 2 3 4 5 6", "t.ini:3: expected speed cable size xon "
                                       "xoff threshold [xon_offset], found "
                                       "more than 7 columns"},
        {"x 5m 1 2 3 0", "t.ini:1: speed must be 1..1600000 Mb/s, not 'x'"},
        {"0 5m 1 2 3 0", "t.ini:1: speed must be 1..1600000 Mb/s, not '0'"},
        {"1600001 5m 1 2 3 0",
         "t.ini:1: speed must be 1..1600000 Mb/s, not '1600001'"},
        {"1 5 1 2 3 0", "t.ini:1: cable must be a length like 40m, not '5'"},
        {"1 5km 1 2 3 0",
         "t.ini:1: cable must be a length like 40m, not '5km'"},
        {"1 1000001m 1 2 3 0",
         "t.ini:1: cable must be a length like 40m, not '1000001m'"},
        {"1 m 1 2 3 0", "t.ini:1: cable must be a length like 40m, not 'm'"},
        {"1 5m -1 2 3 0", "t.ini:1: size must be a number of bytes, not '-1'"},
        {"1 5m 1 2x 3 0", "t.ini:1: xon must be a number of bytes, not '2x'"},
        {"1 5m 1 2 y 0", "t.ini:1: xoff must be a number of bytes, not 'y'"},
        {"1 5m 1 2 3 -9", "t.ini:1: threshold must be -8 or more, not '-9'"},
        {"1 5m 1 2 3 0 z",
         "t.ini:1: xon_offset must be a number of bytes, not 'z'"},
        {"1 5m 1 2 3 0\n1 5m 1 2 3 0", "t.ini:2: 1|5m occurs twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pg_profile_lookup lookup = {0};
        struct err err = {0};

        assert_int_equal(
            pg_profile_lookup_parse(&lookup, cases[i].text, "t.ini", &err),
            ST_INVALID);
        assert_string_equal(err.reason, cases[i].reason);
        pg_profile_lookup_fini(&lookup);
    }
}

static void
test_endless_line_is_refused(void **state)
{
    struct pg_profile_lookup lookup = {0};
    struct err err = {0};
    char text[1000];

    (void)state;
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(pg_profile_lookup_parse(&lookup, text, "t.ini", &err),
                     ST_INVALID);
    assert_string_equal(err.reason, "t.ini:1: the line is too long");
    pg_profile_lookup_fini(&lookup);
}

static void
test_missing_column_is_named(void **state)
{
    struct pg_profile_lookup lookup = {0};
    struct pg_profile_lookup_texts texts = {"1", "5m", "1", NULL,
                                            "3", "0",  NULL};
    struct err err = {0};

    (void)state;
    assert_int_equal(pg_profile_lookup_add(&lookup, &texts, &err), ST_INVALID);
    assert_string_equal(err.reason, "xon is missing: a number of bytes");
    assert_string_equal(err.field, "xon");
    texts.xon = "2";
    texts.threshold = NULL;
    assert_int_equal(pg_profile_lookup_add(&lookup, &texts, &err), ST_INVALID);
    assert_string_equal(err.field, "threshold");
    assert_int_equal(lookup.n, 0);
    pg_profile_lookup_fini(&lookup);
}

/* PEER_BUGS C3: the error for a missing pair lists the nearest ones. */
static void
test_c3_missing_pair_names_nearest_lengths(void **state)
{
    static const struct {
        uint32_t speed, cable;
        const char *value, *allowed;
    } cases[] = {
        {100000, 100, "100000|100m", "40m, 300m"},
        {100000, 1, "100000|1m", "5m"},
        {100000, 2000, "100000|2000m", "300m"},
        {10000, 300, "10000|300m", "5m"},
        {400000, 5, "400000|5m", "10000, 100000"},
    };
    struct pg_profile_lookup lookup = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(pg_profile_lookup_parse(&lookup, table, "t.ini", &err),
                     ST_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(pg_profile_lookup_explain_missing(
                             &lookup, cases[i].speed, cases[i].cable, &err),
                         ST_NOT_FOUND);
        assert_string_equal(err.code, "no-lookup");
        assert_string_equal(err.value, cases[i].value);
        assert_string_equal(err.allowed, cases[i].allowed);
    }
    pg_profile_lookup_fini(&lookup);
    assert_int_equal(pg_profile_lookup_explain_missing(&lookup, 1, 5, &err),
                     ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "it has none"));
}

static void
test_shipped_tables_are_found_by_hwsku(void **state)
{
    static const char text[] = "# Comment.\n"
                               "\n"
                               "[A-1 A-2]\n"
                               "[A-3]\n"
                               "100000 5m 1248 2288 165568 0 2288\n"
                               "# Comment.\n"
                               "[B]\n"
                               "100000 5m 1 2 3 0\n";
    struct shipped_lookups read = {0}, shipped = {0};
    const struct pg_profile_lookup *found;
    struct err err = {0};

    (void)state;
    assert_int_equal(shipped_lookups_parse(&read, text, "s.ini", &err), ST_OK);
    /* A copy outlives what it was made from. */
    shipped_lookups_copy(&shipped, &read);
    shipped_lookups_fini(&read);
    found = shipped_lookups_find(&shipped, "A-1");
    assert_non_null(found);
    assert_int_equal(found->n, 1);
    assert_int_equal(found->entries[0].xoff, 165568);
    assert_ptr_equal(shipped_lookups_find(&shipped, "A-2"), found);
    assert_ptr_equal(shipped_lookups_find(&shipped, "A-3"), found);
    assert_int_equal(shipped_lookups_find(&shipped, "B")->entries[0].xoff, 3);
    assert_null(shipped_lookups_find(&shipped, "A"));
    assert_null(shipped_lookups_find(&shipped, "A-1 A-2"));
    assert_null(shipped_lookups_find(&shipped, ""));
    shipped_lookups_fini(&shipped);
}

static void
test_wrong_shipped_lines_are_named(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"1 5m 1 1 1 0\n", "s.ini:1: expected the hwskus of a table"},
        {"[A]\n1 5m 1 1 1 0\n[B A]\n", "s.ini:3: the hwsku A has a table"},
        {"[A\n", "s.ini:1: expected ']'"},
        {"[A]\n1 5m 1\n", "s.ini:2: expected speed"},
        {"[A]\n1 5m 1 1 1 0\n1 5m 1 1 1 0\n", "s.ini:3: 1|5m occurs twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shipped_lookups shipped = {0};
        struct err err = {0};

        assert_int_equal(
            shipped_lookups_parse(&shipped, cases[i].text, "s.ini", &err),
            ST_INVALID);
        assert_ptr_equal(strstr(err.reason, cases[i].reason), err.reason);
        shipped_lookups_fini(&shipped);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_read),
        cmocka_unit_test(test_wrong_lines_are_named),
        cmocka_unit_test(test_endless_line_is_refused),
        cmocka_unit_test(test_missing_column_is_named),
        cmocka_unit_test(test_c3_missing_pair_names_nearest_lengths),
        cmocka_unit_test(test_shipped_tables_are_found_by_hwsku),
        cmocka_unit_test(test_wrong_shipped_lines_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
