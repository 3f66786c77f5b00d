/* SPDX-License-Identifier: Apache-2.0 */

/* Chooses the data of figures of traces. */

#include <config.h>

#include "orchctl/trace_plot.h"

#include <string.h>

#include "base/text.h"
#include "orchctl/trace_data.h"
#include "orchctl/trace_table.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/figure.h"

bool
trace_plot_is_trace(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && !strcmp(dot, ".csv");
}

enum st
trace_plot_check(const struct invocation *invocation, struct err *err)
{
    static const char *const others[] = {"x", "by", "measure"};
    const size_t n =
        json_array_size(json_object_get(invocation->arguments, "object"));

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (json_object_get(invocation->arguments, others[i])) {
            err_set(err, ST_INVALID, "usage",
                    "--%s is for figures of sweeps; this one is of a trace",
                    others[i]);
            err_set_remedy(err, "choose what to draw by --object and --window");
            return ST_INVALID;
        }
    }
    return n <= TRACE_DATA_OBJECTS_MAX
               ? ST_OK
               : err_set(err, ST_INVALID, "usage",
                         "--object is given %zu times; a figure has room for "
                         "%d",
                         n, TRACE_DATA_OBJECTS_MAX);
}

/* Returns whether 'figure' shows intervals; else it shows levels. */
static bool
shows_spans(const struct figure *figure)
{
    for (size_t i = 0; i < figure->n_data; i++) {
        if (strstr(figure->data[i].sql, " lanes")) {
            return true;
        }
    }
    return false;
}

/* What the script knows besides the tables. */
struct words {
    struct trace_data_time time;
    unsigned int n_lanes;
    struct text thresholds, limits; /* Positions of objects. */
    struct text note;
};

static void
words_fini(struct words *words)
{
    text_fini(&words->thresholds);
    text_fini(&words->limits);
    text_fini(&words->note);
}

/* Stores the positions of the objects with a value in 'column'. */
static enum st
list_positions(struct database *database, const char *column,
               struct text *positions, struct err *err)
{
    struct text sql = {0};
    struct query *query;
    bool row = false;
    enum st st;

    text_addf(&sql,
              "SELECT DISTINCT position FROM levels WHERE %s IS NOT NULL"
              " ORDER BY position",
              column);
    query = query_create(database, text_string(&sql));
    while (!(st = query_next(query, &row, err)) && row) {
        text_addf(positions, "%s%s", positions->length ? " " : "",
                  query_text(query, 0));
    }
    query_finish(query);
    text_fini(&sql);
    return st;
}

/* Makes the tables of 'figure'. */
static enum st
make_tables(const struct invocation *invocation, const struct figure *figure,
            struct database *database, struct words *words, struct err *err)
{
    const json_t *list = json_object_get(invocation->arguments, "object");
    const char *objects[TRACE_DATA_OBJECTS_MAX];
    struct trace_data_choice choice = {
        .objects = objects,
        .n_objects = json_array_size(list),
        .window = verb_option(invocation, "window", NULL)};
    enum st st;

    for (size_t i = 0; i < choice.n_objects; i++) {
        objects[i] = json_string_value(json_array_get(list, i));
    }
    if (shows_spans(figure)) {
        return trace_data_spans(database, &choice, &words->time,
                                &words->n_lanes, err);
    }
    st = trace_data_levels(database, &choice, &words->time, &words->note, err);
    st = st ? st
            : list_positions(database, "threshold", &words->thresholds, err);
    return st ? st
              : list_positions(database, "drop_limit", &words->limits, err);
}

/* Draws from the tables. */
static enum st
draw(const struct invocation *invocation, const struct figure *figure,
     struct database *database, const struct words *words, const char *path,
     const char *picture, struct err *err)
{
    const struct trace_data_time *time = &words->time;
    const char *folder = verb_option(invocation, "data", NULL);
    const char *slash = strrchr(path, '/');
    char label[32], from[32], to[32], lanes[16];
    const char *arguments[] = {label,
                               from,
                               to,
                               lanes,
                               text_string(&words->thresholds),
                               text_string(&words->limits),
                               text_string(&words->note)};
    const struct figure_source source = {.database = database,
                                         .run = 1,
                                         .caption = slash ? slash + 1 : path,
                                         .arguments = arguments,
                                         .n_arguments = 7};

    text_format(label, sizeof label, "simulated time, %s", time->unit);
    text_format(from, sizeof from, "%.12g",
                (double)time->from_ps / time->unit_ps);
    text_format(to, sizeof to, "%.12g", (double)time->to_ps / time->unit_ps);
    text_format(lanes, sizeof lanes, "%u", words->n_lanes);
    return folder ? draw_keep(figure, &source, folder, picture, err)
                  : draw_figure(figure, &source, picture, err);
}

enum st
trace_plot_draw(const struct invocation *invocation,
                const struct figure *figure, const char *path,
                const char *picture, struct err *err)
{
    struct database *database = NULL;
    struct words words = {0};
    enum st st = trace_plot_check(invocation, err);

    st = st ? st : trace_table_open(path, &database, err);
    if (!st) {
        st = make_tables(invocation, figure, database, &words, err);
        st =
            st ? st
               : draw(invocation, figure, database, &words, path, picture, err);
        database_close(database);
    }
    words_fini(&words);
    return st;
}
