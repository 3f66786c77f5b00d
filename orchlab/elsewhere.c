/* SPDX-License-Identifier: Apache-2.0 */

/* Gives the runs of a plan to an executor. */

#include <config.h>

#include "orchlab/elsewhere.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/executor.h"
#include "command/folder.h"
#include "lab/exec/launch.h"
#include "orchlab/run_one.h"

/* Returns 'path' made absolute. */
static const char *
absolute(struct arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = arena_strdup(arena, real ? real : path);

    free(real);
    return copy;
}

/* Adds what starts the ranks of a run; returns the number of words.  Slurm
 * starts them itself, by the interface that the MPI library has; what
 * SLURM_MPI_TYPE says instead counts. */
static size_t
add_launcher(const struct elsewhere *elsewhere, enum executor_kind kind,
             const char **words)
{
    struct arena *arena = elsewhere->plan->arena;
    struct text n = {0};
    size_t i = 0;

    if (elsewhere->ranks < 2) {
        return 0;
    }
    text_addf(&n, "%u", elsewhere->ranks);
    words[i++] = kind == EXECUTOR_SLURM ? "srun" : "mpirun";
    if (kind == EXECUTOR_SLURM && !getenv("SLURM_MPI_TYPE")) {
        words[i++] =
            strstr(launch_library(), "Open MPI") ? "--mpi=pmix" : "--mpi=pmi2";
    }
    words[i++] = "-n";
    words[i++] = arena_strdup(arena, text_string(&n));
    text_fini(&n);
    return i;
}

/* Returns the command that carries out a run, without its number. */
static const char **
make_command(const struct elsewhere *elsewhere, enum executor_kind kind)
{
    const struct run_manner *manner = elsewhere->manner;
    const struct run_options *options = &manner->options;
    const json_t *sets = elsewhere->sets;
    struct arena *arena = elsewhere->plan->arena;
    const char **words = arena_alloc(
        arena, 2 * json_array_size(sets) + 30 + ELSEWHERE_MORE, sizeof *words);
    size_t n = add_launcher(elsewhere, kind, words);

    words[n++] = absolute(arena, "/proc/self/exe");
    words[n++] = "--results";
    words[n++] = absolute(arena, manner->folder);
    words[n++] = "run";
    words[n++] = absolute(arena, elsewhere->file);
    words[n++] = "--quiet";
    words[n++] = "--yang-dir";
    words[n++] = absolute(arena, options->yang_dir);
    words[n++] = "--chips";
    words[n++] = absolute(arena, options->chips_dir);
    words[n++] = "--configs";
    words[n++] = absolute(arena, options->configs_dir);
    words[n++] = "--nics";
    words[n++] = absolute(arena, options->nics_dir);
    for (size_t i = 0; i < json_array_size(sets); i++) {
        words[n++] = "--set";
        words[n++] = json_string_value(json_array_get(sets, i));
    }
    if (elsewhere->seed) {
        words[n++] = "--seed";
        words[n++] = elsewhere->seed;
    }
    if (manner->again) {
        words[n++] = "--again";
    }
    words[n++] = "--only";
    return words;
}

const char **
elsewhere_command(const struct elsewhere *elsewhere)
{
    return make_command(elsewhere, EXECUTOR_NONE);
}

/* Checks that an executor and what else the command line says go together. */
static enum st
check(const struct elsewhere *elsewhere, struct err *err)
{
    const struct run_manner *manner = elsewhere->manner;

    if (manner->stands || manner->options.comm) {
        err_set(err, ST_UNSUPPORTED, "usage",
                "runs of --executor are processes of their own: they cannot "
                "stand still, and not be shared among ranks");
        err_set_remedy(err, "leave out --executor, or --break, --interactive "
                            "and mpirun");
        return ST_UNSUPPORTED;
    }
    if (elsewhere->ranks > 1 && !launch_is_built()) {
        err_set(err, ST_UNSUPPORTED, "ranks",
                "this orchlab was built without MPI, so that its runs have one "
                "rank only");
        err_set_remedy(err, "leave out --ranks, or configure it with "
                            "--with-mpi");
        return ST_UNSUPPORTED;
    }
    return ST_OK;
}

/* Lists the runs that are to be carried out: their numbers, and their places
 * among the chosen ones. */
static enum st
list_runs(const struct elsewhere *elsewhere, size_t *numbers, size_t *places,
          size_t *n, struct err *err)
{
    const struct run_plan *plan = elsewhere->plan;
    enum st st = ST_OK;

    *n = 0;
    for (size_t i = 0; !st && i < plan->n_chosen; i++) {
        bool exists = false;

        if (!elsewhere->manner->again) {
            st = run_one_exists(elsewhere->manner, plan, plan->chosen[i],
                                &exists, err);
        }
        if (!exists) {
            places[*n] = i;
            numbers[(*n)++] = plan->plan.runs[plan->chosen[i]].number;
        }
    }
    return st;
}

enum st
elsewhere_carry_out(const struct elsewhere *elsewhere,
                    const struct executor_end ***ends, struct err *err)
{
    const struct run_manner *manner = elsewhere->manner;
    const struct run_plan *plan = elsewhere->plan;
    size_t *numbers = arena_alloc(plan->arena, plan->n_chosen, sizeof *numbers);
    size_t *places = arena_alloc(plan->arena, plan->n_chosen, sizeof *places);
    struct executor_task task = {.folder = manner->folder,
                                 .name = plan->plan.name,
                                 .numbers = numbers,
                                 .progress = manner->quiet ? NULL : stderr};
    struct executor executor;
    struct executor_end *all;
    enum st st = check(elsewhere, err);

    *ends = NULL;
    st =
        st ? st : executor_parse(elsewhere->where, plan->arena, &executor, err);
    st = st ? st : folder_make(manner->folder, "--results", err);
    st = st ? st : list_runs(elsewhere, numbers, places, &task.n, err);
    if (st || !task.n) {
        return st;
    }
    task.folder = absolute(plan->arena, task.folder);
    task.command = make_command(elsewhere, executor.kind);
    task.ranks = elsewhere->ranks;
    st = executor_carry_out(&executor, &task, plan->arena, &all, err);
    if (st) {
        return st;
    }
    *ends = arena_alloc(plan->arena, plan->n_chosen, sizeof(void *));
    for (size_t i = 0; i < task.n; i++) {
        (*ends)[places[i]] = &all[i];
    }
    return ST_OK;
}
