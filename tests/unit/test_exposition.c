/* SPDX-License-Identifier: Apache-2.0 */

/* The text format of Prometheus, to the byte. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/telemetry/metrics/durations.h"
#include "orchd/telemetry/metrics/exposition.h"

static void
assert_text(struct text *text, const char *expected)
{
    assert_string_equal(text_string(text), expected);
    text_fini(text);
}

static void
test_families_and_samples(void **state)
{
    const struct label labels[] = {{"port", "Ethernet0"}, {"queue", "3"}};
    struct text text = {0};

    (void)state;
    exposition_family(&text, "a_total", EXPOSITION_COUNTER, "Some.");
    exposition_count(&text, "a_total", NULL, 0, UINT64_MAX);
    exposition_count(&text, "a_total", labels, 2, 0);
    exposition_family(&text, "b", EXPOSITION_GAUGE, "Others.");
    exposition_number(&text, "b", labels, 1, 0.25);
    exposition_number(&text, "b", NULL, 0, -1e12);
    assert_text(&text, "# HELP a_total Some.\n"
                       "# TYPE a_total counter\n"
                       "a_total 18446744073709551615\n"
                       "a_total{port=\"Ethernet0\",queue=\"3\"} 0\n"
                       "# HELP b Others.\n"
                       "# TYPE b gauge\n"
                       "b{port=\"Ethernet0\"} 0.25\n"
                       "b -1e+12\n");
}

static void
test_labels_cannot_break_out(void **state)
{
    const struct label label = {"x", "a\"} 1\n\\b\xc3\xa4\t"};
    struct text text = {0};

    (void)state;
    exposition_count(&text, "a", &label, 1, 1);
    assert_text(&text, "a{x=\"a\\\"} 1?\\\\b???\"} 1\n");
}

static void
test_histograms_are_cumulative(void **state)
{
    const double bounds[] = {0.5, 1};
    const uint64_t within[] = {2, 5};
    const struct exposition_histogram histogram = {bounds, within, 2, 6, 7.5};
    const struct label label = {"x", "y"};
    struct text text = {0};

    (void)state;
    exposition_histogram(&text, "h", &label, 1, &histogram);
    assert_text(&text, "h_bucket{x=\"y\",le=\"0.5\"} 2\n"
                       "h_bucket{x=\"y\",le=\"1\"} 5\n"
                       "h_bucket{x=\"y\",le=\"+Inf\"} 6\n"
                       "h_sum{x=\"y\"} 7.5\n"
                       "h_count{x=\"y\"} 6\n");
}

static void
test_durations_are_counted_below_their_bounds(void **state)
{
    struct durations durations = {0};
    struct text text = {0};

    (void)state;
    durations_add(&durations, 0);
    durations_add(&durations, 1024);
    durations_add(&durations, 1025);
    durations_add(&durations, 2000000000);
    assert_int_equal(durations.within[0], 2);
    for (int i = 1; i < METER_BOUNDS; i++) {
        assert_int_equal(durations.within[i], 3);
    }
    assert_int_equal(durations.count, 4);
    durations_print(&text, "d", NULL, 0, &durations);
    assert_non_null(strstr(text_string(&text), "d_bucket{le=\"1.024e-06\"} 2"));
    assert_non_null(strstr(text_string(&text), "d_bucket{le=\"+Inf\"} 4"));
    assert_non_null(strstr(text_string(&text), "d_sum 2.00000205\n"));
    text_fini(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families_and_samples),
        cmocka_unit_test(test_labels_cannot_break_out),
        cmocka_unit_test(test_histograms_are_cumulative),
        cmocka_unit_test(test_durations_are_counted_below_their_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
