/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab show": lists of a run, its latencies, its verdicts, a summary. */

#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/verdict.h"
#include "orchlab/rows.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"
#include "results/database.h"

const struct option show_options[] = {
    {"where", OPTION_TEXT, "LABELS", 0, 0,
     "only rows with these labels: 'group=read, state=done'"},
    {"order", OPTION_TEXT, "COLUMN", 0, 0, "largest values of COLUMN first"},
    {"limit", OPTION_NUMBER, "N", 1, INT64_MAX,
     "at most N rows (50; JSON and CSV: all)"},
    {"csv", OPTION_FLAG, NULL, 0, 0, "print comma-separated values"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

enum { USUAL_LIMIT = 50 };

static enum rows_form
form_of(const struct invocation *invocation)
{
    return verb_flag(invocation, "csv") ? ROWS_CSV
           : invocation->json           ? ROWS_JSON
                                        : ROWS_TABLE;
}

/* Shows one of the lists of the reader. */
static enum st
show_list(const struct invocation *invocation, struct reader *reader,
          enum reader_list list, struct err *err)
{
    const enum rows_form form = form_of(invocation);
    const int64_t limit =
        verb_number(invocation, "limit", form == ROWS_TABLE ? USUAL_LIMIT : -1);
    const char *where = verb_option(invocation, "where", NULL);
    struct reader_choice choice = {
        .list = list,
        .labels = {.quantity = reader_list_quantity(list)},
        .order = verb_option(invocation, "order", NULL),
        .limit = limit,
    };
    struct query *query;
    char none[64];
    uint64_t n = 0;
    enum st st;

    if (where && metric_parse_labels(where, &choice.labels, err)) {
        return ST_INVALID;
    }
    query = reader_list(reader, &choice, err);
    if (!query) {
        return ST_INVALID;
    }
    text_format(none, sizeof none, "No %s", reader_list_name(list));
    st = rows_print(query, form, none, &n, err);
    query_finish(query);
    if (!st && form == ROWS_TABLE && n == (uint64_t)limit) {
        printf("%lld rows are shown; --limit N shows more\n", (long long)limit);
    }
    return st;
}

/* The columns of the latencies. */
static const struct {
    const char *name;
    enum metric_aggregate aggregate;
    double quantile;
} latency_columns[] = {
    {"mean", METRIC_MEAN, 0},       {"p50", METRIC_QUANTILE, 0.5},
    {"p99", METRIC_QUANTILE, 0.99}, {"p99.9", METRIC_QUANTILE, 0.999},
    {"max", METRIC_MAX, 0},
};

#define N_LATENCIES (sizeof latency_columns / sizeof latency_columns[0])

/* The latencies of one quantity in one group. */
static enum st
measure_latency(struct reader *reader, enum metric_quantity quantity,
                const char *group, struct verdict verdicts[N_LATENCIES],
                struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < N_LATENCIES; i++) {
        struct metric metric = {.aggregate = latency_columns[i].aggregate,
                                .quantile = latency_columns[i].quantile,
                                .quantity = quantity};

        text_copy(metric.labels[METRIC_LABEL_GROUP], METRIC_VALUE_SIZE, group);
        st = verdict_measure(&metric, reader, &verdicts[i], err);
    }
    return st;
}

/* Adds a row to the table and to the JSON. */
static void
add_latency(struct grid *grid, json_t *list, const char *group,
            enum metric_quantity quantity, const struct verdict *verdicts)
{
    json_t *object = json_pack("{s:s, s:s, s:I}", "group", group, "quantity",
                               metric_quantity_name(quantity), "n",
                               (json_int_t)verdicts[0].n);
    char text[METRIC_TEXT_SIZE];

    grid_line(grid);
    grid_text(grid, group);
    grid_text(grid, metric_quantity_name(quantity));
    grid_number(grid, (int64_t)verdicts[0].n);
    for (size_t i = 0; i < N_LATENCIES; i++) {
        const struct verdict *v = &verdicts[i];

        grid_text(grid, metric_text(v->value, METRIC_SECONDS, text));
        json_object_set_new(
            object, latency_columns[i].name,
            v->low == v->high ? json_real(v->value)
                              : json_pack("{s:f, s:f, s:f}", "value", v->value,
                                          "low", v->low, "high", v->high));
    }
    json_array_append_new(list, object);
}

/* Fills table and JSON with completion times of flows and latencies of messages
 * by group. */
static enum st
fill_latencies(struct reader *reader, struct grid *grid, json_t *list,
               struct err *err)
{
    static const enum metric_quantity quantities[] = {METRIC_FLOW_FCT,
                                                      METRIC_MESSAGE_LATENCY};
    struct query *groups = reader_query(
        reader, "SELECT name FROM groups WHERE run = ?1 ORDER BY group_id");
    bool row = false;
    enum st st;

    while (!(st = query_next(groups, &row, err)) && row) {
        for (size_t i = 0; !st && i < 2; i++) {
            struct verdict verdicts[N_LATENCIES];

            st = measure_latency(reader, quantities[i], query_text(groups, 0),
                                 verdicts, err);
            if (!st && verdicts[0].n) {
                add_latency(grid, list, query_text(groups, 0), quantities[i],
                            verdicts);
            }
        }
        if (st) {
            break;
        }
    }
    query_finish(groups);
    return st;
}

static enum st
show_latency(const struct invocation *invocation, struct reader *reader,
             struct err *err)
{
    struct grid_column columns[3 + N_LATENCIES] = {
        {"group", false}, {"quantity", false}, {"n", true}};
    json_t *list = json_array();
    struct grid *grid;
    enum st st;

    for (size_t i = 0; i < N_LATENCIES; i++) {
        columns[3 + i] = (struct grid_column){latency_columns[i].name, true};
    }
    grid = grid_create(columns, 3 + N_LATENCIES);
    st = fill_latencies(reader, grid, list, err);
    if (!st && !invocation->json && json_array_size(list)) {
        grid_print(grid, 0);
    } else {
        grid_free(grid);
    }
    if (!st && invocation->json) {
        verb_print_json(json_incref(list));
    } else if (!st && !json_array_size(list)) {
        printf("No completion times\n");
    }
    json_decref(list);
    return st;
}

#define VERDICTS                                                               \
    "SELECT number, CASE passed WHEN 1 THEN 'pass' ELSE 'FAIL' END AS"         \
    " verdict, text, reason FROM verdicts WHERE run = ?1 ORDER BY number"

/* The names of completion statuses are those of enum rc_status
 * (twin/transport/rc.h), which are the numbers. */
#define ERRORS                                                                 \
    "SELECT group_name AS \"group\", source, destination, CASE WHEN state <>"  \
    " 'failed' THEN 'timeout' ELSE CASE error WHEN 2 THEN 'retry-exceeded'"    \
    " WHEN 3 THEN 'rnr-exceeded' WHEN 4 THEN 'remote-invalid' WHEN 5 THEN"     \
    " 'remote-access' WHEN 6 THEN 'local-length' WHEN 7 THEN 'bad-response'"   \
    " ELSE 'flushed' END END AS error, lost FROM flow_list WHERE run = ?1"     \
    " AND (lost > 0 OR state = 'failed') ORDER BY flow"

static enum st
show_query(const struct invocation *invocation, struct reader *reader,
           const char *sql, const char *none, struct err *err)
{
    struct query *query;
    uint64_t n = 0;
    enum st st = reader_try_query(reader, sql, &query, err);

    if (!st) {
        st = rows_print(query, form_of(invocation), none, &n, err);
        query_finish(query);
    }
    return st;
}

/* Prints the run in a few lines, then its latencies and verdicts. */
static enum st
show_summary(const struct invocation *invocation, struct reader *reader,
             struct err *err)
{
    const struct reader_run *run = reader_run(reader);
    char text[METRIC_TEXT_SIZE];
    enum st st;

    if (invocation->json) {
        verb_print_json(json_pack(
            "{s:s, s:s, s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:s}",
            "name", run->name, "key", run->key, "seed", (json_int_t)run->seed,
            "state", run->state, "reason", run->reason, "started", run->started,
            "virtual_ps", (json_int_t)run->virtual_ps, "stop_ps",
            (json_int_t)run->stop_ps, "hops", (json_int_t)run->hops, "drops",
            (json_int_t)run->drops, "pauses", (json_int_t)run->pauses, "marks",
            (json_int_t)run->marks, "hash", run->hash));
        return ST_OK;
    }
    printf("%s, seed %" PRIu64 ": %s at %s", run->name, run->seed, run->state,
           metric_text((double)run->virtual_ps * 1e-12, METRIC_SECONDS, text));
    printf(" of %s%s%s\n",
           metric_text((double)run->stop_ps * 1e-12, METRIC_SECONDS, text),
           *run->reason ? ": " : "", run->reason);
    printf("hops %lld, drops %lld, pauses %lld, marks %lld, hash %s\n\n",
           (long long)run->hops, (long long)run->drops, (long long)run->pauses,
           (long long)run->marks, run->hash);
    st = show_latency(invocation, reader, err);
    printf("\n");
    return st ? st
              : show_query(invocation, reader, VERDICTS, "No expectations",
                           err);
}

/* What can be shown besides the lists of the reader. */
static const struct {
    const char *name;
    enum st (*show)(const struct invocation *invocation, struct reader *reader,
                    struct err *err);
} others[] = {
    {"latency", show_latency},
    {"summary", show_summary},
};

#define N_OTHERS (sizeof others / sizeof others[0])

/* Tables without labels. */
static const struct {
    const char *name, *sql, *none;
} tables[] = {
    {"verdicts", VERDICTS, "No expectations"},
    {"errors", ERRORS, "Every ping has an answer, and no queue pair failed"},
    {"params", "SELECT name, value FROM params WHERE run = ?1",
     "No parameters"},
    {"changes",
     "SELECT number, t_ps, change FROM changes WHERE run = ?1 ORDER BY number",
     "Nothing was changed while it ran"},
};

#define N_TABLES (sizeof tables / sizeof tables[0])

/* Refuses options that would have no effect on 'what', which is no list of the
 * reader. */
static enum st
check_options(const struct invocation *invocation, const char *what,
              bool has_rows, struct err *err)
{
    for (const struct option *option = show_options; option->name; option++) {
        if (json_object_get(invocation->arguments, option->name) &&
            !(has_rows && !strcmp(option->name, "csv"))) {
            return err_set(err, ST_INVALID, "usage",
                           "--%s does not apply to '%s'", option->name, what);
        }
    }
    return ST_OK;
}

static enum st
show(const struct invocation *invocation, struct reader *reader,
     const char *what, struct err *err)
{
    struct choices choices;

    for (int i = 0; i < READER_N_LISTS; i++) {
        if (!strcmp(what, reader_list_name((enum reader_list)i))) {
            return show_list(invocation, reader, (enum reader_list)i, err);
        }
    }
    for (size_t i = 0; i < N_OTHERS; i++) {
        if (!strcmp(what, others[i].name)) {
            return check_options(invocation, what, false, err)
                       ? ST_INVALID
                       : others[i].show(invocation, reader, err);
        }
    }
    for (size_t i = 0; i < N_TABLES; i++) {
        if (!strcmp(what, tables[i].name)) {
            return check_options(invocation, what, true, err)
                       ? ST_INVALID
                       : show_query(invocation, reader, tables[i].sql,
                                    tables[i].none, err);
        }
    }
    choices_init(&choices, what);
    for (int i = 0; i < READER_N_LISTS; i++) {
        choices_add(&choices, reader_list_name((enum reader_list)i));
    }
    for (size_t i = 0; i < N_OTHERS; i++) {
        choices_add(&choices, others[i].name);
    }
    for (size_t i = 0; i < N_TABLES; i++) {
        choices_add(&choices, tables[i].name);
    }
    err_set(err, ST_INVALID, "list", "there is no list '%s'", what);
    return choices_explain(&choices, "list", err);
}

int
show_verb(const struct invocation *invocation)
{
    const char *what =
        invocation->n_operands > 1 ? invocation->operands[1] : "summary";
    struct reader *reader;
    struct err err = {0};

    if (run_files_open(invocation->folder, invocation->operands[0], &reader,
                       &err)) {
        return verb_fail(&err);
    }
    if (show(invocation, reader, what, &err)) {
        reader_close(reader);
        return verb_fail(&err);
    }
    reader_close(reader);
    return LAB_DONE;
}
