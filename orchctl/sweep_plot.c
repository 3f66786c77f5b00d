/* SPDX-License-Identifier: Apache-2.0 */

/* Chooses templates and data of figures. */

#include <config.h>

#include "orchctl/sweep_plot.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/grid.h"
#include "orchctl/picture.h"
#include "orchctl/trace_plot.h"
#include "process/places.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/figure.h"
#include "results/sweep_data.h"

#define USUAL_FIGURE "points"
#define SWEEP_SOURCE "sweep"

/* --- Lists --------------------------------------------------------------- */

/* Implements draw_template_fn. */
static void
add_figure(void *context, const char *folder, const char *name)
{
    char *path = draw_template_path(folder, name);
    struct figure figure = {0};
    struct err err = {0};

    if (!figure_load(path, &figure, &err)) {
        json_array_append_new(
            context, json_pack("{s:s, s:s, s:s}", "figure", name, "of",
                               figure.source ? figure.source : SWEEP_SOURCE,
                               "title", figure.title));
        figure_fini(&figure);
    }
    free(path);
}

enum st
sweep_plot_list(const struct invocation *invocation, struct err *err)
{
    static const struct grid_column columns[] = {
        {"figure", false}, {"of", false}, {"title", false}};
    char path[PLACES_PATH_SIZE];
    json_t *list = json_array(), *item;
    struct grid *grid;
    size_t i;
    const enum st st = draw_each_template(picture_figures(invocation, path),
                                          add_figure, list, err);

    if (!st && invocation->json) {
        verb_print_json(list);
    } else if (!st) {
        grid = grid_create(columns, 3);
        json_array_foreach(list, i, item)
        {
            grid_line(grid);
            grid_text(grid, json_string_value(json_object_get(item, "figure")));
            grid_text(grid, json_string_value(json_object_get(item, "of")));
            grid_text(grid, json_string_value(json_object_get(item, "title")));
        }
        grid_print(grid, 0);
    }
    json_decref(list);
    return st;
}

/* --- Figures ------------------------------------------------------------- */

/* The choice of the options, and its texts. */
struct plot {
    struct sweep_data_choice choice;
    const char *measures[SWEEP_DATA_MEASURES_MAX];
    struct text first; /* The first parameter of the sweep. */
    struct text y;     /* The label of the y axis. */
    struct text caption;
    bool still;
};

static void
plot_fini(struct plot *plot)
{
    text_fini(&plot->first);
    text_fini(&plot->y);
    text_fini(&plot->caption);
}

/* Stores the text that 'sql' selects. */
static enum st
read_text(struct database *database, const char *sql, struct text *text,
          struct err *err)
{
    struct query *query = query_create(database, sql);
    bool row = false;
    const enum st st = query_next(query, &row, err);

    if (!st && row) {
        text_add(text, query_text(query, 0));
    }
    query_finish(query);
    return st;
}

static bool
ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), n = strlen(end);

    return length >= n && !strcmp(text + length - n, end);
}

/* Appends the label of the y axis: object and counter of the first measurement
 * if all have them, and the unit. */
static void
add_label(struct plot *plot)
{
    const char *what = strchr(plot->measures[0], ':') + 1;
    bool same = true;

    for (size_t i = 1; i < plot->choice.n_measures; i++) {
        same &= !strcmp(strchr(plot->measures[i], ':') + 1, what);
    }
    text_add(&plot->y, same ? what : "");
    text_add(&plot->y, same ? ", " : "");
    text_add(&plot->y, ends_in(what, "_bytes")     ? "bytes"
                       : ends_in(what, "_ps")      ? "ps"
                       : strstr(what, ":packets")  ? "packets"
                       : ends_in(what, "_packets") ? "packets"
                       : ends_in(what, "frames")   ? "frames"
                                                   : "value");
}

/* Checks how many measurements there are. */
static enum st
check_measures(const struct invocation *invocation, struct err *err)
{
    const size_t n =
        json_array_size(json_object_get(invocation->arguments, "measure"));

    if (n && n <= SWEEP_DATA_MEASURES_MAX) {
        return ST_OK;
    }
    (void)err_set(err, ST_INVALID, "usage",
                  "--measure is given %zu times; a figure needs 1 to %d", n,
                  SWEEP_DATA_MEASURES_MAX);
    err_set_remedy(err, "sweep show FILE --list lists the measurements");
    return ST_INVALID;
}

static bool
is_of_trace(const struct figure *figure)
{
    return figure->source && !strcmp(figure->source, TRACE_PLOT_SOURCE);
}

/* Loads the figure that is asked for; 'usual' if none is. */
static enum st
load_figure(const struct invocation *invocation, const char *usual,
            struct figure *figure, struct err *err)
{
    char folder[PLACES_PATH_SIZE];

    return draw_load(picture_figures(invocation, folder),
                     verb_option(invocation, "figure", usual), figure, err);
}

bool
sweep_plot_needs_trace(const struct invocation *invocation)
{
    struct figure figure = {0};
    struct err unused = {0};
    const bool needs =
        !load_figure(invocation, USUAL_FIGURE, &figure, &unused) &&
        is_of_trace(&figure);

    figure_fini(&figure);
    return needs;
}

/* Loads the figure, which is to be 'of_trace' or of a sweep, and checks the
 * options for it. */
static enum st
check_figure(const struct invocation *invocation, bool of_trace,
             struct figure *figure, struct err *err)
{
    enum st st = load_figure(
        invocation, of_trace ? TRACE_PLOT_FIGURE : USUAL_FIGURE, figure, err);

    if (st) {
        return st;
    }
    if (is_of_trace(figure) != of_trace) {
        st =
            err_set(err, ST_INVALID, "usage",
                    "figure '%s' is drawn from a %s, not from a %s",
                    verb_option(invocation, "figure", USUAL_FIGURE),
                    of_trace ? "sweep" : "trace", of_trace ? "trace" : "sweep");
        err_set_remedy(err, "%s",
                       of_trace ? "give it a file of breakpoint run --results"
                                : "give it a file of breakpoint run "
                                  "--trace-file FILE.csv");
    } else {
        st = of_trace ? trace_plot_check(invocation, err)
                      : check_measures(invocation, err);
    }
    if (st) {
        figure_fini(figure);
    }
    return st;
}

enum st
sweep_plot_check(const struct invocation *invocation, bool of_trace,
                 const char *picture, struct err *err)
{
    struct figure figure = {0};
    enum st st = picture_check(picture, err);

    st = st ? st : check_figure(invocation, of_trace, &figure, err);
    if (!st) {
        figure_fini(&figure);
    }
    return st;
}

/* Reads the options. */
static enum st
read_choice(const struct invocation *invocation, struct database *database,
            struct plot *plot, struct err *err)
{
    const json_t *list = json_object_get(invocation->arguments, "measure");
    struct sweep_data_choice *choice = &plot->choice;
    enum st st;

    choice->n_measures = json_array_size(list);
    for (size_t i = 0; i < choice->n_measures; i++) {
        plot->measures[i] = json_string_value(json_array_get(list, i));
    }
    choice->measures = plot->measures;
    st = read_text(database, "SELECT name FROM params ORDER BY rowid LIMIT 1",
                   &plot->first, err);
    st = st ? st
            : read_text(database,
                        "SELECT path || ', ' || version || ', ' || started"
                        " FROM runs ORDER BY run LIMIT 1",
                        &plot->caption, err);
    choice->by = verb_option(invocation, "by", NULL);
    choice->x = verb_option(invocation, "x",
                            plot->first.length ? text_string(&plot->first)
                                               : SWEEP_DATA_TIME);
    return st;
}

/* Draws 'figure' from 'database'. */
static enum st
draw(const struct invocation *invocation, const struct figure *figure,
     struct database *database, struct plot *plot, const char *picture,
     struct err *err)
{
    const char *folder = verb_option(invocation, "data", NULL);
    const char *labels[] = {"time, us", NULL, ""};
    struct figure_source source = {.database = database,
                                   .run = 1,
                                   .caption = text_string(&plot->caption),
                                   .arguments = labels,
                                   .n_arguments = 3,
                                   .still = plot->still};

    add_label(plot);
    if (strcmp(plot->choice.x, SWEEP_DATA_TIME) != 0) {
        labels[0] = sweep_data_short(plot->choice.x);
    }
    labels[1] = text_string(&plot->y);
    labels[2] = plot->choice.by ? sweep_data_short(plot->choice.by) : "";
    return folder ? draw_keep(figure, &source, folder, picture, err)
                  : draw_figure(figure, &source, picture, err);
}

/* Draws 'figure' of the sweep 'path'; 'still': without a script. */
static enum st
draw_sweep(const struct invocation *invocation, const struct figure *figure,
           const char *path, const char *picture, bool still, struct err *err)
{
    struct database *database = NULL;
    struct plot plot = {.still = still};
    enum st st = sweep_data_open(path, &database, err);

    if (st) {
        return st;
    }
    st = read_choice(invocation, database, &plot, err);
    st = st ? st : sweep_data_points(database, &plot.choice, err);
    st = st ? st : draw(invocation, figure, database, &plot, picture, err);
    plot_fini(&plot);
    database_close(database);
    return st;
}

/* Draws 'picture' from the file 'path', a trace or a sweep. */
static enum st
make(const struct invocation *invocation, const char *path, const char *picture,
     bool still, struct err *err)
{
    const bool of_trace = trace_plot_is_trace(path);
    struct figure figure = {0};
    enum st st = picture_check(picture, err);

    st = st ? st : check_figure(invocation, of_trace, &figure, err);
    if (st) {
        return st;
    }
    st = of_trace ? trace_plot_draw(invocation, &figure, path, picture, err)
                  : draw_sweep(invocation, &figure, path, picture, still, err);
    figure_fini(&figure);
    return st;
}

enum st
sweep_plot_still(const struct invocation *invocation, const char *path,
                 const char *picture, struct err *err)
{
    return make(invocation, path, picture, true, err);
}

enum st
sweep_plot_draw(const struct invocation *invocation, const char *path,
                const char *picture, struct err *err)
{
    const enum st st = make(invocation, path, picture, false, err);

    if (!st && !verb_option(invocation, "data", NULL)) {
        printf("%s\n", picture);
    }
    return st;
}
