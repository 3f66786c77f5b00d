/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab plot": draws a figure of a run with gnuplot. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/reader.h"
#include "orchlab/run_database.h"
#include "orchlab/run_files.h"
#include "orchlab/run_folders.h"
#include "orchlab/verb.h"
#include "process/places.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/figure.h"

const struct option plot_options[] = {
    {"output", OPTION_TEXT, "FILE", 0, 0,
     "the picture, .svg, .png or .pdf (FIGURE.svg)"},
    {"data", OPTION_TEXT, "FOLDER", 0, 0,
     "write data and script there and draw nothing"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Figures as a table and as JSON. */
struct figure_list {
    struct grid *grid;
    json_t *data;
};

static void
add_line(void *context, const char *folder, const char *name)
{
    struct figure_list *list = context;
    char *path = draw_template_path(folder, name);
    struct figure figure = {0};
    struct err err = {0};
    const bool broken = figure_load(path, &figure, &err) != ST_OK;
    const char *title = broken ? err.reason : figure.title;

    grid_line(list->grid);
    grid_text(list->grid, name);
    grid_text(list->grid, title);
    json_array_append_new(
        list->data, json_pack("{s:s, s:s}", "figure", name, "title", title));
    if (!broken) {
        figure_fini(&figure);
    }
    free(path);
}

/* Lists the figures. */
static int
list_figures(const struct invocation *invocation)
{
    static const struct grid_column columns[] = {{"figure", false},
                                                 {"title", false}};
    struct figure_list list = {grid_create(columns, 2), json_array()};
    char path[PLACES_PATH_SIZE];
    struct err err = {0};
    const enum st st = draw_each_template(run_folders_figures(invocation, path),
                                          add_line, &list, &err);

    if (st || invocation->json) {
        grid_free(list.grid);
    } else {
        grid_print(list.grid, 0);
    }
    if (!st && invocation->json) {
        verb_print_json(json_incref(list.data));
    }
    json_decref(list.data);
    return st ? verb_fail(&err) : LAB_DONE;
}

/* Returns whether 'figure' is of all runs of a scenario: "# source: runs". */
static bool
compares_runs(const struct figure *figure)
{
    return figure->source && !strcmp(figure->source, "runs");
}

int
plot_verb(const struct invocation *invocation)
{
    const char *data = verb_option(invocation, "data", NULL);
    const char *name;
    struct text usual = {0};
    char path[PLACES_PATH_SIZE];
    const char *output;
    struct figure figure;
    struct reader *reader;
    struct err err = {0};
    enum st st;

    if (invocation->n_operands < 2) {
        return list_figures(invocation);
    }
    name = invocation->operands[1];
    st = draw_load(run_folders_figures(invocation, path), name, &figure, &err);
    if (st) {
        return verb_fail(&err);
    }
    text_addf(&usual, "%s.svg", name);
    output = verb_option(invocation, "output", text_string(&usual));
    st = run_files_open(invocation->folder, invocation->operands[0], &reader,
                        &err);
    if (!st) {
        struct figure_source source = {.database = reader_database(reader),
                                       .run = reader_number(reader),
                                       .caption = reader_run(reader)->name};
        struct database *merged = NULL;

        if (compares_runs(&figure)) {
            st = run_database_of_name(invocation->folder, source.caption,
                                      &merged, &err);
            source.database = merged;
        }
        if (!st) {
            st = data ? draw_keep(&figure, &source, data, output, &err)
                      : draw_figure(&figure, &source, output, &err);
        }
        database_close(merged);
        reader_close(reader);
        if (!st && !data) {
            printf("%s\n", output);
        }
    }
    figure_fini(&figure);
    text_fini(&usual);
    return st ? verb_fail(&err) : LAB_DONE;
}
