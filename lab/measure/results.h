/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_RESULTS_H
#define ORCHD_LAB_MEASURE_RESULTS_H

/* Writes the results file of a run: one SQLite database.
 *
 * docs/reference/orchlab.md has the schema, which is part of the interface: any
 * language reads it.  results/schema.h has its version.
 *
 * The file is valid at every instant.  The row of the run says 'incomplete'
 * from its creation until results_finish(), and how far virtual time has come
 * as of the last commit.  The database is in WAL mode: all that has been
 * committed survives the death of the process (also kill -9), and others can
 * read the file while the run goes on.  Rows are committed by
 * results_progress(), or each RESULTS_BATCH_ROWS rows.
 *
 * Functions that record return nothing: the first error (a full disk) is kept,
 * later rows are ignored, and results_progress() and results_finish() report
 * it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct histogram;
struct query;
struct sink;
struct sink_verdict;

/* Rows in one transaction, unless results_progress() ends it earlier. */
#define RESULTS_BATCH_ROWS 20000

/* Describes the run.  All texts are copied. */
struct results_about {
    /* Names the run in lists; digest of scenario, models and version. */
    const char *key;
    const char *name;     /* Of the scenario. */
    const char *scenario; /* Its text after substitution. */
    const char *path;     /* Of its file. */
    const char *version;  /* Of this program. */
    const char *started;  /* UTC, ISO 8601: "2026-01-31T12:00:00Z". */
    uint64_t seed;
    int64_t stop_ps; /* When the run ends at the latest. */
};

/* One queue of a port of a switch at the end of the run. */
struct results_queue {
    uint32_t node, port;
    uint8_t queue;
    uint64_t packets, bytes; /* Sent. */
    uint64_t dropped_packets;
    uint64_t marked_packets;
    uint64_t peak_bytes; /* Watermark. */
};

struct results;

/* Creates 'path', which must not exist, and stores the writer in '*results'.
 * ST_EXISTS, or ST_IO if it cannot be written; 'err' says why. */
enum st results_create(const char *path, const struct results_about *about,
                       struct results **results,
                       struct err *err) ST_WARN_UNUSED;

/* Where queues, counters and oracles go that are recorded without a file: to
 * the process that has it. */
struct results_forward {
    void (*counter)(void *context, uint32_t node, uint32_t port,
                    uint32_t priority, const char *name, uint64_t value);
    void (*oracle)(void *context, const char *oracle, const char *object,
                   double value);
    void (*queue)(void *context, const struct results_queue *queue);
    void *context;
};

/* Returns a writer without a file: it takes results_add_counter(),
 * results_add_oracle(), results_add_queue() and results_abandon() only. */
struct results *results_create_forward(const struct results_forward *forward);

/* Record what is fixed before the run starts.  Numbers as in
 * lab/measure/sink.h; the tier as in the topology: hosts -1, T0 0. */
void results_add_param(struct results *results, const char *name,
                       const char *value);
void results_add_node(struct results *results, uint32_t node, const char *name,
                      const char *role, int tier);
void results_add_port(struct results *results, uint32_t node, uint32_t port,
                      const char *name, uint32_t peer_node, uint32_t peer_port,
                      uint64_t speed_bps, uint64_t length_mm);
void results_add_group(struct results *results, uint32_t group,
                       const char *name);
void results_add_series(struct results *results, uint32_t series,
                        const char *metric, const char *object,
                        const char *unit);

/* The egress ports that the packets of 'flow' take, in order: hop 0 is that of
 * the source. */
void results_add_hop(struct results *results, uint32_t flow, uint32_t hop,
                     uint32_t node, uint32_t port);

/* The value that theory (lab/oracle) gives for 'object' ("flow 12", "t0-1
 * Ethernet0|3"; "" is the run as a whole), in the unit of the metric it is
 * compared with (lab/measure/verdict.h). */
void results_add_oracle(struct results *results, const char *oracle,
                        const char *object, double value);

/* Returns a sink that records into the file; borrowed. */
const struct sink *results_sink(struct results *results);

/* Record what is known at the end.  A counter without a node (SINK_NONE) is one
 * of the fabric. */
void results_add_queue(struct results *results,
                       const struct results_queue *queue);
void results_add_counter(struct results *results, uint32_t node, uint32_t port,
                         uint32_t priority, const char *name, uint64_t value);
void results_add_histogram(struct results *results, const char *name,
                           const char *object,
                           const struct histogram *histogram);

/* Stores how far the run is and commits.  Returns the first error so far. */
enum st results_progress(struct results *results, int64_t virtual_ps,
                         uint64_t hops, struct err *err) ST_WARN_UNUSED;

/* Commits, moves everything into the one file and closes it, until
 * results_reopen(): a copy of the file is complete then, and of the process no
 * part of SQLite is left that knows the file.  Nothing can be recorded
 * meanwhile.  While another process reads the file it keeps its "-wal" file.
 * Returns the first error so far. */
enum st results_release(struct results *results, int64_t virtual_ps,
                        uint64_t hops, struct err *err) ST_WARN_UNUSED;

/* Opens the file again, which may be another one with the same contents.  Does
 * nothing while it is open.  ST_NOT_FOUND, ST_IO, ST_INVALID as
 * database_open(): only results_abandon() is possible then. */
enum st results_reopen(struct results *results, struct err *err) ST_WARN_UNUSED;

/* X(member, name).  How a run can end. */
#define RESULTS_STATES(X)                                                      \
    X(INCOMPLETE, "incomplete") /* It runs, or its process has died. */        \
    X(COMPLETE, "complete")                                                    \
    X(CHANGED, "changed")         /* Complete, with changes by hand. */        \
    X(INTERRUPTED, "interrupted") /* By the user; all rows up to there. */     \
    X(FAILED, "failed")           /* 'reason' says why. */

enum results_state {
#define X(member, name) RESULTS_##member,
    RESULTS_STATES(X)
#undef X
};

const char *results_state_name(enum results_state state);

/* For lab/measure alone: fills columns 2 to 9 of 'query', which inserts the row
 * of a run. */
void results_set_about(struct query *query, const struct results_about *about,
                       enum results_state state);

/* The end of a run. */
struct results_end {
    enum results_state state;
    const char *reason; /* NULL: none. */
    int64_t virtual_ps;
    uint64_t hops;
    int64_t wall_ns; /* How long it took. */
};

/* Stores the end with the result hash (lab/measure/result_hash.h), commits,
 * moves everything into the one file, closes it and frees 'results'.  Returns
 * the first error of all, after which the file still says 'incomplete'. */
enum st results_finish(struct results *results, const struct results_end *end,
                       struct err *err) ST_WARN_UNUSED;

/* Closes without an end: the file stays 'incomplete'.  Accepts NULL. */
void results_abandon(struct results *results);

/* Returns the result hash of what has been recorded so far, 16 hexadecimal
 * digits; borrowed until the next call with 'results'. */
const char *results_hash(struct results *results);

#endif /* lab/measure/results.h */
