/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab whatif link|headroom|nic|model": what a change of the scenario does.
 *
 * The scenario runs as it is and with the change.  The answer is a table of
 * both, a sentence, and the rows of CONFIG_DB in which the configurations of
 * switches differ.  A longer link needs more headroom: if packets are lost
 * without it, the scenario runs a third time with what is needed, and the rows
 * are those. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "command/grid.h"
#include "lab/measure/metric.h"
#include "lab/measure/reader.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "orchlab/whatif_inquiry.h"

enum { DROPS = 0, PAYLOAD = 5 }; /* Positions in 'measures'. */

/* What is measured in each run. */
static const struct {
    const char *name;
    const char *metric;
} measures[] = {
    {"packets dropped", "sum(drop.packets)"},
    {"of these for lack of headroom", "sum(drop.packets{reason=headroom})"},
    {"pauses", "sum(pause.count)"},
    {"paused in all", "sum(pause.time)"},
    {"packets marked", "sum(queue.marked)"},
    {"payload", "sum(flow.bytes)"},
    {"p99 of completion", "p99(flow.fct)"},
    {"longest queue", "max(queue.peak)"},
    {"most headroom used", "max(counter{name=pg_headroom_peak_bytes})"},
};

_Static_assert(sizeof measures / sizeof *measures == WHATIF_MEASURES,
               "each has a result");

/* Runs --------------------------------------------------------------------- */

/* Measures the results at 'path'. */
static enum st
measure(struct whatif_variant *variant, const char *path, struct err *err)
{
    struct reader *reader = NULL;
    enum st st = reader_open(path, &reader, err);

    for (size_t i = 0; !st && i < WHATIF_MEASURES; i++) {
        struct metric metric;

        st = metric_parse(measures[i].metric, &metric, err);
        st = st ? st
                : verdict_measure(&metric, reader, &variant->results[i], err);
    }
    reader_close(reader);
    return st;
}

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
    st = st ? st : measure(variant, outcome.path, err);
    arena_destroy(arena);
    run_plan_fini(&plan);
    return st;
}

/* Reports ------------------------------------------------------------------ */

/* Writes measure 'i' of 'variant'. */
static const char *
text_of(const struct whatif_variant *variant, size_t i, char *buffer)
{
    struct metric metric;
    struct err ignored;

    if (!variant->results[i].known ||
        metric_parse(measures[i].metric, &metric, &ignored)) {
        return "-";
    }
    return metric_text(variant->results[i].value, metric_unit(&metric), buffer);
}

static void
print_table(const struct whatif_inquiry *inquiry)
{
    static const struct grid_column columns[] = {
        {"", false}, {"before", true}, {"after", true}, {"with rows", true}};
    const bool has_remedy = inquiry->remedy.sets != NULL;
    struct grid *grid = grid_create(columns, has_remedy ? 4 : 3);

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        char buffer[METRIC_TEXT_SIZE];

        grid_line(grid);
        grid_text(grid, measures[i].name);
        grid_text(grid, text_of(&inquiry->before, i, buffer));
        grid_text(grid, text_of(&inquiry->after, i, buffer));
        if (has_remedy) {
            grid_text(grid, text_of(&inquiry->remedy, i, buffer));
        }
    }
    grid_print(grid, 0);
}

/* Says the answer in 'text'. */
static void
add_sentence(const struct whatif_inquiry *inquiry, struct text *text)
{
    const struct verdict *before = inquiry->before.results;
    const struct verdict *after = inquiry->after.results;
    char a[METRIC_TEXT_SIZE], b[METRIC_TEXT_SIZE];

    text_addf(text, "With %s, %s packets are dropped instead of %s",
              inquiry->what.length ? inquiry->what.bytes : "nothing",
              text_of(&inquiry->after, DROPS, a),
              text_of(&inquiry->before, DROPS, b));
    if (before[PAYLOAD].value > 0) {
        text_addf(text, ", and the payload is %.1f %% of what it was",
                  100 * after[PAYLOAD].value / before[PAYLOAD].value);
    }
    text_add(text, ".");
    if (inquiry->note.length) {
        text_addf(text, "  %s", inquiry->note.bytes);
    }
    if (inquiry->remedy.sets) {
        text_addf(text, "With the rows below, %s are.",
                  text_of(&inquiry->remedy, DROPS, a));
    }
}

/* Returns the measures of 'variant' as JSON. */
static json_t *
describe(const struct whatif_variant *variant)
{
    json_t *data = json_object();

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        json_object_set_new(data, measures[i].metric,
                            variant->results[i].known
                                ? json_real(variant->results[i].value)
                                : json_null());
    }
    return data;
}

static void
report(const struct whatif_inquiry *inquiry)
{
    struct text sentence = {0};
    const char *role;
    json_t *rows;

    add_sentence(inquiry, &sentence);
    if (inquiry->invocation->json) {
        verb_print_json(json_pack(
            "{s:s, s:o, s:o, s:o, s:O}", "answer", text_string(&sentence),
            "before", describe(&inquiry->before), "after",
            describe(&inquiry->after), "with_rows",
            inquiry->remedy.sets ? describe(&inquiry->remedy) : json_null(),
            "rows", inquiry->rows));
        text_fini(&sentence);
        return;
    }
    print_table(inquiry);
    printf("%s\n", text_string(&sentence));
    text_fini(&sentence);
    if (!json_object_size(inquiry->rows)) {
        printf("No rows of CONFIG_DB differ.\n");
    }
    json_object_foreach(inquiry->rows, role, rows)
    {
        char *text = json_dumps(rows, JSON_INDENT(2));

        printf("\nRows of CONFIG_DB for %s:\n%s\n", role, text);
        free(text);
    }
}

static enum st
draw(const struct whatif_inquiry *inquiry, struct err *err)
{
    struct whatif_value values[2 * WHATIF_MEASURES];
    size_t n = 0;

    for (size_t i = 0; i < WHATIF_MEASURES; i++) {
        values[n++] = (struct whatif_value){"before", measures[i].name,
                                            inquiry->before.results[i].value};
        values[n++] = (struct whatif_value){"after", measures[i].name,
                                            inquiry->after.results[i].value};
    }
    return whatif_draw(inquiry->invocation, "change",
                       inquiry->invocation->operands[1], values, n, err);
}

/* The verb ----------------------------------------------------------------- */

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
    arena_destroy(inquiry->arena);
}

/* Asks the question and carries out its runs. */
static enum st
answer(struct whatif_inquiry *inquiry, struct err *err)
{
    enum st st = whatif_ask(inquiry, err);

    st = st ? st
            : run_one_models(&inquiry->manner.options, &inquiry->manner.models,
                             err);
    st = st ? st : carry_out(inquiry, &inquiry->before, err);
    st = st ? st : carry_out(inquiry, &inquiry->after, err);
    if (!st && inquiry->remedy.sets) {
        st = carry_out(inquiry, &inquiry->remedy, err);
    }
    return st;
}

int
whatif_change(const struct invocation *invocation)
{
    const json_t *given = json_object_get(invocation->arguments, "set");
    struct whatif_inquiry inquiry = {.invocation = invocation,
                                     .arena = arena_create(WHATIF_ARENA),
                                     .rows = json_object()};
    struct err err = {0};
    enum st st;
    int code;

    inquiry.before.sets = given ? json_copy((json_t *)given) : json_array();
    inquiry.after.sets = json_copy(inquiry.before.sets);
    inquiry.manner =
        (struct run_manner){.folder = invocation->folder,
                            .redis = "spawn",
                            .quiet = verb_flag(invocation, "quiet"),
                            .json = true};
    run_folders_find(invocation, &inquiry.folders, &inquiry.manner.options);
    st = answer(&inquiry, &err);
    if (!st) {
        report(&inquiry);
        st = draw(&inquiry, &err);
    }
    code = st ? verb_fail(&err)
           : inquiry.after.results[DROPS].value >
                   inquiry.before.results[DROPS].value
               ? LAB_NO
               : LAB_DONE;
    fini(&inquiry);
    return code;
}
