/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab whatif link|headroom|nic|model": what a change of the scenario does.
 *
 * The scenario runs as it is and with the change.  The answer is a table of
 * both, a sentence, and the rows of CONFIG_DB in which the configurations of
 * switches differ.  A longer link needs more headroom: if packets are lost
 * without it, the scenario runs a third time with what is needed, and the rows
 * are those.  With several values each is a change of its own. */

#include <config.h>

#include "lab/measure/results.h"
#include "orchlab/value_list.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "orchlab/whatif_inquiry.h"
#include "orchlab/whatif_report.h"

/* The options that take several values. */
static const struct value_list_rule rules[] = {
    {"length", QUANTITY_LENGTH, 0, INT64_C(20000000000)},
    {"factor", QUANTITY_RATIO, 0, 0},
    {"ratio", QUANTITY_COUNT, 1, 65535},
};

/* Runs --------------------------------------------------------------------- */

/* Carries out the run of 'variant'. */
static enum st
carry_out(const struct whatif_inquiry *inquiry, struct whatif_variant *variant,
          struct err *err)
{
    struct arena *arena = arena_create(WHATIF_ARENA);
    struct run_outcome outcome;
    struct run_plan plan;
    enum st st = whatif_read_plan(inquiry, variant, &plan, err);

    st = st ? st
            : run_one(&inquiry->manner, &plan, plan.chosen[0], arena, &outcome,
                      err);
    if (!st && outcome.state == RESULTS_INTERRUPTED) {
        st = err_set(err, ST_BUSY, "interrupted", "interrupted");
    } else if (!st && outcome.state == RESULTS_FAILED) {
        *err = outcome.failure;
        st = err->status;
    }
    st = st ? st : whatif_report_measure(variant, outcome.path, err);
    arena_destroy(arena);
    run_plan_fini(&plan);
    return st;
}

/* The verb ----------------------------------------------------------------- */

static void
init(struct whatif_inquiry *inquiry, const struct invocation *invocation,
     const char *value)
{
    const json_t *given = json_object_get(invocation->arguments, "set");

    *inquiry = (struct whatif_inquiry){.invocation = invocation,
                                       .value = value,
                                       .arena = arena_create(WHATIF_ARENA),
                                       .rows = json_object(),
                                       .wanted = json_object()};
    inquiry->before.sets = given ? json_copy((json_t *)given) : json_array();
    inquiry->after.sets = json_copy(inquiry->before.sets);
    whatif_set_manner(invocation, &inquiry->folders, &inquiry->manner);
}

static void
fini(struct whatif_inquiry *inquiry)
{
    struct whatif_variant *variants[] = {&inquiry->before, &inquiry->after,
                                         &inquiry->remedy};

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        json_decref(variants[i]->sets);
        for (size_t k = 0; k < variants[i]->n_roles; k++) {
            json_decref(variants[i]->configs[k]);
        }
    }
    text_fini(&inquiry->what);
    text_fini(&inquiry->note);
    json_decref(inquiry->rows);
    json_decref(inquiry->wanted);
    arena_destroy(inquiry->arena);
}

/* Asks all questions before the first run, and carries out their runs; that of
 * the scenario as it is once. */
static enum st
answer(struct whatif_inquiry *inquiries, size_t n, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        st = whatif_ask(&inquiries[i], err);
        st = st ? st
                : run_key_models(&inquiries[i].manner.options,
                                 &inquiries[i].manner.models, err);
    }
    st = st ? st : carry_out(&inquiries[0], &inquiries[0].before, err);
    for (size_t i = 0; !st && i < n; i++) {
        struct whatif_inquiry *inquiry = &inquiries[i];

        for (size_t k = 0; k < WHATIF_MEASURES; k++) {
            inquiry->before.results[k] = inquiries[0].before.results[k];
        }
        st = carry_out(inquiry, &inquiry->after, err);
        if (!st && inquiry->remedy.sets) {
            st = carry_out(inquiry, &inquiry->remedy, err);
        }
    }
    return st;
}

/* Reads the values of the option that takes several; without one there is one
 * question, without a value. */
static enum st
read_values(const struct invocation *invocation, struct arena *arena,
            struct value_list *values, struct err *err)
{
    values->texts[0] = NULL;
    values->n = 1;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *text = verb_option(invocation, rules[i].option, NULL);

        if (text) {
            return value_list_read(&rules[i], text, arena, values, err);
        }
    }
    return ST_OK;
}

int
whatif_change(const struct invocation *invocation)
{
    struct arena *arena = arena_create(WHATIF_ARENA);
    struct whatif_inquiry *inquiries = NULL;
    struct value_list values;
    struct err err = {0};
    enum st st = read_values(invocation, arena, &values, &err);
    int code;

    if (st) {
        arena_destroy(arena);
        return verb_fail(&err);
    }
    inquiries = arena_alloc(arena, values.n, sizeof *inquiries);
    for (size_t i = 0; i < values.n; i++) {
        init(&inquiries[i], invocation, values.texts[i]);
    }
    st = answer(inquiries, values.n, &err);
    if (!st) {
        st = whatif_report(inquiries, values.n, &err);
    }
    code = st                                               ? verb_fail(&err)
           : whatif_report_worse(inquiries, values.n, NULL) ? LAB_NO
                                                            : LAB_DONE;
    for (size_t i = 0; i < values.n; i++) {
        fini(&inquiries[i]);
    }
    arena_destroy(arena);
    return code;
}
