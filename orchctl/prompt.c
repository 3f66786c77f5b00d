/* SPDX-License-Identifier: Apache-2.0 */

/* Reads commands and steps from standard input. */

#include <config.h>

#include "orchctl/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"
#include "breakpoint/parser.h"
#include "breakpoint/scenario.h"
#include "orchctl/verb.h"

#define LINE_SIZE 4096

static const char help[] = "Enter a step as in a file, for example\n"
                           "  send: {from: Ethernet0, to: Ethernet4, n: 1}\n"
                           "or next [N], continue, show OBJECT, state, quit.\n";

/* A session. */
struct prompt {
    const struct scenario *scenario;
    const struct run_listener *listener;
    struct run *run;
};

/* Prints all counters of an object, or only those that are not 0. */
static void
print_reading(const struct target_object *object,
              const struct target_reading *reading, bool all)
{
    char name[160];

    target_object_text(object, name, sizeof name);
    printf("%s\n", name);
    for (size_t i = 0; i < reading->n; i++) {
        if (all || reading->stats[i].value) {
            printf("    %-40s %llu\n", reading->stats[i].name,
                   (unsigned long long)reading->stats[i].value);
        }
    }
}

/* Reads and prints 'n' objects. */
static void
show(const struct prompt *prompt, const struct target_object *objects, size_t n,
     bool all)
{
    struct target *target = prompt->scenario->target;
    struct arena *arena = arena_create(0);
    struct target_reading *readings =
        arena_alloc(arena, n + 1, sizeof *readings);
    struct err err = {0};

    if (target->ops->read(target, objects, n, arena, readings, &err)) {
        verb_complain(&err);
    } else {
        for (size_t i = 0; i < n; i++) {
            print_reading(&objects[i], &readings[i], all);
        }
    }
    arena_destroy(arena);
}

/* Loads 'line' as the only step of a scenario.  Prints the reason and returns
 * NULL if it is not a step. */
static struct scenario *
load_line(const char *line)
{
    struct text text = {0};
    struct parser_input input = {.file = "line"};
    struct scenario *scenario = NULL;
    struct err err = {0};

    text_addf(&text, "steps:\n- %s\n", line);
    input.text = text.bytes;
    input.length = text.length;
    if (parser_load(&input, 0, NULL, &scenario, &err)) {
        verb_complain(&err);
    }
    text_fini(&text);
    return scenario;
}

/* Runs a step that the user typed.  Its failure does not end the scenario. */
static void
do_line(const struct prompt *prompt, const char *line)
{
    struct run_listener listener = *prompt->listener;
    struct scenario *scenario = load_line(line);

    listener.begin = NULL;
    listener.end = NULL;
    if (scenario) {
        (void)runner_run_within(scenario, prompt->scenario->target, &listener);
    }
    scenario_destroy(scenario);
}

/* Shows the object that 'words' names. */
static void
show_words(const struct prompt *prompt, const char *words)
{
    struct text line = {0};
    struct scenario *scenario;

    text_addf(&line, "snap: {show: [%s]}", words);
    scenario = load_line(line.bytes);
    if (scenario) {
        show(prompt, scenario->objects, scenario->n_objects, true);
    }
    scenario_destroy(scenario);
    text_fini(&line);
}

/* Runs up to 'n' steps of the scenario. */
static void
advance(const struct prompt *prompt, uint64_t n)
{
    while (n-- && runner_goes_on(prompt->run)) {
        (void)runner_next(prompt->run);
    }
}

/* Executes one line.  Returns whether to continue. */
static bool
obey(const struct prompt *prompt, const char *line)
{
    uint64_t n = 1;

    if (!strcmp(line, "quit")) {
        return false;
    }
    if (!strcmp(line, "continue")) {
        advance(prompt, UINT64_MAX);
    } else if (!strcmp(line, "next") ||
               (!strncmp(line, "next ", 5) &&
                !parse_u64(line + 5, 1, UINT32_MAX, &n))) {
        advance(prompt, n);
    } else if (!strcmp(line, "state")) {
        show(prompt, prompt->scenario->objects, prompt->scenario->n_objects,
             false);
    } else if (!strncmp(line, "show ", 5)) {
        show_words(prompt, line + 5);
    } else if (!strcmp(line, "help")) {
        fputs(help, stdout);
    } else if (*line) {
        do_line(prompt, line);
    }
    return true;
}

enum run_outcome
prompt_run(const struct scenario *scenario, size_t until,
           const struct run_listener *listener)
{
    struct prompt prompt = {scenario, listener, NULL};
    bool asks = isatty(STDIN_FILENO);
    char line[LINE_SIZE];

    prompt.run = runner_begin(scenario, scenario->target, listener);
    advance(&prompt, until);
    if (!asks) {
        show(&prompt, scenario->objects, scenario->n_objects, false);
    }
    for (bool goes_on = true; goes_on;) {
        if (asks) {
            printf("breakpoint> ");
            fflush(stdout);
        }
        if (!fgets(line, sizeof line, stdin)) {
            break;
        }
        line[strcspn(line, "\n")] = '\0';
        goes_on = obey(&prompt, line);
    }
    return runner_end(prompt.run);
}
