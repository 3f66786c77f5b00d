/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the page of published experiments. */

#include <config.h>

#include "orchlab/papers_page.h"

#include <string.h>

#include "base/text.h"
#include "orchlab/papers_values.h"
#include "results/html.h"
#include "results/whole_file.h"

#define PAGE_MAX ((size_t)5000000)

static const char not_built[] = "not built";

static const char *
string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Appends a cell with 'text'; verdicts are coloured. */
static void
add_cell(struct text *page, const char *text)
{
    text_addf(page, "<td%s>",
              !strcmp(text, "pass")   ? " class=good"
              : !strcmp(text, "FAIL") ? " class=bad"
                                      : "");
    html_add(page, text);
    text_add(page, "</td>");
}

/* Appends the head of a table with columns, which are separated by '|'. */
static void
add_columns(struct text *page, const char *columns)
{
    text_add(page, "<div class=wide><table><thead><tr>");
    while (*columns) {
        const size_t n = strcspn(columns, "|");

        text_addf(page, "<th>%.*s</th>", (int)n, columns);
        columns += n + (columns[n] == '|');
    }
    text_add(page, "</tr></thead><tbody>\n");
}

/* Summary ------------------------------------------------------------------ */

/* Appends the row of a scenario; NULL: there is none. */
static void
add_summary(struct text *page, const json_t *row, const json_t *scenario)
{
    char runs[64];

    text_addf(page, "<tr><td><a href=\"#%s\">%s</a></td>",
              string_of(row, "row"), string_of(row, "row"));
    add_cell(page, string_of(row, "what"));
    add_cell(page, scenario ? string_of(scenario, "name") : "");
    text_format(runs, sizeof runs, "%lld of %lld",
                papers_number(scenario, "complete"),
                papers_number(scenario, "runs"));
    add_cell(page, scenario ? runs : "");
    add_cell(page, scenario ? string_of(scenario, "verdict") : not_built);
    text_add(page, "</tr>\n");
}

static void
add_summaries(struct text *page, const json_t *rows)
{
    size_t i, k;
    json_t *row, *scenario;

    add_columns(page, "row|what|scenario|runs|verdict");
    json_array_foreach(rows, i, row)
    {
        const json_t *scenarios = json_object_get(row, "scenarios");

        if (!json_array_size(scenarios)) {
            add_summary(page, row, NULL);
        }
        json_array_foreach(scenarios, k, scenario)
        {
            add_summary(page, row, scenario);
        }
    }
    text_add(page, "</tbody></table></div>\n");
}

/* Rows --------------------------------------------------------------------- */

static void
add_expectations(struct text *page, const json_t *lines)
{
    char text[PAPERS_VALUE_SIZE];
    size_t i;
    json_t *line;

    add_columns(page, "verdict|runs|least|greatest|expectation|target");
    json_array_foreach(lines, i, line)
    {
        text_add(page, "<tr>");
        add_cell(page, papers_verdict(line));
        text_format(text, sizeof text, "%lld/%lld",
                    papers_number(line, "passed"),
                    papers_number(line, "verdicts"));
        add_cell(page, text);
        add_cell(page, papers_value(line, "least", text));
        add_cell(page, papers_value(line, "greatest", text));
        add_cell(page, string_of(line, "text"));
        add_cell(page, string_of(line, "target"));
        text_add(page, "</tr>\n");
    }
    text_add(page, "</tbody></table></div>\n");
}

static void
add_assumptions(struct text *page, const json_t *assumptions)
{
    size_t i;
    json_t *assumption;

    if (!json_array_size(assumptions)) {
        text_add(page, "<p>Assumptions: none beyond the models of switches, "
                       "adapters and hosts.</p>\n");
        return;
    }
    text_add(page, "<p>Assumptions:</p><ul>\n");
    json_array_foreach(assumptions, i, assumption)
    {
        text_add(page, "<li>");
        html_add(page, json_string_value(assumption));
        text_add(page, "</li>\n");
    }
    text_add(page, "</ul>\n");
}

static void
add_figures(struct text *page, const json_t *figures)
{
    size_t i;
    json_t *figure;

    json_array_foreach(figures, i, figure)
    {
        struct text svg = {0};

        text_add(&svg, json_string_value(figure));
        html_add_svg(page, &svg);
        text_fini(&svg);
    }
}

/* Appends which figures are too large for the page. */
static void
add_too_large(struct text *page, const json_t *names, const char *scenario)
{
    size_t i;
    json_t *name;

    json_array_foreach(names, i, name)
    {
        text_add(page, "<p>Figure ");
        html_add(page, json_string_value(name));
        text_add(page, " is too large for this page; "
                       "'orchlab plot' draws it of the runs of ");
        html_add(page, scenario);
        text_add(page, ".</p>\n");
    }
}

static void
add_scenario(struct text *page, const json_t *scenario)
{
    text_add(page, "<h3>");
    html_add(page, string_of(scenario, "name"));
    text_add(page, "</h3>\n<p>");
    html_add(page, string_of(scenario, "about"));
    text_addf(page, ". %lld of %lld runs complete: %s.</p>\n",
              papers_number(scenario, "complete"),
              papers_number(scenario, "runs"), string_of(scenario, "verdict"));
    add_figures(page, json_object_get(scenario, "figures"));
    add_too_large(page, json_object_get(scenario, "too_large"),
                  string_of(scenario, "name"));
    add_expectations(page, json_object_get(scenario, "expectations"));
    add_assumptions(page, json_object_get(scenario, "assumptions"));
}

static void
add_row(struct text *page, const json_t *row)
{
    const json_t *scenarios = json_object_get(row, "scenarios");
    size_t i;
    json_t *scenario;

    text_addf(page, "<section id=\"%s\"><h2>%s, ", string_of(row, "row"),
              string_of(row, "row"));
    html_add(page, string_of(row, "what"));
    text_add(page, "</h2>\n");
    if (!json_array_size(scenarios)) {
        text_addf(page, "<p>%s</p>\n", not_built);
    }
    json_array_foreach(scenarios, i, scenario)
    {
        add_scenario(page, scenario);
    }
    text_add(page, "</section>\n");
}

enum st
papers_page_write(const json_t *rows, const char *path, struct err *err)
{
    struct text page = {0};
    size_t i;
    json_t *row;
    enum st st;

    html_start(&page, "orchlab papers", "Published experiments");
    add_summaries(&page, rows);
    json_array_foreach(rows, i, row)
    {
        add_row(&page, row);
    }
    html_end(&page);
    if (page.length > PAGE_MAX) {
        st = err_set(err, ST_INVALID, "usage",
                     "the page would have %zu bytes, more than %zu",
                     page.length, PAGE_MAX);
        err_set_remedy(err, "write a page for each row");
    } else {
        st = whole_file_write(path, page.bytes, page.length, err);
    }
    text_fini(&page);
    return st;
}
