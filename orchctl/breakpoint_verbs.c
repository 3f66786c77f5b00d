/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl breakpoint ...": scenarios, on a switch in this process or on the
 * one behind orchd. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"
#include "breakpoint/scenario.h"
#include "orchctl/cases.h"
#include "orchctl/describe.h"
#include "orchctl/formats.h"
#include "orchctl/probe_verb.h"
#include "orchctl/prompt.h"
#include "orchctl/report.h"
#include "orchctl/stage.h"
#include "orchctl/suite.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

#define JOBS_MAX 64

/* Returns an option's value, or 'otherwise'. */
static const char *
option(const struct invocation *invocation, const char *name,
       const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(invocation->arguments, name));

    return text ? text : otherwise;
}

static bool
flag(const struct invocation *invocation, const char *name)
{
    return json_is_true(json_object_get(invocation->arguments, name));
}

static int64_t
number(const struct invocation *invocation, const char *name, int64_t otherwise)
{
    const json_t *value = json_object_get(invocation->arguments, name);

    return value ? json_integer_value(value) : otherwise;
}

/* Collects the cases of all operands, or of 'otherwise'; says what is wrong. */
static int
collect(const struct invocation *invocation, const char *otherwise,
        struct arena *arena, struct suite *suite)
{
    int code = CONTROL_DONE;

    for (size_t i = 0; i < invocation->n_operands; i++) {
        struct err err = {0};

        if (suite_add(suite, invocation->operands[i], arena, &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
    }
    if (!invocation->n_operands && otherwise) {
        struct err err = {0};

        if (suite_add(suite, otherwise, arena, &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
    }
    if (code == CONTROL_DONE && option(invocation, "variant", NULL)) {
        struct err err = {0};

        if (suite_keep(suite, option(invocation, "variant", NULL), &err)) {
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

/* Finds the format that was asked for, N_FORMATS if there is no such. */
static enum format
find_format(const struct invocation *invocation)
{
    const char *name = option(invocation, "format", "text");
    size_t i = 0;

    if (invocation->json) {
        return FORMAT_JSON;
    }
    while (i < N_FORMATS && strcmp(format_names[i], name)) {
        i++;
    }
    return (enum format)i;
}

/* Says on stderr what could not be loaded: no format has a better place. */
static void
complain(void *context, const json_t *result)
{
    const char *reason = json_string_value(json_object_get(result, "reason"));

    (void)context;
    if (reason && report_outcome_of(result) != RUN_PASSED) {
        fprintf(stderr, "orchctl: %s\n", reason);
    }
}

/* The same, and what was skipped: of a case that is told step by step nothing
 * else says that. */
static void
complain_or_skip(void *context, const json_t *result)
{
    complain(context, result);
    if (report_is_skipped(result)) {
        formats_line(NULL, result);
    }
}

/* Runs all cases and prints what came of them. */
static int
run_suite(const struct suite *suite, struct stage *stage, enum format format)
{
    const struct invocation *invocation = stage->invocation;
    /* One case is told step by step, of many only those that fail. */
    const bool streams =
        format == FORMAT_TEXT && (suite->n == 1 || flag(invocation, "trace"));
    struct cases_options options = {
        .open = stage_open,
        .close = stage_close,
        .context = stage,
        .n_jobs = (unsigned int)number(invocation, "jobs", 1),
        .streams = streams,
        .traces = flag(invocation, "trace"),
        .save = option(invocation, "save", NULL),
        .done = format != FORMAT_TEXT ? complain
                : streams             ? complain_or_skip
                                      : formats_line,
    };
    json_t *results = NULL;
    enum run_outcome worst;
    double began;

    if (streams || options.n_jobs > suite->n) {
        options.n_jobs = streams ? 1 : (unsigned int)suite->n;
    }
    began = cases_clock_ms();
    worst = cases_run(suite, &options, &results);
    switch (format) {
    case FORMAT_TAP:
        formats_tap(results);
        break;
    case FORMAT_JUNIT:
        formats_junit(results);
        break;
    case FORMAT_JSON:
        formats_json(results);
        break;
    case FORMAT_TEXT:
    case N_FORMATS:
    default:
        if (suite->n > 1 && stage->code == CONTROL_DONE) {
            formats_summary(results, cases_clock_ms() - began);
        }
        break;
    }
    json_decref(results);
    return stage->code != CONTROL_DONE ? stage->code : (int)worst;
}

/* Loads the first case; says why if that fails. */
static int
load_first(const struct suite *suite, struct bench *bench,
           struct scenario **scenario)
{
    const struct parser_input input = {suite->cases[0].file, NULL, 0};
    struct err err = {0};
    enum st st =
        parser_load(&input, suite->cases[0].variant, bench, scenario, &err);

    if (st) {
        verb_complain(&err);
    } else if ((*scenario)->skipped) {
        fprintf(stderr, "orchctl: %s is skipped: %s\n", (*scenario)->name,
                (*scenario)->skipped);
    }
    return (int)runner_outcome(st);
}

/* Runs one case up to a step, and lets the user go on. */
static int
run_until(const struct suite *suite, struct stage *stage, int64_t until)
{
    struct report report = {.traces = flag(stage->invocation, "trace"),
                            .save = option(stage->invocation, "save", NULL)};
    const struct run_observer observer = report_text(&report);
    struct bench *bench = stage_open(stage);
    struct scenario *scenario = NULL;
    int code = bench ? load_first(suite, bench, &scenario) : stage->code;

    if (code == CONTROL_DONE && !scenario->skipped) {
        code = (int)prompt_run(scenario, (size_t)until, &observer);
    }
    scenario_destroy(scenario);
    stage_close(stage, bench);
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

/* Loads all cases, with their configuration, and runs none. */
static int
dry_run(const struct suite *suite, struct stage *stage)
{
    struct bench *bench = stage_open(stage);
    int worst = bench ? CONTROL_DONE : stage->code;

    for (size_t i = 0; bench && i < suite->n; i++) {
        const struct suite one = {&suite->cases[i], 1};
        struct scenario *scenario = NULL;
        int code = load_first(&one, bench, &scenario);

        if (code == CONTROL_DONE && !scenario->skipped) {
            print_steps(scenario);
        }
        scenario_destroy(scenario);
        worst = code > worst ? code : worst;
    }
    stage_close(stage, bench);
    return worst;
}

/* Says that the options do not go together. */
static int
refuse(const char *reason)
{
    struct err err;

    (void)err_set(&err, ST_INVALID, "usage", "%s", reason);
    verb_complain(&err);
    return CONTROL_USAGE;
}

static int
breakpoint_run(struct invocation *invocation)
{
    const enum format format = find_format(invocation);
    const int64_t until = number(invocation, "until", 0);
    struct stage stage = {invocation, NULL, CONTROL_DONE};
    struct arena *arena = arena_create(0);
    struct suite suite = {NULL, 0};
    int code = CONTROL_DONE;

    if (format == N_FORMATS) {
        code = refuse("--format is text, tap, junit or json");
    } else if (flag(invocation, "live") && number(invocation, "jobs", 1) > 1) {
        code = refuse("a live switch runs one scenario at a time: --jobs does "
                      "not go with --live");
    } else if (flag(invocation, "configure") && !flag(invocation, "live")) {
        code = refuse("--configure goes with --live: a switch of its own is "
                      "configured anyway");
    }
    code = code ? code : collect(invocation, NULL, arena, &suite);
    suite_thin(&suite, (size_t)number(invocation, "every", 1));
    if (code == CONTROL_DONE && until && suite.n != 1) {
        code = refuse("--until is for one case: of a file with variants name "
                      "one with --variant; breakpoint list tells them");
    }
    if (code == CONTROL_DONE && flag(invocation, "dry-run")) {
        code = dry_run(&suite, &stage);
    } else if (code == CONTROL_DONE && until) {
        code = run_until(&suite, &stage, until);
    } else if (code == CONTROL_DONE) {
        code = run_suite(&suite, &stage, format);
    }
    suite_fini(&suite);
    arena_destroy(arena);
    return code;
}

/* --- list ---------------------------------------------------------------- */

static int
breakpoint_list(struct invocation *invocation)
{
    struct arena *arena = arena_create(0);
    struct suite suite = {NULL, 0};
    json_t *list = json_array();
    int code = collect(invocation, ".", arena, &suite);

    for (size_t i = 0; i < suite.n; i++) {
        const struct suite_case *one = &suite.cases[i];

        if (invocation->json) {
            json_array_append_new(list,
                                  json_pack("{s:s, s:s}", "file", one->file,
                                            "variant", one->variant_name));
        } else {
            printf("%s%s%s%s\n", one->file, *one->variant_name ? " [" : "",
                   one->variant_name, *one->variant_name ? "]" : "");
        }
    }
    if (invocation->json) {
        verb_print_json(list);
    }
    json_decref(list);
    suite_fini(&suite);
    arena_destroy(arena);
    return code;
}

static const struct option run_options[] = {
    {"live", OPTION_FLAG, NULL, 0, 0, "on the switch behind orchd"},
    {"configure", OPTION_FLAG, NULL, 0, 0,
     "with --live: give it the scenario's configuration meanwhile"},
    {"variant", OPTION_TEXT, "NAME", 0, 0, "only this variant of each file"},
    {"jobs", OPTION_NUMBER, "N", 1, JOBS_MAX, "in so many processes"},
    {"every", OPTION_NUMBER, "N", 1, 1000000,
     "only the first of every N cases"},
    {"format", OPTION_TEXT, "FORMAT", 0, 0, "text, tap, junit or json"},
    {"trace", OPTION_FLAG, NULL, 0, 0, "tell what each step has changed"},
    {"until", OPTION_NUMBER, "STEP", 1, 1000000,
     "stop after this step and obey lines"},
    {"dry-run", OPTION_FLAG, NULL, 0, 0, "load and print, do not run"},
    {"save", OPTION_TEXT, "DIR", 0, 0, "write snapshots to files there"},
    {"chips", OPTION_TEXT, "DIR", 0, 0, "where chips are described"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "softasic, if it is elsewhere"},
    {"yang-dir", OPTION_TEXT, "DIR", 0, 0, "YANG modules of CONFIG_DB"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb breakpoint_verbs[] = {
    {"breakpoint", "list", "[FILE|DIR...]", 0, 1000, NULL,
     "List the cases of breakpoint scenarios",
     "Of a directory all files NAME.yaml in it and below count, but for those\n"
     "in directories called \"common\".\n",
     NULL, NULL, breakpoint_list},
    {"breakpoint", "probe", "KIND [FILE]", 1, 2, probe_verb_options,
     "Find a threshold without knowing it", probe_verb_details, NULL, NULL,
     probe_verb_run},
    {"breakpoint", "run", "FILE|DIR...", 1, 1000, run_options,
     "Run breakpoint scenarios, each on a softasic of its own",
     "A scenario is a YAML file; " DOCDIR
     "/reference/breakpoints.md describes\nthe language.\n"
     "The answer is 1 if something else was seen than expected.\n",
     NULL, NULL, breakpoint_run},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
