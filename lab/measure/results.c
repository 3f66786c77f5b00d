/* SPDX-License-Identifier: Apache-2.0 */

/* Records a run into a results file.
 *
 * Rows go through one prepared statement per table, many of them in one
 * transaction.  Marks are counted per queue and pauses that last are kept in
 * memory; both are written at each commit, so that a file whose writer dies has
 * them as of then. */

#include <config.h>

#include "lab/measure/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/histogram.h"
#include "base/text.h"
#include "lab/measure/results_state.h"
#include "results/database.h"
#include "results/schema.h"

const char *
results_state_name(enum results_state state)
{
    static const char *const names[] = {
#define X(member, name) name,
        RESULTS_STATES(X)
#undef X
    };

    return (unsigned int)state < sizeof names / sizeof names[0] ? names[state]
                                                                : "unknown";
}

/* Keeps the first error. */
static void
note(struct results *results, enum st st, const struct err *err)
{
    if (st && !results->st) {
        results->st = st;
        results->err = *err;
    }
}

void
results_execute(struct results *results, struct query *query)
{
    struct err err = {0};

    if (!results->st) {
        note(results, query_execute(query, &err), &err);
        results->pending++;
    }
}

void
results_set_numbers(struct query *query, int from, const int64_t *numbers,
                    int n)
{
    for (int i = 0; i < n; i++) {
        query_set_number(query, from + i, numbers[i]);
    }
}

struct query *
results_row(struct results *results, enum schema_table table)
{
    struct query *query = results->inserts[table];

    query_set_number(query, 1, RESULTS_RUN);
    return query;
}

void
results_set_about(struct query *query, const struct results_about *about,
                  enum results_state state)
{
    query_set_text(query, 2, about->key);
    query_set_text(query, 3, about->name);
    query_set_text(query, 4, about->path);
    query_set_text(query, 5, about->scenario);
    query_set_number(query, 6, (int64_t)about->seed);
    query_set_text(query, 7, about->version);
    query_set_text(query, 8, about->started);
    query_set_text(query, 9, results_state_name(state));
}

/* Inserts the row of the run. */
static void
insert_run(struct results *results, const struct results_about *about)
{
    struct query *query = results_row(results, SCHEMA_TABLE_runs);

    results_set_about(query, about, RESULTS_INCOMPLETE);
    RESULTS_SET(query, 11, 0, about->stop_ps, 0, 0, 0, 0);
    results_execute(results, query);
}

/* Makes the queries of the open database. */
static void
make_queries(struct results *results)
{
    for (int i = 0; i < SCHEMA_N_TABLES; i++) {
        results->inserts[i] =
            schema_insert(results->database, (enum schema_table)i);
    }
    results->update = query_create(
        results->database,
        "UPDATE runs SET state = ?, reason = ?, virtual_ps = ?, hops = ?,"
        " drops = ?, pauses = ?, marks = ?, wall_ns = ?, hash = ?");
}

/* Closes the database, if it is open. */
static void
close_database(struct results *results)
{
    for (int i = 0; i < SCHEMA_N_TABLES; i++) {
        query_finish(results->inserts[i]);
        results->inserts[i] = NULL;
    }
    query_finish(results->update);
    results->update = NULL;
    database_close(results->database);
    results->database = NULL;
}

enum st
results_create(const char *path, const struct results_about *about,
               struct results **result, struct err *err)
{
    struct results *results = check_calloc(1, sizeof *results);
    enum st st = database_create(path, &results->database, err);

    results->path = check_strdup(path);
    st = st ? st : schema_make(results->database, err);
    if (st) {
        results_abandon(results);
        return st;
    }
    make_queries(results);
    results_sink_init(results);
    insert_run(results, about);
    st = results_progress(results, 0, 0, err);
    if (st) {
        results_abandon(results);
        return st;
    }
    *result = results;
    return ST_OK;
}

struct results *
results_create_forward(const struct results_forward *forward)
{
    struct results *results = check_calloc(1, sizeof *results);

    results->forward = check_malloc(sizeof *forward);
    *results->forward = *forward;
    return results;
}

const struct sink *
results_sink(struct results *results)
{
    return &results->sink;
}

const char *
results_hash(struct results *results)
{
    text_format(results->hash_text, sizeof results->hash_text, "%016" PRIx64,
                result_hash_get(&results->hash));
    return results->hash_text;
}

void
results_insert_pause(struct results *results, const struct sink_pause *pause,
                     bool ended)
{
    struct query *query = results_row(results, SCHEMA_TABLE_pauses);

    RESULTS_SET(query, 2, (int64_t)pause->id, pause->node, pause->port,
                pause->by_node, pause->by_port, pause->priority,
                pause->start_ps);
    if (ended) {
        query_set_number(query, 9, pause->end_ps);
    }
    if (pause->cause != SINK_NO_PAUSE) {
        query_set_number(query, 10, (int64_t)pause->cause);
    }
    if (pause->congested_port != SINK_NONE) {
        query_set_number(query, 11, pause->congested_port);
    }
    results_execute(results, query);
}

/* Writes what is kept in memory: pauses that last, and marks that have changed.
 */
static void
write_kept(struct results *results)
{
    struct err err = {0};

    note(results,
         database_run(results->database,
                      "DELETE FROM pauses WHERE run = 1 AND end_ps IS NULL",
                      &err),
         &err);
    for (struct results_pause *open = results->open; open;
         open = open->hh.next) {
        results_insert_pause(results, &open->pause, false);
    }
    for (struct results_marks *mark = results->marks; mark;
         mark = mark->hh.next) {
        struct query *query = results_row(results, SCHEMA_TABLE_marks);

        if (!mark->changed) {
            continue;
        }
        RESULTS_SET(query, 2, mark->first.node, mark->first.port,
                    mark->first.queue, (int64_t)mark->n, mark->first.t_ps,
                    (int64_t)mark->first.depth_bytes, mark->last_ps);
        results_execute(results, query);
        mark->changed = false;
    }
}

/* The same queue may have several rows in 'marks'; only the last counts. */
#define LAST_MARKS                                                             \
    "DELETE FROM marks WHERE rowid NOT IN (SELECT max(rowid) FROM marks"       \
    " GROUP BY run, node, port, queue)"

/* Stores the row of the run. */
static void
update_run(struct results *results, const struct results_end *end)
{
    struct query *query = results->update;

    query_set_text(query, 1, results_state_name(end->state));
    query_set_text(query, 2, end->reason);
    RESULTS_SET(query, 3, end->virtual_ps, (int64_t)end->hops,
                (int64_t)results->n_drops, (int64_t)results->n_pauses,
                (int64_t)results->n_marks, end->wall_ns);
    query_set_text(query, 9, results_hash(results));
    results_execute(results, query);
}

/* Ends the transaction, with 'end' as the state of the run. */
static void
commit(struct results *results, const struct results_end *end)
{
    struct err err = {0};

    write_kept(results);
    update_run(results, end);
    if (!results->st) {
        note(
            results,
            database_run(results->database, LAST_MARKS "; COMMIT; BEGIN", &err),
            &err);
    }
    results->pending = 0;
}

enum st
results_progress(struct results *results, int64_t virtual_ps, uint64_t hops,
                 struct err *err)
{
    const struct results_end end = {
        .state = RESULTS_INCOMPLETE, .virtual_ps = virtual_ps, .hops = hops};

    results->now_ps = virtual_ps;
    results->hops = hops;
    commit(results, &end);
    if (results->st && err) {
        *err = results->err;
    }
    return results->st;
}

enum st
results_release(struct results *results, int64_t virtual_ps, uint64_t hops,
                struct err *err)
{
    enum st st;

    if (!results->database) {
        return ST_OK;
    }
    st = results_progress(results, virtual_ps, hops, err);
    if (!st) {
        note(results, database_run(results->database, "COMMIT", &results->err),
             &results->err);
        st = results->st;
    }
    /* The last connection moves the log into the file. */
    close_database(results);
    if (st && err) {
        *err = results->err;
    }
    return st;
}

enum st
results_reopen(struct results *results, struct err *err)
{
    enum st st;

    if (results->database) {
        return ST_OK;
    }
    st = database_open(results->path, true, &results->database, err);
    st = st ? st : schema_check(results->database, results->path, err);
    if (!st) {
        st = database_run(results->database, SCHEMA_RECORDING "BEGIN", err);
    }
    if (!st) {
        make_queries(results);
    }
    return st;
}

void
results_recorded(struct results *results, int64_t t_ps)
{
    results->now_ps = t_ps > results->now_ps ? t_ps : results->now_ps;
    if (results->pending >= RESULTS_BATCH_ROWS) {
        const struct results_end end = {.state = RESULTS_INCOMPLETE,
                                        .virtual_ps = results->now_ps,
                                        .hops = results->hops};

        commit(results, &end);
    }
}

enum st
results_finish(struct results *results, const struct results_end *end,
               struct err *err)
{
    enum st st;

    for (struct results_pause *open = results->open; open;
         open = open->hh.next) {
        open->pause.end_ps = end->virtual_ps;
        result_hash_pause(&results->hash, &open->pause);
    }
    commit(results, end);
    /* Leave one plain file, which can be read without the right to write. */
    if (!results->st) {
        note(results,
             database_run(results->database,
                          SCHEMA_LATE_INDEXES "COMMIT;"
                                              "PRAGMA journal_mode = DELETE;",
                          &results->err),
             &results->err);
    }
    st = results->st;
    if (st && err) {
        *err = results->err;
    }
    results_abandon(results);
    return st;
}

void
results_abandon(struct results *results)
{
    struct results_marks *mark, *next_mark;
    struct results_pause *open, *next_open;

    if (!results) {
        return;
    }
    HASH_ITER(hh, results->marks, mark, next_mark)
    {
        HASH_DEL(results->marks, mark);
        free(mark);
    }
    HASH_ITER(hh, results->open, open, next_open)
    {
        HASH_DEL(results->open, open);
        free(open);
    }
    close_database(results);
    free(results->path);
    free(results->forward);
    free(results);
}

void
results_add_param(struct results *results, const char *name, const char *value)
{
    struct query *query = results_row(results, SCHEMA_TABLE_params);

    query_set_text(query, 2, name);
    query_set_text(query, 3, value);
    results_execute(results, query);
}

void
results_add_node(struct results *results, uint32_t node, const char *name,
                 const char *role, int tier)
{
    struct query *query = results_row(results, SCHEMA_TABLE_nodes);

    query_set_number(query, 2, node);
    query_set_text(query, 3, name);
    query_set_text(query, 4, role);
    query_set_number(query, 5, tier);
    results_execute(results, query);
}

void
results_add_port(struct results *results, uint32_t node, uint32_t port,
                 const char *name, uint32_t peer_node, uint32_t peer_port,
                 uint64_t speed_bps, uint64_t length_mm)
{
    struct query *query = results_row(results, SCHEMA_TABLE_ports);

    RESULTS_SET(query, 2, node, port);
    query_set_text(query, 4, name);
    RESULTS_SET(query, 5, peer_node, peer_port, (int64_t)speed_bps,
                (int64_t)length_mm);
    results_execute(results, query);
}

void
results_add_group(struct results *results, uint32_t group, const char *name)
{
    struct query *query = results_row(results, SCHEMA_TABLE_groups);

    query_set_number(query, 2, group);
    query_set_text(query, 3, name);
    results_execute(results, query);
}

void
results_add_series(struct results *results, uint32_t series, const char *metric,
                   const char *object, const char *unit)
{
    struct query *query = results_row(results, SCHEMA_TABLE_series);

    query_set_number(query, 2, series);
    query_set_text(query, 3, metric);
    query_set_text(query, 4, object);
    query_set_text(query, 5, unit);
    results_execute(results, query);
}

void
results_add_hop(struct results *results, uint32_t flow, uint32_t hop,
                uint32_t node, uint32_t port)
{
    struct query *query = results_row(results, SCHEMA_TABLE_paths);

    RESULTS_SET(query, 2, flow, hop, node, port);
    results_execute(results, query);
}

void
results_add_oracle(struct results *results, const char *oracle,
                   const char *object, double value)
{
    struct query *query;

    if (results->forward) {
        results->forward->oracle(results->forward->context, oracle, object,
                                 value);
        return;
    }
    query = results_row(results, SCHEMA_TABLE_oracles);
    query_set_text(query, 2, oracle);
    query_set_text(query, 3, object);
    query_set_real(query, 4, value);
    results_execute(results, query);
}

void
results_add_queue(struct results *results, const struct results_queue *queue)
{
    struct query *query;

    if (results->forward) {
        results->forward->queue(results->forward->context, queue);
        return;
    }
    query = results_row(results, SCHEMA_TABLE_queues);
    RESULTS_SET(query, 2, queue->node, queue->port, queue->queue,
                (int64_t)queue->packets, (int64_t)queue->bytes,
                (int64_t)queue->dropped_packets, (int64_t)queue->marked_packets,
                (int64_t)queue->peak_bytes);
    results_execute(results, query);
}

void
results_add_counter(struct results *results, uint32_t node, uint32_t port,
                    uint32_t priority, const char *name, uint64_t value)
{
    struct query *query;

    if (results->forward) {
        results->forward->counter(results->forward->context, node, port,
                                  priority, name, value);
        return;
    }
    query = results_row(results, SCHEMA_TABLE_counters);
    if (node != SINK_NONE) {
        query_set_number(query, 2, node);
    }
    if (port != SINK_NONE) {
        query_set_number(query, 3, port);
    }
    if (priority != SINK_NONE) {
        query_set_number(query, 4, priority);
    }
    query_set_text(query, 5, name);
    query_set_number(query, 6, (int64_t)value);
    results_execute(results, query);
}

void
results_add_histogram(struct results *results, const char *name,
                      const char *object, const struct histogram *histogram)
{
    struct query *query = results_row(results, SCHEMA_TABLE_histograms);

    query_set_text(query, 2, name);
    query_set_text(query, 3, object);
    RESULTS_SET(query, 4, (int64_t)histogram->n, (int64_t)histogram->sum);
    if (histogram->n) {
        RESULTS_SET(query, 6, (int64_t)histogram->min, (int64_t)histogram->max);
    }
    results_execute(results, query);
    for (uint32_t i = 0; i < HISTOGRAM_N_BUCKETS; i++) {
        if (histogram->buckets[i]) {
            query = results_row(results, SCHEMA_TABLE_hist);
            query_set_text(query, 2, name);
            query_set_text(query, 3, object);
            RESULTS_SET(query, 4, i, (int64_t)histogram_low(i),
                        (int64_t)histogram_high(i),
                        (int64_t)histogram->buckets[i]);
            results_execute(results, query);
        }
    }
}
