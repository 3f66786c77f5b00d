/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_READER_H
#define ORCHD_LAB_MEASURE_READER_H

/* Reads results files: of complete runs, of dead ones and of those that go on.
 *
 * A reader looks at one run of a file: the first, or number 3 if the path is
 * "FILE#3". */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/measure/metric.h"

struct query;
struct reader;

/* The row of the run; texts are borrowed from the reader, "" if missing. */
struct reader_run {
    const char *key, *name, *path, *scenario, *version, *started;
    const char *state; /* A name of RESULTS_STATES. */
    const char *reason, *hash;
    uint64_t seed;
    int64_t virtual_ps, stop_ps;
    int64_t hops, drops, pauses, marks;
    int64_t wall_ns; /* 0: unknown. */
};

/* Opens 'path' and stores the reader in '*reader'.  ST_NOT_FOUND or ST_IO: it
 * cannot be read; ST_INVALID: it is no results file; ST_UNSUPPORTED: a newer
 * program has written it. */
enum st reader_open(const char *path, struct reader **reader,
                    struct err *err) ST_WARN_UNUSED;

/* Returns the number of a run in 'path', and stores how many characters of it
 * name the file.  0: it names no run. */
int64_t reader_split_path(const char *path, size_t *length);

/* Accepts NULL. */
void reader_close(struct reader *reader);

/* Returns what is known of the run; valid until the reader is closed. */
const struct reader_run *reader_run(const struct reader *reader);

/* A value of a quantity: 'n' times 'value' (histograms have several at once) of
 * 'object': "flow 12", "t0-1 Ethernet0|3".  Returns whether to go on. */
typedef bool reader_value_function(void *context, double value, uint64_t n,
                                   const char *object);

/* Calls 'function' for each value that 'metric' selects, in a fixed order. */
enum st reader_values(struct reader *reader, const struct metric *metric,
                      reader_value_function *function, void *context,
                      struct err *err) ST_WARN_UNUSED;

/* X(member, name, quantity): the lists of "orchlab show" and the quantity whose
 * labels select their rows. */
#define READER_LISTS(X)                                                        \
    X(FLOWS, "flows", FLOW_FCT)                                                \
    X(MESSAGES, "messages", MESSAGE_LATENCY)                                   \
    X(IOS, "ios", IO_LATENCY)                                                  \
    X(SPANS, "spans", SPAN_TIME)                                               \
    X(LINKS, "links", LINK_RATE)                                               \
    X(HOSTS, "hosts", HOST_PAUSED)                                             \
    X(ESTATS, "estats", ESTATS_TOTAL)                                          \
    X(SIDES, "sides", SIDE_VERDICT)                                            \
    X(PAUSES, "pauses", PAUSE_TIME)                                            \
    X(STORMS, "storms", STORM_DETECTION)                                       \
    X(DEADLOCKS, "deadlocks", DEADLOCK_PACKETS)                                \
    X(QUEUES, "queues", QUEUE_PEAK)                                            \
    X(DROPS, "drops", DROP_PACKETS)                                            \
    X(PATHS, "paths", PATH_HOP)                                                \
    X(COUNTERS, "counters", COUNTER)                                           \
    X(SERIES, "series", SERIES)                                                \
    X(ORACLES, "oracles", ORACLE)

enum reader_list {
#define X(member, name, quantity) READER_##member,
    READER_LISTS(X)
#undef X
        READER_N_LISTS
};

/* Which rows of a list. */
struct reader_choice {
    enum reader_list list;
    struct metric labels; /* Only its labels; see reader_list_quantity(). */
    const char *order;    /* A column, descending; NULL: as recorded. */
    int64_t limit;        /* Rows; negative: all. */
};

/* Returns the name of 'list', and the quantity that has its labels. */
const char *reader_list_name(enum reader_list list);
enum metric_quantity reader_list_quantity(enum reader_list list);

/* Returns a query with a row per entry, its columns named; query_finish() frees
 * it.  NULL: there is no column 'order'; 'err' lists them. */
struct query *reader_list(struct reader *reader,
                          const struct reader_choice *choice, struct err *err);

/* Returns a query of 'sql', whose first parameter is the number of the run. */
struct query *reader_query(struct reader *reader, const char *sql);

/* The same for SQL from outside, which may use the parameter ?1 or not.
 * ST_INVALID: it does not compile. */
enum st reader_try_query(struct reader *reader, const char *sql,
                         struct query **query, struct err *err) ST_WARN_UNUSED;

/* Returns the database, borrowed, and the number of the run in it. */
struct database *reader_database(struct reader *reader);
int64_t reader_number(const struct reader *reader);

#endif /* lab/measure/reader.h */
