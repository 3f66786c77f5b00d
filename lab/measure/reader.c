/* SPDX-License-Identifier: Apache-2.0 */

/* Reads results files through their views. */

#include <config.h>

#include "lab/measure/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "lab/measure/results.h"
#include "results/database.h"
#include "results/schema.h"

struct reader {
    struct database *database;
    struct query *about; /* Stands on the row of the run, owns its texts. */
    struct reader_run run;
    int64_t number;
};

/* How a quantity is read: a column of a view, multiplied by 'scale' to get the
 * unit of the quantity. */
struct source {
    const char *view;
    const char *value;
    double scale;
    const char *object; /* SQL of the text. */
};

#define PS 1e-12

#define OF_FLOW  "'flow ' || flow"
#define OF_IO    "'io ' || io"
#define OF_PORT  "node || ' ' || port"
#define OF_CLASS OF_PORT " || '|' || priority"

static const struct source sources[] = {
    [METRIC_FLOW_FCT] = {"flow_list", "fct_ps", PS, OF_FLOW},
    [METRIC_FLOW_GOODPUT] = {"flow_list", "goodput_bps", 1, OF_FLOW},
    [METRIC_FLOW_BYTES] = {"flow_list", "bytes", 1, OF_FLOW},
    [METRIC_FLOW_PACKETS] = {"flow_list", "packets", 1, OF_FLOW},
    [METRIC_FLOW_RETRANSMITTED] = {"flow_list", "retransmitted", 1, OF_FLOW},
    [METRIC_FLOW_MARKED] = {"flow_list", "marked", 1, OF_FLOW},
    [METRIC_FLOW_CNPS] = {"flow_list", "cnps", 1, OF_FLOW},
    [METRIC_FLOW_CWND] = {"flow_list", "cwnd_bytes", 1, OF_FLOW},
    [METRIC_FLOW_TIMEOUTS] = {"flow_list", "timeouts", 1, OF_FLOW},
    [METRIC_FLOW_SKIPPED] = {"flow_list", "skipped", 1, OF_FLOW},
    [METRIC_FLOW_LOST] = {"flow_list", "lost", 1, OF_FLOW},
    [METRIC_FLOW_FAILED] = {"flow_list", "state = 'failed'", 1, OF_FLOW},
    [METRIC_MESSAGE_LATENCY] = {"message_list",
                                "CASE state WHEN 'done' THEN latency_ps END",
                                PS, OF_FLOW},
    [METRIC_IO_LATENCY] = {"io_list", "latency_ps", PS, OF_IO},
    [METRIC_IO_STORING] = {"io_list", "storing_ps", PS, OF_IO},
    [METRIC_IO_ANSWERING] = {"io_list", "answering_ps", PS, OF_IO},
    [METRIC_IO_COPIES] = {"io_list", "copies", 1, OF_IO},
    [METRIC_IO_FRONT] = {"io_list", "front_bytes", 1, OF_IO},
    [METRIC_IO_BACK] = {"io_list", "back_bytes", 1, OF_IO},
    [METRIC_SPAN_TIME] = {"span_list", "duration_ps", PS, OF_IO},
    [METRIC_ESTATS_TOTAL] = {"estats_list", "total_mean_ps", PS, OF_FLOW},
    [METRIC_ESTATS_NIC] = {"estats_list", "nic_mean_ps", PS, OF_FLOW},
    [METRIC_ESTATS_POLL] = {"estats_list", "poll_mean_ps", PS, OF_FLOW},
    [METRIC_SIDE_VERDICT] = {"side_list", "1", 1, OF_FLOW},
    [METRIC_SIDE_LATENCY] = {"side_list", "latency_ps", PS, OF_FLOW},
    [METRIC_SIDE_IDEAL] = {"side_list", "ideal_ps", PS, OF_FLOW},
    [METRIC_SIDE_SENDER] = {"side_list", "sender_ps", PS, OF_FLOW},
    [METRIC_SIDE_NETWORK] = {"side_list", "network_ps", PS, OF_FLOW},
    [METRIC_SIDE_RECEIVER] = {"side_list", "receiver_ps", PS, OF_FLOW},
    [METRIC_DROP_PACKETS] = {"drop_list", "1", 1, OF_CLASS},
    [METRIC_DROP_BYTES] = {"drop_list", "bytes", 1, OF_CLASS},
    [METRIC_DROP_TIME] = {"drop_list", "t_ps", PS, OF_CLASS},
    [METRIC_PAUSE_COUNT] = {"pause_list", "1", 1, OF_CLASS},
    [METRIC_PAUSE_TIME] = {"pause_list", "duration_ps", PS, OF_CLASS},
    [METRIC_PAUSE_START] = {"pause_list", "start_ps", PS, OF_CLASS},
    [METRIC_STORM_COUNT] = {"storm_list", "1", 1, OF_CLASS},
    [METRIC_STORM_DETECTION] = {"storm_list", "detection_ps", PS, OF_CLASS},
    [METRIC_STORM_RESTORATION] = {"storm_list", "restoration_ps", PS, OF_CLASS},
    [METRIC_DEADLOCK_QUEUES] = {"deadlock_list", "1", 1, OF_CLASS},
    [METRIC_DEADLOCK_PACKETS] = {"deadlock_list", "packets", 1, OF_CLASS},
    [METRIC_DEADLOCK_START] = {"deadlock_list", "start_ps", PS, OF_CLASS},
    [METRIC_DEADLOCK_TIME] = {"deadlock_list", "duration_ps", PS, OF_CLASS},
    [METRIC_QUEUE_PEAK] = {"queue_list", "peak_bytes", 1, OF_CLASS},
    [METRIC_QUEUE_MARKED] = {"queue_list", "marked", 1, OF_CLASS},
    [METRIC_QUEUE_DROPPED] = {"queue_list", "dropped", 1, OF_CLASS},
    [METRIC_QUEUE_BYTES] = {"queue_list", "bytes", 1, OF_CLASS},
    [METRIC_QUEUE_FIRST_MARK] = {"queue_list", "first_mark_ps", PS, OF_CLASS},
    [METRIC_QUEUE_FIRST_PAUSE] = {"queue_list", "first_pause_ps", PS, OF_CLASS},
    [METRIC_LINK_RATE] = {"link_list", "rate_bps", 1, OF_PORT},
    [METRIC_LINK_UTILIZATION] = {"link_list", "utilization", 1, OF_PORT},
    [METRIC_LINK_FLOWS] = {"link_list", "nullif(flows, 0)", 1, OF_PORT},
    [METRIC_HOST_PAUSED] = {"host_list", "paused", 1, "node"},
    [METRIC_HOST_PCIE] = {"host_list", "pcie_utilization", 1, "node"},
    [METRIC_HOST_PCIE_SWITCH] = {"host_list", "pcie_switch_utilization", 1,
                                 "node"},
    [METRIC_HOST_LOOKUP] = {"host_list", "lookup_utilization", 1, "node"},
    [METRIC_HOST_MTT] = {"host_list", "mtt_hit_ratio", 1, "node"},
    [METRIC_HOST_CONTEXTS] = {"host_list", "context_hit_ratio", 1, "node"},
    [METRIC_HOST_CPU] = {"host_list", "cpu_utilization", 1, "node"},
    [METRIC_HOST_CPU_MESSAGES] = {"host_list", "cpu_messages", 1, "node"},
    [METRIC_HOST_CPU_CORES] = {"host_list", "cpu_cores", 1, "node"},
    [METRIC_PATH_HOP] = {"path_list", "hop", 1, OF_FLOW},
    [METRIC_COUNTER] = {"counter_list", "value", 1,
                        "coalesce(node, 'fabric') ||"
                        " coalesce(' ' || port, '') ||"
                        " coalesce('|' || priority, '')"},
    [METRIC_SERIES] = {"sample_list", "value", 1, "object"},
    [METRIC_ORACLE] = {"oracle_list", "value", 1, "object"},
};

static const struct {
    const char *name;
    enum metric_quantity quantity;
} lists[] = {
#define X(member, name, quantity) {name, METRIC_##quantity},
    READER_LISTS(X)
#undef X
};

/* The columns that count the rows of some lists as they were recorded.  The
 * others have no index by which SQLite could take them in another order. */
static const char *const numbers[READER_N_LISTS] = {
    [READER_FLOWS] = "flow",
    [READER_PAUSES] = "pause",
    [READER_DROPS] = "drop_id",
};

/* Explains that the file 'path' has no run 'number'. */
static enum st
fail_number(struct reader *reader, const char *path, int64_t number,
            struct err *err)
{
    const int64_t last =
        database_number(reader->database, "SELECT max(run) FROM runs", 0);
    const enum st st = err_set(err, ST_NOT_FOUND, "run",
                               "%s has no run %" PRId64, path, number);

    err_set_remedy(err,
                   "its last run is #%" PRId64
                   "; orchlab list --json shows the numbers",
                   last);
    return st;
}

/* Reads the row of the run. */
static enum st
read_run(struct reader *reader, const char *path, int64_t number,
         struct err *err)
{
    struct reader_run *run = &reader->run;
    struct query *query = query_create(
        reader->database,
        "SELECT run, key, name, path, scenario, version, started, state,"
        " reason, hash, seed, virtual_ps, stop_ps, hops, drops, pauses, marks,"
        " wall_ns FROM runs WHERE ?1 IN (0, run) ORDER BY run LIMIT 1");
    bool found = false;
    enum st st;

    reader->about = query;
    query_set_number(query, 1, number);
    st = query_next(query, &found, err);
    if (!st && !found) {
        return number ? fail_number(reader, path, number, err)
                      : err_set(err, ST_INVALID, "not-results",
                                "%s has no run: its writer died at once", path);
    }
    if (st) {
        return st;
    }
    reader->number = query_number(query, 0);
    *run = (struct reader_run){
        .key = query_text(query, 1),
        .name = query_text(query, 2),
        .path = query_text(query, 3),
        .scenario = query_text(query, 4),
        .version = query_text(query, 5),
        .started = query_text(query, 6),
        .state = query_text(query, 7),
        .reason = query_text(query, 8),
        .hash = query_text(query, 9),
        .seed = (uint64_t)query_number(query, 10),
        .virtual_ps = query_number(query, 11),
        .stop_ps = query_number(query, 12),
        .hops = query_number(query, 13),
        .drops = query_number(query, 14),
        .pauses = query_number(query, 15),
        .marks = query_number(query, 16),
        .wall_ns = query_number(query, 17),
    };
    return ST_OK;
}

int64_t
reader_split_path(const char *path, size_t *length)
{
    const char *mark = strrchr(path, '#');
    uint64_t number;

    *length = strlen(path);
    if (!mark || access(path, F_OK) == 0 ||
        parse_u64(mark + 1, 1, INT64_MAX, &number)) {
        return 0;
    }
    *length = (size_t)(mark - path);
    return (int64_t)number;
}

/* Checks that what follows a '#' behind the name of a file is a number. */
static enum st
check_number(const char *path, struct err *err)
{
    const char *mark = strrchr(path, '#');
    char *file;
    bool is_file;
    enum st st;

    if (!mark || access(path, F_OK) == 0) {
        return ST_OK;
    }
    file = check_strdup(path);
    file[mark - path] = '\0';
    is_file = access(file, F_OK) == 0;
    free(file);
    if (!is_file) {
        return ST_OK;
    }
    st = err_set(err, ST_INVALID, "run", "'%s' is no number of a run of %.*s",
                 mark + 1, (int)(mark - path), path);
    err_set_field(err, NULL, mark + 1, "FILE#NUMBER, from 1 on");
    err_set_remedy(err, "orchlab list --json shows the numbers");
    return st;
}

enum st
reader_open(const char *path, struct reader **result, struct err *err)
{
    struct reader *reader = check_calloc(1, sizeof *reader);
    struct text file = {0};
    size_t length;
    const int64_t number = reader_split_path(path, &length);
    enum st st = number ? ST_OK : check_number(path, err);

    text_addf(&file, "%.*s", (int)length, path);
    path = text_string(&file);
    st = st ? st : database_open(path, false, &reader->database, err);
    st = st ? st : schema_check(reader->database, path, err);
    st = st ? st : read_run(reader, path, number, err);
    text_fini(&file);
    if (st) {
        reader_close(reader);
        return st;
    }
    *result = reader;
    return ST_OK;
}

void
reader_close(struct reader *reader)
{
    if (reader) {
        query_finish(reader->about);
        database_close(reader->database);
        free(reader);
    }
}

const struct reader_run *
reader_run(const struct reader *reader)
{
    return &reader->run;
}

struct query *
reader_query(struct reader *reader, const char *sql)
{
    struct query *query = query_create(reader->database, sql);

    query_set_number(query, 1, reader->number);
    return query;
}

struct database *
reader_database(struct reader *reader)
{
    return reader->database;
}

int64_t
reader_number(const struct reader *reader)
{
    return reader->number;
}

enum st
reader_try_query(struct reader *reader, const char *sql, struct query **query,
                 struct err *err)
{
    const enum st st = query_try(reader->database, sql, query, err);

    if (!st && strstr(sql, "?1")) {
        query_set_number(*query, 1, reader->number);
    }
    return st;
}

/* Appends the conditions of the labels of 'metric'; their values become
 * parameters from 2 on, see set_labels(). */
static void
add_conditions(struct text *sql, const struct metric *metric)
{
    int parameter = 2;

    for (int i = 0; i < METRIC_N_LABELS; i++) {
        const char *name = metric_label_name((enum metric_label)i);

        if (*metric->labels[i]) {
            text_addf(sql, " AND %s GLOB ?%d",
                      i == METRIC_LABEL_GROUP ? "group_name" : name,
                      parameter++);
        }
    }
}

static void
set_labels(struct query *query, const struct metric *metric)
{
    int parameter = 2;

    for (int i = 0; i < METRIC_N_LABELS; i++) {
        if (*metric->labels[i]) {
            query_set_text(query, parameter++, metric->labels[i]);
        }
    }
}

/* Calls 'function' for each row of value, weight and object of 'query', until
 * it returns false; frees 'query'. */
static enum st
pass_values(struct query *query, double scale, reader_value_function *function,
            void *context, struct err *err)
{
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        if (!function(context, query_real(query, 0) * scale,
                      (uint64_t)query_number(query, 1), query_text(query, 2))) {
            break;
        }
    }
    query_finish(query);
    return st;
}

/* Returns whether the latencies of messages are to be read from histograms: no
 * messages were recorded, and only the group selects. */
static bool
needs_histograms(struct reader *reader, const struct metric *metric)
{
    for (int i = 0; i < METRIC_N_LABELS; i++) {
        if (i != METRIC_LABEL_GROUP && *metric->labels[i]) {
            return false;
        }
    }
    return database_number(reader->database,
                           "SELECT count(*) FROM (SELECT 1 FROM messages"
                           " LIMIT 1)",
                           0) == 0;
}

/* The latencies of messages in histograms by group: the upper limits of
 * buckets. */
static enum st
pass_histograms(struct reader *reader, const struct metric *metric,
                reader_value_function *function, void *context, struct err *err)
{
    const char *group = metric->labels[METRIC_LABEL_GROUP];
    struct query *query = reader_query(
        reader, "SELECT min(high, (SELECT max FROM histograms s WHERE s.run ="
                " h.run AND s.name = h.name AND s.object = h.object)), n,"
                " object FROM hist h WHERE run = ?1 AND name = 'message' AND"
                " object GLOB ?2 ORDER BY rowid");

    query_set_text(query, 2, *group ? group : "*");
    return pass_values(query, PS, function, context, err);
}

enum st
reader_values(struct reader *reader, const struct metric *metric,
              reader_value_function *function, void *context, struct err *err)
{
    const struct source *source = &sources[metric->quantity];
    struct text sql = {0};
    struct query *query;

    if (metric->quantity == METRIC_MESSAGE_LATENCY &&
        needs_histograms(reader, metric)) {
        return pass_histograms(reader, metric, function, context, err);
    }
    text_addf(&sql,
              "SELECT %s AS v, 1, %s FROM %s WHERE run = ?1 AND v IS NOT"
              " NULL",
              source->value, source->object, source->view);
    add_conditions(&sql, metric);
    query = reader_query(reader, text_string(&sql));
    set_labels(query, metric);
    text_fini(&sql);
    return pass_values(query, source->scale, function, context, err);
}

const char *
reader_list_name(enum reader_list list)
{
    return lists[list].name;
}

enum metric_quantity
reader_list_quantity(enum reader_list list)
{
    return lists[list].quantity;
}

enum { COLUMN_SIZE = 64 };

/* Returns whether 'word' means column 'name': tables for people leave out the
 * unit. */
static bool
names_column(const char *word, const char *name)
{
    static const char *const units[] = {"", "_ps", "_bps", "_bytes"};
    const size_t length = strlen(word);
    bool found = false;

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        found |=
            !strncmp(name, word, length) && !strcmp(name + length, units[i]);
    }
    return found;
}

/* Stores the column of the view that 'order' means. */
static enum st
find_order(struct reader *reader, const char *view, const char *order,
           char column[COLUMN_SIZE], struct err *err)
{
    struct text sql = {0};
    struct choices choices;
    struct query *query;
    bool known = false;

    text_addf(&sql, "SELECT * FROM %s", view);
    query = query_create(reader->database, text_string(&sql));
    choices_init(&choices, order);
    for (int i = 1; i < query_columns(query); i++) {
        choices_add(&choices, query_name(query, i));
        if (!known && names_column(order, query_name(query, i))) {
            known = text_copy(column, COLUMN_SIZE, query_name(query, i));
        }
    }
    query_finish(query);
    text_fini(&sql);
    err_set(err, ST_INVALID, "column", "there is no column '%s'", order);
    (void)choices_explain(&choices, "column", err);
    return known ? ST_OK : ST_INVALID;
}

struct query *
reader_list(struct reader *reader, const struct reader_choice *choice,
            struct err *err)
{
    const char *view = sources[lists[choice->list].quantity].view;
    struct err unknown = {0};
    char column[COLUMN_SIZE];
    struct text sql = {0};
    struct query *query;

    if (choice->order &&
        find_order(reader, view, choice->order, column, &unknown)) {
        *err = unknown;
        return NULL;
    }
    text_addf(&sql, "SELECT * FROM %s WHERE run = ?1", view);
    add_conditions(&sql, &choice->labels);
    if (choice->order) {
        text_addf(&sql, " ORDER BY %s DESC", column);
    } else if (numbers[choice->list]) {
        text_addf(&sql, " ORDER BY %s", numbers[choice->list]);
    }
    text_addf(&sql, " LIMIT %lld", (long long)choice->limit);
    query = reader_query(reader, text_string(&sql));
    set_labels(query, &choice->labels);
    text_fini(&sql);
    return query;
}
