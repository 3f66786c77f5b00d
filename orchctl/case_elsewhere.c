/* SPDX-License-Identifier: Apache-2.0 */

/* Gives the cases of a sweep to an executor, and collects their results. */

#include <config.h>

#include "orchctl/case_elsewhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/executor.h"
#include "orchctl/case_list.h"
#include "orchctl/case_runner.h"
#include "orchctl/case_store.h"
#include "orchctl/run_report.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* The options of "breakpoint run" that a process of its own has as well. */
static const char *const paths[] = {"keep", "chips", "sai", "yang-dir"};
static const char *const texts[] = {"variant"};
static const char *const numbers[] = {"repeat", "every"};

enum {
    N_PATHS = sizeof paths / sizeof *paths,
    N_TEXTS = sizeof texts / sizeof *texts,
    N_NUMBERS = sizeof numbers / sizeof *numbers,
    OTHER_WORDS = 10 + 2 * (N_PATHS + N_TEXTS + N_NUMBERS)
};

/* Returns 'path' made absolute. */
static const char *
absolute(struct arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = arena_strdup(arena, real ? real : path);

    free(real);
    return copy;
}

/* A command line that grows. */
struct words {
    struct arena *arena;
    const char **list;
    size_t n;
};

static void
add_option(struct words *words, const char *name, const char *value)
{
    struct text option = {0};

    if (value) {
        text_addf(&option, "--%s", name);
        words->list[words->n++] =
            arena_strdup(words->arena, text_string(&option));
        words->list[words->n++] = arena_strdup(words->arena, value);
    }
    text_fini(&option);
}

/* Returns the command that carries out a case, without its number. */
static const char *const *
make_command(const struct invocation *invocation, struct arena *arena)
{
    const json_t *params = json_object_get(invocation->arguments, "param");
    struct words words = {arena,
                          arena_alloc(arena,
                                      invocation->n_operands +
                                          2 * json_array_size(params) +
                                          OTHER_WORDS,
                                      sizeof(char *)),
                          0};

    words.list[words.n++] = absolute(arena, "/proc/self/exe");
    words.list[words.n++] = "breakpoint";
    words.list[words.n++] = "run";
    for (size_t i = 0; i < invocation->n_operands; i++) {
        words.list[words.n++] = absolute(arena, invocation->operands[i]);
    }
    for (size_t i = 0; i < N_PATHS; i++) {
        const char *path = verb_option(invocation, paths[i], NULL);

        add_option(&words, paths[i], path ? absolute(arena, path) : NULL);
    }
    for (size_t i = 0; i < N_TEXTS; i++) {
        add_option(&words, texts[i], verb_option(invocation, texts[i], NULL));
    }
    for (size_t i = 0; i < N_NUMBERS; i++) {
        char number[24];

        (void)text_format(number, sizeof number, "%lld",
                          (long long)verb_number(invocation, numbers[i], 1));
        add_option(&words, numbers[i], number);
    }
    for (size_t i = 0; i < json_array_size(params); i++) {
        add_option(&words, "param",
                   json_string_value(json_array_get(params, i)));
    }
    /* Its output is captured then, as that of one of many. */
    add_option(&words, "format", "json");
    words.list[words.n++] = "--only";
    return words.list;
}

/* Adds the results of all cases to 'results'; '*places' says which of 'ends' is
 * that of a case, SIZE_MAX: it had a result before. */
static void
collect(const struct case_list *cases, struct case_store *store,
        const struct executor_end *ends, const size_t *places, json_t *results)
{
    for (size_t i = 0; i < cases->n; i++) {
        json_t *result = case_store_load(store, &cases->items[i]);

        if (!result) {
            const struct executor_end *end =
                places[i] < SIZE_MAX ? &ends[places[i]] : NULL;
            struct text reason = {0};

            if (end && end->ended) {
                text_addf(&reason, "on %s: %s", end->host,
                          *end->reason ? end->reason : "it has left no result");
            } else {
                text_add(&reason, "its process was killed, or never started");
            }
            result = case_runner_not_run(&cases->items[i], RUN_FAILED,
                                         text_string(&reason));
            text_fini(&reason);
        }
        json_array_append_new(results, result);
    }
}

/* Lists the cases without a result: their numbers in 'task', and for each case
 * its place there. */
static void
list_cases(const struct case_list *cases, struct case_store *store,
           size_t *list, size_t *places, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < cases->n; i++) {
        json_t *kept = case_store_load(store, &cases->items[i]);

        places[i] = kept ? SIZE_MAX : *n;
        if (!kept) {
            list[(*n)++] = i;
        }
        json_decref(kept);
    }
}

int
case_elsewhere_run(const struct invocation *invocation,
                   const struct case_list *cases, struct case_store *store,
                   json_t **results)
{
    struct arena *arena = arena_create(0);
    size_t *list = arena_alloc(arena, cases->n + 1, sizeof *list);
    size_t *places = arena_alloc(arena, cases->n + 1, sizeof *places);
    struct executor_task task = {
        .folder = absolute(arena, verb_option(invocation, "keep", ".")),
        .name = "breakpoint",
        .command = make_command(invocation, arena),
        .numbers = list,
        .progress = stderr};
    struct executor executor;
    struct executor_end *ends = NULL;
    struct err err = {0};
    enum st st = executor_parse(verb_option(invocation, "executor", ""), arena,
                                &executor, &err);

    *results = json_array();
    list_cases(cases, store, list, places, &task.n);
    if (!st && task.n) {
        st = executor_carry_out(&executor, &task, arena, &ends, &err);
    }
    if (!st) {
        collect(cases, store, ends, places, *results);
    } else {
        verb_complain(&err);
    }
    arena_destroy(arena);
    return st == ST_OK        ? CONTROL_DONE
           : st == ST_INVALID ? CONTROL_USAGE
                              : CONTROL_UNREACHABLE;
}
