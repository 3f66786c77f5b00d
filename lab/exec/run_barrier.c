/* SPDX-License-Identifier: Apache-2.0 */

/* Bulk-synchronous jobs whose barrier consists of messages.
 *
 * The hosts of an item are the members of a job.  In a step a member sends a
 * message over each of its flows.  When it has got those of all flows to it, it
 * enters the barrier.  Then it computes, and begins the next step, without
 * waiting for others.
 *
 * The barrier is that of dissemination (Hensgen, Finkel and Manber, "Two
 * algorithms for barrier synchronization", 1988).  In round k member i of n
 * sends a signal to member i + 2^k, modulo n, and waits for one from member
 * i - 2^k; after the last round, with 2^k < n, all have entered.  So nobody is
 * more than one step ahead, and counts of messages suffice to tell their steps
 * apart.  Processes of a host wait for each other in its memory, which costs
 * nothing: signals are between those with number 0.
 *
 * A signal is a short message of a flow that the job has anyway.  The messages
 * of such a flow are data and signals in turns.  Members send to their next
 * neighbours first, so that not all send to the same one. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

enum { SIGNAL_BYTES = 8, ROUNDS_MAX = 32, NAME_SIZE = 128, PPM = 1000000 };

enum stage { WAITING, EXCHANGING, IN_BARRIER };

/* A host of a job. */
struct run_member {
    struct run_job *job;
    uint32_t index;
    struct event timer; /* The start of the next step. */
    enum stage stage;
    uint64_t step;                  /* The present one, from 0. */
    uint64_t n_arrived;             /* Messages with data, of all steps. */
    uint32_t n_in;                  /* Flows to it. */
    uint32_t round;                 /* Of the barrier. */
    uint64_t n_signals[ROUNDS_MAX]; /* That have arrived, of all steps. */
    struct run_flow *signals[ROUNDS_MAX]; /* The flow of each round. */
    struct run_flow **flows;              /* From it, in the order of posts. */
    uint32_t n_flows;
};

struct run_job {
    struct run *run;
    const struct traffic_spec *traffic;
    struct run_member *members;
    uint32_t n_members;
    uint32_t n_rounds;
    /* Of the present step and the next one, by step modulo 2. */
    uint32_t n_over[2];
    int64_t slowest_ps[2]; /* Of its messages with data. */
    /* Of steps that all members have ended. */
    uint64_t n_steps;
    int64_t start_ps, end_ps; /* -1: none has begun. */
    int64_t sum_ps;           /* Of their slowest messages. */
};

/* Messages ----------------------------------------------------------------- */

/* Returns how many messages 'flow' has in a step. */
static uint32_t
messages_per_step(const struct run_flow *flow)
{
    return flow->is_signalling ? 2 : 1;
}

bool
run_barrier_is_signal(const struct run_flow *flow, uint64_t number)
{
    return flow->is_signalling && number % 2;
}

uint64_t
run_barrier_step(const struct run_flow *flow, uint64_t number)
{
    return number / messages_per_step(flow);
}

uint64_t
run_barrier_messages(const struct run_flow *flow)
{
    return (uint64_t)flow->traffic->repeat * messages_per_step(flow);
}

uint32_t
run_barrier_bytes(const struct run_flow *flow, uint64_t number)
{
    return run_barrier_is_signal(flow, number) ? SIGNAL_BYTES
                                               : flow->message_bytes;
}

/* Lets 'flow' post message 'n' of the present step of 'member', from 0. */
static void
allow(const struct run_member *member, struct run_flow *flow, uint32_t n)
{
    flow->n_allowed = member->step * messages_per_step(flow) + n + 1;
    run_flow_fill(flow);
}

/* Steps -------------------------------------------------------------------- */

/* 'member' has ended its step. */
static void
end_step(struct run_member *member, int64_t now_ps)
{
    struct run_job *job = member->job;
    const size_t slot = member->step % 2;

    member->stage = WAITING;
    if (++job->n_over[slot] == job->n_members) {
        job->n_over[slot] = 0;
        job->n_steps++;
        job->end_ps = now_ps;
        job->sum_ps += job->slowest_ps[slot];
        job->slowest_ps[slot] = 0;
    }
    if (member->step + 1 < (uint64_t)job->traffic->repeat) {
        engine_schedule(job->run->engine, &member->timer,
                        now_ps + job->traffic->compute_ps);
    }
}

/* Goes on as far as the messages that have arrived at 'member' allow. */
static void
advance(struct run_member *member, int64_t now_ps)
{
    const uint32_t n_rounds = member->job->n_rounds;

    if (member->stage == EXCHANGING &&
        member->n_arrived >= (member->step + 1) * member->n_in) {
        member->stage = IN_BARRIER;
        member->round = 0;
        allow(member, member->signals[0], 1);
    }
    if (member->stage != IN_BARRIER) {
        return;
    }
    while (member->n_signals[member->round] > member->step) {
        if (++member->round == n_rounds) {
            end_step(member, now_ps);
            return;
        }
        allow(member, member->signals[member->round], 1);
    }
}

/* A step of a member begins. */
static void
on_step(struct event *event, int64_t now_ps)
{
    struct run_member *member = EVENT_OWNER(event, struct run_member, timer);
    struct run_job *job = member->job;

    if (job->start_ps < 0) {
        job->start_ps = now_ps;
        job->end_ps = now_ps;
    }
    member->step += member->flows[0]->n_allowed > 0;
    member->stage = EXCHANGING;
    for (uint32_t i = 0; i < member->n_flows; i++) {
        allow(member, member->flows[i], 0);
    }
    advance(member, now_ps);
}

void
run_barrier_note(struct run_flow *flow, uint64_t number, int64_t latency_ps,
                 int64_t now_ps)
{
    struct run_member *member = flow->to_member;
    int64_t *slowest_ps;

    if (!member) {
        return;
    }
    if (run_barrier_is_signal(flow, number)) {
        member->n_signals[flow->round]++;
    } else {
        member->n_arrived++;
        slowest_ps =
            &member->job->slowest_ps[run_barrier_step(flow, number) % 2];
        if (latency_ps > *slowest_ps) {
            *slowest_ps = latency_ps;
        }
    }
    advance(member, now_ps);
}

/* Creation ----------------------------------------------------------------- */

static bool
has_barrier(const struct traffic_spec *traffic)
{
    return traffic->barrier == TRAFFIC_BARRIER_DISSEMINATION;
}

/* Returns how many members 'flow' goes ahead, around the ring of them. */
static uint32_t
distance(const struct run_flow *flow)
{
    const struct run_member *from = flow->from_member;
    const uint32_t n = from->job->n_members;

    return (flow->to_member->index + n - from->index) % n;
}

/* A comparison for qsort(): flows by distance, then by process. */
static int
compare(const void *a, const void *b)
{
    const struct run_flow *one = *(struct run_flow *const *)a;
    const struct run_flow *other = *(struct run_flow *const *)b;
    const uint32_t x = distance(one), y = distance(other);

    return x != y ? (x > y) - (x < y)
                  : (one->process > other->process) -
                        (one->process < other->process);
}

/* Makes members of the sources of the flows of 'job'; 'by_node' gets them. */
static void
add_members(struct run_job *job, struct run_member **by_node)
{
    struct run *run = job->run;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];
        struct run_member **member = &by_node[flow->source];

        if (flow->traffic != job->traffic) {
            continue;
        }
        if (!*member) {
            *member = &job->members[job->n_members];
            **member = (struct run_member){
                .job = job,
                .index = job->n_members++,
                .timer = event_make(EVENT_TIMER_COMMAND, 0, i, on_step)};
        }
        flow->from_member = *member;
        (*member)->n_flows++;
    }
}

/* Gives each member its flows.  Returns whether there is one from each process
 * of a member to each other member. */
static bool
add_flows(struct run_job *job, struct run_member *const *by_node)
{
    const uint32_t n_each = (job->n_members - 1) * (uint32_t)job->traffic->qps;
    struct run *run = job->run;
    bool complete = job->n_members > 1;

    for (uint32_t i = 0; i < job->n_members; i++) {
        complete &= job->members[i].n_flows == n_each;
        job->members[i].flows = arena_alloc(run->arena, job->members[i].n_flows,
                                            sizeof(struct run_flow *));
        job->members[i].n_flows = 0;
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];

        if (flow->traffic == job->traffic) {
            flow->to_member = by_node[flow->destination];
            complete &= flow->to_member != NULL;
            flow->from_member->flows[flow->from_member->n_flows++] = flow;
        }
    }
    return complete;
}

/* Finds the flows of the signals of 'member'. */
static void
add_signals(struct run_member *member)
{
    struct run_job *job = member->job;

    qsort(member->flows, member->n_flows, sizeof(struct run_flow *), compare);
    for (uint32_t k = 0; k < job->n_rounds; k++) {
        struct run_flow *flow =
            member
                ->flows[((UINT32_C(1) << k) - 1) * (uint32_t)job->traffic->qps];

        flow->is_signalling = true;
        flow->round = (uint8_t)k;
        member->signals[k] = flow;
    }
    for (uint32_t i = 0; i < member->n_flows; i++) {
        member->flows[i]->to_member->n_in++;
    }
    engine_schedule(job->run->engine, &member->timer,
                    member->flows[0]->start_ps);
}

/* Makes a job of item 'number'. */
static enum st
create(struct run *run, uint32_t number, struct err *err)
{
    const struct traffic_spec *traffic = &run->scenario->traffic[number];
    const uint32_t n_nodes = run->topology->n_nodes;
    struct run_member **by_node =
        arena_alloc(run->arena, n_nodes, sizeof *by_node);
    struct run_job *job = arena_alloc(run->arena, 1, sizeof *job);

    *job = (struct run_job){
        .run = run,
        .traffic = traffic,
        .members = arena_alloc(run->arena, n_nodes, sizeof *job->members),
        .start_ps = -1};
    for (uint32_t i = 0; i < n_nodes; i++) {
        by_node[i] = NULL;
    }
    add_members(job, by_node);
    if (!add_flows(job, by_node)) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "the barrier of '%s' needs one flow from each of "
                             "its hosts to each other one: all_to_all with the "
                             "same hosts in 'from' and 'to', not 'both_ways'",
                             traffic->name);
    }
    while (UINT64_C(1) << job->n_rounds < job->n_members) {
        job->n_rounds++;
    }
    for (uint32_t i = 0; i < job->n_members; i++) {
        add_signals(&job->members[i]);
    }
    run->jobs[number] = job;
    return ST_OK;
}

enum st
run_barrier_create(struct run *run, struct err *err)
{
    const uint32_t n = (uint32_t)run->scenario->n_traffic;
    enum st st = ST_OK;

    run->jobs = arena_alloc(run->arena, n + 1, sizeof *run->jobs);
    for (uint32_t i = 0; i < n; i++) {
        run->jobs[i] = NULL;
    }
    for (uint32_t i = 0; !st && i < n; i++) {
        if (has_barrier(&run->scenario->traffic[i])) {
            st = create(run, i, err);
        }
    }
    return st;
}

void
run_barrier_destroy(struct run *run)
{
    for (uint32_t i = 0; run->jobs && i < run->scenario->n_traffic; i++) {
        const struct run_job *job = run->jobs[i];

        for (uint32_t k = 0; job && k < job->n_members; k++) {
            engine_cancel(run->engine, &job->members[k].timer);
        }
    }
}

void
run_barrier_describe(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct run_job *job = run->jobs[i];

        if (!job || job->start_ps < 0) {
            continue;
        }
        /* All exchanges, and what is computed after each but the last. */
        const int64_t compute_ps = job->traffic->compute_ps;
        const int64_t took_ps = job->end_ps - job->start_ps;
        const int64_t n = (int64_t)job->n_steps;
        const int64_t exchange_ps =
            n ? took_ps - (n - 1) * compute_ps : took_ps;
        const double all_ps = (double)exchange_ps + (double)(n * compute_ps);
        const struct {
            const char *name;
            int64_t value;
        } counters[] = {
            {"steps", n},
            {"steps_time_ps", took_ps},
            {"exchange_ps", exchange_ps},
            {"slowest_ps", job->sum_ps},
            {"efficiency_ppm",
             n ? (int64_t)((double)(n * compute_ps) / all_ps * PPM) : 0},
        };

        for (size_t k = 0; k < sizeof counters / sizeof counters[0]; k++) {
            char name[NAME_SIZE];

            (void)snprintf(name, sizeof name, "%s.%s", job->traffic->name,
                           counters[k].name);
            results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, name,
                                (uint64_t)counters[k].value);
        }
    }
}
