/* SPDX-License-Identifier: Apache-2.0 */

/* Stages 2 and 3 of "orchlab tune": runs of a load with several candidates, as
 * variants of one scenario, here or by an executor. */

#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/measure/reader.h"
#include "lab/measure/results.h"
#include "lab/measure/verdict.h"
#include "orchlab/elsewhere.h"
#include "orchlab/run_plan.h"
#include "orchlab/tune.h"
#include "orchlab/verb.h"

enum { BITS = 8 };

/* Adds the variant of 'candidate', JSON being YAML: its rows at their paths. */
static void
add_variant(const struct tune_candidate *candidate, json_t *variants)
{
    json_t *variant = json_object();
    const char *role, *table, *key;
    json_t *tables, *rows, *row;

    json_object_foreach(candidate->rows, role, tables)
    {
        json_object_foreach(tables, table, rows)
        {
            json_object_foreach(rows, key, row)
            {
                struct text path = {0};

                text_addf(&path, "fabric.switch.%s.set.%s|%s", role, table,
                          key);
                json_object_set(variant, text_string(&path), row);
                text_fini(&path);
            }
        }
    }
    json_object_set_new(variants, candidate->name, variant);
}

/* Writes the scenario of 'load' with a variant for each of the first 'n'
 * candidates. */
static enum st
write_variants(const struct tune *tune, const struct tune_load *load, size_t n,
               struct err *err)
{
    FILE *file = fopen(load->path, "we");
    json_t *variants = json_object();
    char *text;
    bool failed = !file;

    for (size_t i = 0; i < n; i++) {
        add_variant(&tune->candidates[i], variants);
    }
    text = json_dumps(variants, JSON_PRESERVE_ORDER);
    if (file) {
        failed = fprintf(file, "%svariants: %s\n", load->text, text) < 0;
        failed = fclose(file) || failed;
    }
    free(text);
    json_decref(variants);
    return failed ? err_set(err, ST_IO, "unwritable", "cannot write %s: %s",
                            load->path, strerror(errno))
                  : ST_OK;
}

/* Measures 'expression'; what is not there is 'otherwise'. */
static enum st
measure(struct reader *reader, const char *expression, double otherwise,
        double *value, struct err *err)
{
    struct verdict verdict;
    struct metric metric;
    enum st st = metric_parse(expression, &metric, err);

    st = st ? st : verdict_measure(&metric, reader, &verdict, err);
    if (!st) {
        *value = verdict.known ? verdict.value : otherwise;
    }
    return st;
}

/* Measures the results of a run of 'load'. */
static enum st
measure_run(const struct tune_load *load, const char *path,
            struct tune_outcome *outcome, struct err *err)
{
    struct reader *reader = NULL;
    double bytes = 0;
    enum st st = reader_open(path, &reader, err);

    st = st ? st
            : measure(reader, "p99(message.latency)", (double)INFINITY,
                      &outcome->p99_s, err);
    st = st ? st : measure(reader, "sum(flow.bytes)", 0, &bytes, err);
    st = st ? st
            : measure(reader, "sum(pause.time)", 0, &outcome->paused_s, err);
    st = st ? st
            : measure(reader, "sum(drop.packets)", 0, &outcome->dropped, err);
    outcome->goodput_bps = bytes * BITS / load->stop_s;
    reader_close(reader);
    return st;
}

/* Carries out run 'i' of the plan, or collects what 'end' has left of it. */
static enum st
take_run(struct tune *tune, size_t load, const struct run_plan *plan, size_t i,
         const struct executor_end *end, struct err *err)
{
    struct arena *arena = arena_create(TUNE_ARENA);
    const size_t number = plan->chosen[i];
    struct run_outcome outcome;
    enum st st =
        end ? run_one_collect(&tune->manner, plan, number, end, arena, &outcome,
                              err)
            : run_one(&tune->manner, plan, number, arena, &outcome, err);

    if (!st && outcome.state == RESULTS_INTERRUPTED) {
        st = err_set(err, ST_BUSY, "interrupted", "interrupted");
    } else if (!st && outcome.state == RESULTS_FAILED) {
        *err = outcome.failure;
        st = err->status;
    }
    st = st ? st
            : measure_run(&tune->loads[load], outcome.path,
                          &tune->candidates[i].outcomes[load], err);
    arena_destroy(arena);
    return st;
}

enum st
tune_runs_carry_out(struct tune *tune, size_t load, size_t n, struct err *err)
{
    const struct run_plan_options none = {.nics =
                                              tune->manner.options.nics_dir};
    const struct tune_load *of = &tune->loads[load];
    const struct executor_end **ends = NULL;
    struct run_plan plan = {0};
    struct elsewhere elsewhere = {
        .where = verb_option(tune->invocation, "executor", NULL),
        .manner = &tune->manner,
        .plan = &plan,
        .file = of->path};
    enum st st = write_variants(tune, of, n, err);

    st = st ? st : run_plan_read(of->path, &none, &plan, err);
    if (!st && elsewhere.where) {
        st = elsewhere_carry_out(&elsewhere, &ends, err);
    }
    for (size_t i = 0; !st && i < n; i++) {
        st = take_run(tune, load, &plan, i, ends ? ends[i] : NULL, err);
    }
    run_plan_fini(&plan);
    return st;
}
