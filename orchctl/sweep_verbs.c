/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl sweep ...": shows and draws the results of sweeps. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "command/bars.h"
#include "command/grid.h"
#include "command/terminal.h"
#include "orchctl/sweep_plot.h"
#include "orchctl/sweep_query.h"
#include "orchctl/sweep_report.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "results/csv.h"
#include "results/database.h"
#include "results/sweep_data.h"

static int
fail(const struct err *err)
{
    verb_complain(err);
    return err->status == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
}

/* --- show ---------------------------------------------------------------- */

/* Fills the next cell of 'grid' with column 'i' of 'query'. */
static void
add_cell(struct grid *grid, const struct query *query, int i)
{
    char text[32];

    switch (query_type(query, i)) {
    case QUERY_NUMBER:
        grid_number(grid, query_number(query, i));
        break;
    case QUERY_REAL:
        text_format(text, sizeof text, "%.3f", query_real(query, i));
        grid_text(grid, text);
        break;
    case QUERY_NULL:
    case QUERY_TEXT:
    default:
        grid_text(grid, query_text(query, i));
        break;
    }
}

/* Returns the importance of a column: on a narrow terminal the time, the name,
 * and then measurements are left out first (grid_fit()). */
static unsigned int
rank_of(const char *name)
{
    enum { MEASUREMENT = 1, NAME, TIME };

    return !strcmp(name, "time_us") ? TIME
           : !strcmp(name, "name")  ? NAME
           : strchr(name, ':')      ? MEASUREMENT
                                    : 0;
}

/* Returns whether column 'name' has texts.  Parameters can be texts, but most
 * are numbers. */
static bool
is_text(const char *name)
{
    return !strcmp(name, "name") || !strcmp(name, "outcome") ||
           !strcmp(name, "reason") || !strcmp(name, "measurement");
}

/* Prints all rows as a table. */
static enum st
print_grid(struct query *query, struct err *err)
{
    const int n = query_columns(query);
    struct grid_column *columns = check_calloc((size_t)n, sizeof *columns);
    unsigned int *ranks = check_calloc((size_t)n, sizeof *ranks);
    struct grid *grid;
    bool row = false;
    enum st st;

    for (int i = 0; i < n; i++) {
        const char *name = query_name(query, i);

        columns[i] = (struct grid_column){name, !is_text(name)};
        ranks[i] = rank_of(name);
    }
    grid = grid_create(columns, (size_t)n);
    grid_fit(grid, ranks);
    while (!(st = query_next(query, &row, err)) && row) {
        grid_line(grid);
        for (int i = 0; i < n; i++) {
            add_cell(grid, query, i);
        }
    }
    if (st) {
        grid_free(grid);
    } else {
        grid_print(grid, 0);
    }
    free(columns);
    free(ranks);
    return st;
}

/* Returns column 'i' as JSON. */
static json_t *
json_cell(const struct query *query, int i)
{
    switch (query_type(query, i)) {
    case QUERY_NUMBER:
        return json_integer(query_number(query, i));
    case QUERY_REAL:
        return json_real(query_real(query, i));
    case QUERY_TEXT:
        return json_string(query_text(query, i));
    case QUERY_NULL:
    default:
        return json_null();
    }
}

/* Prints all rows as a JSON array of objects. */
static enum st
print_json(struct query *query, struct err *err)
{
    json_t *list = json_array();
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        json_t *item = json_object();

        for (int i = 0; i < query_columns(query); i++) {
            json_object_set_new(item, query_name(query, i),
                                json_cell(query, i));
        }
        json_array_append_new(list, item);
    }
    if (!st) {
        verb_print_json(list);
    }
    json_decref(list);
    return st;
}

/* Prints what 'sql' selects in the format that the options ask for. */
static enum st
print_query(const struct invocation *invocation, struct database *database,
            const char *sql, struct err *err)
{
    struct query *query = NULL;
    enum st st = query_try(database, sql, &query, err);

    if (st) {
        return st;
    }
    st = invocation->json               ? print_json(query, err)
         : verb_flag(invocation, "csv") ? csv_write(query, ',', stdout, err)
                                        : print_grid(query, err);
    query_finish(query);
    return st;
}

/* Writes a mean of counters into 'buffer' of GRID_NUMBER_SIZE bytes, like the
 * numbers of the table above it, and returns it. */
static const char *
mean_text(double mean, char *buffer)
{
    enum { GROUPED_MIN = 1000 };

    if (mean < GROUPED_MIN) {
        (void)text_format(buffer, GRID_NUMBER_SIZE, "%g", mean);
        return buffer;
    }
    return grid_group((int64_t)(mean + 0.5), buffer);
}

/* Prints one measurement over parameter 'x' as a sparkline, if it
 * has at least two points. */
static void
print_sparkline(struct database *database, const char *measure, const char *x)
{
    enum { WIDTH_MAX = 60, OTHERS = 64 };
    struct query *query =
        query_create(database, "SELECT avg(y), x FROM points WHERE measure ="
                               " ?1 AND x IS NOT NULL GROUP BY x ORDER BY x");
    const size_t limit = terminal_width();
    double *values = NULL, ends[2] = {0, 0};
    char texts[2][GRID_NUMBER_SIZE];
    struct text line = {0};
    struct err err;
    size_t n = 0;
    bool row = false;

    query_set_text(query, 1, measure);
    while (!query_next(query, &row, &err) && row) {
        values = check_realloc(values, (n + 1) * sizeof *values);
        values[n++] = query_real(query, 0);
        ends[n > 1] = query_real(query, 1);
    }
    query_finish(query);
    if (n > 1) {
        bars_add_sparkline(&line, values, n,
                           limit < OTHERS + BARS_WIDTH_MIN ? BARS_WIDTH_MIN
                           : limit < OTHERS + WIDTH_MAX    ? limit - OTHERS
                                                           : WIDTH_MAX,
                           terminal_has_blocks());
        printf("%s\n  %s  %s to %s over %s from %g to %g\n", measure,
               text_string(&line), mean_text(values[0], texts[0]),
               mean_text(values[n - 1], texts[1]), sweep_data_short(x), ends[0],
               ends[1]);
    }
    text_fini(&line);
    free(values);
}

/* Prints the measurements over the first parameter, if its
 * values are numbers; means over the other parameters. */
static void
print_sparklines(struct database *database, const json_t *measures)
{
    const char *list[SWEEP_DATA_MEASURES_MAX];
    struct sweep_data_choice choice = {.measures = list};
    struct query *query = query_create(
        database, "SELECT name FROM params ORDER BY rowid LIMIT 1");
    struct err err;
    bool row = false;
    json_t *measure;
    size_t i;

    json_array_foreach(measures, i, measure)
    {
        if (i < SWEEP_DATA_MEASURES_MAX) {
            list[choice.n_measures++] = json_string_value(measure);
        }
    }
    if (choice.n_measures && !query_next(query, &row, &err) && row) {
        choice.x = query_text(query, 0);
        if (!sweep_data_points(database, &choice, &err)) {
            for (i = 0; i < choice.n_measures; i++) {
                print_sparkline(database, list[i], choice.x);
            }
        }
    }
    query_finish(query);
}

static int
sweep_show(struct invocation *invocation)
{
    const json_t *measures = json_object_get(invocation->arguments, "measure");
    struct database *database = NULL;
    struct text sql = {0};
    struct err err = {0};
    enum st st = sweep_data_open(invocation->operands[0], &database, &err);

    if (st) {
        return fail(&err);
    }
    if (verb_flag(invocation, "list")) {
        text_add(&sql, sweep_query_measurements);
    } else {
        st = sweep_query_runs(database, measures, "run AS number, name",
                              "state AS outcome, virtual_ps * 1e-6 AS time_us",
                              &sql, &err);
    }
    st = st ? st : print_query(invocation, database, text_string(&sql), &err);
    if (!st && !invocation->json && !verb_flag(invocation, "csv") &&
        !verb_flag(invocation, "list")) {
        print_sparklines(database, measures);
    }
    text_fini(&sql);
    database_close(database);
    return st ? fail(&err) : CONTROL_DONE;
}

/* --- plot ---------------------------------------------------------------- */

static int
sweep_plot_verb(struct invocation *invocation)
{
    struct err err = {0};
    enum st st;

    if (invocation->n_operands == 1) {
        err_set(&err, ST_INVALID, "usage", "sweep plot needs FILE and PICTURE");
        return fail(&err);
    }
    st = !invocation->n_operands
             ? sweep_plot_list(invocation, &err)
             : sweep_plot_draw(invocation, invocation->operands[0],
                               invocation->operands[1], &err);

    return st ? fail(&err) : CONTROL_DONE;
}

static const struct option plot_options[] = {
#define X(name, type, value, help) {name, type, value, 0, 0, help},
    SWEEP_PLOT_OPTIONS(X)
#undef X
        {"data", OPTION_TEXT, "FOLDER", 0, 0,
         "write data and script there and draw nothing"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option show_options[] = {
    {"measure", OPTION_TEXTS, "MEASUREMENT", 0, 0,
     "a column of this measurement, SNAPSHOT:OBJECT:COUNTER; repeatable"},
    {"list", OPTION_FLAG, NULL, 0, 0, "list the measurements"},
    {"csv", OPTION_FLAG, NULL, 0, 0, "print comma-separated values"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb sweep_verbs[] = {
    {"sweep", "plot", "[FILE PICTURE]", 0, 2, plot_options,
     "Draw the results of a sweep, or a trace",
     "FILE is what breakpoint run --results FILE.sqlite or --trace-file "
     "FILE.csv has\nwritten.  The suffix of PICTURE is .svg, .png or .pdf.  "
     "Without operands, lists the\nfigures.  Needs gnuplot.\nExample: orchctl "
     "sweep plot s.sqlite "
     "xoff.svg --figure xoff \\\n    --x "
     "'row(BUFFER_PROFILE|p).dynamic_th' --measure 'paused:pg "
     "Ethernet0|3:shared_bytes'\n  orchctl sweep plot trace.csv fill.svg "
     "--figure occupancy --object 'pg Ethernet0|3'\n",
     NULL, NULL, sweep_plot_verb},
    {"sweep", "report", "FILE...", 1, 20, sweep_report_options,
     "Write a page about sweeps: runs, expectations, scenario, figure",
     sweep_report_details, NULL, NULL, sweep_report_run},
    {"sweep", "show", "FILE", 1, 1, show_options,
     "Show the runs of a sweep: parameters, measurements and outcomes",
     "FILE is what breakpoint run --results FILE.sqlite has written.\nExample: "
     "orchctl sweep show s.sqlite --measure 'paused:pg "
     "Ethernet0|3:shared_bytes'\n",
     NULL, NULL, sweep_show},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
