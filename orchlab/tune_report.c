/* SPDX-License-Identifier: Apache-2.0 */

/* The answer of "orchlab tune": table, sentence, rows, files, figure. */

#include <config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/folder.h"
#include "command/grid.h"
#include "lab/measure/metric.h"
#include "orchlab/tune.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"

/* Returns the sum of a member of the outcomes of stage 2. */
static double
sum_goodput(const struct tune *tune, const struct tune_candidate *candidate)
{
    double sum = 0;

    for (size_t i = 0; i < tune->n_loads; i++) {
        sum +=
            tune->loads[i].is_unseen ? 0 : candidate->outcomes[i].goodput_bps;
    }
    return sum;
}

static double
sum_drops(const struct tune *tune, const struct tune_candidate *candidate)
{
    double sum = 0;

    for (size_t i = 0; i < tune->n_loads; i++) {
        sum += tune->loads[i].is_unseen ? 0 : candidate->outcomes[i].dropped;
    }
    return sum;
}

/* Returns the largest p99 of the loads of stage 2. */
static double
most_p99(const struct tune *tune, const struct tune_candidate *candidate)
{
    double most = 0;

    for (size_t i = 0; i < tune->n_loads; i++) {
        if (!tune->loads[i].is_unseen) {
            most = fmax(most, candidate->outcomes[i].p99_s);
        }
    }
    return most;
}

/* Text --------------------------------------------------------------------- */

static void
print_candidate(const struct tune *tune, size_t i, struct grid *grid)
{
    const struct tune_candidate *candidate = &tune->candidates[i];
    char buffer[METRIC_TEXT_SIZE], ratio[METRIC_TEXT_SIZE];
    struct text what = {0};

    tune->question->say(candidate->values, &what);
    grid_line(grid);
    grid_text(grid, text_string(&what));
    (void)text_format(ratio, sizeof ratio, "%.2f", candidate->done);
    grid_text(grid, candidate->is_forecast ? ratio : "");
    grid_text(grid, candidate->is_forecast ? metric_text(candidate->queue_bytes,
                                                         METRIC_BYTES, buffer)
                                           : "");
    grid_text(grid, isinf(most_p99(tune, candidate))
                        ? ""
                        : metric_text(most_p99(tune, candidate), METRIC_SECONDS,
                                      buffer));
    (void)text_format(ratio, sizeof ratio, "%.3f", candidate->p99_ratio);
    grid_text(grid, ratio);
    grid_text(grid, metric_text(sum_goodput(tune, candidate),
                                METRIC_BITS_PER_SECOND, buffer));
    grid_text(grid,
              metric_text(candidate->paused_sum_s, METRIC_SECONDS, buffer));
    grid_text(grid,
              metric_text(sum_drops(tune, candidate), METRIC_NUMBER, buffer));
    (void)text_format(ratio, sizeof ratio, "%.3f", candidate->unseen_p99_ratio);
    grid_text(grid, candidate->unseen_p99_ratio > 0 ? ratio : "");
    grid_text(grid, !i                       ? "present"
                    : i == tune->chosen      ? "recommended"
                    : candidate->is_on_front ? "front"
                                             : "");
    text_fini(&what);
}

static void
print_table(const struct tune *tune)
{
    static const struct grid_column columns[] = {
        {"values", false}, {"forecast", true},   {"its queue", true},
        {"p99", true},     {"by present", true}, {"goodput", true},
        {"paused", true},  {"dropped", true},    {"unseen p99", true},
        {"", false}};
    struct grid *grid = grid_create(columns, sizeof columns / sizeof *columns);

    for (size_t i = 0; i < tune->n_tried; i++) {
        print_candidate(tune, i, grid);
    }
    grid_print(grid, 0);
}

/* Says the answer. */
static void
add_sentence(const struct tune *tune, struct text *text)
{
    const struct tune_candidate *chosen = &tune->candidates[tune->chosen];

    if (!tune->chosen) {
        text_addf(text,
                  "Keep the present values: of %zu that were tried, none has a "
                  "lower p99 at equal goodput, on loads that it has not seen "
                  "as well.",
                  tune->n_tried - 1);
        return;
    }
    text_add(text, "Set ");
    tune->question->say(chosen->values, text);
    text_addf(
        text,
        ": p99 of messages is %.1f %% of the present one, with %.1f %% of "
        "the goodput; on loads that nothing was chosen by %.1f %%, with "
        "%.1f %%.",
        100 * chosen->p99_ratio, 100 * chosen->goodput_ratio,
        100 * chosen->unseen_p99_ratio, 100 * chosen->unseen_goodput_ratio);
}

static void
print(const struct tune *tune)
{
    struct text sentence = {0};
    const char *role;
    json_t *rows;

    print_table(tune);
    add_sentence(tune, &sentence);
    printf("%s%s\n", tune->note.length ? tune->note.bytes : "",
           text_string(&sentence));
    text_fini(&sentence);
    json_object_foreach(tune->candidates[tune->chosen].rows, role, rows)
    {
        char *text = json_dumps(rows, JSON_INDENT(2));

        printf("Rows of %s:\n%s\n", role, text);
        free(text);
    }
}

/* JSON --------------------------------------------------------------------- */

static json_t *
describe_outcome(const struct tune_load *load,
                 const struct tune_outcome *outcome)
{
    return json_pack("{s:s, s:b, s:o, s:f, s:f, s:f}", "load", load->name,
                     "unseen", load->is_unseen, "p99_s",
                     isinf(outcome->p99_s) ? json_null()
                                           : json_real(outcome->p99_s),
                     "goodput_bps", outcome->goodput_bps, "paused_s",
                     outcome->paused_s, "dropped", outcome->dropped);
}

static json_t *
describe_candidate(const struct tune *tune, size_t i)
{
    const struct tune_question *question = tune->question;
    const struct tune_candidate *candidate = &tune->candidates[i];
    const bool is_confirmed = candidate->unseen_p99_ratio > 0;
    json_t *values = json_object();
    json_t *outcomes = json_array();

    for (size_t k = 0; k < question->n_values; k++) {
        json_object_set_new(values, question->value_names[k],
                            json_real(candidate->values[k]));
    }
    for (size_t k = 0; k < tune->n_loads; k++) {
        if (!tune->loads[k].is_unseen || is_confirmed) {
            json_array_append_new(
                outcomes,
                describe_outcome(&tune->loads[k], &candidate->outcomes[k]));
        }
    }
    return json_pack(
        "{s:o, s:o, s:o, s:f, s:f, s:f, s:o, s:o, s:b, s:b}", "values", values,
        "forecast",
        candidate->is_forecast
            ? json_pack("{s:f, s:f, s:f, s:b}", "completion", candidate->done,
                        "queue_bytes", candidate->queue_bytes, "paused_s",
                        candidate->paused_s, "stable", candidate->is_stable)
            : json_null(),
        "outcomes", outcomes, "p99_ratio", candidate->p99_ratio,
        "goodput_ratio", candidate->goodput_ratio, "paused_s",
        candidate->paused_sum_s, "unseen_p99_ratio",
        is_confirmed ? json_real(candidate->unseen_p99_ratio) : json_null(),
        "unseen_goodput_ratio",
        is_confirmed ? json_real(candidate->unseen_goodput_ratio) : json_null(),
        "front", candidate->is_on_front, "recommended",
        tune->chosen && i == tune->chosen);
}

static void
print_json(const struct tune *tune)
{
    struct text sentence = {0};
    json_t *candidates = json_array();

    if (tune->note.length) {
        text_add(&sentence, tune->note.bytes);
    }
    add_sentence(tune, &sentence);
    for (size_t i = 0; i < tune->n_tried; i++) {
        json_array_append_new(candidates, describe_candidate(tune, i));
    }
    verb_print_json(json_pack(
        "{s:s, s:s, s:I, s:o, s:O}", "question", tune->question->name, "answer",
        text_string(&sentence), "grid", (json_int_t)tune->n_candidates - 1,
        "candidates", candidates, "rows", tune->candidates[tune->chosen].rows));
    text_fini(&sentence);
}

/* Files -------------------------------------------------------------------- */

/* Writes 'config' into FOLDER/ROLE.SUFFIX. */
static enum st
write_config(const char *folder, const char *role, const char *suffix,
             const json_t *config, struct err *err)
{
    struct text path = {0};
    enum st st = ST_OK;

    text_addf(&path, "%s/%s%s", folder, role, suffix);
    if (json_dump_file(config, text_string(&path), JSON_INDENT(2))) {
        st = err_set(err, ST_IO, "unwritable", "cannot write %s: %s",
                     text_string(&path), strerror(errno));
    }
    text_fini(&path);
    return st;
}

/* Writes the configurations that --rows asks for. */
static enum st
write_configs(const struct tune *tune, struct err *err)
{
    const char *folder = verb_option(tune->invocation, "rows", NULL);
    const json_t *rows = tune->candidates[tune->chosen].rows;
    enum st st = ST_OK;

    st = folder ? folder_make(folder, "--rows", err) : ST_OK;
    for (size_t i = 0; folder && !st && i < tune->n_roles; i++) {
        const char *role = tune->roles[i];
        json_t *config = json_deep_copy(tune->configs[i]);
        const char *table;
        json_t *of_table;

        json_object_foreach(json_object_get(rows, role), table, of_table)
        {
            json_object_update(json_object_get(config, table), of_table);
        }
        st = write_config(folder, role, ".now.json", tune->configs[i], err);
        st = st ? st : write_config(folder, role, ".json", config, err);
        json_decref(config);
    }
    return st;
}

/* Figure ------------------------------------------------------------------- */

/* Draws p99, goodput and pauses of what was tried, by the present ones. */
static enum st
draw(const struct tune *tune, struct err *err)
{
    enum { KINDS = 3 };
    const double present = sum_goodput(tune, &tune->candidates[0]);
    struct whatif_value *values =
        arena_alloc(tune->arena, KINDS * tune->n_tried, sizeof *values);
    struct text caption = {0};
    size_t n = 0;
    enum st st;

    for (size_t i = 0; i < tune->n_tried; i++) {
        const struct tune_candidate *candidate = &tune->candidates[i];
        struct text what = {0};
        const char *name;

        tune->question->say(candidate->values, &what);
        name = arena_strdup(tune->arena, text_string(&what));
        text_fini(&what);
        values[n++] =
            (struct whatif_value){"p99", name, 100 * candidate->p99_ratio};
        values[n++] = (struct whatif_value){
            "goodput", name,
            present > 0 ? 100 * sum_goodput(tune, candidate) / present : 100};
        values[n++] =
            (struct whatif_value){i == 0                   ? "present"
                                  : i == tune->chosen      ? "recommended"
                                  : candidate->is_on_front ? "front"
                                                           : "other",
                                  name, 1e3 * candidate->paused_sum_s};
    }
    text_addf(&caption, "tune %s, %s", tune->question->name,
              tune->loads[0].name);
    st = whatif_draw(tune->invocation, "tune", text_string(&caption), values, n,
                     err);
    text_fini(&caption);
    return st;
}

enum st
tune_report(struct tune *tune, struct err *err)
{
    enum st st = write_configs(tune, err);

    if (!st && tune->invocation->json) {
        print_json(tune);
    } else if (!st) {
        print(tune);
    }
    return st ? st : draw(tune, err);
}
