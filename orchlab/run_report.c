/* SPDX-License-Identifier: Apache-2.0 */

/* Prints runs and their verdicts. */

#include <config.h>

#include "orchlab/run_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/metric.h"

#define NS_PER_S 1e9

/* Verdicts ------------------------------------------------------------------
 */

static void
add_verdict(struct grid *grid, const struct expect_spec *expect,
            const struct verdict *verdict, const char *label)
{
    grid_line(grid);
    if (verdict->passed) {
        grid_text(grid, "passed");
    } else {
        grid_text(grid, expect->report ? "reported" : "FAILED");
        grid_colour(grid, expect->report ? TERMINAL_WARNING : TERMINAL_ALARM);
    }
    if (label) {
        grid_text(grid, label);
    }
    grid_text(grid, expect->text);
    grid_text(grid, verdict->reason);
}

/* Prints the verdicts of a run; with 'failed' only those that failed. */
static void
print_verdicts(const struct judgements *judgements, bool failed,
               unsigned int indent)
{
    static const struct grid_column columns[] = {
        {"verdict", false}, {"expectation", false}, {"measured", false}};
    struct grid *grid = grid_create(columns, 3);
    size_t n = 0;

    for (size_t i = 0; i < judgements->n; i++) {
        const struct judgement *judgement = &judgements->list[i];

        if (!failed ||
            (!judgement->verdict.passed && !judgement->expect->report)) {
            add_verdict(grid, judgement->expect, &judgement->verdict, NULL);
            n++;
        }
    }
    if (n) {
        grid_print(grid, indent);
    } else {
        grid_free(grid);
    }
}

static size_t
count_passed(const struct judgements *judgements)
{
    size_t n = 0;

    for (size_t i = 0; i < judgements->n; i++) {
        n += judgements->list[i].verdict.passed;
    }
    return n;
}

/* Runs ----------------------------------------------------------------------
 */

static double
hops_per_s(const struct run_outcome *outcome)
{
    return outcome->wall_ns > 0 ? (double)outcome->progress.hops /
                                      ((double)outcome->wall_ns / NS_PER_S)
                                : 0;
}

/* Appends "complete at 1 ms, 123 hops, 0 drops, 2 pauses". */
static void
describe_end(struct text *text, const struct run_outcome *outcome)
{
    const struct run_progress *progress = &outcome->progress;
    char time[METRIC_TEXT_SIZE];

    text_addf(
        text,
        "%s at %s, %" PRIu64 " hop%s, %" PRIu64 " drop%s, %" PRIu64 " pause%s",
        results_state_name(outcome->state),
        metric_text((double)progress->now_ps * 1e-12, METRIC_SECONDS, time),
        progress->hops, text_plural(progress->hops), progress->drops,
        text_plural(progress->drops), progress->pauses,
        text_plural(progress->pauses));
    if (progress->skipped) {
        text_addf(text,
                  ", %" PRIu64 " message%s not posted (too many outstanding)",
                  progress->skipped, text_plural(progress->skipped));
    }
    if (progress->lost) {
        text_addf(text, ", %" PRIu64 " message%s lost", progress->lost,
                  text_plural(progress->lost));
    }
    if (outcome->state == RESULTS_FAILED) {
        text_addf(text, ": %s", outcome->failure.reason);
    }
}

/* Prints the only run of a command. */
static void
print_alone(const char *name, const struct scenario_run *run,
            const struct run_outcome *outcome)
{
    struct text text = {0};

    describe_end(&text, outcome);
    printf("%s, seed %" PRIu64 ": %s\n", name, run->seed, text_string(&text));
    text_fini(&text);
    print_verdicts(&outcome->judgements, false, 0);
    printf("Hash %s, results %s\n", outcome->hash, outcome->path);
    if (outcome->captures) {
        printf("Captures %s.*.pcap%s\n", outcome->captures,
               outcome->captured || outcome->skipped
                   ? ""
                   : ": no packets; the scenario says which (record: pcap)");
    }
    if (outcome->skipped) {
        printf("These results existed; --again repeats the run.\n");
    } else {
        printf("Took %.2f s, %.2f Mhops/s\n",
               (double)outcome->wall_ns / NS_PER_S, hops_per_s(outcome) / 1e6);
    }
}

void
run_report_print(const char *name, const struct scenario_run *run,
                 const struct run_outcome *outcome, size_t n)
{
    struct text text = {0};

    if (n == 1) {
        print_alone(name, run, outcome);
        return;
    }
    describe_end(&text, outcome);
    printf("Run %zu (%s)%s: %s; %zu of %zu passed; hash %s\n", run->number,
           run->label, outcome->skipped ? ", existed" : "", text_string(&text),
           count_passed(&outcome->judgements), outcome->judgements.n,
           outcome->hash);
    text_fini(&text);
    print_verdicts(&outcome->judgements, true, 4);
    fflush(stdout);
}

void
run_report_print_across(const struct judge_comparisons *comparisons)
{
    static const struct grid_column columns[] = {{"verdict", false},
                                                 {"runs", false},
                                                 {"expectation", false},
                                                 {"measured", false}};
    struct grid *grid;

    if (comparisons->n) {
        grid = grid_create(columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < comparisons->n; i++) {
            add_verdict(grid, comparisons->list[i].expect,
                        &comparisons->list[i].verdict,
                        comparisons->list[i].label);
        }
        printf("Across runs:\n");
        grid_print(grid, 0);
    }
    if (comparisons->n_incomplete) {
        printf("%zu comparison%s across runs left out: not all of their runs "
               "are there\n",
               comparisons->n_incomplete,
               text_plural(comparisons->n_incomplete));
    }
}

void
run_report_print_plan(const struct scenario_plan *plan, const size_t *chosen,
                      size_t n)
{
    static const struct grid_column columns[] = {
        {"run", true}, {"seed", true}, {"values", false}};
    struct grid *grid = grid_create(columns, 3);
    char seed[24];

    for (size_t i = 0; i < n; i++) {
        const struct scenario_run *run = &plan->runs[chosen[i]];

        grid_line(grid);
        grid_number(grid, (int64_t)run->number);
        text_format(seed, sizeof seed, "%" PRIu64, run->seed);
        grid_text(grid, seed);
        grid_text(grid, run->label);
    }
    grid_print(grid, 0);
}

/* JSON ----------------------------------------------------------------------
 */

static json_t *
verdict_json(const struct expect_spec *expect, const struct verdict *verdict)
{
    return json_pack("{s:i, s:s, s:b, s:b, s:b, s:o, s:s}", "number",
                     (int)expect->number, "text", expect->text, "passed",
                     verdict->passed, "known", verdict->known, "report",
                     expect->report, "value",
                     verdict->known ? json_real(verdict->value) : json_null(),
                     "reason", verdict->reason);
}

json_t *
run_report_json(const struct scenario_run *run,
                const struct run_outcome *outcome)
{
    const struct run_progress *progress = &outcome->progress;
    json_t *verdicts = json_array();

    for (size_t i = 0; i < outcome->judgements.n; i++) {
        const struct judgement *judgement = &outcome->judgements.list[i];

        json_array_append_new(
            verdicts, verdict_json(judgement->expect, &judgement->verdict));
    }
    return json_pack(
        "{s:I, s:s, s:I, s:s, s:s, s:s, s:s, s:b, s:s, s:I, s:I, s:I, s:I, "
        "s:I, s:I, s:I, s:I, s:f, s:o}",
        "run", (json_int_t)run->number, "label", run->label, "seed",
        (json_int_t)run->seed, "key", outcome->key, "file", outcome->path,
        "state", results_state_name(outcome->state), "reason",
        outcome->failure.reason, "existed", outcome->skipped, "hash",
        outcome->hash, "virtual_ps", (json_int_t)progress->now_ps, "hops",
        (json_int_t)progress->hops, "drops", (json_int_t)progress->drops,
        "pauses", (json_int_t)progress->pauses, "marks",
        (json_int_t)progress->marks, "messages_skipped",
        (json_int_t)progress->skipped, "messages_lost",
        (json_int_t)progress->lost, "wall_ns", (json_int_t)outcome->wall_ns,
        "hops_per_s", hops_per_s(outcome), "verdicts", verdicts);
}

json_t *
run_report_across_json(const struct judge_comparisons *comparisons)
{
    json_t *list = json_array();

    for (size_t i = 0; i < comparisons->n; i++) {
        const struct judge_comparison *comparison = &comparisons->list[i];
        json_t *object = verdict_json(comparison->expect, &comparison->verdict);

        json_object_set_new(object, "runs", json_string(comparison->label));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *
run_report_plan_json(const struct scenario_plan *plan, const size_t *chosen,
                     size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct scenario_run *run = &plan->runs[chosen[i]];

        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:s, s:s}", "run",
                                        (json_int_t)run->number, "seed",
                                        (json_int_t)run->seed, "variant",
                                        run->variant, "label", run->label));
    }
    return list;
}
