/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab papers": the rows of published experiments, the scenarios that
 * reproduce them, and what their runs have come to. */

#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchlab/board.h"
#include "orchlab/paper_rows.h"
#include "orchlab/run_files.h"
#include "orchlab/run_folders.h"
#include "orchlab/verb.h"
#include "process/places.h"

static const struct row {
    const char *id, *what;
} rows[] = {
#define X(id, what) {id, what},
    PAPER_ROWS(X)
#undef X
};

#define N_ROWS (sizeof rows / sizeof rows[0])

const struct option papers_options[] = {
    {"scenarios", OPTION_TEXT, "DIR", 0, 0,
     "folder of folders of scenarios (ORCHLAB_SCENARIOS)"},
    {"nics", OPTION_TEXT, "DIR", 0, 0, "files of adapters"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Files -------------------------------------------------------------------- */

/* Paths of scenarios, sorted. */
struct paths {
    char **list;
    size_t n, size;
};

static bool
ends_with(const char *name, const char *ending)
{
    const size_t n = strlen(name), k = strlen(ending);

    return n > k && !strcmp(name + n - k, ending);
}

/* Adds the scenarios in 'folder'; with 'below' also those in its folders. */
static enum st
find_paths(const char *folder, bool below, struct paths *paths, struct err *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, NULL, versionsort);
    enum st st = ST_OK;

    if (n < 0) {
        err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "no-folder",
                "cannot read folder '%s': %s", folder, strerror(errno));
        err_set_remedy(err, "see --scenarios and ORCHLAB_SCENARIOS");
        return err->status;
    }
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        struct text path = {0};

        text_addf(&path, "%s/%s", folder, name);
        if (!st && below && *name != '.' && entries[i]->d_type != DT_REG) {
            st = find_paths(text_string(&path), false, paths, err);
        } else if (!st && !below && ends_with(name, ".yaml")) {
            if (paths->n == paths->size) {
                paths->size = paths->size ? 2 * paths->size : 64;
                paths->list =
                    check_realloc(paths->list, paths->size * sizeof(char *));
            }
            paths->list[paths->n++] = check_strdup(text_string(&path));
        }
        text_fini(&path);
        free(entries[i]);
    }
    free(entries);
    return st;
}

static void
free_paths(struct paths *paths)
{
    for (size_t i = 0; i < paths->n; i++) {
        free(paths->list[i]);
    }
    free(paths->list);
}

/* Scenarios ---------------------------------------------------------------- */

/* X(unit, name): those of metrics. */
static const char *const units[] = {
    [METRIC_NUMBER] = "",
    [METRIC_SECONDS] = "s",
    [METRIC_BITS_PER_SECOND] = "bit/s",
    [METRIC_BYTES] = "bytes",
};

static json_t *
line_json(const struct board_line *line)
{
    json_t *object =
        json_pack("{s:s, s:b, s:I, s:I, s:s, s:s}", "text", line->text,
                  "report", line->is_reported, "verdicts", (json_int_t)line->n,
                  "passed", (json_int_t)line->passed, "target", line->target,
                  "unit", units[line->unit]);

    if (line->is_known) {
        json_object_set_new(object, "least", json_real(line->least));
        json_object_set_new(object, "greatest", json_real(line->greatest));
    }
    return object;
}

static json_t *
board_json(const char *path, const struct board *board)
{
    json_t *lines = json_array(), *assumptions = json_array();

    for (size_t i = 0; i < board->n_lines; i++) {
        if (board->lines[i].text) {
            json_array_append_new(lines, line_json(&board->lines[i]));
        }
    }
    for (size_t i = 0; i < board->scenario.n_assumptions; i++) {
        json_array_append_new(assumptions,
                              json_string(board->scenario.assumptions[i]));
    }
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:o}", "file", path, "name",
        board->scenario.name, "about", board->scenario.about, "verdict",
        board_state_name(board_state(board)), "runs", (json_int_t)board->n_runs,
        "complete", (json_int_t)board->n_complete, "expectations", lines,
        "assumptions", assumptions);
}

/* Adds the scenario 'path' to its row in 'list', if that is 'wanted' (NULL: all
 * are). */
static enum st
add_scenario(json_t *list, const char *path, const char *nics,
             const struct run_files *files, const struct row *wanted,
             struct err *err)
{
    struct board board;
    const enum st st =
        board_read(path, nics, files, wanted ? wanted->id : NULL, &board, err);
    size_t i;
    json_t *row;

    if (!st) {
        json_array_foreach(list, i, row)
        {
            const char *id = json_string_value(json_object_get(row, "row"));

            if (!strcmp(id, board.scenario.row)) {
                json_array_append_new(json_object_get(row, "scenarios"),
                                      board_json(path, &board));
            }
        }
    }
    board_fini(&board);
    return st;
}

/* Returns 'wanted', or all rows, with their scenarios; NULL: a failure. */
static json_t *
read_rows(const struct paths *paths, const char *nics,
          const struct run_files *files, const struct row *wanted,
          struct err *err)
{
    json_t *list = json_array();

    for (size_t i = 0; i < N_ROWS; i++) {
        if (!wanted || wanted == &rows[i]) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:[]}", "row",
                                                  rows[i].id, "what",
                                                  rows[i].what, "scenarios"));
        }
    }
    for (size_t i = 0; i < paths->n; i++) {
        if (add_scenario(list, paths->list[i], nics, files, wanted, err)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Text --------------------------------------------------------------------- */

static const char *
string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static json_int_t
number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Returns whether all verdicts of 'line' passed; there is at least one. */
static bool
holds(const json_t *line)
{
    return number_of(line, "verdicts") &&
           number_of(line, "verdicts") == number_of(line, "passed");
}

/* Adds a line of the board: the scenario of a row, or NULL. */
static void
add_line(struct grid *grid, const json_t *row, const json_t *scenario,
         bool is_first)
{
    char text[64];
    json_int_t n = 0;
    size_t i;
    json_t *line;

    grid_line(grid);
    grid_text(grid, is_first ? string_of(row, "row") : "");
    grid_text(grid, is_first ? string_of(row, "what") : "");
    if (!scenario) {
        for (int k = 0; k < 4; k++) {
            grid_text(grid, "");
        }
        grid_text(grid, "not built");
        return;
    }
    json_array_foreach(json_object_get(scenario, "expectations"), i, line)
    {
        n += holds(line);
    }
    grid_text(grid, string_of(scenario, "name"));
    text_format(text, sizeof text, "%lld of %zu", (long long)n, i);
    grid_text(grid, number_of(scenario, "complete") ? text : "");
    text_format(text, sizeof text, "%lld of %lld",
                (long long)number_of(scenario, "complete"),
                (long long)number_of(scenario, "runs"));
    grid_text(grid, text);
    text_format(text, sizeof text, "%zu",
                json_array_size(json_object_get(scenario, "assumptions")));
    grid_text(grid, text);
    grid_text(grid, string_of(scenario, "verdict"));
    if (!strcmp(string_of(scenario, "verdict"),
                board_state_name(BOARD_FAILED))) {
        grid_colour(grid, TERMINAL_ALARM);
    }
}

static void
print_board(const json_t *list)
{
    static const struct grid_column columns[] = {
        {"row", false},    {"what", false}, {"scenario", false},
        {"hold", false},   {"runs", false}, {"assumptions", true},
        {"verdict", false}};
    static const unsigned int ranks[] = {0, 2, 0, 0, 0, 3, 0};
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    size_t i, k;
    json_t *row, *scenario;

    grid_fit(grid, ranks);
    json_array_foreach(list, i, row)
    {
        const json_t *scenarios = json_object_get(row, "scenarios");

        if (!json_array_size(scenarios)) {
            add_line(grid, row, NULL, true);
        }
        json_array_foreach(scenarios, k, scenario)
        {
            add_line(grid, row, scenario, k == 0);
        }
    }
    grid_print(grid, 0);
}

/* Adds a value of 'line' with its unit. */
static void
add_value(struct grid *grid, const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);
    char text[METRIC_TEXT_SIZE];
    size_t unit = 0;

    while (strcmp(units[unit], string_of(line, "unit")) != 0) {
        unit++;
    }
    grid_text(grid, value ? metric_text(json_real_value(value),
                                        (enum metric_unit)unit, text)
                          : "");
}

/* Prints all that is known of a scenario. */
static void
print_scenario(const json_t *scenario)
{
    static const struct grid_column columns[] = {
        {"verdict", false}, {"runs", true},         {"least", true},
        {"greatest", true}, {"expectation", false}, {"target", false}};
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    char text[64];
    size_t i;
    json_t *line;

    printf(
        "%s: %s\n%s\n%lld of %lld runs complete: %s\n",
        string_of(scenario, "name"), string_of(scenario, "about"),
        string_of(scenario, "file"), (long long)number_of(scenario, "complete"),
        (long long)number_of(scenario, "runs"), string_of(scenario, "verdict"));
    json_array_foreach(json_object_get(scenario, "expectations"), i, line)
    {
        const json_int_t n = number_of(line, "verdicts");

        grid_line(grid);
        grid_text(grid, !n            ? ""
                        : holds(line) ? board_state_name(BOARD_PASSED)
                        : json_is_true(json_object_get(line, "report"))
                            ? board_state_name(BOARD_DEVIATING)
                            : board_state_name(BOARD_FAILED));
        text_format(text, sizeof text, "%lld/%lld",
                    (long long)number_of(line, "passed"), (long long)n);
        grid_text(grid, n ? text : "");
        add_value(grid, line, "least");
        add_value(grid, line, "greatest");
        grid_text(grid, string_of(line, "text"));
        grid_text(grid, string_of(line, "target"));
    }
    grid_print(grid, 0);
    json_array_foreach(json_object_get(scenario, "assumptions"), i, line)
    {
        printf("%s%s\n", i ? "  " : "Assumptions:\n  ",
               json_string_value(line));
    }
    printf("\n");
}

/* Prints a row. */
static void
print_row(const json_t *row)
{
    const json_t *scenarios = json_object_get(row, "scenarios");
    size_t i;
    json_t *scenario;

    printf("%s, %s%s\n\n", string_of(row, "row"), string_of(row, "what"),
           json_array_size(scenarios) ? "" : ": not built");
    json_array_foreach(scenarios, i, scenario)
    {
        print_scenario(scenario);
    }
}

/* Verb --------------------------------------------------------------------- */

/* Stores the row called 'id' in '*found'. */
static enum st
find_row(const char *id, const struct row **found, struct err *err)
{
    struct choices choices;

    for (size_t i = 0; i < N_ROWS; i++) {
        if (!strcasecmp(rows[i].id, id)) {
            *found = &rows[i];
            return ST_OK;
        }
    }
    choices_init(&choices, id);
    for (size_t i = 0; i < N_ROWS; i++) {
        choices_add(&choices, rows[i].id);
    }
    err_set(err, ST_INVALID, "row", "there is no row '%s'", id);
    return choices_explain(&choices, "row", err);
}

/* Returns whether an expectation of a scenario in 'list' has failed. */
static bool
has_failed(const json_t *list)
{
    size_t i, k;
    json_t *row, *scenario;

    json_array_foreach(list, i, row)
    {
        json_array_foreach(json_object_get(row, "scenarios"), k, scenario)
        {
            if (!strcmp(string_of(scenario, "verdict"),
                        board_state_name(BOARD_FAILED))) {
                return true;
            }
        }
    }
    return false;
}

int
papers_verb(const struct invocation *invocation)
{
    static const struct verb_folder scenarios = {
        "scenarios", "ORCHLAB_SCENARIOS", "lab/scenarios",
        PKGDATADIR "/lab/scenarios"};
    char folder[PLACES_PATH_SIZE], nics[PLACES_PATH_SIZE];
    const struct row *wanted = NULL;
    struct run_files files = {0};
    struct paths paths = {0};
    struct err err = {0};
    json_t *list = NULL;
    enum st st = ST_OK;
    int code;

    if (invocation->n_operands) {
        st = find_row(invocation->operands[0], &wanted, &err);
    }
    st = st ? st
            : find_paths(verb_folder(invocation, &scenarios, folder), true,
                         &paths, &err);
    st = st ? st : run_files_load(invocation->folder, &files, &err);
    if (!st) {
        list = read_rows(&paths, run_folders_nics(invocation, nics), &files,
                         wanted, &err);
    }
    free_paths(&paths);
    run_files_fini(&files);
    if (!list) {
        return verb_fail(&err);
    }
    code = has_failed(list) ? LAB_NO : LAB_DONE;
    if (invocation->json) {
        verb_print_json(json_incref(list));
    } else if (wanted) {
        print_row(json_array_get(list, 0));
    } else {
        print_board(list);
    }
    json_decref(list);
    return code;
}
