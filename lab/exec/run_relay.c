/* SPDX-License-Identifier: Apache-2.0 */

/* Brings what the ranks of a run report to rank 0. */

#include <config.h>

#include "lab/exec/run_relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/histogram.h"
#include "base/text.h"
#include "lab/builder/topology.h"
#include "lab/exec/communicator.h"
#include "lab/measure/results.h"
#include "lab/measure/sink.h"
#include "twin/fabric/fabric.h"

enum { PRIORITIES = 8, NAME_SIZE = 128 };

/* X(callback, record, time): what a run reports.  Verdicts and changes are of
 * rank 0 alone. */
#define REPORTS(X)                                                             \
    X(flow_ended, sink_flow, end_ps)                                           \
    X(message_ended, sink_message, end_ps)                                     \
    X(pause_started, sink_pause, start_ps)                                     \
    X(pause_ended, sink_pause, end_ps)                                         \
    X(storm_ended, sink_storm, detected_ps)                                    \
    X(dropped, sink_drop, t_ps)                                                \
    X(marked, sink_mark, t_ps)                                                 \
    X(sampled, sink_sample, t_ps)

enum report_kind {
#define X(callback, record, time) REPORT_##callback,
    REPORTS(X)
#undef X
};

/* Before each record, whose size is rounded up to that of int64_t. */
struct report {
    int64_t t_ps;
    uint64_t order; /* Of the event, if there is an engine. */
    uint32_t kind;
    uint32_t bytes;
};

/* A counter, or an oracle. */
struct row {
    bool is_oracle;
    uint32_t node, port, priority; /* Of a counter. */
    uint64_t value;
    double expected; /* Of an oracle. */
    char name[NAME_SIZE];
    char object[NAME_SIZE]; /* Of an oracle. */
};

struct bytes {
    char *bytes;
    size_t n, room;
};

struct run_relay {
    struct communicator *comm;
    const struct topology *topology;
    const struct engine *engine; /* NULL: the records have the time. */
    bool is_dated;               /* 'date' is that of the next report. */
    struct report date;
    struct sink sink; /* Keeps reports. */
    const struct sink *target;
    struct bytes reports, rows, queues;
    struct results *results;
    struct parcel *out, *in; /* By rank. */

    /* Of rank 0.  The pauses that last, plus 1, by the port that has to stop
     * and by priority; 0: none. */
    uint64_t *pauses;
    uint64_t n_pauses;
};

static void *
add_bytes(struct bytes *to, size_t n)
{
    if (to->n + n > to->room) {
        to->room = to->room * 2 > to->n + n ? to->room * 2 : to->n + n;
        to->bytes = check_realloc(to->bytes, to->room);
    }
    to->n += n;
    return to->bytes + to->n - n;
}

/* Reports ------------------------------------------------------------------ */

static void
keep(struct run_relay *relay, enum report_kind kind, int64_t t_ps,
     const void *record, size_t size)
{
    const size_t rounded =
        (size + sizeof(int64_t) - 1) / sizeof(int64_t) * sizeof(int64_t);
    struct report *report =
        add_bytes(&relay->reports, sizeof *report + rounded);

    *report = (struct report){t_ps, 0, kind, (uint32_t)rounded};
    if (relay->engine) {
        report->t_ps =
            relay->is_dated ? relay->date.t_ps : engine_now_ps(relay->engine);
        report->order =
            relay->is_dated ? relay->date.order : engine_order(relay->engine);
        relay->is_dated = false;
    }
    memcpy(report + 1, record, size);
    memset((char *)(report + 1) + size, 0, rounded - size);
}

#define X(callback, type, time)                                                \
    static void keep_##callback(void *relay, const struct type *record)        \
    {                                                                          \
        keep(relay, REPORT_##callback, record->time, record, sizeof *record);  \
    }
REPORTS(X)
#undef X

/* Returns the place of the pause of 'priority' that port 'port' of 'node' has
 * to obey. */
static uint64_t *
pause_at(struct run_relay *relay, uint32_t node, uint32_t port,
         uint8_t priority)
{
    const size_t number = relay->topology->nodes[node].first_port + port;

    return &relay->pauses[number * PRIORITIES + priority];
}

/* Numbers 'pause', and finds its cause if it starts. */
static void
identify(struct run_relay *relay, struct sink_pause *pause, bool starts)
{
    uint64_t *place =
        pause_at(relay, pause->node, pause->port, pause->priority);

    if (starts) {
        const uint64_t cause =
            pause->congested_port == SINK_NONE
                ? 0
                : *pause_at(relay, pause->by_node, pause->congested_port,
                            pause->priority);

        pause->cause = cause ? cause - 1 : SINK_NO_PAUSE;
        *place = ++relay->n_pauses;
    }
    pause->id = *place - 1;
    *place = starts ? *place : 0;
}

/* Passes 'report' to the sink. */
static void
deliver(struct run_relay *relay, const struct report *report)
{
    const struct sink *target = relay->target;
    struct sink_pause pause;
    const void *record = report + 1;
    const bool is_pause = report->kind == REPORT_pause_started ||
                          report->kind == REPORT_pause_ended;

    if (is_pause) {
        pause = *(const struct sink_pause *)record;
        identify(relay, &pause, report->kind == REPORT_pause_started);
        record = &pause;
    }
    switch ((enum report_kind)report->kind) {
#define X(callback, type, time)                                                \
    case REPORT_##callback:                                                    \
        if (target->callback) {                                                \
            target->callback(target->context, record);                         \
        }                                                                      \
        break;
        REPORTS(X)
#undef X
    }
}

static int
by_time(const void *a_, const void *b_)
{
    const struct report *const *a = a_, *const *b = b_;

    return (*a)->t_ps != (*b)->t_ps
               ? ((*a)->t_ps > (*b)->t_ps) - ((*a)->t_ps < (*b)->t_ps)
               : ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

/* Returns the reports in 'parcels', by time; stores their number in '*n'.  The
 * caller frees the array. */
static const struct report **
sort_reports(const struct parcel *parcels, uint32_t n_ranks, size_t *n)
{
    const struct report **sorted = NULL;
    size_t room = 0;

    *n = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        for (size_t at = 0; at < parcels[r].n;) {
            const struct report *report =
                (const void *)((const char *)parcels[r].bytes + at);

            if (*n == room) {
                room = room ? 2 * room : 256;
                sorted = check_realloc(sorted, room * sizeof(struct report *));
            }
            sorted[(*n)++] = report;
            at += sizeof *report + report->bytes;
        }
    }
    return sorted;
}

/* Brings 'bytes' of all ranks to rank 0: 'relay->in', also its own. */
static void
gather(struct run_relay *relay, const void *bytes, size_t n)
{
    struct communicator *comm = relay->comm;

    memset(relay->out, 0, comm->n_ranks * sizeof *relay->out);
    if (comm->rank != 0) {
        relay->out[0] = (struct parcel){bytes, n};
    }
    comm->exchange(comm, relay->out, relay->in);
    relay->in[comm->rank] = (struct parcel){bytes, n};
}

/* Sorts stably: qsort() does not. */
static void
merge_sort(const struct report **items, const struct report **spare, size_t n)
{
    const size_t half = n / 2;
    size_t a = 0, b = half;

    if (n < 2) {
        return;
    }
    merge_sort(items, spare, half);
    merge_sort(items + half, spare, n - half);
    memcpy(spare, items, n * sizeof(struct report *));
    for (size_t i = 0; i < n; i++) {
        const bool first =
            b == n || (a < half && by_time(&spare[a], &spare[b]) <= 0);

        items[i] = first ? spare[a++] : spare[b++];
    }
}

void
run_relay_date(struct run_relay *relay, int64_t t_ps, uint64_t order)
{
    relay->is_dated = true;
    relay->date = (struct report){.t_ps = t_ps, .order = order};
}

void
run_relay_flush(struct run_relay *relay)
{
    struct communicator *comm = relay->comm;
    const struct report **sorted, **spare;
    size_t n;

    if (relay->engine && relay->reports.n == 0) {
        return;
    }
    gather(relay, relay->reports.bytes, relay->reports.n);
    if (comm->rank == 0) {
        sorted = sort_reports(relay->in, comm->n_ranks, &n);
        spare = check_malloc(n * sizeof(struct report *) + 1);
        merge_sort(sorted, spare, n);
        for (size_t i = 0; i < n; i++) {
            deliver(relay, sorted[i]);
        }
        free(sorted);
        free(spare);
    }
    relay->reports.n = 0;
}

/* Rows --------------------------------------------------------------------- */

/* Of a struct results_forward. */
static void
keep_counter(void *relay, uint32_t node, uint32_t port, uint32_t priority,
             const char *name, uint64_t value)
{
    struct row *row =
        add_bytes(&((struct run_relay *)relay)->rows, sizeof *row);

    *row = (struct row){
        .node = node, .port = port, .priority = priority, .value = value};
    text_copy(row->name, sizeof row->name, name);
}

static void
keep_oracle(void *relay, const char *oracle, const char *object, double value)
{
    struct row *row =
        add_bytes(&((struct run_relay *)relay)->rows, sizeof *row);

    *row = (struct row){.is_oracle = true, .expected = value};
    text_copy(row->name, sizeof row->name, oracle);
    text_copy(row->object, sizeof row->object, object);
}

static void
keep_queue(void *relay, const struct results_queue *queue)
{
    memcpy(add_bytes(&((struct run_relay *)relay)->queues, sizeof *queue),
           queue, sizeof *queue);
}

static void
add_rows(struct results *results, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].is_oracle) {
            results_add_oracle(results, rows[i].name, rows[i].object,
                               rows[i].expected);
        } else {
            results_add_counter(results, rows[i].node, rows[i].port,
                                rows[i].priority, rows[i].name, rows[i].value);
        }
    }
}

void
run_relay_gather(struct run_relay *relay, struct results *results)
{
    const struct communicator *comm = relay->comm;

    gather(relay, relay->rows.bytes, relay->rows.n);
    for (uint32_t r = 1; comm->rank == 0 && r < comm->n_ranks; r++) {
        add_rows(results, relay->in[r].bytes,
                 relay->in[r].n / sizeof(struct row));
    }
    gather(relay, relay->queues.bytes, relay->queues.n);
    for (uint32_t r = 1; comm->rank == 0 && r < comm->n_ranks; r++) {
        const struct results_queue *queues = relay->in[r].bytes;

        for (size_t i = 0; i < relay->in[r].n / sizeof *queues; i++) {
            results_add_queue(results, &queues[i]);
        }
    }
    relay->rows.n = relay->queues.n = 0;
}

void
run_relay_merge(struct run_relay *relay, struct histogram *histogram)
{
    gather(relay, histogram, sizeof *histogram);
    for (uint32_t r = 1; relay->comm->rank == 0 && r < relay->comm->n_ranks;
         r++) {
        histogram_merge(histogram, relay->in[r].bytes);
    }
}

/* Creation ----------------------------------------------------------------- */

struct run_relay *
run_relay_create(struct communicator *comm, const struct topology *topology,
                 const struct sink *sink, const struct engine *engine)
{
    struct run_relay *relay = check_calloc(1, sizeof *relay);

    relay->comm = comm;
    relay->topology = topology;
    relay->target = sink;
    relay->engine = engine;
    relay->out = check_calloc(comm->n_ranks, sizeof *relay->out);
    relay->in = check_calloc(comm->n_ranks, sizeof *relay->in);
    relay->sink = (struct sink){
#define X(callback, record, time)                                              \
    .callback = engine && !sink->callback ? NULL : keep_##callback,
        REPORTS(X)
#undef X
            .context = relay};
    if (comm->rank == 0) {
        relay->pauses = check_calloc((size_t)topology->n_ports * PRIORITIES,
                                     sizeof *relay->pauses);
    }
    relay->results = results_create_forward(
        &(struct results_forward){.counter = keep_counter,
                                  .oracle = keep_oracle,
                                  .queue = keep_queue,
                                  .context = relay});
    return relay;
}

void
run_relay_destroy(struct run_relay *relay)
{
    if (!relay) {
        return;
    }
    results_abandon(relay->results);
    free(relay->reports.bytes);
    free(relay->rows.bytes);
    free(relay->queues.bytes);
    free(relay->pauses);
    free(relay->out);
    free(relay->in);
    free(relay);
}

const struct sink *
run_relay_sink(struct run_relay *relay)
{
    return &relay->sink;
}

struct results *
run_relay_results(struct run_relay *relay)
{
    return relay->results;
}
