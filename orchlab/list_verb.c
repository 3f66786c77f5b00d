/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab list": the runs of a folder. */

#include <config.h>

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command/grid.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"
#include "results/database.h"

/* How many expectations a run has met. */
struct verdict_counts {
    int64_t n, passed;
};

static struct verdict_counts
count_verdicts(struct reader *reader)
{
    struct query *query = reader_query(
        reader, "SELECT count(*), coalesce(sum(passed), 0) FROM verdicts"
                " WHERE run = ?1");
    struct verdict_counts counts = {0};
    bool row;

    if (!query_next(query, &row, NULL) && row) {
        counts = (struct verdict_counts){query_number(query, 0),
                                         query_number(query, 1)};
    }
    query_finish(query);
    return counts;
}

static json_t *
run_json(const char *path, const struct reader_run *run,
         struct verdict_counts counts)
{
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:s}",
        "file", path, "key", run->key, "name", run->name, "seed",
        (json_int_t)run->seed, "state", run->state, "reason", run->reason,
        "started", run->started, "virtual_ps", (json_int_t)run->virtual_ps,
        "hops", (json_int_t)run->hops, "drops", (json_int_t)run->drops,
        "pauses", (json_int_t)run->pauses, "expected", (json_int_t)counts.n,
        "passed", (json_int_t)counts.passed, "hash", run->hash);
}

static void
add_line(struct grid *grid, const struct reader_run *run,
         struct verdict_counts counts)
{
    char key[9], text[METRIC_TEXT_SIZE];

    text_copy(key, sizeof key, run->key);
    grid_line(grid);
    grid_text(grid, key);
    grid_text(grid, run->name);
    text_format(text, sizeof text, "%llu", (unsigned long long)run->seed);
    grid_text(grid, text);
    grid_text(grid, run->state);
    if (strcmp(run->state, "complete") != 0) {
        grid_colour(grid, TERMINAL_WARNING);
    }
    grid_text(grid, metric_text((double)run->virtual_ps * 1e-12, METRIC_SECONDS,
                                text));
    grid_number(grid, run->drops);
    grid_number(grid, run->pauses);
    text_format(text, sizeof text, "%lld of %lld", (long long)counts.passed,
                (long long)counts.n);
    grid_text(grid, counts.n ? text : "");
    if (counts.passed < counts.n) {
        grid_colour(grid, TERMINAL_ALARM);
    }
    grid_text(grid, run->started);
}

/* Reads the folder of results.  One that is not named need not exist: nothing
 * has been run yet. */
static enum st
load(const struct invocation *invocation, struct run_files *files,
     struct err *err)
{
    if (invocation->is_named && access(invocation->folder, F_OK)) {
        err_set(err, ST_NOT_FOUND, "no-folder", "cannot read folder '%s': %s",
                invocation->folder, strerror(errno));
        err_set_remedy(err, "see --results and ORCHLAB_RESULTS; orchlab run "
                            "creates the folder");
        return ST_NOT_FOUND;
    }
    return run_files_load(invocation->folder, files, err);
}

int
list_verb(const struct invocation *invocation)
{
    static const struct grid_column columns[] = {
        {"key", false},   {"name", false},   {"seed", true},
        {"state", false}, {"time", true},    {"drops", true},
        {"pauses", true}, {"passed", false}, {"started", false},
    };
    static const unsigned int ranks[] = {0, 0, 0, 0, 2, 3, 4, 0, 5};
    json_t *list = json_array();
    struct run_files files;
    struct err err = {0};
    struct grid *grid;

    if (load(invocation, &files, &err)) {
        json_decref(list);
        return verb_fail(&err);
    }
    grid = grid_create(columns, sizeof columns / sizeof columns[0]);
    grid_fit(grid, ranks);
    for (size_t i = 0; i < files.n; i++) {
        struct reader *reader;
        struct verdict_counts counts;

        if (reader_open(files.list[i].path, &reader, &err)) {
            continue;
        }
        counts = count_verdicts(reader);
        json_array_append_new(
            list, run_json(files.list[i].path, reader_run(reader), counts));
        add_line(grid, reader_run(reader), counts);
        reader_close(reader);
    }
    if (invocation->json) {
        verb_print_json(json_incref(list));
    } else if (files.n) {
        grid_print(grid, 0);
        grid = NULL;
    } else {
        printf("No results in %s\n", invocation->folder);
    }
    if (grid) {
        grid_free(grid);
    }
    if (files.n_unreadable && !invocation->json) {
        printf("%zu file%s cannot be read\n", files.n_unreadable,
               text_plural(files.n_unreadable));
    }
    json_decref(list);
    run_files_fini(&files);
    return LAB_DONE;
}
