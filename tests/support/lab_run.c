/* SPDX-License-Identifier: Apache-2.0 */

/* Runs of scenarios for tests. */

#include <config.h>

#include "tests/support/lab_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "lab/builder/nic_folder.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"

static const struct run_options options = {.yang_dir = TOP_SRCDIR "/schemas",
                                           .chips_dir = TOP_SRCDIR "/chips",
                                           .configs_dir =
                                               TOP_SRCDIR "/lab/configs"};

/* Reports ------------------------------------------------------------------ */

/* Makes the next report, of 'kind' about 'what' at 't_ps', part of the
 * sequence. */
static void
follow(struct lab_run *lab, uint64_t kind, uint64_t what, int64_t t_ps)
{
    const uint64_t values[] = {kind, what, (uint64_t)t_ps};

    lab->sequence = digest_bytes(lab->sequence, values, sizeof values);
}

static void
on_flow(void *context, const struct sink_flow *flow)
{
    struct lab_run *lab = context;

    result_hash_flow(&lab->hash, flow);
    follow(lab, 1, flow->flow, flow->end_ps);
    follow(lab, flow->state, flow->bytes, (int64_t)flow->marked);
    lab->flows[flow->flow] = *flow;
    lab->n_flows++;
}

static void
on_message(void *context, const struct sink_message *message)
{
    struct lab_run *lab = context;

    result_hash_message(&lab->hash, message);
    follow(lab, 2, message->flow, message->end_ps);
    if ((lab->n_messages & (lab->n_messages - 1)) == 0) {
        lab->messages = check_realloc(lab->messages, (2 * lab->n_messages + 1) *
                                                         sizeof *lab->messages);
    }
    lab->messages[lab->n_messages++] = *message;
}

static void
on_io(void *context, const struct sink_io *io)
{
    struct lab_run *lab = context;

    result_hash_io(&lab->hash, io);
    follow(lab, 8, io->number, io->end_ps);
    lab->ios = check_realloc(lab->ios, (lab->n_ios + 1) * sizeof *lab->ios);
    lab->ios[lab->n_ios++] = *io;
}

static void
on_span(void *context, const struct sink_span *span)
{
    struct lab_run *lab = context;

    lab->spans =
        check_realloc(lab->spans, (lab->n_spans + 1) * sizeof *lab->spans);
    lab->spans[lab->n_spans++] = *span;
}

static void
on_pause(void *context, const struct sink_pause *pause)
{
    struct lab_run *lab = context;

    follow(lab, 3, pause->id, pause->start_ps);
    follow(lab, 3, pause->cause, pause->by_node);
    if (!lab->n_pauses++) {
        lab->first_pause = *pause;
    }
    if (pause->by_node >= lab->experiment.topology.n_switches) {
        lab->n_pauses_by_hosts++;
    } else if (lab->n_pauses == lab->n_pauses_by_hosts + 1) {
        lab->first_switch_pause = *pause;
    }
    lab->last_pause = *pause;
}

static void
on_pause_end(void *context, const struct sink_pause *pause)
{
    struct lab_run *lab = context;

    result_hash_pause(&lab->hash, pause);
    follow(lab, 4, pause->id, pause->end_ps);
    lab->n_ended_pauses++;
}

static void
on_drop(void *context, const struct sink_drop *drop)
{
    struct lab_run *lab = context;

    result_hash_drop(&lab->hash, drop);
    follow(lab, 5, drop->flow, drop->t_ps);
    lab->drops[drop->reason]++;
    lab->n_drops++;
}

static void
on_mark(void *context, const struct sink_mark *mark)
{
    struct lab_run *lab = context;

    follow(lab, 6, mark->node, mark->t_ps);
    if (!lab->n_marks++) {
        lab->first_mark = *mark;
    }
}

static void
on_sample(void *context, const struct sink_sample *sample)
{
    struct lab_run *lab = context;

    follow(lab, 7, sample->series, sample->t_ps);
    follow(lab, 7, 0, sample->value);
    lab->n_samples++;
    if (sample->t_ps >= lab->late_ps) {
        lab->late_sum += (double)sample->value;
        lab->n_late++;
    }
}

static void
on_change(void *context, const struct sink_change *change)
{
    struct lab_run *lab = context;
    const size_t n = lab->log ? strlen(lab->log) : 0;
    const size_t size = n + strlen(change->text) + 2;

    lab->log = check_realloc(lab->log, size);
    (void)snprintf(lab->log + n, size - n, "%s\n", change->text);
}

/* Runs --------------------------------------------------------------------- */

/* Creates a run of 'text' in 'lab'. */
static enum st
create(struct lab_run *lab, const char *text, const struct lab_run_rank *rank,
       uint32_t n_lanes, struct err *err)
{
    struct run_options all = options;
    struct nic_files nics;
    const struct scenario_input input = {.file = "test.yaml",
                                         .text = text,
                                         .length = strlen(text),
                                         .nics = &nics};
    enum st st;

    lab->arena = arena_create(0);
    st = nic_folder_load(TOP_SRCDIR "/nics", lab->arena, &nics, err);
    st =
        st ? st : experiment_load(&input, 0, lab->arena, &lab->experiment, err);
    if (st) {
        return st;
    }
    lab->sink = (struct sink){.flow_ended = on_flow,
                              .message_ended = on_message,
                              .io_ended = on_io,
                              .span_ended = on_span,
                              .pause_started = on_pause,
                              .pause_ended = on_pause_end,
                              .dropped = on_drop,
                              .marked = on_mark,
                              .sampled = on_sample,
                              .changed = on_change,
                              .context = lab};
    lab->flows = check_calloc(lab->experiment.flows.n + 1, sizeof *lab->flows);
    all.lanes = n_lanes;
    if (rank) {
        all.comm = rank->comm;
        all.owners =
            rank->owners(rank->context, &lab->experiment.topology, lab->arena);
    }
    return run_create(&lab->experiment, &all, &lab->sink, &lab->run, err);
}

/* Does the same, and ends the process if 'text' is refused. */
static struct lab_run *
must_create(const char *text, const struct lab_run_rank *rank, uint32_t n_lanes)
{
    struct lab_run *lab = check_calloc(1, sizeof *lab);
    struct err err = {0};

    if (create(lab, text, rank, n_lanes, &err)) {
        fprintf(stderr, "%s\n%s\n", err.reason, text);
        abort();
    }
    return lab;
}

struct lab_run *
lab_run_create(const char *text)
{
    return must_create(text, NULL, 1);
}

struct lab_run *
lab_run_create_rank(const char *text, const struct lab_run_rank *rank)
{
    return must_create(text, rank, rank->n_lanes);
}

struct lab_run *
lab_run_create_lanes(const char *text, uint32_t n_lanes)
{
    return must_create(text, NULL, n_lanes);
}

void
lab_run_destroy(struct lab_run *lab)
{
    run_destroy(lab->run);
    arena_destroy(lab->arena);
    free(lab->flows);
    free(lab->messages);
    free(lab->ios);
    free(lab->spans);
    free(lab->log);
    free(lab);
}

void
lab_run_finish(struct lab_run *lab)
{
    struct err err = {0};

    run_traffic_finish(lab->run);
    run_observe_finish(lab->run);
    run_lanes_settle(lab->run);
    run_ranks_flush(lab->run);
    run_deadlock_finish(lab->run);
    if (run_balance_check(lab->run, &err)) {
        fprintf(stderr, "%s\n", err.reason);
        abort();
    }
}

void
lab_run_all(struct lab_run *lab, int64_t piece_ps)
{
    enum run_state state;

    do {
        state = run_until(lab->run,
                          piece_ps ? run_now(lab->run) + piece_ps : INT64_MAX);
    } while (state == RUN_RUNNING);
    if (state != RUN_STOPPED) {
        const struct err *failure = run_failure(lab->run);

        fprintf(stderr, "the run ends in state %d: %s\n", (int)state,
                failure ? failure->reason : run_break_reason(lab->run));
        abort();
    }
    lab_run_finish(lab);
}

/* A counter that is looked for. */
struct wanted {
    uint32_t node;
    const char *name;
    uint64_t value;
};

static void
on_counter(void *context, uint32_t node, uint32_t port, uint32_t priority,
           const char *name, uint64_t value)
{
    struct wanted *wanted = context;

    (void)port;
    (void)priority;
    if (node == wanted->node && !strcmp(name, wanted->name)) {
        wanted->value += value;
    }
}

int64_t
lab_run_end_latency(struct lab_run *lab)
{
    const struct sink_message message = lab->n_messages == 1
                                            ? lab->messages[0]
                                            : (struct sink_message){.lost = 1};

    if (message.lost) {
        (void)fprintf(stderr, "%zu messages, not one that has arrived\n",
                      lab->n_messages);
        abort();
    }
    lab_run_destroy(lab);
    return message.end_ps - message.start_ps;
}

uint64_t
lab_run_counter(const struct lab_run *lab, uint32_t node, const char *name)
{
    struct wanted wanted = {node, name, 0};
    struct results *results = results_create_forward(
        &(struct results_forward){.counter = on_counter, .context = &wanted});

    run_restarts_report(lab->run, results);
    run_drift_report(lab->run, results);
    run_rollout_report(lab->run, results);
    run_su_describe(lab->run, results);
    run_sk_describe(lab->run, results);
    run_failovers_describe(lab->run, results);
    run_repairs_describe(lab->run, results);
    run_disks_describe(lab->run, results);
    run_software_report(lab->run, results);
    results_abandon(results);
    return wanted.value;
}

uint64_t
lab_run_hash(const char *text, int64_t piece_ps)
{
    struct lab_run *lab = lab_run_create(text);
    uint64_t hash;

    lab_run_all(lab, piece_ps);
    hash = result_hash_get(&lab->hash);
    lab_run_destroy(lab);
    return hash;
}

void
lab_run_refuse(const char *text, struct err *err)
{
    lab_run_refuse_rank(text, NULL, err);
}

void
lab_run_refuse_rank(const char *text, const struct lab_run_rank *rank,
                    struct err *err)
{
    struct lab_run *lab = check_calloc(1, sizeof *lab);

    if (!create(lab, text, rank, 1, err)) {
        fprintf(stderr, "it is accepted:\n%s\n", text);
        abort();
    }
    lab->run = NULL;
    lab_run_destroy(lab);
}
