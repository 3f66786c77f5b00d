/* SPDX-License-Identifier: Apache-2.0 */

/* Draws the figures of scenarios. */

#include <config.h>

#include "orchlab/papers_figure.h"

#include <string.h>

#include "base/text.h"
#include "lab/measure/reader.h"
#include "orchlab/board.h"
#include "orchlab/run_database.h"
#include "process/places.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/figure.h"

/* Of a picture, so that a hundred are a page. */
#define PICTURE_MAX ((size_t)100 * 1024)

/* What draws the figures of a scenario. */
struct drawing {
    const struct board *board;
    const char *folder;
    struct database *merged; /* All runs; NULL: not needed yet. */
    json_t *pictures, *too_large;
    enum st st; /* Of the first figure that could not be drawn. */
    struct err *err;
};

/* Appends the picture of 'figure', whose template is 'name', or its name if it
 * is too large.  ST_BUSY: the source has no data for it. */
static enum st
add_picture(struct drawing *drawing, const char *name,
            const struct figure *figure, struct figure_source *source)
{
    struct text picture = {0};
    enum st st;

    source->caption = drawing->board->scenario.name;
    source->still = true;
    st = draw_picture(figure, source, ".svg", &picture, drawing->err);
    if (st == ST_IO && !strcmp(drawing->err->code, "gnuplot")) {
        /* It has said why: no value that can be drawn. */
        st = ST_BUSY;
    } else if (!st && picture.length > PICTURE_MAX) {
        json_array_append_new(drawing->too_large, json_string(name));
    } else if (!st) {
        json_array_append_new(drawing->pictures,
                              json_stringn(picture.bytes, picture.length));
    }
    text_fini(&picture);
    return st;
}

/* Adds 'figure' of all runs, or of the first one. */
static enum st
add_of_runs(struct drawing *drawing, const char *name,
            const struct figure *figure)
{
    const struct board *board = drawing->board;
    struct figure_source source = {0};
    struct reader *reader = NULL;
    enum st st = ST_OK;

    if (figure->source && !strcmp(figure->source, "runs")) {
        if (!drawing->merged) {
            st = run_database_of_paths(board->paths, board->n_complete,
                                       &drawing->merged, drawing->err);
        }
        source.database = drawing->merged;
    } else {
        st = reader_open(board->paths[0], &reader, drawing->err);
        if (!st) {
            source.database = reader_database(reader);
            source.run = reader_number(reader);
        }
    }
    st = st ? st : add_picture(drawing, name, figure, &source);
    reader_close(reader);
    return st;
}

/* Returns whether 'names', with spaces between them, has 'name'. */
static bool
has_name(const char *names, const char *name)
{
    const size_t n = strlen(name);

    while (names && *names) {
        const size_t length = strcspn(names, " ");

        if (length == n && !strncmp(names, name, n)) {
            return true;
        }
        names += length + strspn(names + length, " ");
    }
    return false;
}

/* Adds the figure 'name' if it is one of the scenario's. */
static void
add_named(void *context, const char *folder, const char *name)
{
    struct drawing *drawing = context;
    struct figure figure = {0};
    enum st st = draw_load(folder, name, &figure, drawing->err);

    if (!st && has_name(figure.of, drawing->board->scenario.name)) {
        st = add_of_runs(drawing, name, &figure);
    }
    if (st && st != ST_BUSY && !drawing->st) {
        drawing->st = st;
    }
    figure_fini(&figure);
}

/* Adds the figure 'sweep', if the scenario is one. */
static enum st
add_sweep(struct drawing *drawing)
{
    struct figure figure = {0};
    enum st st = draw_load(drawing->folder, "sweep", &figure, drawing->err);

    st = st ? st : add_of_runs(drawing, "sweep", &figure);
    figure_fini(&figure);
    return st == ST_BUSY ? ST_OK : st;
}

/* Appends "3.2 to 4 us", "3", or nothing if no value is known. */
static void
add_measured(struct text *text, const struct board_line *line)
{
    char least[METRIC_TEXT_SIZE], greatest[METRIC_TEXT_SIZE];

    if (line->is_known) {
        (void)metric_text(line->least, line->unit, least);
        (void)metric_text(line->greatest, line->unit, greatest);
        text_add(text, least);
        if (strcmp(least, greatest) != 0) {
            text_addf(text, " to %s", greatest);
        }
    }
}

/* Puts the lines of 'board' into a table. */
static enum st
fill(struct database *database, const struct board *board, struct err *err)
{
    enum st st = database_run(
        database,
        "CREATE TABLE expectations (number INTEGER, text TEXT, report INTEGER,"
        " verdicts INTEGER, passed INTEGER, measured TEXT, target TEXT)",
        err);
    struct query *query =
        st ? NULL
           : query_create(database, "INSERT INTO expectations VALUES (?1, ?2, "
                                    "?3, ?4, ?5, ?6, ?7)");

    for (size_t i = 0; !st && i < board->n_lines; i++) {
        const struct board_line *line = &board->lines[i];
        struct text measured = {0};

        if (line->text) {
            add_measured(&measured, line);
            query_set_number(query, 1, (int64_t)i);
            query_set_text(query, 2, line->text);
            query_set_number(query, 3, line->is_reported);
            query_set_number(query, 4, (int64_t)line->n);
            query_set_number(query, 5, (int64_t)line->passed);
            query_set_text(query, 6, text_string(&measured));
            query_set_text(query, 7, line->target);
            st = query_execute(query, err);
        }
        text_fini(&measured);
    }
    query_finish(query);
    return st;
}

/* Adds the figure of expectations, which any scenario with results has. */
static enum st
add_expectations(struct drawing *drawing)
{
    char path[PLACES_PATH_SIZE + 16];
    struct figure_source source = {0};
    struct figure figure = {0};
    enum st st;

    text_format(path, sizeof path, "%s/papers", drawing->folder);
    st = draw_load(path, "expectations", &figure, drawing->err);
    st = st ? st : database_create_temporary(&source.database, drawing->err);
    st = st ? st : fill(source.database, drawing->board, drawing->err);
    st = st ? st : add_picture(drawing, "expectations", &figure, &source);
    database_close(source.database);
    figure_fini(&figure);
    return st;
}

enum st
papers_figure_add(json_t *pictures, json_t *too_large,
                  const struct board *board, const char *folder,
                  struct err *err)
{
    struct drawing drawing = {.board = board,
                              .folder = folder,
                              .pictures = pictures,
                              .too_large = too_large,
                              .err = err};
    enum st st = draw_each_template(folder, add_named, &drawing, err);

    st = st ? st : drawing.st;
    if (!st && !json_array_size(pictures)) {
        st = add_sweep(&drawing);
    }
    if (!st && !json_array_size(pictures)) {
        st = add_expectations(&drawing);
    }
    database_close(drawing.merged);
    return st;
}
