/* SPDX-License-Identifier: Apache-2.0 */

/* What the runs of a scenario file have come to. */

#include <config.h>

#include "orchlab/board.h"

#include <string.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"
#include "lab/exec/judge.h"
#include "lab/measure/reader.h"
#include "orchlab/run_files.h"
#include "results/database.h"

#define PERCENT_OF_ONE 100

static const char complete[] = "complete";

/* Lines -------------------------------------------------------------------- */

/* Returns what 'expect' asks of a metric with 'unit', as far as that is known
 * before it is judged. */
static const char *
planned_target(struct board *board, const struct expect_spec *expect,
               enum metric_unit unit)
{
    char low[METRIC_TEXT_SIZE], high[METRIC_TEXT_SIZE];
    struct text text = {0};
    const char *target;

    if (expect->condition == EXPECT_VALUE) {
        text_add(&text, metric_text(expect->is.value, unit, low));
        if (expect->tolerance.kind == QUANTITY_RATIO) {
            text_addf(&text, " +-%.10g %%",
                      expect->tolerance.value * PERCENT_OF_ONE);
        } else if (expect->tolerance.present) {
            text_addf(&text, " +-%s",
                      metric_text(expect->tolerance.value, unit, high));
        }
    } else if (expect->condition == EXPECT_LIMITS && expect->min.present &&
               expect->max.present) {
        text_addf(&text, "%s..%s", metric_text(expect->min.value, unit, low),
                  metric_text(expect->max.value, unit, high));
    } else if (expect->condition == EXPECT_LIMITS) {
        text_addf(&text, "at %s %s", expect->min.present ? "least" : "most",
                  metric_text(expect->min.present ? expect->min.value
                                                  : expect->max.value,
                              unit, low));
    } else if (expect->condition == EXPECT_BELOW) {
        text_addf(&text, "below %s", expect->below);
    } else if (expect->condition == EXPECT_FROM) {
        text_addf(&text, "deviation from oracle %s", expect->oracle);
    } else if (expect->rank > 0) {
        text_addf(&text, "rank correlation with %s at least %g", expect->across,
                  expect->rank);
    } else {
        text_addf(&text, "grows with %s", expect->across);
    }
    target = arena_strdup(board->plan.arena, text_string(&text));
    text_fini(&text);
    return target;
}

static struct board_line *
line_of(struct board *board, const struct expect_spec *expect)
{
    struct board_line *line = &board->lines[expect->number];
    struct metric metric;
    struct err ignored;

    if (!line->text) {
        line->text = arena_strdup(board->plan.arena, expect->text);
        line->is_reported = expect->report;
        if (!metric_parse(expect->metric, &metric, &ignored)) {
            line->unit = expect->per ? METRIC_NUMBER : metric_unit(&metric);
        }
        line->target = planned_target(board, expect, line->unit);
        if (expect->condition == EXPECT_FROM) {
            line->unit = METRIC_NUMBER;
        }
    }
    return line;
}

/* Adds a verdict to 'line'. */
static void
add_verdict(struct board_line *line, bool passed, bool known, double value)
{
    line->n++;
    line->passed += passed;
    if (known) {
        if (!line->is_known || value < line->least) {
            line->least = value;
        }
        if (!line->is_known || value > line->greatest) {
            line->greatest = value;
        }
        line->is_known = true;
    }
}

/* Adds the recorded verdicts of the run in 'reader', whose lines are those of
 * 'scenario'. */
static enum st
add_recorded(struct board *board, const struct scenario *scenario,
             struct reader *reader, struct err *err)
{
    struct query *query =
        reader_query(reader, "SELECT number, passed, known, value FROM verdicts"
                             " WHERE run = ?1 ORDER BY number");
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        for (size_t i = 0; i < scenario->n_expect; i++) {
            if (scenario->expect[i].number == query_number(query, 0)) {
                add_verdict(line_of(board, &scenario->expect[i]),
                            query_number(query, 1) != 0,
                            query_number(query, 2) != 0, query_real(query, 3));
            }
        }
    }
    query_finish(query);
    return st;
}

/* Runs --------------------------------------------------------------------- */

/* A run of the plan. */
struct board_run {
    struct scenario scenario;
    uint64_t digest;  /* Of its scenario. */
    const char *path; /* Of its results; NULL: there are none. */
};

/* Finds the results of the runs: the files are in the order of time. */
static enum st
find_results(struct board *board, const struct run_files *files,
             struct board_run *runs, struct err *err)
{
    for (size_t i = 0; i < files->n; i++) {
        struct reader *reader;
        uint64_t digest;

        if (strcmp(files->list[i].name, board->plan.plan.name) != 0) {
            continue;
        }
        if (reader_open(files->list[i].path, &reader, err)) {
            return err->status;
        }
        digest = digest_text(DIGEST_START, reader_run(reader)->scenario);
        for (size_t k = 0; k < board->n_runs; k++) {
            if (runs[k].digest == digest &&
                !strcmp(reader_run(reader)->state, complete)) {
                board->n_complete += !runs[k].path;
                runs[k].path = files->list[i].path;
            }
        }
        reader_close(reader);
    }
    return ST_OK;
}

/* Parses the first 'n' runs. */
static enum st
parse_runs(struct board *board, struct board_run *runs, size_t n,
           struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        st = run_plan_parse(&board->plan, i, board->plan.arena,
                            &runs[i].scenario, err);
        if (!st) {
            runs[i].digest = digest_text(DIGEST_START, runs[i].scenario.text);
        }
    }
    return st;
}

/* Adds the verdicts of all runs with results. */
static enum st
add_runs(struct board *board, const struct board_run *runs, struct err *err)
{
    struct judge_file *results =
        arena_alloc(board->plan.arena, board->n_runs, sizeof *results);
    struct judge_comparisons comparisons = {0};
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < board->n_runs; i++) {
        struct reader *reader;

        results[i] =
            (struct judge_file){&board->plan.plan.runs[i], runs[i].path};
        st = runs[i].path ? reader_open(runs[i].path, &reader, err) : ST_OK;
        if (!st && runs[i].path) {
            st = add_recorded(board, &runs[i].scenario, reader, err);
            reader_close(reader);
        }
    }
    for (size_t i = 0; !st && i < board->n_runs; i++) {
        st = judge_across(&runs[i].scenario, results, board->n_runs,
                          board->plan.arena, &comparisons, err);
    }
    for (size_t i = 0; !st && i < comparisons.n; i++) {
        add_verdict(line_of(board, comparisons.list[i].expect),
                    comparisons.list[i].verdict.passed, false, 0);
    }
    return st;
}

/* Returns the number of the last line of 'expect:' in any run, plus 1. */
static size_t
count_lines(const struct board_run *runs, size_t n)
{
    size_t lines = 0;

    for (size_t i = 0; i < n; i++) {
        const struct scenario *scenario = &runs[i].scenario;

        for (size_t k = 0; k < scenario->n_expect; k++) {
            if (scenario->expect[k].number >= lines) {
                lines = scenario->expect[k].number + 1;
            }
        }
    }
    return lines;
}

/* Lists the results that count. */
static void
keep_paths(struct board *board, const struct board_run *runs)
{
    size_t n = 0;

    board->paths = arena_alloc(board->plan.arena, board->n_complete + 1,
                               sizeof *board->paths);
    for (size_t i = 0; i < board->n_runs; i++) {
        if (runs[i].path) {
            board->paths[n++] = arena_strdup(board->plan.arena, runs[i].path);
        }
    }
}

/* Returns whether there are results with the name of the scenario. */
static bool
has_results(const struct board *board, const struct run_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        if (!strcmp(files->list[i].name, board->plan.plan.name)) {
            return true;
        }
    }
    return false;
}

/* Reads what the files say of the runs. */
static enum st
read_runs(struct board *board, const struct run_files *files, const char *row,
          struct err *err)
{
    struct board_run *runs =
        arena_alloc(board->plan.arena, board->n_runs, sizeof *runs);
    const size_t n = row || has_results(board, files) ? board->n_runs : 1;
    enum st st = parse_runs(board, runs, 1, err);

    board->scenario = runs[0].scenario;
    if (st || (row && strcmp(row, board->scenario.row) != 0)) {
        return st;
    }
    st = parse_runs(board, runs, n, err);
    st = st ? st : find_results(board, files, runs, err);
    if (st) {
        return st;
    }
    board->n_lines = count_lines(runs, n);
    board->lines = arena_alloc(board->plan.arena, board->n_lines + 1,
                               sizeof *board->lines);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < runs[i].scenario.n_expect; k++) {
            (void)line_of(board, &runs[i].scenario.expect[k]);
        }
    }
    keep_paths(board, runs);
    return board->n_complete ? add_runs(board, runs, err) : ST_OK;
}

enum st
board_read(const char *path, const char *nics, const struct run_files *files,
           const char *row, struct board *board, struct err *err)
{
    /* The others are parsed if there are results of them. */
    const struct run_plan_options options = {.only = "0", .nics = nics};
    enum st st;

    *board = (struct board){0};
    st = run_plan_read(path, &options, &board->plan, err);
    if (!st) {
        board->n_runs = board->plan.plan.n_runs;
        st = read_runs(board, files, row, err);
    }
    for (size_t i = 0; !st && i < board->n_lines; i++) {
        const struct board_line *line = &board->lines[i];
        const bool failed = line->passed < line->n;

        board->n_failed += failed && !line->is_reported;
        board->n_deviating += failed && line->is_reported;
    }
    return st;
}

void
board_fini(struct board *board)
{
    run_plan_fini(&board->plan);
}

enum board_state
board_state(const struct board *board)
{
    return !board->n_complete                  ? BOARD_NOT_RUN
           : board->n_failed                   ? BOARD_FAILED
           : board->n_complete < board->n_runs ? BOARD_PARTIAL
           : board->n_deviating                ? BOARD_DEVIATING
                                               : BOARD_PASSED;
}

const char *
board_state_name(enum board_state state)
{
    static const char *const names[] = {
#define X(member, name) name,
        BOARD_STATES(X)
#undef X
    };

    return names[state];
}
