/* SPDX-License-Identifier: Apache-2.0 */

/* Lines of 'expect:' judged on the synthetic run of lab_results.h. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/exec/judge.h"
#include "lab/measure/reader.h"
#include "lab/measure/sink.h"
#include "tests/support/lab_results.h"

static char path[] = "/tmp/test_judge.XXXXXX";
static struct reader *reader;

#define HEAD                                                                   \
    "name: x\nfabric: {star: {hosts: 4, rate: 100G}}\n"                        \
    "traffic:\n  - {name: read,\n"                                             \
    "     rc: {pattern: incast, from: all, to: h-0-0, size: 1MB}}\n"           \
    "stop: 1ms\n"

static int
write_run(void **state)
{
    const int file = mkstemp(path);
    struct results *results;

    (void)state;
    if (file < 0) {
        return -1;
    }
    close(file);
    unlink(path);
    results = lab_results_start(path);
    results_add_oracle(results, "rtt", "flow 1", 21e-6);
    results_add_oracle(results, "rtt", "flow 2", 31e-6);
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

static struct scenario_input
make_input(const char *text)
{
    return (struct scenario_input){.file = "x.yaml",
                                   .text = text,
                                   .length = strlen(text),
                                   .check_metric = judge_metric};
}

static void
test_conditions_are_judged(void **state)
{
    static const struct {
        const char *expect;
        bool passes;
    } rows[] = {
        {"metric: sum(drop.packets), is: 4", true},
        {"metric: sum(drop.packets), is: 5", false},
        {"metric: sum(drop.packets), is: 5, tol: 1", true},
        {"metric: sum(drop.packets), is: 5, tol: 20%", true},
        {"metric: sum(drop.packets), is: 5, tol: 19%", false},
        {"metric: max(flow.fct), is: 90us", true},
        {"metric: max(flow.fct), is: 91us, tol: 1us", true},
        {"metric: max(flow.fct), max: 90us", true},
        {"metric: max(flow.fct), min: 91us", false},
        {"metric: max(flow.fct), min: 89us, max: 91us", true},
        {"metric: min(flow.fct), below: max(flow.fct)", true},
        {"metric: min(flow.fct), below: max(flow.fct), factor: 9", false},
        {"metric: min(flow.fct), below: max(flow.fct), factor: 8", true},
        {"metric: max(flow.fct), below: max(flow.fct)", false},
        {"metric: max(flow.fct), below: max(flow.fct), or_equal: true", true},
        {"metric: mean(flow.fct), oracle: rtt, tol: 1.5us", true},
        {"metric: max(flow.fct), per: min(flow.fct), is: 9", true},
        {"metric: max(flow.fct), per: min(flow.fct), is: 8.9, tol: 0.1", true},
        {"metric: max(flow.fct), per: min(flow.fct), max: 899%", false},
        {"metric: min(flow.fct), per: max(flow.fct), max: 1/9", true},
        {"metric: max(flow.fct), per: 'sum(drop.time{tier=9})', min: 0", false},
        {"metric: max(flow.fct), per: 'min(flow.fct{flow=77})', min: 0", false},
        {"metric: 'max(flow.fct{flow=77})', per: max(flow.fct), min: 0", false},
        {"metric: mean(flow.fct), oracle: rtt, tol: 4%", false},
        {"metric: mean(flow.fct), oracle: rtt, tol: 5%", true},
        {"metric: mean(flow.fct), oracle: max_min, tol: 5%", false},
        {"metric: 'mean(flow.fct{flow=77})', is: 1us", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create(0);
        struct judgements judgements;
        struct scenario scenario;
        struct scenario_input input;
        struct text text = {0};
        struct err err = {0};

        text_addf(&text, HEAD "expect: [{%s}]\n", rows[i].expect);
        input = make_input(text_string(&text));
        if (scenario_parse(&input, 0, arena, &scenario, &err) ||
            judge_run(&scenario, reader, arena, &judgements, &err)) {
            fail_msg("%s: %s", rows[i].expect, err.reason);
        }
        assert_int_equal(judgements.n, 1);
        if (judgements.list[0].verdict.passed != rows[i].passes ||
            judgements.n_failed != !rows[i].passes) {
            fail_msg("%s: %s", rows[i].expect,
                     judgements.list[0].verdict.reason);
        }
        text_fini(&text);
        arena_destroy(arena);
    }
}

static void
note_verdict(void *context, const struct sink_verdict *verdict)
{
    text_addf(context, "%u %s %s\n", (unsigned int)verdict->number,
              verdict->text, verdict->passed ? "passed" : "failed");
}

static void
test_what_is_only_reported_does_not_fail(void **state)
{
    static const char text[] =
        HEAD "expect:\n"
             "  - {name: a, metric: sum(drop.packets), is: 9, report: true}\n"
             "  - {name: b, metric: sum(drop.packets), is: 4}\n";
    const struct scenario_input input = make_input(text);
    struct arena *arena = arena_create(0);
    struct judgements judgements;
    struct scenario scenario;
    struct text log = {0};
    struct err err = {0};
    const struct sink sink = {.judged = note_verdict, .context = &log};

    (void)state;
    if (scenario_parse(&input, 0, arena, &scenario, &err) ||
        judge_run(&scenario, reader, arena, &judgements, &err)) {
        fail_msg("%s", err.reason);
    }
    assert_int_equal(judgements.n_failed, 0);
    judge_record(&judgements, &sink);
    assert_string_equal(text_string(&log), "0 a failed\n1 b passed\n");
    judge_record(&judgements, &(struct sink){.context = NULL});
    text_fini(&log);
    arena_destroy(arena);
}

static void
test_wrong_metrics_have_a_place(void **state)
{
    static const char text[] =
        HEAD "expect:\n  - {metric: sum(drop.packet), is: 3}\n";
    struct scenario_input input = make_input(text);
    struct arena *arena = arena_create(0);
    struct judgements judgements;
    struct scenario scenario;
    struct err err = {0};

    (void)state;
    assert_int_equal(scenario_parse(&input, 0, arena, &scenario, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "x.yaml:8:14: 'metric': unknown"));
    /* The same if nobody has checked it before. */
    input.check_metric = NULL;
    assert_int_equal(scenario_parse(&input, 0, arena, &scenario, &err), ST_OK);
    assert_int_equal(judge_run(&scenario, reader, arena, &judgements, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "x.yaml:8:14: unknown quantity"));
    arena_destroy(arena);
}

static void
test_a_ratio_has_no_unit(void **state)
{
    static const struct {
        const char *expect, *reason;
    } rows[] = {
        {"metric: max(flow.fct), per: sum(flow.bytes), max: 2",
         "x.yaml:7:39: 'metric' and 'per' have different units"},
        {"metric: max(flow.fct), per: min(flow.fct), max: 2us",
         "x.yaml:7:59: 'max' has another unit than the metric, which is "},
        {"metric: max(flow.fct), per: min(flow.fc), max: 2",
         "x.yaml:7:39: 'per': unknown quantity 'flow.fc'"},
        {"metric: max(flow.fct), per: 'min(flow.fct{group=reads})', max: 2",
         "x.yaml:7:40: 'group' is 'reads' (did you mean 'read'?)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create(0);
        struct scenario scenario;
        struct scenario_input input;
        struct text text = {0};
        struct err err = {0};

        text_addf(&text, HEAD "expect: [{%s}]\n", rows[i].expect);
        input = make_input(text_string(&text));
        assert_int_equal(scenario_parse(&input, 0, arena, &scenario, &err),
                         ST_INVALID);
        if (strncmp(err.reason, rows[i].reason, strlen(rows[i].reason)) != 0) {
            fail_msg("%s", err.reason);
        }
        text_fini(&text);
        arena_destroy(arena);
    }
}

/* Judges 'expect' across the runs of a plan, which all have the same results
 * unless 'missing' is their number. */
static struct judge_comparisons
judge_plan(const char *text, size_t missing, struct arena *arena)
{
    const struct scenario_input input = make_input(text);
    struct judge_comparisons comparisons = {0};
    struct scenario_plan plan;
    struct judge_file *files;

    assert_int_equal(scenario_list_runs(&input, arena, &plan, NULL), ST_OK);
    files = arena_alloc(arena, plan.n_runs, sizeof *files);
    for (size_t i = 0; i < plan.n_runs; i++) {
        files[i] =
            (struct judge_file){&plan.runs[i], i == missing ? NULL : path};
    }
    for (size_t i = 0; i < plan.n_runs; i++) {
        struct scenario *scenario = arena_alloc(arena, 1, sizeof *scenario);

        assert_int_equal(scenario_parse(&input, i, arena, scenario, NULL),
                         ST_OK);
        assert_int_equal(judge_across(scenario, files, plan.n_runs, arena,
                                      &comparisons, NULL),
                         ST_OK);
    }
    return comparisons;
}

static void
test_runs_are_compared(void **state)
{
    static const char text[] =
        HEAD "seed: [1, 2]\nsweep: {stop: [2ms, 3ms]}\n"
             "variants: {a: {hosts.default.dcqcn: off},"
             " b: {hosts.default.dcqcn: paper}}\n"
             "hosts: {default: {}}\n"
             "expect:\n"
             "  - {metric: max(flow.fct), across: stop, order: [3ms, 2ms]}\n"
             "  - {metric: max(flow.fct), across: variant, order: [a, b],\n"
             "     when: {stop: 2ms}, report: true}\n";
    static const char ratio[] =
        HEAD "sweep: {stop: [2ms, 3ms]}\n"
             "expect:\n"
             "  - {metric: max(flow.fct), per: min(flow.fct), across: stop,\n"
             "     order: [3ms, 2ms]}\n";
    struct arena *arena = arena_create(0);
    struct judge_comparisons comparisons = judge_plan(text, SIZE_MAX, arena);

    (void)state;
    /* By variant and seed; by seed for one value of the sweep.  Equal values do
     * not grow. */
    assert_int_equal(comparisons.n, 6);
    assert_int_equal(comparisons.n_failed, 4);
    assert_int_equal(comparisons.n_incomplete, 0);
    assert_string_equal(comparisons.list[0].label, "stop=2ms, seed=1");
    assert_false(comparisons.list[0].verdict.passed);
    assert_string_equal(comparisons.list[2].label, "a, seed=1");
    assert_string_equal(comparisons.list[5].label, "b, seed=2");
    /* Run 0 is variant a, 2 ms, seed 1. */
    comparisons = judge_plan(text, 0, arena);
    assert_int_equal(comparisons.n, 4);
    assert_int_equal(comparisons.n_incomplete, 2);
    comparisons = judge_plan(ratio, SIZE_MAX, arena);
    assert_int_equal(comparisons.n, 1);
    assert_string_equal(comparisons.list[0].verdict.reason,
                        "3ms has 9, wanted below 2ms with 9");
    arena_destroy(arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_are_judged),
        cmocka_unit_test(test_what_is_only_reported_does_not_fail),
        cmocka_unit_test(test_wrong_metrics_have_a_place),
        cmocka_unit_test(test_a_ratio_has_no_unit),
        cmocka_unit_test(test_runs_are_compared),
    };

    return cmocka_run_group_tests(tests, write_run, remove_run);
}
