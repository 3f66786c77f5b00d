/* SPDX-License-Identifier: Apache-2.0 */

/* Numbers with units: exact values, and what is refused. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/scenario/quantity.h"

static void
test_values_are_exact(void **state)
{
    static const struct {
        enum quantity_kind kind;
        const char *text;
        int64_t value;
    } rows[] = {
        {QUANTITY_TIME, "0", 0},
        {QUANTITY_TIME, "10us", 10000000},
        {QUANTITY_TIME, "46.9 us", 46900000},
        {QUANTITY_TIME, "1500fs", INT64_MAX},
        {QUANTITY_TIME, "1000fs", 1},
        {QUANTITY_TIME, "2min", INT64_C(120000000000000)},
        {QUANTITY_TIME, "1e-3s", 1000000000},
        {QUANTITY_TIME, "inf", QUANTITY_INFINITE},
        {QUANTITY_BYTES, "64KB", 64000},
        {QUANTITY_BYTES, "64KiB", 65536},
        {QUANTITY_BYTES, "0.5MiB", 524288},
        {QUANTITY_BYTES, "1086", 1086},
        {QUANTITY_BYTES, "1000000000000000000e-18KiB", 1024},
        {QUANTITY_BYTES, "4GiB", INT64_C(4294967296)},
        {QUANTITY_RATE, "40G", INT64_C(40000000000)},
        {QUANTITY_RATE, "2.5Gbps", INT64_C(2500000000)},
        {QUANTITY_RATE, "3.2T", INT64_C(3200000000000)},
        {QUANTITY_LENGTH, "3m", 3000},
        {QUANTITY_LENGTH, "0.5m", 500},
        {QUANTITY_LENGTH, "40 km", 40000000},
        {QUANTITY_COUNT, "16", 16},
        {QUANTITY_COUNT, "1.5K", 1500},
        {QUANTITY_COUNT, "9223372036854775806", INT64_MAX - 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1;
        struct err err = {0};
        enum st st = quantity_parse(rows[i].kind, rows[i].text, &value, &err);

        /* Half a picosecond more cannot be represented. */
        if (!strcmp(rows[i].text, "1500fs")) {
            assert_int_equal(st, ST_INVALID);
            continue;
        }
        assert_int_equal(st, ST_OK);
        assert_true(value == rows[i].value);
    }
}

static void
test_bad_values_are_refused(void **state)
{
    static const struct {
        enum quantity_kind kind;
        const char *text, *reason;
    } rows[] = {
        {QUANTITY_TIME, "", "is not a time"},
        {QUANTITY_TIME, "10", "has no unit"},
        {QUANTITY_TIME, "10 sec", "unknown unit"},
        {QUANTITY_TIME, "10usec", "did you mean"},
        {QUANTITY_TIME, "-1us", "is not a time"},
        {QUANTITY_TIME, "1e", "is not a time"},
        {QUANTITY_TIME, "1.us", "is not a time"},
        {QUANTITY_TIME, "1e99s", "is not a time"},
        {QUANTITY_TIME, "107days", "unknown unit"},
        {QUANTITY_TIME, "1e8s", "too large"},
        {QUANTITY_TIME, "0.1ps", "not a whole number of ps"},
        {QUANTITY_BYTES, "0.5", "not a whole number of B"},
        {QUANTITY_BYTES, "12kb", "unknown unit"},
        {QUANTITY_RATE, "100", "has no unit"},
        {QUANTITY_LENGTH, "1cm", "unknown unit"},
        {QUANTITY_COUNT, "9223372036854775807", "too large"},
        {QUANTITY_COUNT, "99999999999999999999", "is not a number"},
        {QUANTITY_COUNT, "1/2", "unknown unit"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1;
        struct err err = {0};

        assert_int_equal(
            quantity_parse(rows[i].kind, rows[i].text, &value, &err),
            ST_INVALID);
        assert_non_null(strstr(err.reason, rows[i].reason));
        assert_int_equal(value, -1);
    }
}

static void
test_ratios(void **state)
{
    static const struct {
        const char *text;
        int64_t numerator, denominator; /* 0: refused. */
    } rows[] = {
        {"1/16", 1, 16},   {"2 / 32", 1, 16},  {"30%", 3, 10},
        {"0.25", 1, 4},    {"1e-4", 1, 10000}, {"5/1024", 5, 1024},
        {"0", 0, 1},       {"1", 1, 1},        {"12.5 %", 1, 8},
        {"3/2", 3, 2},     {"1/0", 0, 0},      {"1/", 0, 0},
        {"1/2/3", 0, 0},   {"1e-20", 0, 0},    {"%", 0, 0},
        {"30%%", 0, 0},    {"0.5/2", 0, 0},    {"inf", 0, 0},
        {"0.1%", 1, 1000}, {"100%", 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ratio ratio = {-1, -1};
        enum st st = quantity_parse_ratio(rows[i].text, &ratio, NULL);

        assert_int_equal(st, rows[i].denominator ? ST_OK : ST_INVALID);
        if (!st) {
            assert_int_equal(ratio.numerator, rows[i].numerator);
            assert_int_equal(ratio.denominator, rows[i].denominator);
        }
    }
}

/* A ratio that is written well, but is no fraction that fits: the message says
 * which do, and the nearest. */
static void
test_ratios_that_do_not_fit(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"1e-30", "'1e-30' is not a fraction of two whole numbers up to 1e15 "
                  "(nearest: 0 or 1e-15)"},
        {"9e-16", "(nearest: 0 or 1e-15)"},
        {"1e-14%", "(nearest: 0 or 1e-15)"},
        {"1.26e-14", "(nearest: 13e-15)"},
        {"1/3000000000000000", "(nearest: 0 or 1e-15)"},
        {"1e16", "(nearest: 1000000000000000)"},
        {"3000000000000001/2000000000000000", "(nearest: 2)"},
        {"1/0", "'1/0' is not a ratio (such as 1/16, 0.25 or 30%)"},
        {"1e-5x", "'1e-5x' is not a ratio"},
        {"one", "'one' is not a ratio"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ratio ratio;
        struct err err = {0};

        assert_int_equal(quantity_parse_ratio(rows[i].text, &ratio, &err),
                         ST_INVALID);
        if (!strstr(err.reason, rows[i].message)) {
            fail_msg("%s: %s", rows[i].text, err.reason);
        }
    }
}

static void
test_ratios_compare_without_overflow(void **state)
{
    static const struct ratio rows[] = {
        {0, 1},
        {1, (int64_t)RATIO_MAX},
        {1, (int64_t)RATIO_MAX - 1},
        {1, 3},
        {(int64_t)RATIO_MAX - 2, (int64_t)RATIO_MAX - 1},
        {(int64_t)RATIO_MAX - 1, (int64_t)RATIO_MAX},
        {1, 1},
        {7, 5},
        {(int64_t)RATIO_MAX, 1},
    };
    const size_t n = sizeof rows / sizeof rows[0];

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            int result = ratio_compare(&rows[i], &rows[k]);

            assert_int_equal((result > 0) - (result < 0), (i > k) - (i < k));
        }
    }
}

static void
test_thresholds(void **state)
{
    const struct ratio half = {1, 2}, third = {1, 3}, one = {1, 1};
    const struct ratio none = {0, 1}, small = {1, 1024};

    (void)state;
    assert_true(ratio_threshold(&half) == UINT64_C(1) << 63);
    assert_true(ratio_threshold(&third) == UINT64_MAX / 3);
    assert_true(ratio_threshold(&one) == UINT64_MAX);
    assert_true(ratio_threshold(&none) == 0);
    assert_true(ratio_threshold(&small) == UINT64_C(1) << 54);
}

static void
test_any_kind(void **state)
{
    static const struct {
        const char *text;
        enum quantity_kind kind;
        double value;
    } rows[] = {
        {"400us", QUANTITY_TIME, 400e-6}, {"1.25GB", QUANTITY_BYTES, 1.25e9},
        {"40Gbps", QUANTITY_RATE, 40e9},  {"40G", QUANTITY_COUNT, 40e9},
        {"60%", QUANTITY_RATIO, 0.6},     {"1/4", QUANTITY_RATIO, 0.25},
        {"-3", QUANTITY_COUNT, -3},       {"2 km", QUANTITY_LENGTH, 2000},
        {"0.982", QUANTITY_COUNT, 0.982},
    };
    enum quantity_kind kind;
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double difference;

        assert_int_equal(quantity_parse_any(rows[i].text, &kind, &value, NULL),
                         ST_OK);
        assert_int_equal(kind, rows[i].kind);
        difference = value - rows[i].value;
        assert_true(difference * difference <=
                    1e-24 * rows[i].value * rows[i].value);
    }
    assert_int_equal(quantity_parse_any("3parsec", &kind, &value, NULL),
                     ST_INVALID);
    assert_int_equal(quantity_parse_any("inf", &kind, &value, NULL),
                     ST_INVALID);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_exact),
        cmocka_unit_test(test_bad_values_are_refused),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_ratios_that_do_not_fit),
        cmocka_unit_test(test_ratios_compare_without_overflow),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_any_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
