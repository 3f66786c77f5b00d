/* SPDX-License-Identifier: Apache-2.0 */

/* Metric expressions, and verdicts on a synthetic run. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "lab/measure/rank.h"
#include "lab/measure/reader.h"
#include "lab/measure/verdict.h"
#include "tests/support/lab_results.h"

static char path[] = "/tmp/test_verdict.XXXXXX";
static struct reader *reader;

static int
write_run(void **state)
{
    struct results *results;
    const int file = mkstemp(path);

    (void)state;
    if (file < 0) {
        return -1;
    }
    close(file);
    unlink(path);
    results = lab_results_start(path);
    lab_results_record(results);
    lab_results_finish(results);
    return (int)reader_open(path, &reader, NULL);
}

static int
remove_run(void **state)
{
    (void)state;
    reader_close(reader);
    return unlink(path);
}

static struct metric
parse(const char *text)
{
    struct metric metric;
    struct err err = {0};

    if (metric_parse(text, &metric, &err)) {
        fail_msg("%s: %s", text, err.reason);
    }
    return metric;
}

static void
test_metrics_are_parsed(void **state)
{
    struct metric metric =
        parse(" p99.9 ( flow.fct { group = read , destination=h-1-* } ) ");

    (void)state;
    assert_int_equal(metric.aggregate, METRIC_QUANTILE);
    assert_true(fabs(metric.quantile - 0.999) < 1e-12);
    assert_int_equal(metric.quantity, METRIC_FLOW_FCT);
    assert_string_equal(metric.labels[METRIC_LABEL_GROUP], "read");
    assert_string_equal(metric.labels[METRIC_LABEL_DESTINATION], "h-1-*");
    assert_string_equal(metric.labels[METRIC_LABEL_SOURCE], "");
    metric = parse("sum(counter{name=rx pause})");
    assert_string_equal(metric.labels[METRIC_LABEL_NAME], "rx pause");
    /* The longest value of a label. */
    metric = parse("max(flow.fct{group=0123456789012345678901234567890123456789"
                   "01234567890123456789012})");
    assert_int_equal(strlen(metric.labels[METRIC_LABEL_GROUP]),
                     METRIC_VALUE_SIZE - 1);
    metric = parse("p5(flow.fct)");
    assert_true(fabs(metric.quantile - 0.05) < 1e-12);
    metric = parse("count(drop.packets)");
    assert_int_equal(metric.aggregate, METRIC_COUNT);
}

static void
test_wrong_metrics_are_explained(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "an aggregate is missing at the end"},
        {"(flow.fct)", "an aggregate is missing before '(flow.fct)'"},
        {"p99", "'(' is missing at the end"},
        {"p99(", "a quantity is missing at the end"},
        {"p99(flow.fct", "')' is missing at the end"},
        {"p99(flow.fct{group=read)", "'}' is missing"},
        {"p99(flow.fct{group})", "'=' is missing before '})'"},
        {"p99(flow.fct{group=})", "the value of a label is missing"},
        {"p99(flow.fct{=read})", "a label is missing before '=read})'"},
        {"p99(flow.fct{})", "a label is missing before '})'"},
        {"p99(flow.fct) x", "'x' follows the metric"},
        {"p0(flow.fct)", "unknown aggregate 'p0'"},
        {"p100(flow.fct)", "unknown aggregate 'p100'"},
        {"p0x10(flow.fct)", "unknown aggregate 'p0x10'"},
        {"p1e1(flow.fct)", "unknown aggregate 'p1e1'"},
        {"p9.9.9(flow.fct)", "unknown aggregate 'p9.9.9'"},
        {"p99x(flow.fct)", "unknown aggregate 'p99x'"},
        {"avg(flow.fct)", "unknown aggregate 'avg'"},
        {"meen(flow.fct)", "did you mean 'mean'?"},
        {"max(flow.ftc)", "did you mean 'flow.fct'?"},
        {"max(flow.fct{groop=read})", "did you mean 'group'?"},
        {"max(flow.fct{reason=wred})", "flow.fct has no label 'reason'"},
        {"max(flow.fct{group=01234567890123456789012345678901234567890123456789"
         "01234567890123})",
         "longer than 63"},
        {"max(flow.fct{group=a,group=b})", "label group is given twice"},
        {"max(flow.fct{group=0123456789012345678901234567890123456789012345678"
         "901234567890123456789})",
         "longer than 63"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct metric metric = {.quantile = 7};
        struct err err = {0};

        assert_int_equal(metric_parse(cases[i].text, &metric, &err),
                         ST_INVALID);
        assert_true(metric.quantile == 7);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("'%s': %s", cases[i].text, err.reason);
        }
    }
}

static void
test_values_are_written_with_units(void **state)
{
    static const struct {
        double value;
        enum metric_unit unit;
        const char *text;
    } cases[] = {
        {52.5e-6, METRIC_SECONDS, "52.5 us"},
        {1e-12, METRIC_SECONDS, "1 ps"},
        {1e-3, METRIC_SECONDS, "1 ms"},
        {1e-15, METRIC_SECONDS, "0.001 ps"},
        {0, METRIC_SECONDS, "0 s"},
        {90, METRIC_SECONDS, "90 s"},
        {39.1e9, METRIC_BITS_PER_SECOND, "39.1 Gb/s"},
        {0, METRIC_BITS_PER_SECOND, "0 b/s"},
        {1.25e9, METRIC_BYTES, "1.25 GB"},
        {999, METRIC_BYTES, "999 B"},
        {0.982, METRIC_NUMBER, "0.982"},
        {123456789, METRIC_NUMBER, "123456789"},
        {-2e-6, METRIC_SECONDS, "-2 us"},
    };
    char buffer[METRIC_TEXT_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(metric_text(cases[i].value, cases[i].unit, buffer),
                            cases[i].text);
    }
}

/* Every quantity can be read, also with each of its labels. */
static void
test_every_quantity_is_readable(void **state)
{
    (void)state;
#define X(member, name, unit, meaning)                                         \
    {                                                                          \
        struct metric metric = parse("count(" name ")");                       \
        struct verdict verdict;                                                \
                                                                               \
        assert_int_equal(metric.quantity, METRIC_##member);                    \
        assert_int_equal(verdict_measure(&metric, reader, &verdict, NULL),     \
                         ST_OK);                                               \
        for (int i = 0; i < METRIC_N_LABELS; i++) {                            \
            metric = parse("count(" name ")");                                 \
            if (metric_has_label(metric.quantity, (enum metric_label)i)) {     \
                strcpy(metric.labels[i], "nothing");                           \
                assert_int_equal(                                              \
                    verdict_measure(&metric, reader, &verdict, NULL), ST_OK);  \
                assert_int_equal(verdict.n, 0);                                \
            }                                                                  \
        }                                                                      \
    }
    METRIC_QUANTITIES(X)
#undef X
}

static void
test_metrics_of_the_run(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        /* Flows 0..8 are done after 10, 20, ... 90 us. */
        {"count(flow.fct)", 9},
        {"mean(flow.fct)", 50e-6},
        {"p50(flow.fct)", 50e-6},
        {"max(flow.fct{source=h-0-0})", 90e-6},
        {"max(flow.fct{source=h-0-1})", 80e-6},
        {"max(flow.goodput{group=read})", 800e9},
        {"sum(flow.failed)", 1},
        {"sum(flow.retransmitted{flow=7})", 7},
        {"sum(flow.timeouts{state=failed})", 7},
        {"count(flow.bytes{group=probe})", 1},
        {"sum(drop.packets)", 4},
        {"sum(drop.packets{priority=3})", 3},
        {"sum(drop.packets{group=read})", 3},
        {"sum(drop.bytes{reason=egress})", 1082},
        {"min(drop.time)", 70e-6},
        {"sum(drop.packets{role=t0})", 0},
        {"count(pause.count{tier=-1})", 2},
        {"count(pause.count{peer=t1-?})", 1},
        {"sum(pause.time)", 25e-6},
        {"max(queue.peak{node=t1-0, port=t0-1})", 54321},
        {"min(queue.first_mark)", 30e-6},
        {"min(queue.first_pause)", 40e-6},
        /* 1.25 MB in 200 us: 50 Gb/s, half of 100. */
        {"max(link.rate)", 50e9},
        {"max(link.utilization{role=t1})", 0.5},
        {"max(link.flows{node=t1-0})", 11},
        {"count(link.flows{node=t1-0})", 1},
        {"count(path.hop{flow=3})", 4},
        {"sum(counter{name=rx_pause, priority=3})", 2},
        {"max(series{name=queue.depth})", 300},
        {"count(oracle{name=incast})", 3},
        {"count(oracle)", 6},
        /* Of the histogram of group read: 1..1000 us. */
        {"count(message.latency)", 1000},
        {"p50(message.latency{group=read})", 503.316479e-6},
        {"max(message.latency)", 1000e-6},
        {"spread(flow.bytes)", 1},
        {"stddev(flow.bytes)", 0},
        {"cv(flow.bytes)", 0},
        {"jain(flow.bytes)", 1},
        /* (0 + ... + 10)^2 / (11 * 385) */
        {"jain(flow.retransmitted)", 3025 / 4235.0},
        {"stddev(flow.retransmitted)", 3.1622776601683795},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct metric metric = parse(cases[i].text);
        struct verdict verdict;

        assert_int_equal(verdict_measure(&metric, reader, &verdict, NULL),
                         ST_OK);
        if (!verdict.known || fabs(verdict.value - cases[i].value) >
                                  fabs(cases[i].value) * 1e-9) {
            fail_msg("%s is %.12g", cases[i].text, verdict.value);
        }
    }
}

static struct verdict
judge(const struct expectation *expectation)
{
    struct verdict verdict;
    struct err err = {0};

    if (verdict_evaluate(expectation, reader, &verdict, &err)) {
        fail_msg("%s", err.reason);
    }
    return verdict;
}

static void
test_ranges(void **state)
{
    struct expectation expectation = {.metric = parse("mean(flow.fct)")};
    struct verdict verdict;

    (void)state;
    expectation_set_is(&expectation, 45e-6, 0.2, true);
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_string_equal(verdict.reason, "50 us, wanted 36 us..54 us");
    expectation_set_is(&expectation, 45e-6, 4e-6, false);
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "50 us, wanted 41 us..49 us");
    expectation.min = -INFINITY;
    expectation.max = 51e-6;
    assert_true(judge(&expectation).passed);
    expectation.min = 51e-6;
    expectation.max = INFINITY;
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "50 us, wanted at least 51 us");
    expectation.metric = parse("sum(drop.packets{priority=3})");
    expectation_set_is(&expectation, 0, 0, false);
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "3, wanted 0");
}

/* Nothing measured is no success, except that no drops are 0 drops. */
static void
test_nothing_to_measure(void **state)
{
    struct expectation expectation = {.metric =
                                          parse("mean(flow.fct{group=none})")};
    struct verdict verdict;

    (void)state;
    expectation.min = -INFINITY;
    expectation.max = INFINITY;
    verdict = judge(&expectation);
    assert_false(verdict.known);
    assert_false(verdict.passed);
    assert_non_null(strstr(verdict.reason, "nothing to measure"));
    expectation.metric = parse("sum(drop.packets{reason=ttl})");
    expectation_set_is(&expectation, 0, 0, false);
    assert_true(judge(&expectation).passed);
    /* Without flows there is no sum that could be small enough. */
    expectation.metric = parse("sum(flow.fct{group=none})");
    verdict = judge(&expectation);
    assert_false(verdict.known || verdict.passed);
    expectation.kind = EXPECT_ORDER;
    expectation.than = parse("sum(flow.bytes)");
    expectation.factor = 1;
    verdict = judge(&expectation);
    assert_false(verdict.known || verdict.passed);
    assert_non_null(strstr(verdict.reason, "nothing to measure on the left"));
}

/* 9 samples: the 95 % interval of the median has ranks 2 to 8. */
static void
test_percentiles_are_judged_by_their_interval(void **state)
{
    struct expectation expectation = {.metric = parse("p50(flow.fct)")};
    struct verdict verdict;

    (void)state;
    expectation_set_is(&expectation, 75e-6, 0, false);
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_string_equal(verdict.reason,
                        "50 us (95 %: 20 us..80 us, 9 values), wanted 75 us");
    expectation_set_is(&expectation, 85e-6, 0, false);
    assert_false(judge(&expectation).passed);
}

/* That of a ratio is of both: 20 / 80 to 80 / 20. */
static void
test_intervals_of_ratios(void **state)
{
    struct expectation expectation = {.metric = parse("p50(flow.fct)"),
                                      .per = parse("p50(flow.fct)"),
                                      .is_ratio = true};
    struct verdict verdict;

    (void)state;
    expectation_set_is(&expectation, 4, 0, false);
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_string_equal(verdict.reason,
                        "1 (95 %: 0.25..4, 9 values), wanted 4");
    expectation_set_is(&expectation, 0.24, 0, false);
    assert_false(judge(&expectation).passed);
    assert_int_equal(expectation_unit(&expectation), METRIC_NUMBER);
    expectation.is_ratio = false;
    assert_int_equal(expectation_unit(&expectation), METRIC_SECONDS);
}

static void
test_orders(void **state)
{
    struct expectation expectation = {
        .kind = EXPECT_ORDER,
        .metric = parse("max(flow.fct{source=h-0-1})"),
        .than = parse("max(flow.fct{source=h-0-0})"),
        .factor = 1,
    };
    struct verdict verdict;

    (void)state;
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_string_equal(verdict.reason, "80 us, wanted below 90 us");
    expectation.factor = 2;
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "80 us times 2, wanted below 90 us");
    expectation.factor = 1;
    expectation.metric = expectation.than;
    assert_false(judge(&expectation).passed);
    expectation.or_equal = true;
    assert_true(judge(&expectation).passed);
    expectation.than = parse("mean(flow.fct{group=none})");
    verdict = judge(&expectation);
    assert_false(verdict.passed || verdict.known);
}

/* Flow 0 took 10 us of 10.1, flow 1 20 of 19; flow 99 does not exist. */
static void
test_oracles(void **state)
{
    struct expectation expectation = {
        .kind = EXPECT_ORACLE,
        .metric = parse("max(flow.fct)"),
        .oracle = "incast",
        .relative = 0.06,
    };
    struct verdict verdict;

    (void)state;
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_int_equal(verdict.n, 2);
    expectation.relative = 0.02;
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason,
                        "1 of 2 outside; the worst is flow 1: 20 us, incast "
                        "says 19 us (5.26 %)");
    expectation.absolute = 0.7e-6;
    assert_true(judge(&expectation).passed);
    strcpy(expectation.oracle, "rtt");
    verdict = judge(&expectation);
    assert_false(verdict.passed || verdict.known);
}

/* A flow has four hops, 0..3: joined by count, sum or max, or each by itself.
 */
static void
test_oracles_join_values_of_an_object(void **state)
{
    struct expectation expectation = {
        .kind = EXPECT_ORACLE,
        .metric = parse("count(path.hop)"),
        .oracle = "hops",
    };
    struct verdict verdict;

    (void)state;
    verdict = judge(&expectation);
    assert_true(verdict.passed);
    assert_int_equal(verdict.n, 2);
    expectation.metric = parse("sum(path.hop)");
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "2 of 2 outside; the worst is flow 3: "
                                        "6, hops says 4 (50 %)");
    expectation.metric = parse("p50(path.hop)");
    assert_int_equal(judge(&expectation).n, 8);
}

/* 11 flows on the fullest link, theory says 10. */
static void
test_an_oracle_of_the_whole_run(void **state)
{
    struct expectation expectation = {
        .kind = EXPECT_ORACLE,
        .metric = parse("max(link.flows)"),
        .oracle = "fullest",
        .absolute = 1,
    };
    struct verdict verdict;

    (void)state;
    assert_true(judge(&expectation).passed);
    expectation.absolute = 0.9;
    verdict = judge(&expectation);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason, "1 of 1 outside; the worst is it: 11, "
                                        "fullest says 10 (10 %)");
    expectation.metric = parse("max(link.flows{node=none})");
    assert_false(judge(&expectation).known);
}

static void
test_values_across_runs(void **state)
{
    static const char *const names[] = {"1 km", "10 km", "40 km"};
    struct verdict runs[] = {
        {.known = true, .value = 1e-6, .low = 1e-6, .high = 1e-6, .n = 1},
        {.known = true, .value = 5e-6, .low = 2e-6, .high = 9e-6, .n = 5},
        {.known = true, .value = 4e-6, .low = 4e-6, .high = 4e-6, .n = 1},
    };
    struct verdict verdict;

    (void)state;
    /* The interval of the second reaches below the third. */
    verdict_across(runs, names, 3, METRIC_SECONDS, false, &verdict);
    assert_true(verdict.passed && verdict.known);
    assert_string_equal(verdict.reason,
                        "grows from 1 km to 40 km, where it is 4 us");
    runs[1].low = runs[1].high = 5e-6;
    verdict_across(runs, names, 3, METRIC_SECONDS, false, &verdict);
    assert_false(verdict.passed);
    assert_string_equal(verdict.reason,
                        "10 km has 5 us, wanted below 40 km with 4 us");
    runs[2] = runs[1];
    verdict_across(runs, names, 3, METRIC_SECONDS, false, &verdict);
    assert_false(verdict.passed);
    verdict_across(runs, names, 3, METRIC_SECONDS, true, &verdict);
    assert_true(verdict.passed);
    runs[2].known = false;
    verdict_across(runs, names, 3, METRIC_SECONDS, true, &verdict);
    assert_false(verdict.passed || verdict.known);
    assert_string_equal(verdict.reason, "nothing to measure for 40 km");
}

static bool
is_near(double value, double wanted)
{
    return fabs(value - wanted) < 1e-12;
}

static void
test_rank_correlation(void **state)
{
    static const double grows[] = {1, 2, 30, 31}, falls[] = {4, 2, 1, 0},
                        one_pair[] = {1, 3, 2, 9}, equal[] = {0, 0, 0, 5},
                        same[] = {7, 7};

    (void)state;
    assert_true(is_near(rank_correlation(grows, 4), 1));
    assert_true(is_near(rank_correlation(falls, 4), -1));
    /* 1 - 6 sum(d^2) / (n (n^2 - 1)) */
    assert_true(is_near(rank_correlation(one_pair, 4), 1 - 12.0 / 60));
    /* Ranks 1, 1, 1, 3: 3 / sqrt(5 * 3). */
    assert_true(is_near(rank_correlation(equal, 4), 3 / sqrt(15)));
    assert_true(isnan(rank_correlation(same, 2)));
}

static void
test_ranks_across_runs(void **state)
{
    static const char *const names[] = {"th6", "td3", "th", "td2"};
    struct verdict runs[] = {
        {.known = true, .value = 1e-6, .low = 1e-6, .high = 1e-6, .n = 1},
        {.known = true, .value = 4e-6, .low = 4e-6, .high = 4e-6, .n = 1},
        {.known = true, .value = 3e-6, .low = 3e-6, .high = 3e-6, .n = 1},
        {.known = true, .value = 5e-6, .low = 5e-6, .high = 5e-6, .n = 1},
    };
    struct verdict verdict;

    (void)state;
    verdict_rank(runs, names, 4, METRIC_SECONDS, 0.8, &verdict);
    assert_true(verdict.passed && verdict.known && verdict.n == 4);
    assert_true(is_near(verdict.value, 0.8));
    assert_string_equal(verdict.reason,
                        "rank correlation 0.800, wanted at least 0.800; th6 "
                        "has 1 us, td2 5 us");
    verdict_rank(runs, names, 4, METRIC_SECONDS, 0.81, &verdict);
    assert_true(verdict.known && !verdict.passed);
    runs[0] = runs[1] = runs[2] = runs[3];
    verdict_rank(runs, names, 4, METRIC_SECONDS, 0.1, &verdict);
    assert_false(verdict.passed || verdict.known);
    assert_string_equal(verdict.reason, "all values are equal, 5 us");
    runs[2].known = false;
    verdict_rank(runs, names, 4, METRIC_SECONDS, 0.1, &verdict);
    assert_false(verdict.passed || verdict.known);
    assert_string_equal(verdict.reason, "nothing to measure for th");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metrics_are_parsed),
        cmocka_unit_test(test_wrong_metrics_are_explained),
        cmocka_unit_test(test_values_are_written_with_units),
        cmocka_unit_test(test_every_quantity_is_readable),
        cmocka_unit_test(test_metrics_of_the_run),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_nothing_to_measure),
        cmocka_unit_test(test_percentiles_are_judged_by_their_interval),
        cmocka_unit_test(test_intervals_of_ratios),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_oracles),
        cmocka_unit_test(test_oracles_join_values_of_an_object),
        cmocka_unit_test(test_an_oracle_of_the_whole_run),
        cmocka_unit_test(test_values_across_runs),
        cmocka_unit_test(test_rank_correlation),
        cmocka_unit_test(test_ranks_across_runs),
    };

    return cmocka_run_group_tests(tests, write_run, remove_run);
}
