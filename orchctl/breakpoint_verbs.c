/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl breakpoint ...": run scenarios on a switch in this process or on the
 * switch behind orchd. */

#include <config.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"
#include "breakpoint/scenario.h"
#include "orchctl/bench_select.h"
#include "orchctl/case_elsewhere.h"
#include "orchctl/case_list.h"
#include "orchctl/case_runner.h"
#include "orchctl/case_store.h"
#include "orchctl/describe.h"
#include "orchctl/member.h"
#include "orchctl/probe_verb.h"
#include "orchctl/prompt.h"
#include "orchctl/result_formats.h"
#include "orchctl/run_files.h"
#include "orchctl/run_report.h"
#include "orchctl/stop_signal.h"
#include "orchctl/sweep_plot.h"
#include "orchctl/sweep_points.h"
#include "orchctl/sweep_progress.h"
#include "orchctl/trace_file.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

#define JOBS_MAX 64

/* Collects the cases of all operands, or of 'otherwise'.  Prints errors. */
static int
collect(const struct invocation *invocation, const char *otherwise,
        struct arena *arena, struct case_list *cases)
{
    int code = CONTROL_DONE;

    for (size_t i = 0; i < invocation->n_operands; i++) {
        struct err err = {0};

        if (case_list_add(cases, invocation->operands[i], arena, &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
    }
    if (!invocation->n_operands && otherwise) {
        struct err err = {0};

        if (case_list_add(cases, otherwise, arena, &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
    }
    if (code == CONTROL_DONE && verb_option(invocation, "variant", NULL)) {
        struct err err = {0};

        if (case_list_keep_variant(
                cases, verb_option(invocation, "variant", NULL), &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
    }
    return code;
}

/* --- run ----------------------------------------------------------------- */

enum format {
    FORMAT_TEXT,
    FORMAT_TAP,
    FORMAT_JUNIT,
    FORMAT_JSON,
    N_FORMATS,
};

static const char *const format_names[] = {"text", "tap", "junit", "json"};

/* Returns the requested format, or N_FORMATS if there is no such format. */
static enum format
find_format(const struct invocation *invocation)
{
    const char *name = verb_option(invocation, "format", "text");
    size_t i = 0;

    if (invocation->json) {
        return FORMAT_JSON;
    }
    while (i < N_FORMATS && strcmp(format_names[i], name)) {
        i++;
    }
    return (enum format)i;
}

/* Prints to stderr why a case could not be loaded, in any format. */
static void
complain(void *context, const json_t *result)
{
    const char *reason = json_string_value(json_object_get(result, "reason"));
    struct err err;

    (void)context;
    if (reason && run_report_outcome_of(result) != RUN_PASSED) {
        err_set(&err, ST_INVALID, "scenario", "%s", reason);
        err_set_field(&err, NULL, NULL, member_text(result, "allowed"));
        err_set_remedy(&err, "%s", member_text(result, "remedy"));
        verb_complain(&err);
    }
}

/* The same, and prints a skipped case: the output step by step does not show
 * it. */
static void
complain_or_skip(void *context, const json_t *result)
{
    complain(context, result);
    if (run_report_is_skipped(result)) {
        result_formats_line(NULL, result);
    }
}

/* Returns whether the options ask for a sweep. */
static bool
sweeps(const struct invocation *invocation)
{
    return json_object_get(invocation->arguments, "param") ||
           json_object_get(invocation->arguments, "repeat");
}

/* Returns how many processes to use for 'n' cases. */
static unsigned int
choose_jobs(const struct invocation *invocation, size_t n, bool streams)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const bool many = sweeps(invocation) && !verb_flag(invocation, "live");
    const int64_t jobs = verb_number(invocation, "jobs",
                                     !many || processors < 1 ? 1
                                     : processors > JOBS_MAX ? JOBS_MAX
                                                             : processors);

    return streams || !n      ? 1
           : (size_t)jobs > n ? (unsigned int)n
                              : (unsigned int)jobs;
}

/* Loads the first case.  Prints the reason if that fails. */
static int
load_first(const struct case_list *cases, struct bench *bench,
           struct scenario **scenario)
{
    const struct parser_input input = case_list_input(&cases->items[0]);
    struct err err = {0};
    enum st st =
        parser_load(&input, cases->items[0].variant, bench, scenario, &err);

    if (st) {
        verb_complain(&err);
    } else if ((*scenario)->skipped) {
        fprintf(stderr, "orchctl: %s is skipped: %s\n", (*scenario)->name,
                (*scenario)->skipped);
    }
    return (int)runner_outcome(st);
}

/* Loads the first point of a sweep: a mistake in the parameters is reported
 * once and before any file is made, instead of by each point. */
static int
check_first(const struct case_list *cases, struct bench_select *select)
{
    struct scenario *scenario = NULL;
    struct bench *bench;
    int code;

    if (!sweeps(select->invocation) || cases->n < 2) {
        return CONTROL_DONE;
    }
    bench = bench_select_open(select);
    code = bench ? load_first(cases, bench, &scenario) : select->code;
    scenario_destroy(scenario);
    bench_select_close(select, bench);
    return code;
}

/* Returns how to run 'cases' and where to show the 'progress'. */
static struct case_runner_options
choose_options(const struct case_list *cases, struct bench_select *select,
               enum format format, struct case_store *store,
               struct sweep_progress *progress)
{
    const struct invocation *invocation = select->invocation;
    /* Print a single case step by step, of many only those that fail. */
    const bool streams = format == FORMAT_TEXT &&
                         (cases->n == 1 || verb_flag(invocation, "trace"));

    return (struct case_runner_options){
        .open = bench_select_open,
        .close = bench_select_close,
        .context = select,
        .n_jobs = choose_jobs(invocation, cases->n, streams),
        .streams = streams,
        .traces = verb_flag(invocation, "trace"),
        .save = verb_option(invocation, "save", NULL),
        .trace_file = verb_option(invocation, "trace-file", NULL),
        .store = store,
        .done = format != FORMAT_TEXT ? complain
                : streams             ? complain_or_skip
                : sweeps(invocation)  ? result_formats_failure
                                      : result_formats_line,
        .progress = streams ? NULL : sweep_progress_show,
        .progress_context = progress,
    };
}

/* Prints the results after all cases.  Text was printed when each case ended,
 * except the 'summary' of the time since 'began_ms'. */
static void
print_results(const json_t *results, enum format format, bool summary,
              double began_ms)
{
    switch (format) {
    case FORMAT_TAP:
        result_formats_tap(results);
        break;
    case FORMAT_JUNIT:
        result_formats_junit(results);
        break;
    case FORMAT_JSON:
        result_formats_json(results);
        break;
    case FORMAT_TEXT:
    case N_FORMATS:
    default:
        if (summary) {
            result_formats_summary(results, case_runner_clock_ms() - began_ms);
        }
        break;
    }
}

/* Carries out all cases, here or by an executor, and stores their results.
 * Returns the worst outcome. */
static int
carry_out(const struct case_list *cases, struct bench_select *select,
          const struct case_runner_options *options, json_t **results)
{
    const struct invocation *invocation = select->invocation;
    int code;

    if (!verb_option(invocation, "executor", NULL)) {
        return (int)case_runner_run(cases, options, results);
    }
    code = case_elsewhere_run(invocation, cases, options->store, results);
    for (size_t i = 0; options->done && i < json_array_size(*results); i++) {
        options->done(options->done_context, json_array_get(*results, i));
    }
    return code ? code : (int)case_runner_worst(*results);
}

/* Runs all cases and prints the results. */
static int
run_cases(const struct case_list *cases, struct bench_select *select,
          enum format format, struct case_store *store)
{
    struct sweep_progress progress;
    const struct case_runner_options options =
        choose_options(cases, select, format, store, &progress);
    json_t *results = NULL;
    struct result_files *files = NULL;
    int worst;
    int code = check_first(cases, select);

    code = code ? code : run_files_open(select->invocation, &files);
    if (code) {
        return code;
    }
    sweep_progress_begin(&progress, cases->n);
    worst = carry_out(cases, select, &options, &results);
    sweep_progress_end(&progress);
    if (json_array_size(results) < cases->n && stop_signal_came()) {
        fprintf(stderr, "orchctl: stopped after %zu of %zu cases\n",
                json_array_size(results), cases->n);
    }
    code = run_files_end(select->invocation, files, results, cases->n,
                         format == FORMAT_TEXT);
    print_results(results, format, cases->n > 1 && select->code == CONTROL_DONE,
                  progress.began_ms);
    json_decref(results);
    return select->code != CONTROL_DONE ? select->code
           : code > worst               ? code
                                        : worst;
}

/* Opens the file of --trace-file for a single case. */
static int
open_trace(const struct invocation *invocation, struct bench *bench,
           struct trace_file **file)
{
    const char *path = verb_option(invocation, "trace-file", NULL);
    struct err err = {0};

    if (path && trace_file_create(path, file, &bench->trace, &err)) {
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    return CONTROL_DONE;
}

/* Completes the trace of a case that has ended with 'code', if there is one.
 * Returns the code for both. */
static int
close_trace(struct bench *bench, struct trace_file **file, int code)
{
    struct err err = {0};

    bench->trace = NULL;
    if (*file && trace_file_finish(*file, bench->ops->now_ps(bench), &err)) {
        verb_complain(&err);
        code = code ? code : CONTROL_NO;
    }
    *file = NULL;
    return code;
}

/* Runs one case up to a step, then reads commands. */
static int
run_until(const struct case_list *cases, struct bench_select *select,
          int64_t until, bool *traced)
{
    struct run_report report = {
        .traces = verb_flag(select->invocation, "trace"),
        .save = verb_option(select->invocation, "save", NULL)};
    const struct run_listener listener = run_report_text(&report);
    struct bench *bench = bench_select_open(select);
    struct scenario *scenario = NULL;
    struct trace_file *trace = NULL;
    int code =
        bench ? open_trace(select->invocation, bench, &trace) : select->code;

    code = code ? code : load_first(cases, bench, &scenario);
    if (code == CONTROL_DONE && !scenario->skipped) {
        code = (int)prompt_run(scenario, (size_t)until, &listener);
        *traced = trace != NULL;
        code = close_trace(bench, &trace, code);
    }
    if (bench) {
        bench->trace = NULL;
    }
    trace_file_abandon(trace);
    if (report.unsaved.status) {
        verb_complain(&report.unsaved);
        code = code ? code : CONTROL_NO;
    }
    scenario_destroy(scenario);
    bench_select_close(select, bench);
    return code;
}

/* Prints the steps of one case. */
static void
print_steps(const struct scenario *scenario)
{
    printf("%s: %s\n", scenario->name, scenario->file);
    for (size_t i = 0; i < scenario->n_steps; i++) {
        const struct step *step = &scenario->steps[i];
        struct text text = {0};

        describe_step(step, &text);
        printf("%3zu  %s%s%s\n", i + 1, step->say ? step->say : "",
               step->say && text.length ? " | " : "", text_string(&text));
        if (step->kind == STEP_EXPECT || step->kind == STEP_EXPECT_PFC) {
            for (size_t k = 0; k < step->expect.n; k++) {
                printf("     - %s %s\n", step->expect.claims[k].text,
                       step->expect.claims[k].range.text);
            }
        }
        text_fini(&text);
    }
}

/* Loads all cases, with their configuration, without running them. */
static int
dry_run(const struct case_list *cases, struct bench_select *select)
{
    struct bench *bench = bench_select_open(select);
    int worst = bench ? CONTROL_DONE : select->code;

    for (size_t i = 0; bench && i < cases->n; i++) {
        const struct case_list one = {&cases->items[i], 1};
        struct scenario *scenario = NULL;
        int code = load_first(&one, bench, &scenario);

        if (code == CONTROL_DONE && !scenario->skipped) {
            print_steps(scenario);
        }
        scenario_destroy(scenario);
        worst = code > worst ? code : worst;
    }
    bench_select_close(select, bench);
    return worst;
}

/* Reports that options cannot be combined. */
static int
refuse(const char *reason)
{
    struct err err;

    (void)err_set(&err, ST_INVALID, "usage", "%s", reason);
    verb_complain(&err);
    return CONTROL_USAGE;
}

/* Makes the points of a sweep. */
static int
expand(const struct invocation *invocation, struct case_list *cases,
       struct arena *arena)
{
    struct err err = {0};

    if (sweeps(invocation) &&
        sweep_points_expand(
            cases, json_object_get(invocation->arguments, "param"),
            (unsigned int)verb_number(invocation, "repeat", 1), arena, &err)) {
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    return CONTROL_DONE;
}

/* Checks which options of "breakpoint run" go together. */
static int
check_options(const struct invocation *invocation, enum format format)
{
    if (format == N_FORMATS) {
        return refuse("--format must be text, tap, junit or json");
    }
    if (verb_flag(invocation, "live") &&
        verb_number(invocation, "jobs", 1) > 1) {
        return refuse("--jobs cannot be combined with --live: a live switch "
                      "runs one scenario at a time");
    }
    if (verb_option(invocation, "executor", NULL) &&
        !verb_option(invocation, "keep", NULL)) {
        return refuse("--executor needs --keep FOLDER, where the cases leave "
                      "their results");
    }
    if (verb_option(invocation, "keep", NULL) &&
        (verb_flag(invocation, "live") || verb_flag(invocation, "trace") ||
         verb_option(invocation, "trace-file", NULL) ||
         verb_option(invocation, "save", NULL))) {
        return refuse("--keep cannot be combined with --live, --trace, "
                      "--trace-file and --save: a case whose result is kept "
                      "does not run again");
    }
    if (verb_flag(invocation, "configure") && !verb_flag(invocation, "live")) {
        return refuse("--configure needs --live: a switch in this process is "
                      "always configured");
    }
    return CONTROL_DONE;
}

/* Keeps the case that --only names. */
static int
choose_only(const struct invocation *invocation, struct case_list *cases)
{
    const int64_t only = verb_number(invocation, "only", -1);
    struct err err;

    if (only < 0) {
        return CONTROL_DONE;
    }
    if ((size_t)only >= cases->n) {
        (void)err_set(&err, ST_INVALID, "usage",
                      "--only %lld: there are cases 0 to %zu", (long long)only,
                      cases->n - 1);
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    cases->items[0] = cases->items[only];
    cases->n = 1;
    return CONTROL_DONE;
}

/* Opens where results are kept, and runs all cases. */
static int
run_and_keep(const struct case_list *cases, struct bench_select *select,
             enum format format)
{
    struct case_store *store = NULL;
    struct err err = {0};
    int code;

    if (case_store_open(select->invocation, &store, &err)) {
        verb_complain(&err);
        return CONTROL_UNREACHABLE;
    }
    code = run_cases(cases, select, format, store);
    case_store_close(store);
    return code;
}

static int
breakpoint_run(struct invocation *invocation)
{
    const enum format format = find_format(invocation);
    const int64_t until = verb_number(invocation, "until", 0);
    struct bench_select select = {invocation, NULL, CONTROL_DONE, NULL};
    struct arena *arena = arena_create(0);
    struct case_list cases = {NULL, 0};
    int code = check_options(invocation, format);

    code = code ? code : collect(invocation, NULL, arena, &cases);
    code = code ? code : run_files_check(invocation);
    case_list_sample(&cases, (size_t)verb_number(invocation, "every", 1));
    code = code ? code : expand(invocation, &cases, arena);
    code = code ? code : choose_only(invocation, &cases);
    code = code ? code : run_files_check_plot(invocation, cases.n);
    if (code == CONTROL_DONE && until && cases.n != 1) {
        code = refuse("--until needs a single case: name a variant with "
                      "--variant (breakpoint list shows all), and give each "
                      "--param one value");
    }
    if (code == CONTROL_DONE && verb_flag(invocation, "dry-run")) {
        code = dry_run(&cases, &select);
    } else if (code == CONTROL_DONE && until) {
        bool traced = false;

        code = run_until(&cases, &select, until, &traced);
        code = code || !sweep_plot_needs_trace(invocation)
                   ? code
                   : run_files_draw(invocation, traced);
    } else if (code == CONTROL_DONE) {
        code = run_and_keep(&cases, &select, format);
    }
    case_list_fini(&cases);
    arena_destroy(arena);
    return code;
}

/* --- list ---------------------------------------------------------------- */

static int
breakpoint_list(struct invocation *invocation)
{
    struct arena *arena = arena_create(0);
    struct case_list cases = {NULL, 0};
    json_t *items = json_array();
    int code = collect(invocation, ".", arena, &cases);

    for (size_t i = 0; i < cases.n; i++) {
        const struct case_list_item *one = &cases.items[i];

        if (invocation->json) {
            json_array_append_new(items,
                                  json_pack("{s:s, s:s}", "file", one->file,
                                            "variant", one->variant_name));
        } else {
            printf("%s%s%s%s\n", one->file, *one->variant_name ? " [" : "",
                   one->variant_name, *one->variant_name ? "]" : "");
        }
    }
    if (invocation->json) {
        verb_print_json(items);
    }
    json_decref(items);
    case_list_fini(&cases);
    arena_destroy(arena);
    return code;
}

static const struct option run_options[] = {
    {"live", OPTION_FLAG, NULL, 0, 0, "run on the switch behind orchd"},
    {"configure", OPTION_FLAG, NULL, 0, 0,
     "with --live: apply the scenario's configuration during the run"},
    {"variant", OPTION_TEXT, "NAME", 0, 0,
     "run only this variant of each file"},
    {"jobs", OPTION_NUMBER, "N", 1, JOBS_MAX,
     "number of parallel processes (1; of a sweep: that of processors)"},
    {"param", OPTION_TEXTS, "NAME=VALUES", 0, 0,
     "run with each of these values: -4..3, 0..9000..100, or a,b,c; "
     "repeatable"},
    {"keep", OPTION_TEXT, "FOLDER", 0, 0,
     "keep the result of each case there; those that are there do not run "
     "again"},
    {"executor", OPTION_TEXT, "WHERE", 0, 0,
     "with --keep, cases in processes of their own: local, local:JOBS, "
     "ssh:HOST,..., slurm"},
    {"only", OPTION_NUMBER, "N", 0, 100000,
     "run only the case with this number, from 0"},
    {"repeat", OPTION_NUMBER, "N", 1, 10000, "run each point N times (1)"},
    {"results", OPTION_TEXTS, "FILE", 0, 0,
     "write results to FILE.sqlite, .csv or .jsonl; repeatable"},
    {"plot", OPTION_TEXT, "PICTURE", 0, 0,
     "draw the results or the trace as sweep plot does, into an .svg, .png or "
     ".pdf"},
#define X(name, type, value, help) {name, type, value, 0, 0, help},
    SWEEP_PLOT_OPTIONS(X)
#undef X
        {"every", OPTION_NUMBER, "N", 1, 1000000,
         "run only the first of every N cases"},
    {"format", OPTION_TEXT, "FORMAT", 0, 0,
     "output: text, tap, junit or json (text)"},
    {"trace", OPTION_FLAG, NULL, 0, 0,
     "show the counters that each step changes"},
    {"trace-file", OPTION_TEXT, "FILE", 0, 0,
     "write each change of the buffer, pauses, marks, drops and storms to "
     "FILE.csv, or the frames to FILE.pcap; several cases: FILE-1.csv, ..."},
    {"until", OPTION_NUMBER, "STEP", 1, 1000000,
     "stop after this step and read commands"},
    {"dry-run", OPTION_FLAG, NULL, 0, 0,
     "load and print the scenarios without running them"},
    {"save", OPTION_TEXT, "DIR", 0, 0,
     "write snapshots to files in this directory"},
    {"chips", OPTION_TEXT, "DIR", 0, 0, "directory of chip files"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "path of the softasic library"},
    {"yang-dir", OPTION_TEXT, "DIR", 0, 0,
     "directory of the YANG modules of CONFIG_DB"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb breakpoint_verbs[] = {
    {"breakpoint", "list", "[FILE|DIR...]", 0, 1000, NULL,
     "List the cases of breakpoint scenarios",
     "A directory stands for all files NAME.yaml in it and below, except "
     "in\ndirectories called \"common\".\nExample: orchctl breakpoint list "
     "tests/breakpoint\n",
     NULL, NULL, breakpoint_list},
    {"breakpoint", "probe", "KIND [FILE]", 1, 2, probe_verb_options,
     "Find a threshold of a switch by experiment", probe_verb_details, NULL,
     NULL, probe_verb_run},
    {"breakpoint", "run", "FILE|DIR...", 1, 1000, run_options,
     "Run breakpoint scenarios, each on its own softasic",
     "A scenario is a YAML file; " DOCDIR
     "/reference/breakpoints.md describes the language.\n"
     "Exits with 1 if a result is not as expected.\n--param makes a sweep: "
     "NAME "
     "is a parameter of the scenario,\nrow(TABLE|key).field, chip.KEY, or a "
     "path such as topology.cable.\nExamples: orchctl breakpoint run "
     "examples/breakpoint/xoff.yaml\n  orchctl breakpoint run "
     "examples/breakpoint/threshold.yaml --param alpha=-4..3 --param "
     "frame=64,1500 --results s.sqlite\n",
     NULL, NULL, breakpoint_run},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
