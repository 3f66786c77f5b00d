/* SPDX-License-Identifier: Apache-2.0 */

/* Prints rows of queries. */

#include <config.h>

#include "orchlab/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/metric.h"
#include "orchlab/verb.h"
#include "results/csv.h"
#include "results/database.h"

enum { COLUMNS_MAX = 24 };

/* Endings of columns that have units, and the factor to that of metrics. */
static const struct {
    const char *ending;
    enum metric_unit unit;
    double factor;
} endings[] = {
    {"_ps", METRIC_SECONDS, 1e-12},
    {"_bps", METRIC_BITS_PER_SECOND, 1},
    {"_bytes", METRIC_BYTES, 1},
};

#define N_ENDINGS (sizeof endings / sizeof endings[0])

/* Returns which ending 'name' has, N_ENDINGS if none. */
static size_t
ending_of(const char *name)
{
    const size_t length = strlen(name);
    size_t i = 0;

    for (; i < N_ENDINGS; i++) {
        const size_t ending = strlen(endings[i].ending);

        if (length > ending &&
            !strcmp(name + length - ending, endings[i].ending)) {
            break;
        }
    }
    return i;
}

/* Returns the JSON of a value. */
static json_t *
value_json(const struct query *query, int column)
{
    switch (query_type(query, column)) {
    case QUERY_NUMBER:
        return json_integer(query_number(query, column));
    case QUERY_REAL:
        return json_real(query_real(query, column));
    case QUERY_TEXT:
        return json_string(query_text(query, column));
    case QUERY_NULL:
        break;
    }
    return json_null();
}

enum st
rows_to_json(struct query *query, json_t **rows, struct err *err)
{
    json_t *list = json_array();
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        json_t *object = json_object();

        for (int i = 0; i < query_columns(query); i++) {
            if (strcmp(query_name(query, i), "run") != 0) {
                json_object_set_new(object, query_name(query, i),
                                    value_json(query, i));
            }
        }
        json_array_append_new(list, object);
    }
    if (st) {
        json_decref(list);
        return st;
    }
    *rows = list;
    return ST_OK;
}

/* Fills the next cell of a table. */
static void
fill_cell(struct grid *grid, const struct query *query, int column,
          size_t ending)
{
    const enum query_type type = query_type(query, column);
    char buffer[METRIC_TEXT_SIZE];

    if (type == QUERY_NULL || type == QUERY_TEXT) {
        grid_text(grid, query_text(query, column));
    } else if (ending < N_ENDINGS) {
        grid_text(grid, metric_text(query_real(query, column) *
                                        endings[ending].factor,
                                    endings[ending].unit, buffer));
    } else if (type == QUERY_REAL) {
        grid_text(grid, metric_text(query_real(query, column), METRIC_NUMBER,
                                    buffer));
    } else {
        grid_number(grid, query_number(query, column));
    }
}

/* Creates a table with the columns of 'query' that are shown; stores which. Its
 * first row says which are numbers. */
static struct grid *
make_grid(const struct query *query, int shown[COLUMNS_MAX], size_t *n)
{
    struct grid_column columns[COLUMNS_MAX];
    char headers[COLUMNS_MAX][48];
    unsigned int ranks[COLUMNS_MAX] = {0};
    struct grid *grid;

    *n = 0;
    for (int i = 0; i < query_columns(query) && *n < COLUMNS_MAX; i++) {
        const char *name = query_name(query, i);
        const size_t ending = ending_of(name);

        if (!strcmp(name, "run")) {
            continue;
        }
        text_copy(headers[*n], sizeof headers[*n], name);
        if (ending < N_ENDINGS) {
            headers[*n][strlen(name) - strlen(endings[ending].ending)] = '\0';
        }
        if (!strcmp(name, "group_name")) {
            text_copy(headers[*n], sizeof headers[*n], "group");
        }
        columns[*n] = (struct grid_column){
            headers[*n], query_type(query, i) == QUERY_NUMBER ||
                             query_type(query, i) == QUERY_REAL};
        /* The first ones stay where there is little room. */
        ranks[*n] = *n < 4 ? 0 : (unsigned int)*n;
        shown[(*n)++] = i;
    }
    grid = grid_create(columns, *n);
    grid_fit(grid, ranks);
    return grid;
}

static enum st
print_table(struct query *query, const char *none, uint64_t *n, struct err *err)
{
    struct grid *grid = NULL;
    int shown[COLUMNS_MAX];
    size_t n_shown = 0;
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        if (!grid) {
            grid = make_grid(query, shown, &n_shown);
        }
        grid_line(grid);
        for (size_t i = 0; i < n_shown; i++) {
            fill_cell(grid, query, shown[i],
                      ending_of(query_name(query, shown[i])));
        }
        ++*n;
    }
    if (grid) {
        grid_print(grid, 0);
    } else if (!st) {
        printf("%s\n", none);
    }
    return st;
}

enum st
rows_print(struct query *query, enum rows_form form, const char *none,
           uint64_t *n, struct err *err)
{
    json_t *rows;
    enum st st;

    switch (form) {
    case ROWS_TABLE:
        return print_table(query, none, n, err);
    case ROWS_JSON:
        st = rows_to_json(query, &rows, err);
        if (!st) {
            *n += json_array_size(rows);
            verb_print_json(rows);
        }
        return st;
    case ROWS_CSV:
        return csv_write(query, ',', stdout, err);
    }
    check_failed("a form", __FILE__, __LINE__);
}
