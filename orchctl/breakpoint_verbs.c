/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl breakpoint ...": scenarios, on a switch in this process or on the
 * one behind orchd. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/runner.h"
#include "breakpoint/scenario.h"
#include "orchctl/client.h"
#include "orchctl/live.h"
#include "orchctl/report.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/rehearse/rehearse.h"

/* Where scenarios run. */
struct place_to_run {
    struct bench *bench;
    struct client *client; /* NULL: in this process. */
};

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
is_live(const struct invocation *invocation)
{
    return json_is_true(json_object_get(invocation->arguments, "live"));
}

/* Makes the bench that the options ask for.  Returns an exit code. */
static int
open_bench(const struct invocation *invocation, struct place_to_run *place)
{
    const struct rehearse_options options = {
        .yang_dir = option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .chips = option(invocation, "chips", PKGDATADIR "/chips"),
    };
    struct err err = {0};
    enum st st;

    if (!is_live(invocation)) {
        st = rehearse_create(&options, &place->bench, &err);
        if (st) {
            verb_complain(&err);
        }
        return st ? CONTROL_USAGE : CONTROL_DONE;
    }
    if (client_connect(invocation->control, invocation->timeout_seconds,
                       &place->client, &err)) {
        verb_complain(&err);
        return CONTROL_UNREACHABLE;
    }
    place->bench = live_create(place->client);
    return CONTROL_DONE;
}

static void
close_bench(struct place_to_run *place)
{
    if (place->client) {
        live_destroy(place->bench);
        client_close(place->client);
    } else {
        rehearse_destroy(place->bench);
    }
}

/* Loads and runs one variant. */
static enum run_outcome
run_variant(const struct parser_input *input, size_t variant,
            struct bench *bench, const struct run_observer *observer)
{
    struct scenario *scenario = NULL;
    struct err err = {0};
    enum run_outcome outcome;
    enum st st = parser_load(input, variant, bench, &scenario, &err);

    if (st) {
        verb_complain(&err);
        return st == ST_NOT_FOUND && !strcmp(err.code, "file")
                   ? RUN_INVALID
                   : runner_outcome(st);
    }
    outcome = scenario->skipped
                  ? RUN_PASSED
                  : runner_run(scenario, scenario->target, observer);
    scenario_destroy(scenario);
    return outcome;
}

/* Runs all variants of a file, also after one has failed, but not after orchd
 * has gone.  Returns the worst outcome. */
static enum run_outcome
run_file(const char *file, struct bench *bench,
         const struct run_observer *observer)
{
    const struct parser_input input = {file, NULL, 0};
    struct arena *arena = arena_create(0);
    const char *const *names = NULL;
    enum run_outcome worst = RUN_PASSED;
    struct err err = {0};
    size_t n = 0;

    if (parser_variants(&input, arena, &names, &n, &err)) {
        verb_complain(&err);
        worst = RUN_INVALID;
        n = 0;
    }
    for (size_t i = 0; i < n && worst != RUN_UNREACHABLE; i++) {
        enum run_outcome outcome = run_variant(&input, i, bench, observer);

        worst = outcome > worst ? outcome : worst;
    }
    arena_destroy(arena);
    return worst;
}

/* Reads all files before anything is done, so that one that is wrong at the top
 * is told at once.  Returns an exit code. */
static int
check_files(const struct invocation *invocation)
{
    int code = CONTROL_DONE;

    for (size_t i = 0; i < invocation->n_operands; i++) {
        const struct parser_input input = {invocation->operands[i], NULL, 0};
        struct arena *arena = arena_create(0);
        const char *const *names;
        struct err err = {0};
        size_t n;

        if (parser_variants(&input, arena, &names, &n, &err)) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        }
        arena_destroy(arena);
    }
    return code;
}

static int
breakpoint_run(struct invocation *invocation)
{
    json_t *runs = json_array();
    struct run_observer observer =
        invocation->json ? report_json(runs) : report_text();
    struct place_to_run place = {NULL, NULL};
    int code = check_files(invocation);
    enum run_outcome worst = RUN_PASSED;

    if (code == CONTROL_DONE) {
        code = open_bench(invocation, &place);
    }
    for (size_t i = 0; code == CONTROL_DONE && i < invocation->n_operands &&
                       worst != RUN_UNREACHABLE;
         i++) {
        enum run_outcome outcome =
            run_file(invocation->operands[i], place.bench, &observer);

        worst = outcome > worst ? outcome : worst;
    }
    if (code == CONTROL_DONE) {
        if (invocation->json) {
            verb_print_json(runs);
        }
        code = (int)worst;
    }
    json_decref(runs);
    close_bench(&place);
    return code;
}

static const struct option run_options[] = {
    {"live", OPTION_FLAG, NULL, 0, 0, "on the switch behind orchd"},
    {"chips", OPTION_TEXT, "DIR", 0, 0, "where chips are described"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "softasic, if it is elsewhere"},
    {"yang-dir", OPTION_TEXT, "DIR", 0, 0, "YANG modules of CONFIG_DB"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb breakpoint_verbs[] = {
    {"breakpoint", "run", "FILE...", 1, 1000, run_options,
     "Run breakpoint scenarios, each on a softasic of its own",
     "A scenario is a YAML file; docs/breakpoint.md describes the language.\n"
     "The answer is 1 if something else was seen than expected.\n",
     NULL, NULL, breakpoint_run},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
