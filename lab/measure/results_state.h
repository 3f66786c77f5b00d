/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_RESULTS_STATE_H
#define ORCHD_LAB_MEASURE_RESULTS_STATE_H

/* What the modules of the writer share: its state, and how rows are inserted.
 *
 * results.c has its life and the rows that are added by calls, results_sink.c
 * those that a sink records. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "base/status.h"
#include "lab/measure/result_hash.h"
#include "lab/measure/sink.h"
#include "results/schema.h"

struct database;
struct query;
struct results_forward;

/* The number of the run in its own file. */
enum { RESULTS_RUN = 1 };

/* Marks of a queue. */
struct results_marks {
    uint64_t queue; /* Node, port and queue. */
    struct sink_mark first;
    int64_t last_ps;
    uint64_t n;
    bool changed; /* Since the last commit. */
    UT_hash_handle hh;
};

/* A pause that lasts. */
struct results_pause {
    struct sink_pause pause;
    UT_hash_handle hh;
};

struct results {
    struct results_forward *forward; /* NULL: there is a file. */
    char *path;
    struct database *database; /* NULL: released. */
    struct query *inserts[SCHEMA_N_TABLES];
    struct query *update; /* Of the row of the run. */
    struct sink sink;
    struct result_hash hash;
    char hash_text[20];
    struct results_marks *marks; /* By queue. */
    struct results_pause *open;  /* By id. */
    int64_t now_ps;              /* Of the latest record or progress. */
    uint64_t hops, n_drops, n_pauses, n_marks;
    uint64_t pending; /* Rows in this transaction. */
    enum st st;       /* The first error. */
    struct err err;
};

/* Makes 'results->sink'. */
void results_sink_init(struct results *results);

/* Starts a row of 'table': its query with the number of the run set. */
struct query *results_row(struct results *results, enum schema_table table);

/* Sets 'n' parameters, from number 'from' on. */
void results_set_numbers(struct query *query, int from, const int64_t *numbers,
                         int n);

#define RESULTS_SET(query, from, ...)                                          \
    results_set_numbers(query, from, (const int64_t[]){__VA_ARGS__},           \
                        sizeof((const int64_t[]){__VA_ARGS__}) /               \
                            sizeof(int64_t))

/* Executes 'query' unless there was an error, and counts a row. */
void results_execute(struct results *results, struct query *query);

/* Inserts the row of 'pause', with its end or without. */
void results_insert_pause(struct results *results,
                          const struct sink_pause *pause, bool ended);

/* Notes a record at 't_ps'; commits when the transaction is large. */
void results_recorded(struct results *results, int64_t t_ps);

#endif /* lab/measure/results_state.h */
