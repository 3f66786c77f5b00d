/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the page. */

#include <config.h>

#include "orchctl/sweep_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "orchctl/sweep_plot.h"
#include "orchctl/sweep_query.h"
#include "orchd/control/protocol.h"
#include "results/database.h"
#include "results/draw.h"
#include "results/html.h"
#include "results/sweep_data.h"
#include "results/whole_file.h"

/* Rows of a table, and bytes of a picture and of a scenario: together they keep
 * a page with one file below 2 MB. */
#define ROWS_MAX      1000
#define MEASURES_MAX  8
#define SCENARIOS_MAX 5
#define PICTURE_MAX   ((size_t)600 * 1024)
#define SCENARIO_MAX  ((size_t)100 * 1024)
#define PAGE_MAX      ((size_t)2000000)

const struct option sweep_report_options[] = {
    {"output", OPTION_TEXT, "PAGE", 0, 0, "the page (report.html)"},
#define X(name, type, value, help) {name, type, value, 0, 0, help},
    SWEEP_PLOT_OPTIONS(X)
#undef X
        {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const char sweep_report_details[] =
    "FILE is what breakpoint run --results FILE.sqlite has written.  The page "
    "has\nthe runs with their parameters and measurements, a verdict for each "
    "expectation, the\nscenario, and with --measure a figure, if gnuplot is "
    "installed; it has no scripts and\nneeds no other file.\nExample: "
    "orchctl report s.sqlite -o report.html\n";

/* Appends a cell; outcomes are coloured. */
static void
add_cell(struct text *page, const struct query *query, int i)
{
    const enum query_type type = query_type(query, i);
    const char *value = query_text(query, i);

    text_add(page, type == QUERY_NUMBER || type == QUERY_REAL ? "<td class=n>"
                   : !strcmp(value, "passed") ? "<td class=good>"
                   : !strcmp(value, "failed") ? "<td class=bad>"
                                              : "<td>");
    if (type == QUERY_REAL) {
        text_addf(page, "%.6g", query_real(query, i));
    } else {
        html_add(page, value);
    }
    text_add(page, "</td>");
}

/* Appends the rows of 'sql' as a table under 'title'; nothing if there are
 * none. */
static enum st
add_table(struct text *page, struct database *database, const char *title,
          const char *sql, struct err *err)
{
    struct query *query = query_create(database, sql);
    size_t n = 0;
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        if (!n++) {
            text_addf(page, "<h3>%s</h3>\n<div class=wide><table><thead><tr>",
                      title);
            for (int i = 0; i < query_columns(query); i++) {
                text_add(page, "<th>");
                html_add(page, query_name(query, i));
                text_add(page, "</th>");
            }
            text_add(page, "</tr></thead><tbody>\n");
        }
        if (n > ROWS_MAX) {
            continue;
        }
        text_add(page, "<tr>");
        for (int i = 0; i < query_columns(query); i++) {
            add_cell(page, query, i);
        }
        text_add(page, "</tr>\n");
    }
    query_finish(query);
    text_add(page, n ? "</tbody></table></div>\n" : "");
    if (n > ROWS_MAX) {
        text_addf(page, "<p>The first %d of %zu rows.</p>\n", ROWS_MAX, n);
    }
    return st;
}

/* Appends the text of a scenario, and says so if that is too long. */
static void
add_scenario(struct text *page, const char *path, const char *scenario)
{
    char part[4096];
    size_t i = 0;

    text_add(page, "<details><summary>");
    html_add(page, path);
    text_add(page, "</summary><pre>");
    for (; i < SCENARIO_MAX && scenario[i]; i += strlen(part)) {
        (void)text_copy(part, sizeof part, scenario + i);
        html_add(page, part);
    }
    text_add(page, "</pre>");
    if (scenario[i]) {
        text_addf(page, "<p>The first %zu bytes.</p>", i);
    }
    text_add(page, "</details>\n");
}

/* Appends the texts of the first scenarios. */
static enum st
add_scenarios(struct text *page, struct database *database, struct err *err)
{
    struct query *query = query_create(
        database, "SELECT path, scenario FROM runs WHERE scenario IS NOT NULL"
                  " ORDER BY run");
    size_t n = 0;
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        if (n++ < SCENARIOS_MAX) {
            add_scenario(page, query_text(query, 0), query_text(query, 1));
        }
    }
    query_finish(query);
    if (n > SCENARIOS_MAX) {
        text_addf(page, "<p>The first %d of %zu scenarios.</p>\n",
                  SCENARIOS_MAX, n);
    }
    return st;
}

/* Appends the contents of 'path' from "<svg" on. */
static void
add_svg(struct text *page, const char *path)
{
    FILE *file = fopen(path, "re");
    struct text svg = {0};
    char buffer[4096];
    size_t n;

    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0 &&
           svg.length <= PICTURE_MAX) {
        text_add_bytes(&svg, buffer, n);
    }
    if (file) {
        fclose(file);
    }
    if (svg.length > PICTURE_MAX) {
        text_add(page, "<p>The figure is too large for this page; sweep plot "
                       "draws it.</p>\n");
    } else {
        html_add_svg(page, &svg);
    }
    text_fini(&svg);
}

/* Draws the figure that the options ask for and appends it. */
static enum st
add_figure(struct text *page, const struct invocation *invocation,
           const char *path, struct err *err)
{
    const char *parent = getenv("TMPDIR");
    struct text folder = {0}, picture = {0};
    enum st st;

    if (!json_object_get(invocation->arguments, "measure")) {
        return ST_OK;
    }
    text_addf(&folder, "%s/orchctl-report.XXXXXX",
              parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder.bytes)) {
        st = err_set(err, ST_IO, "unwritable", "cannot create '%s': %s",
                     folder.bytes, strerror(errno));
    } else {
        text_addf(&picture, "%s/figure.svg", folder.bytes);
        st = sweep_plot_still(invocation, path, text_string(&picture), err);
        if (!st) {
            add_svg(page, text_string(&picture));
        } else if (!strcmp(err->code, DRAW_NO_GNUPLOT)) {
            /* A page without the figure is worth having. */
            text_add(page, "<p>There is no figure: gnuplot was not installed "
                           "when this page was written.</p>\n");
            verb_complain(err);
            st = ST_OK;
        }
        (void)unlink(text_string(&picture));
        (void)rmdir(folder.bytes);
    }
    text_fini(&folder);
    text_fini(&picture);
    return st;
}

#define ABOUT_SQL                                                              \
    "SELECT (SELECT group_concat(p, ', ') FROM (SELECT DISTINCT path AS p "    \
    "FROM"                                                                     \
    " runs)) AS scenario, (SELECT group_concat(c, ', ') FROM (SELECT DISTINCT" \
    " chip AS c FROM runs)) AS chip, count(*) AS runs, sum(state = 'passed')"  \
    " AS \"passed runs\", sum(state = 'failed') AS \"failed runs\", version"   \
    " AS orchctl, started, sum(wall_ns) / 1e9 AS \"seconds of work\" FROM "    \
    "runs"

#define VERDICTS_SQL                                                           \
    "SELECT text AS expectation, CASE WHEN min(passed) THEN 'passed' ELSE"     \
    " 'failed' END AS verdict, count(*) AS times, sum(NOT passed) AS "         \
    "failures,"                                                                \
    " min(value) AS \"lowest seen\", max(value) AS \"highest seen\" FROM"      \
    " verdicts GROUP BY text ORDER BY min(passed), min(run), min(number)"

/* Appends the runs with their parameters and measurements: those of --measure,
 * else the first that differ between runs. */
static enum st
add_runs(struct text *page, const struct invocation *invocation,
         struct database *database, struct err *err)
{
    json_t *chosen =
        json_incref(json_object_get(invocation->arguments, "measure"));
    struct text sql = {0};
    size_t n = 0;
    enum st st =
        chosen ? ST_OK
               : sweep_query_changing(database, MEASURES_MAX, &chosen, &n, err);

    st = st ? st
            : sweep_query_runs(database, chosen, "run, name, chip",
                               "state AS outcome, virtual_ps / 1e6 AS"
                               " \"simulated us\", hops AS packets",
                               &sql, err);
    st = st ? st : add_table(page, database, "Runs", text_string(&sql), err);
    if (!st && n > MEASURES_MAX) {
        text_addf(page,
                  "<p>The first %d of %zu measurements that differ between "
                  "runs; --measure chooses others.</p>\n",
                  MEASURES_MAX, n);
    }
    json_decref(chosen);
    text_fini(&sql);
    return st;
}

/* Appends what the file 'path' has. */
static enum st
add_file(struct text *page, const struct invocation *invocation,
         const char *path, struct err *err)
{
    struct database *database = NULL;
    enum st st = sweep_data_open(path, &database, err);

    if (st) {
        return st;
    }
    text_add(page, "<section><h2>");
    html_add(page, path);
    text_add(page, "</h2>\n");
    st = add_table(page, database, "About", ABOUT_SQL, err);
    st = st ? st : add_figure(page, invocation, path, err);
    st = st ? st : add_table(page, database, "Expectations", VERDICTS_SQL, err);
    st = st ? st : add_runs(page, invocation, database, err);
    st = st ? st
            : add_table(page, database, "Measurements",
                        sweep_query_measurements, err);
    text_add(page, "<h3>Scenario</h3>\n");
    st = st ? st : add_scenarios(page, database, err);
    text_add(page, "</section>\n");
    database_close(database);
    return st;
}

/* Refuses an 'output' that is one of the results files: it would be lost. */
static enum st
check_output(const struct invocation *invocation, const char *output,
             struct err *err)
{
    struct stat page, file;

    for (size_t i = 0; i < invocation->n_operands; i++) {
        if (!stat(output, &page) && !stat(invocation->operands[i], &file) &&
            page.st_dev == file.st_dev && page.st_ino == file.st_ino) {
            err_set(err, ST_INVALID, "usage",
                    "the page '%s' would replace the results", output);
            err_set_remedy(err, "name another file by --output");
            return ST_INVALID;
        }
    }
    return ST_OK;
}

int
sweep_report_run(struct invocation *invocation)
{
    const char *output = verb_option(invocation, "output", "report.html");
    struct text page = {0};
    struct err err = {0};
    enum st st = check_output(invocation, output, &err);

    html_start(&page, "orchctl report", "Results of breakpoint scenarios");
    for (size_t i = 0; !st && i < invocation->n_operands; i++) {
        st = add_file(&page, invocation, invocation->operands[i], &err);
    }
    html_end(&page);
    if (!st && page.length > PAGE_MAX) {
        st = err_set(&err, ST_INVALID, "usage",
                     "the page would have %zu bytes, more than %zu",
                     page.length, PAGE_MAX);
        err_set_remedy(&err, "write a page for each file");
    }
    st = st ? st : whole_file_write(output, page.bytes, page.length, &err);
    text_fini(&page);
    if (st) {
        verb_complain(&err);
        return st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    }
    printf("%s\n", output);
    return CONTROL_DONE;
}
