/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab tune": its options and its three stages. */

#include <config.h>

#include <string.h>

#include "base/nearest.h"
#include "orchlab/tune.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "results/figure.h"

enum { TRIED = 12, CONFIRMED = 3 };

const struct option tune_options[] = {
    {"fabric", OPTION_TEXT, "FILE", 0, 0,
     "the scenario whose fabric and hosts are tuned"},
    {"load", OPTION_TEXTS, "FILE", 0, 0,
     "a scenario whose traffic runs there; may be repeated"},
    {"unseen", OPTION_TEXTS, "FILE", 0, 0,
     "likewise, for stage 3; may be repeated (storage-like traffic)"},
    {"candidates", OPTION_NUMBER, "N", 1, TUNE_TRIED_MAX - 1,
     "how many stage 2 tries (12)"},
    {"executor", OPTION_TEXT, "WHERE", 0, 0,
     "several runs at a time: local, local:JOBS, ssh:HOST,..., slurm"},
    {"rows", OPTION_TEXT, "FOLDER", 0, 0,
     "write the configuration of each role there, as it is and as recommended"},
    {"output", OPTION_TEXT, "FILE", 0, 0, "draw a figure, .svg, .png or .pdf"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {"seed", OPTION_TEXT, "N", 0, 0, "the seed of the runs"},
    {"set", OPTION_TEXTS, "PATH=VALUE", 0, 0,
     "put a value into the scenario of --fabric; may be repeated"},
    {"only", OPTION_TEXT, "RUN", 0, 0,
     "the run of --fabric with that number or label"},
    {"quiet", OPTION_FLAG, NULL, 0, 0, "print no progress"},
    RUN_FOLDERS_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Finds the question called 'name'. */
static enum st
find_question(const char *name, const struct tune_question **question,
              struct err *err)
{
    struct choices choices;

    for (size_t i = 0; (*question = tune_question_at(i)); i++) {
        if (strcmp((*question)->name, name) == 0) {
            return ST_OK;
        }
    }
    choices_init(&choices, name);
    for (size_t i = 0; tune_question_at(i); i++) {
        choices_add(&choices, tune_question_at(i)->name);
    }
    (void)err_set(err, ST_INVALID, "usage", "tune has no question '%.40s'",
                  name);
    return choices_explain(&choices, "question", err);
}

/* Makes the rows of the first 'n_tried' candidates. */
static void
make_rows(struct tune *tune)
{
    for (size_t i = 0; i < tune->n_tried; i++) {
        struct tune_candidate *candidate = &tune->candidates[i];

        candidate->rows = json_object();
        for (size_t k = 0; i && k < tune->n_roles; k++) {
            tune->question->add_rows(tune, k, candidate);
        }
    }
}

/* Runs the loads of stage 2, or those of stage 3, with 'n' candidates. */
static enum st
run_loads(struct tune *tune, bool is_unseen, size_t n, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < tune->n_loads; i++) {
        if (tune->loads[i].is_unseen == is_unseen) {
            st = tune_runs_carry_out(tune, i, n, err);
        }
    }
    return st;
}

/* Carries out the stages. */
static enum st
answer(struct tune *tune, struct err *err)
{
    const size_t wanted =
        (size_t)verb_number(tune->invocation, "candidates", TRIED);
    size_t n_confirmed;
    enum st st =
        run_key_models(&tune->manner.options, &tune->manner.models, err);

    st = st ? st : tune_loads_read(tune, err);
    st = st ? st : tune->question->make_grid(tune, err);
    if (st) {
        return st;
    }
    tune->n_tried =
        wanted + 1 < tune->n_candidates ? wanted + 1 : tune->n_candidates;
    tune_choice_order(tune);
    make_rows(tune);
    st = run_loads(tune, false, tune->n_tried, err);
    if (st) {
        return st;
    }
    tune_choice_judge(tune);
    n_confirmed = tune->n_tried - 1 < CONFIRMED ? tune->n_tried - 1 : CONFIRMED;
    st = run_loads(tune, true, n_confirmed + 1, err);
    if (!st) {
        tune_choice_confirm(tune, n_confirmed);
    }
    return st;
}

int
tune_verb(const struct invocation *invocation)
{
    const char *output = verb_option(invocation, "output", NULL);
    struct tune tune = {.invocation = invocation};
    struct err err = {0};
    enum st st = find_question(invocation->operands[0], &tune.question, &err);

    tune.arena = arena_create(TUNE_ARENA);
    tune.candidates =
        arena_alloc(tune.arena, TUNE_GRID_MAX, sizeof *tune.candidates);
    whatif_set_manner(invocation, &tune.folders, &tune.manner);
    if (!st && output) {
        st = figure_check_output(output, &err);
    }
    st = st ? st : answer(&tune, &err);
    st = st ? st : tune_report(&tune, &err);
    for (size_t i = 0; i < tune.n_tried; i++) {
        json_decref(tune.candidates[i].rows);
    }
    for (size_t i = 0; i < tune.n_roles; i++) {
        json_decref(tune.configs[i]);
    }
    text_fini(&tune.note);
    arena_destroy(tune.arena);
    return st ? verb_fail(&err) : tune.chosen ? LAB_DONE : LAB_NO;
}
