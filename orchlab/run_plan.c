/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a scenario file and chooses its runs. */

#include <config.h>

#include "orchlab/run_plan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "lab/builder/nic_folder.h"
#include "lab/exec/judge.h"

enum { ARENA_BLOCK = 1 << 16, FILE_MAX = 16 << 20 };

/* The file ----------------------------------------------------------------- */

/* Reads 'path' into 'plan->input'. */
static enum st
read_file(const char *path, struct run_plan *plan, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *text;
    size_t n;
    bool failed;

    if (!file) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "unreadable", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    text = arena_alloc(plan->arena, FILE_MAX, 1);
    errno = 0;
    n = fread(text, 1, FILE_MAX, file);
    failed = ferror(file);
    (void)fclose(file);
    if (failed || n == FILE_MAX) {
        return err_set(err, ST_IO, "unreadable", "cannot read '%s': %s", path,
                       failed ? strerror(errno) : "it has more than 16 MiB");
    }
    plan->input.file = arena_strdup(plan->arena, path);
    plan->input.text = text;
    plan->input.length = n;
    plan->input.check_metric = judge_metric;
    return ST_OK;
}

static enum st
read_nics(const char *folder, struct run_plan *plan, struct err *err)
{
    const enum st st = nic_folder_load(folder, plan->arena, &plan->nics, err);

    plan->input.nics = &plan->nics;
    if (st) {
        err_set_remedy(err, "give the folder of the files of adapters with "
                            "--nics, or ORCHLAB_NICS");
    }
    return st;
}

/* Values of the command line ----------------------------------------------- */

/* Adds "PATH=VALUE" to 'sets'. */
static enum st
add_set(struct run_plan *plan, struct scenario_parameter *sets,
        const char *text, struct err *err)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text) {
        return err_set(err, ST_INVALID, "usage",
                       "--set needs PATH=VALUE, not '%s'", text);
    }
    sets[plan->input.n_sets++] = (struct scenario_parameter){
        arena_strndup(plan->arena, text, (size_t)(equals - text)),
        arena_strdup(plan->arena, equals + 1)};
    return ST_OK;
}

static enum st
add_sets(struct run_plan *plan, const struct run_plan_options *options,
         struct err *err)
{
    const size_t n = json_array_size(options->sets);
    struct scenario_parameter *sets =
        arena_alloc(plan->arena, SCENARIO_SETS_MAX, sizeof *sets);
    enum st st = ST_OK;

    if (n + (options->seed != NULL) > SCENARIO_SETS_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "at most %d values can be set, --seed included",
                       SCENARIO_SETS_MAX);
    }
    plan->input.sets = sets;
    for (size_t i = 0; !st && i < n; i++) {
        st = add_set(plan, sets,
                     json_string_value(json_array_get(options->sets, i)), err);
    }
    if (!st && options->seed) {
        sets[plan->input.n_sets++] = (struct scenario_parameter){
            "seed", arena_strdup(plan->arena, options->seed)};
    }
    return st;
}

/* What may fail because of a value of the command line. */
typedef enum st attempt_fn(const struct scenario_input *input, void *context,
                           struct err *err);

/* Returns 'reason' without the place "file:line:column: " before it. */
static const char *
without_place(const char *reason, const char *file)
{
    const size_t length = strlen(file);
    const char *rest = reason;

    if (strncmp(reason, file, length) != 0) {
        return reason;
    }
    rest += length;
    rest += strspn(rest, ":0123456789");
    return *rest == ' ' ? rest + 1 : reason;
}

/* Tries 'attempt'.  If it fails because of a value of the command line, the
 * error names the first such value. */
static enum st
try_with_sets(const struct run_plan *plan, attempt_fn *attempt, void *context,
              struct err *err)
{
    struct scenario_input input = plan->input;
    const enum st st = attempt(&input, context, err);
    struct err cause = *err;

    if (st != ST_INVALID || !plan->input.n_sets) {
        return st;
    }
    for (input.n_sets = 0; input.n_sets < plan->input.n_sets; input.n_sets++) {
        if (attempt(&input, context, &cause)) {
            break;
        }
    }
    if (input.n_sets == 0) {
        /* The file itself is wrong. */
        *err = cause;
        return cause.status;
    }
    if (input.n_sets == plan->input.n_sets) {
        cause = *err;
    }
    return err_set(
        err, ST_INVALID, "usage", "%s%s=%s: %s",
        strcmp(input.sets[input.n_sets - 1].path, "seed") != 0 ? "--set "
                                                               : "--",
        input.sets[input.n_sets - 1].path, input.sets[input.n_sets - 1].value,
        without_place(cause.reason, input.file));
}

/* Runs ----------------------------------------------------------------------
 */

/* Where an attempt puts what it makes. */
struct target {
    size_t number;
    struct arena *arena;
    struct scenario_plan *plan;
    struct scenario *scenario;
    struct experiment *experiment;
};

static enum st
attempt_list(const struct scenario_input *input, void *context, struct err *err)
{
    struct target *target = context;

    return scenario_list_runs(input, target->arena, target->plan, err);
}

static enum st
attempt_parse(const struct scenario_input *input, void *context,
              struct err *err)
{
    struct target *target = context;

    return scenario_parse(input, target->number, target->arena,
                          target->scenario, err);
}

static enum st
attempt_load(const struct scenario_input *input, void *context, struct err *err)
{
    struct target *target = context;

    return experiment_load(input, target->number, target->arena,
                           target->experiment, err);
}

enum st
run_plan_parse(const struct run_plan *plan, size_t number, struct arena *arena,
               struct scenario *scenario, struct err *err)
{
    struct target target = {
        .number = number, .arena = arena, .scenario = scenario};

    return try_with_sets(plan, attempt_parse, &target, err);
}

enum st
run_plan_load(const struct run_plan *plan, size_t number, struct arena *arena,
              struct experiment *experiment, struct err *err)
{
    struct target target = {
        .number = number, .arena = arena, .experiment = experiment};

    return try_with_sets(plan, attempt_load, &target, err);
}

/* The choice -----------------------------------------------------------------
 */

static bool
is_chosen(const struct scenario_run *run, const char *only)
{
    uint64_t number;

    if (!only) {
        return true;
    }
    if (!parse_u64(only, 0, SCENARIO_RUNS_MAX, &number)) {
        return run->number == number;
    }
    return !strcmp(run->label, only) ||
           (*run->variant && !strcmp(run->variant, only));
}

static enum st
choose(struct run_plan *plan, const char *only, struct err *err)
{
    const struct scenario_plan *runs = &plan->plan;
    struct choices choices;

    plan->chosen = arena_alloc(plan->arena, runs->n_runs, sizeof *plan->chosen);
    for (size_t i = 0; i < runs->n_runs; i++) {
        if (is_chosen(&runs->runs[i], only)) {
            plan->chosen[plan->n_chosen++] = i;
        }
    }
    if (plan->n_chosen) {
        return ST_OK;
    }
    choices_init(&choices, only);
    for (size_t i = 0; i < runs->n_runs; i++) {
        const char *variant = runs->runs[i].variant;

        if (*variant &&
            (!i || strcmp(variant, runs->runs[i - 1].variant) != 0)) {
            choices_add(&choices, variant);
        }
    }
    err_set(err, ST_INVALID, "usage",
            "--only %s: %s has no such run; it has runs 0 to %zu", only,
            plan->input.file, runs->n_runs - 1);
    err_set_remedy(err, "see orchlab run %s --runs", plan->input.file);
    return *runs->runs[0].variant ? choices_explain(&choices, "variant", err)
                                  : ST_INVALID;
}

/* Parses each chosen run, so that a mistake shows before the first begins. */
static enum st
check_chosen(const struct run_plan *plan, struct err *err)
{
    struct arena *arena = arena_create(ARENA_BLOCK);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < plan->n_chosen; i++) {
        struct scenario scenario;

        st = run_plan_parse(plan, plan->chosen[i], arena, &scenario, err);
        arena_reset(arena);
    }
    arena_destroy(arena);
    return st;
}

enum st
run_plan_read(const char *path, const struct run_plan_options *options,
              struct run_plan *plan, struct err *err)
{
    struct target target;
    enum st st;

    *plan = (struct run_plan){.arena = arena_create(ARENA_BLOCK)};
    target = (struct target){.arena = plan->arena, .plan = &plan->plan};
    st = read_file(path, plan, err);
    if (!st) {
        st = add_sets(plan, options, err);
    }
    if (!st) {
        st = read_nics(options->nics, plan, err);
    }
    if (!st) {
        st = try_with_sets(plan, attempt_list, &target, err);
    }
    if (!st) {
        st = choose(plan, options->only, err);
    }
    return st ? st : check_chosen(plan, err);
}

void
run_plan_fini(struct run_plan *plan)
{
    arena_destroy(plan->arena);
    *plan = (struct run_plan){0};
}
