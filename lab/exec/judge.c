/* SPDX-License-Identifier: Apache-2.0 */

/* Translates lines of 'expect:' and has them evaluated. */

#include <config.h>

#include "lab/exec/judge.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "lab/measure/reader.h"
#include "lab/measure/sink.h"

/* Translation ------------------------------------------------------------- */

static enum quantity_kind
kind_of(enum metric_unit unit)
{
    switch (unit) {
    case METRIC_SECONDS:
        return QUANTITY_TIME;
    case METRIC_BITS_PER_SECOND:
        return QUANTITY_RATE;
    case METRIC_BYTES:
        return QUANTITY_BYTES;
    case METRIC_NUMBER:
        break;
    }
    return QUANTITY_COUNT;
}

enum st
judge_metric(const char *text, enum quantity_kind *kind, struct err *err)
{
    struct metric metric;
    const enum st st = metric_parse(text, &metric, err);

    if (!st) {
        *kind = kind_of(metric_unit(&metric));
    }
    return st;
}

/* Parses 'text'; an error gets its place in the scenario. */
static enum st
parse_metric(const struct scenario *scenario, const struct expect_spec *expect,
             const char *text, struct metric *metric, struct err *err)
{
    struct err cause = {0};

    if (metric_parse(text, metric, &cause)) {
        return scenario_fail(scenario, &expect->metric_place, err, "%s",
                             cause.reason);
    }
    return ST_OK;
}

/* Translates what 'expect' compares the metric with. */
static enum st
translate_condition(const struct scenario *scenario,
                    const struct expect_spec *expect,
                    struct expectation *expectation, struct err *err)
{
    const bool is_relative = expect->tolerance.kind == QUANTITY_RATIO;
    const double tolerance =
        expect->tolerance.present ? expect->tolerance.value : 0;

    switch (expect->condition) {
    case EXPECT_VALUE:
        expectation_set_is(expectation, expect->is.value, tolerance,
                           is_relative);
        return ST_OK;
    case EXPECT_LIMITS:
        expectation->kind = EXPECT_RANGE;
        expectation->min = expect->min.present ? expect->min.value : -INFINITY;
        expectation->max = expect->max.present ? expect->max.value : INFINITY;
        return ST_OK;
    case EXPECT_BELOW:
        expectation->kind = EXPECT_ORDER;
        expectation->factor = expect->factor;
        expectation->or_equal = expect->or_equal;
        return parse_metric(scenario, expect, expect->below, &expectation->than,
                            err);
    case EXPECT_FROM:
        expectation->kind = EXPECT_ORACLE;
        expectation->relative = is_relative ? tolerance : 0;
        expectation->absolute = is_relative ? 0 : tolerance;
        (void)text_copy(expectation->oracle, sizeof expectation->oracle,
                        expect->oracle);
        return ST_OK;
    case EXPECT_ACROSS:
        break;
    }
    check_failed("a condition of one run", __FILE__, __LINE__);
}

/* Translates what 'expect' compares. */
static enum st
translate_metrics(const struct scenario *scenario,
                  const struct expect_spec *expect,
                  struct expectation *expectation, struct err *err)
{
    enum st st;

    *expectation = (struct expectation){
        .text = expect->text, .factor = 1, .is_ratio = expect->per != NULL};
    st = parse_metric(scenario, expect, expect->metric, &expectation->metric,
                      err);
    return st || !expect->per ? st
                              : parse_metric(scenario, expect, expect->per,
                                             &expectation->per, err);
}

static enum st
translate(const struct scenario *scenario, const struct expect_spec *expect,
          struct expectation *expectation, struct err *err)
{
    const enum st st = translate_metrics(scenario, expect, expectation, err);

    return st ? st : translate_condition(scenario, expect, expectation, err);
}

/* One run ----------------------------------------------------------------- */

enum st
judge_run(const struct scenario *scenario, struct reader *reader,
          struct arena *arena, struct judgements *judgements, struct err *err)
{
    enum st st = ST_OK;

    *judgements =
        (struct judgements){.list = arena_alloc(arena, scenario->n_expect + 1,
                                                sizeof *judgements->list)};
    for (size_t i = 0; !st && i < scenario->n_expect; i++) {
        const struct expect_spec *expect = &scenario->expect[i];
        struct judgement *judgement = &judgements->list[judgements->n];
        struct expectation expectation;

        if (expect->condition == EXPECT_ACROSS) {
            continue;
        }
        judgement->expect = expect;
        st = translate(scenario, expect, &expectation, err);
        if (!st) {
            st = verdict_evaluate(&expectation, reader, &judgement->verdict,
                                  err);
        }
        if (!st) {
            judgements->n++;
            judgements->n_failed +=
                !judgement->verdict.passed && !expect->report;
        }
    }
    return st;
}

void
judge_record(const struct judgements *judgements, const struct sink *sink)
{
    for (size_t i = 0; sink->judged && i < judgements->n; i++) {
        const struct judgement *judgement = &judgements->list[i];

        sink->judged(sink->context, &(struct sink_verdict){
                                        .number = judgement->expect->number,
                                        .text = judgement->expect->text,
                                        .passed = judgement->verdict.passed,
                                        .known = judgement->verdict.known,
                                        .value = judgement->verdict.value,
                                        .reason = judgement->verdict.reason,
                                    });
    }
}

/* Across runs ------------------------------------------------------------- */

/* Returns the value of 'path' in 'run', NULL if it has none. */
static const char *
parameter(const struct scenario_run *run, const char *path)
{
    if (!strcmp(path, "variant")) {
        return run->variant;
    }
    for (size_t i = 0; i < run->n_parameters; i++) {
        if (!strcmp(run->parameters[i].path, path)) {
            return run->parameters[i].value;
        }
    }
    return NULL;
}

/* Returns whether two runs of a plan differ at most in 'path'. */
static bool
are_alike(const struct scenario_run *a, const struct scenario_run *b,
          const char *path)
{
    if (a->seed != b->seed ||
        (strcmp(path, "variant") != 0 && strcmp(a->variant, b->variant) != 0)) {
        return false;
    }
    for (size_t i = 0; i < a->n_swept; i++) {
        if (strcmp(a->parameters[i].path, path) != 0 &&
            strcmp(a->parameters[i].value, b->parameters[i].value) != 0) {
            return false;
        }
    }
    return true;
}

/* Returns the results of the run that is like 'run' but for 'value' of 'path',
 * NULL if there are none. */
static const char *
find_file(const struct scenario_run *run, const char *path, const char *value,
          const struct judge_file *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *found = parameter(files[i].run, path);

        if (files[i].path && found && !strcmp(found, value) &&
            are_alike(run, files[i].run, path)) {
            return files[i].path;
        }
    }
    return NULL;
}

/* Returns "path=value, seed=3" without 'path'. */
static const char *
make_label(const struct scenario_run *run, const char *path,
           struct arena *arena)
{
    struct text text = {0};
    const char *label;

    if (strcmp(path, "variant") != 0) {
        text_add_item(&text, ", ", run->variant);
    }
    for (size_t i = 0; i < run->n_swept; i++) {
        if (strcmp(run->parameters[i].path, path) != 0) {
            text_add_item(&text, ", ", run->parameters[i].path);
            text_addf(&text, "=%s", run->parameters[i].value);
        }
    }
    text_add_item(&text, ", ", "seed=");
    text_add_number(&text, run->seed);
    label = arena_strdup(arena, text_string(&text));
    text_fini(&text);
    return label;
}

static enum st
measure_file(const char *path, const struct expectation *expectation,
             struct verdict *verdict, struct err *err)
{
    struct reader *reader;
    enum st st = reader_open(path, &reader, err);

    if (!st) {
        st = expectation_measure(expectation, reader, verdict, err);
        reader_close(reader);
    }
    return st;
}

/* Judges one line; '*is_complete' is false if a run has no results. */
static enum st
judge_line(const struct scenario *scenario, const struct expect_spec *expect,
           const struct judge_file *files, size_t n, struct arena *arena,
           struct verdict *verdict, bool *is_complete, struct err *err)
{
    struct verdict *verdicts =
        arena_alloc(arena, expect->n_order, sizeof *verdicts);
    struct expectation expectation;
    enum st st = translate_metrics(scenario, expect, &expectation, err);

    *is_complete = true;
    for (size_t i = 0; !st && *is_complete && i < expect->n_order; i++) {
        const char *path = find_file(&scenario->run, expect->across,
                                     expect->order[i], files, n);

        *is_complete = path != NULL;
        if (path) {
            st = measure_file(path, &expectation, &verdicts[i], err);
        }
    }
    if (!st && *is_complete && expect->rank > 0) {
        verdict_rank(verdicts, expect->order, expect->n_order,
                     expectation_unit(&expectation), expect->rank, verdict);
    } else if (!st && *is_complete) {
        verdict_across(verdicts, expect->order, expect->n_order,
                       expectation_unit(&expectation), expect->or_equal,
                       verdict);
    }
    return st;
}

static void
add_comparison(struct judge_comparisons *comparisons,
               const struct judge_comparison *comparison, struct arena *arena)
{
    struct judge_comparison *list =
        arena_alloc(arena, comparisons->n + 1, sizeof *list);

    if (comparisons->n) {
        memcpy(list, comparisons->list, comparisons->n * sizeof *list);
    }
    list[comparisons->n++] = *comparison;
    comparisons->list = list;
    comparisons->n_failed +=
        !comparison->verdict.passed && !comparison->expect->report;
}

enum st
judge_across(const struct scenario *scenario, const struct judge_file *files,
             size_t n, struct arena *arena,
             struct judge_comparisons *comparisons, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < scenario->n_expect; i++) {
        const struct expect_spec *expect = &scenario->expect[i];
        struct judge_comparison comparison = {.expect = expect};
        const char *value;
        bool is_complete;

        if (expect->condition != EXPECT_ACROSS) {
            continue;
        }
        value = parameter(&scenario->run, expect->across);
        if (!value || strcmp(value, expect->order[0]) != 0) {
            continue;
        }
        st = judge_line(scenario, expect, files, n, arena, &comparison.verdict,
                        &is_complete, err);
        if (!st && is_complete) {
            comparison.label =
                make_label(&scenario->run, expect->across, arena);
            add_comparison(comparisons, &comparison, arena);
        } else if (!st) {
            comparisons->n_incomplete++;
        }
    }
    return st;
}
