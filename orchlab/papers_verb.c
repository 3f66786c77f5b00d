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
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchlab/board.h"
#include "orchlab/paper_rows.h"
#include "orchlab/papers_figure.h"
#include "orchlab/papers_page.h"
#include "orchlab/papers_values.h"
#include "orchlab/run_files.h"
#include "orchlab/run_folders.h"
#include "orchlab/verb.h"
#include "process/places.h"
#include "results/draw.h"

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
    {"html", OPTION_TEXT, "FILE", 0, 0,
     "write one page with all of it and figures"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
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

static json_t *
line_json(const struct board_line *line)
{
    json_t *object =
        json_pack("{s:s, s:b, s:I, s:I, s:s, s:s}", "text", line->text,
                  "report", line->is_reported, "verdicts", (json_int_t)line->n,
                  "passed", (json_int_t)line->passed, "target", line->target,
                  "unit", papers_unit(line->unit));

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

/* What is read. */
struct reading {
    const char *nics, *figures; /* Folders; 'figures' is NULL without a page. */
    const struct run_files *files;
    const struct row *wanted; /* NULL: all are. */
    bool has_gnuplot;
};

/* Adds the figures of a scenario with results to its JSON. */
static enum st
add_figures(struct reading *reading, json_t *scenario,
            const struct board *board, struct err *err)
{
    json_t *figures = json_array(), *too_large = json_array();
    enum st st;

    json_object_set_new(scenario, "figures", figures);
    json_object_set_new(scenario, "too_large", too_large);
    if (!reading->figures || !reading->has_gnuplot || !board->n_complete) {
        return ST_OK;
    }
    st = papers_figure_add(figures, too_large, board, reading->figures, err);
    if (st && !strcmp(err->code, DRAW_NO_GNUPLOT)) {
        /* A page without figures is worth having. */
        (void)verb_fail(err);
        reading->has_gnuplot = false;
        return ST_OK;
    }
    return st;
}

/* Adds the scenario 'path' to its row in 'list', if that is wanted. */
static enum st
add_scenario(json_t *list, const char *path, struct reading *reading,
             struct err *err)
{
    struct board board;
    enum st st =
        board_read(path, reading->nics, reading->files,
                   reading->wanted ? reading->wanted->id : NULL, &board, err);
    size_t i;
    json_t *row;

    json_array_foreach(list, i, row)
    {
        const char *id = json_string_value(json_object_get(row, "row"));

        if (!st && !strcmp(id, board.scenario.row)) {
            json_t *scenario = board_json(path, &board);

            json_array_append_new(json_object_get(row, "scenarios"), scenario);
            if (reading->figures) {
                st = add_figures(reading, scenario, &board, err);
            }
        }
    }
    board_fini(&board);
    return st;
}

/* Returns the wanted rows with their scenarios; NULL: a failure. */
static json_t *
read_rows(const struct paths *paths, struct reading *reading, struct err *err)
{
    json_t *list = json_array();

    for (size_t i = 0; i < N_ROWS; i++) {
        if (!reading->wanted || reading->wanted == &rows[i]) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:[]}", "row",
                                                  rows[i].id, "what",
                                                  rows[i].what, "scenarios"));
        }
    }
    for (size_t i = 0; i < paths->n; i++) {
        if (add_scenario(list, paths->list[i], reading, err)) {
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
        n += papers_holds(line);
    }
    grid_text(grid, string_of(scenario, "name"));
    text_format(text, sizeof text, "%lld of %zu", (long long)n, i);
    grid_text(grid, papers_number(scenario, "complete") ? text : "");
    text_format(text, sizeof text, "%lld of %lld",
                papers_number(scenario, "complete"),
                papers_number(scenario, "runs"));
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

/* Prints all that is known of a scenario. */
static void
print_scenario(const json_t *scenario)
{
    static const struct grid_column columns[] = {
        {"verdict", false}, {"runs", true},         {"least", true},
        {"greatest", true}, {"expectation", false}, {"target", false}};
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    char text[64], value[PAPERS_VALUE_SIZE];
    size_t i;
    json_t *line;

    printf("%s: %s\n%s\n%lld of %lld runs complete: %s\n",
           string_of(scenario, "name"), string_of(scenario, "about"),
           string_of(scenario, "file"), papers_number(scenario, "complete"),
           papers_number(scenario, "runs"), string_of(scenario, "verdict"));
    json_array_foreach(json_object_get(scenario, "expectations"), i, line)
    {
        const long long n = papers_number(line, "verdicts");

        grid_line(grid);
        grid_text(grid, papers_verdict(line));
        text_format(text, sizeof text, "%lld/%lld",
                    papers_number(line, "passed"), n);
        grid_text(grid, n ? text : "");
        grid_text(grid, papers_value(line, "least", value));
        grid_text(grid, papers_value(line, "greatest", value));
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

/* Checks that the page 'path' can be written, before figures are drawn. */
static enum st
check_page(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    struct text folder = {0};
    struct stat found;
    int error = 0;

    text_addf(&folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
              slash ? path : ".");
    if (!stat(path, &found) && S_ISDIR(found.st_mode)) {
        error = EISDIR;
    } else if (access(text_string(&folder), W_OK | X_OK)) {
        error = errno;
    }
    text_fini(&folder);
    if (!error) {
        return ST_OK;
    }
    err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
            strerror(error));
    err_set_remedy(err, "name a file in a folder that can be written: "
                        "--html FILE");
    return ST_IO;
}

int
papers_verb(const struct invocation *invocation)
{
    static const struct verb_folder scenarios = {
        "scenarios", "ORCHLAB_SCENARIOS", "lab/scenarios",
        PKGDATADIR "/lab/scenarios"};
    const char *html = verb_option(invocation, "html", NULL);
    char folder[PLACES_PATH_SIZE], nics[PLACES_PATH_SIZE];
    char figures[PLACES_PATH_SIZE];
    struct run_files files = {0};
    struct reading reading = {
        .nics = run_folders_nics(invocation, nics),
        .figures = html ? run_folders_figures(invocation, figures) : NULL,
        .files = &files,
        .has_gnuplot = true};
    struct paths paths = {0};
    struct err err = {0};
    json_t *list = NULL;
    enum st st = ST_OK;
    int code;

    if (invocation->n_operands) {
        st = find_row(invocation->operands[0], &reading.wanted, &err);
    }
    st = st || !html ? st : check_page(html, &err);
    st = st ? st
            : find_paths(verb_folder(invocation, &scenarios, folder), true,
                         &paths, &err);
    st = st ? st : run_files_load(invocation->folder, &files, &err);
    if (!st) {
        list = read_rows(&paths, &reading, &err);
    }
    free_paths(&paths);
    run_files_fini(&files);
    if (!list || (html && papers_page_write(list, html, &err))) {
        json_decref(list);
        return verb_fail(&err);
    }
    code = has_failed(list) ? LAB_NO : LAB_DONE;
    if (html) {
        printf("%s\n", html);
    } else if (invocation->json) {
        verb_print_json(json_incref(list));
    } else if (reading.wanted) {
        print_row(json_array_get(list, 0));
    } else {
        print_board(list);
    }
    json_decref(list);
    return code;
}
