/* SPDX-License-Identifier: Apache-2.0 */

/* The sink that records into a results file. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/histogram.h"
#include "base/text.h"
#include "lab/measure/results.h"
#include "lab/measure/results_state.h"
#include "results/database.h"

static void
record_flow(void *context, const struct sink_flow *flow)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_flows);

    RESULTS_SET(query, 2, flow->flow, flow->group, flow->source,
                flow->destination, flow->priority);
    query_set_text(query, 7, sink_flow_state_name(flow->state));
    RESULTS_SET(query, 8, flow->error, flow->start_ps, flow->end_ps,
                (int64_t)flow->bytes, (int64_t)flow->packets,
                (int64_t)flow->retransmitted, (int64_t)flow->marked,
                (int64_t)flow->cnps, (int64_t)flow->timeouts,
                (int64_t)flow->skipped, (int64_t)flow->lost,
                (int64_t)flow->cwnd_bytes);
    results_execute(results, query);
    result_hash_flow(&results->hash, flow);
    results_recorded(results, flow->end_ps);
}

static void
record_message(void *context, const struct sink_message *message)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_messages);

    RESULTS_SET(query, 2, message->flow, message->group,
                (int64_t)message->number, message->start_ps, message->end_ps,
                (int64_t)message->bytes, message->lost);
    results_execute(results, query);
    result_hash_message(&results->hash, message);
    results_recorded(results, message->end_ps);
}

static void
record_io(void *context, const struct sink_io *io)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_ios);

    query_set_number(query, 2, (int64_t)io->number);
    query_set_text(query, 3, io->disk);
    query_set_text(query, 4, io->verb);
    RESULTS_SET(query, 5, io->client, io->server, io->node, io->copies,
                (int64_t)io->bytes, io->start_ps, io->end_ps, io->stored_ps,
                (int64_t)io->front_bytes, (int64_t)io->back_bytes);
    results_execute(results, query);
    result_hash_io(&results->hash, io);
    results_recorded(results, io->end_ps);
}

static void
record_span(void *context, const struct sink_span *span)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_spans);

    RESULTS_SET(query, 2, (int64_t)span->io, span->step);
    query_set_text(query, 4, span->name);
    RESULTS_SET(query, 5, span->from, span->to, span->start_ps, span->end_ps);
    results_execute(results, query);
    results_recorded(results, span->end_ps);
}

static void
record_pause_start(void *context, const struct sink_pause *pause)
{
    struct results *results = context;
    struct results_pause *open = check_calloc(1, sizeof *open);
    struct results_pause *old;

    open->pause = *pause;
    HASH_REPLACE(hh, results->open, pause.id, sizeof open->pause.id, open, old);
    orch_assert(!old);
    results->n_pauses++;
    results_recorded(results, pause->start_ps);
}

static void
record_pause_end(void *context, const struct sink_pause *pause)
{
    struct results *results = context;
    struct results_pause *open;

    HASH_FIND(hh, results->open, &pause->id, sizeof pause->id, open);
    orch_assert(open);
    open->pause.end_ps = pause->end_ps;
    results_insert_pause(results, &open->pause, true);
    result_hash_pause(&results->hash, &open->pause);
    HASH_DEL(results->open, open);
    free(open);
    results_recorded(results, pause->end_ps);
}

static void
record_drop(void *context, const struct sink_drop *drop)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_drops);

    RESULTS_SET(query, 2, (int64_t)results->n_drops++, drop->t_ps, drop->node,
                drop->port, drop->priority);
    query_set_text(query, 7, sink_drop_reason_name(drop->reason));
    if (drop->flow != SINK_NONE) {
        RESULTS_SET(query, 8, drop->flow, drop->psn);
    }
    query_set_number(query, 10, drop->bytes);
    results_execute(results, query);
    result_hash_drop(&results->hash, drop);
    results_recorded(results, drop->t_ps);
}

static void
record_mark(void *context, const struct sink_mark *mark)
{
    struct results *results = context;
    const uint64_t queue = (uint64_t)mark->node << 32 |
                           (uint64_t)(mark->port & 0xffffff) << 8 | mark->queue;
    struct results_marks *count;

    HASH_FIND(hh, results->marks, &queue, sizeof queue, count);
    if (!count) {
        count = check_calloc(1, sizeof *count);
        count->queue = queue;
        count->first = *mark;
        HASH_ADD(hh, results->marks, queue, sizeof count->queue, count);
    }
    count->n++;
    count->last_ps = mark->t_ps;
    count->changed = true;
    results->n_marks++;
}

static void
record_sample(void *context, const struct sink_sample *sample)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_samples);

    RESULTS_SET(query, 2, sample->series, sample->t_ps, sample->value);
    results_execute(results, query);
    results_recorded(results, sample->t_ps);
}

static void
record_verdict(void *context, const struct sink_verdict *verdict)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_verdicts);

    query_set_number(query, 2, verdict->number);
    query_set_text(query, 3, verdict->text);
    RESULTS_SET(query, 4, verdict->passed, verdict->known);
    if (verdict->known) {
        query_set_real(query, 6, verdict->value);
    }
    query_set_text(query, 7, verdict->reason);
    results_execute(results, query);
}

static void
record_change(void *context, const struct sink_change *change)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_changes);

    RESULTS_SET(query, 2, change->number, change->t_ps);
    query_set_text(query, 4, change->text);
    results_execute(results, query);
    result_hash_change(&results->hash, change);
    results_recorded(results, change->t_ps);
}

static void
record_storm(void *context, const struct sink_storm *storm)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_storms);

    RESULTS_SET(query, 2, storm->node, storm->port, storm->priority);
    query_set_text(query, 5, sink_watchdog_name(storm->watchdog));
    RESULTS_SET(query, 6, storm->paused_ps, storm->detected_ps);
    if (storm->quiet_ps >= 0) {
        query_set_number(query, 8, storm->quiet_ps);
    }
    if (storm->restored_ps >= 0) {
        query_set_number(query, 9, storm->restored_ps);
    }
    results_execute(results, query);
    results_recorded(results, storm->restored_ps >= 0 ? storm->restored_ps
                                                      : storm->detected_ps);
}

static void
record_deadlock(void *context, const struct sink_deadlock *queue)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_deadlocks);

    RESULTS_SET(query, 2, queue->number, queue->step, queue->node, queue->port,
                queue->priority, (int64_t)queue->packets, (int64_t)queue->bytes,
                queue->start_ps, queue->found_ps);
    if (queue->end_ps >= 0) {
        query_set_number(query, 11, queue->end_ps);
    }
    results_execute(results, query);
    results_recorded(results,
                     queue->end_ps >= 0 ? queue->end_ps : queue->found_ps);
}

/* Sets the interval, parameter 'at', and its times; of a whole run it is
 * NULL. */
static void
set_interval(struct query *query, int at, uint32_t interval, int64_t start_ps,
             int64_t end_ps)
{
    if (interval != SINK_NONE) {
        query_set_number(query, at, interval);
    }
    RESULTS_SET(query, at + 1, start_ps, end_ps);
}

static int64_t
mean(int64_t sum, uint64_t n)
{
    return n ? sum / (int64_t)n : 0;
}

/* Sets count, mean, median, p99 and largest value of 'histogram', from
 * parameter 'at' on. */
static void
set_histogram(struct query *query, int at, const struct histogram *histogram)
{
    const uint64_t n = histogram->n;

    RESULTS_SET(query, at, mean((int64_t)histogram->sum, n),
                (int64_t)histogram_rank(histogram, (n + 1) / 2),
                (int64_t)histogram_rank(histogram, n - n / 100),
                (int64_t)histogram->max);
}

static void
record_operations(void *context, const struct sink_operations *of)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_estats);
    const char *end = of->by_source ? "source" : "destination";
    struct text object = {0};

    query_set_number(query, 2, of->flow);
    set_interval(query, 3, of->interval, of->start_ps, of->end_ps);
    query_set_text(query, 6, end);
    query_set_text(query, 7, of->operation);
    query_set_text(query, 8, of->status);
    RESULTS_SET(query, 9, (int64_t)of->total->n, (int64_t)of->bytes);
    set_histogram(query, 11, of->total);
    set_histogram(query, 15, of->nic);
    set_histogram(query, 19, of->poll);
    for (int i = 0; i < SINK_N_PARTS; i++) {
        query_set_number(query, 23 + i, mean(of->parts_ps[i], of->total->n));
    }
    results_execute(results, query);
    text_addf(&object, "flow %u %s %s %s", (unsigned int)of->flow, end,
              of->operation, of->status);
    if (of->interval != SINK_NONE) {
        text_addf(&object, " interval %u", (unsigned int)of->interval);
    }
    results_add_histogram(results, "estats.total", text_string(&object),
                          of->total);
    results_add_histogram(results, "estats.nic", text_string(&object), of->nic);
    results_add_histogram(results, "estats.poll", text_string(&object),
                          of->poll);
    text_fini(&object);
    results_recorded(results, of->end_ps);
}

static void
record_side(void *context, const struct sink_side *side)
{
    struct results *results = context;
    struct query *query = results_row(results, SCHEMA_TABLE_sides);

    query_set_number(query, 2, side->flow);
    set_interval(query, 3, side->interval, side->start_ps, side->end_ps);
    query_set_text(query, 6, side->side);
    query_set_text(query, 7, side->reason);
    RESULTS_SET(query, 8, (int64_t)side->n, side->latency_ps, side->ideal_ps,
                side->sender_ps, side->network_ps, side->receiver_ps,
                (int64_t)side->bytes, (int64_t)side->retransmitted,
                (int64_t)side->naks, (int64_t)side->rnr_naks,
                (int64_t)side->timeouts, (int64_t)side->cnps, side->asked_ps,
                side->obeyed_ps, side->clock_ps);
    results_execute(results, query);
    results_recorded(results, side->end_ps);
}

static const struct sink recording = {
    .flow_ended = record_flow,
    .message_ended = record_message,
    .io_ended = record_io,
    .span_ended = record_span,
    .pause_started = record_pause_start,
    .pause_ended = record_pause_end,
    .storm_ended = record_storm,
    .deadlock_ended = record_deadlock,
    .dropped = record_drop,
    .marked = record_mark,
    .sampled = record_sample,
    .operations_ended = record_operations,
    .side_found = record_side,
    .judged = record_verdict,
    .changed = record_change,
};

void
results_sink_init(struct results *results)
{
    results->sink = recording;
    results->sink.context = results;
}
