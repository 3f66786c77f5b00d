/* SPDX-License-Identifier: Apache-2.0 */

/* sU-RDMA in a run: connections of user-space programs over queue pairs.
 *
 * Each end of a flow is a program: an end of a connection
 * (lab/storage/su_rdma.h) above a queue pair.  A work request that the
 * connection wants is posted when the core of the program has worked on it,
 * memory that has to be registered first included; what completes or arrives
 * reaches the connection when the core has polled it, and copied what is in a
 * receive buffer.  WRITEs complete without that: the SEND behind them says that
 * they are done.  Without a processor ('cpu') all of it takes no time.
 *
 * What a SEND says is not in its packets: the ends keep it in the order in
 * which they post, which is the order in which it arrives.
 *
 * A message has ended when its sender knows that the peer has it. */

#include <config.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_ring.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"
#include "lab/storage/su_rdma.h"

_Static_assert((int)TRAFFIC_SU_MODE_AUTO == (int)SU_MODE_AUTO &&
                   (int)TRAFFIC_SU_MODE_SEND == (int)SU_MODE_SEND &&
                   (int)TRAFFIC_SU_MODE_WRITE == (int)SU_MODE_WRITE &&
                   (int)TRAFFIC_SU_MODE_READ == (int)SU_MODE_READ &&
                   (int)TRAFFIC_N_SU_MODES == (int)SU_N_MODES,
               "the words of scenarios are the modes");

#define PS_PER_BYTE_AT_1_BPS INT64_C(8000000000000)

/* A completion that waits for the core. */
struct arrival {
    bool is_receive;
    struct su_control control;
};

/* What ends have counted. */
struct counts {
    struct su_stats su;
    uint64_t n_rnr_naks;
};

/* An end of a connection. */
struct end {
    struct run_flow *flow;
    struct end *peer;
    struct run_host *host;
    uint32_t qp;
    uint32_t core;
    struct su *su;
    struct counts past; /* Of connections that have failed. */

    /* struct su_control: what SENDs said that have not arrived. */
    struct run_ring said;

    /* struct su_work and struct arrival: what waits for the core. */
    struct run_delay posts, arrivals;
};

struct run_su_rdma {
    struct su_config config;
    struct end ends[2];            /* The source first. */
    uint64_t n_ended, n_delivered; /* Messages, at source, at destination. */
    bool has_failed;               /* A queue pair. */
};

static struct su_config
config_of(const struct run_flow *flow)
{
    const struct su_rdma_spec *spec = &flow->traffic->su;

    return (struct su_config){.mode = (enum su_mode)spec->mode,
                              .small_bytes = (uint32_t)spec->small_bytes,
                              .medium_bytes = (uint32_t)spec->medium_bytes,
                              .chunk_bytes = (uint32_t)spec->chunk_bytes,
                              .credits = (uint32_t)spec->credits,
                              .slots = (uint32_t)spec->slots,
                              .depth = flow->depth};
}

uint32_t
run_su_send_depth(const struct run_flow *flow)
{
    const struct su_config config = config_of(flow);

    return su_most_work(&config);
}

uint32_t
run_su_receives(const struct run_flow *flow)
{
    return (uint32_t)flow->traffic->su.credits;
}

uint32_t
run_su_receive_bytes(const struct run_flow *flow)
{
    return (uint32_t)flow->traffic->su.small_bytes + SU_HEADER_BYTES;
}

/* Posting ------------------------------------------------------------------ */

/* Gives 'work' to the adapter. */
static void
post_work(struct end *end, const struct su_work *work)
{
    static const uint8_t operations[] = {[SU_OP_SEND] = RC_SEND,
                                         [SU_OP_WRITE] = RC_WRITE,
                                         [SU_OP_READ] = RC_READ};
    const struct rc_request request = {
        .length_bytes = work->bytes, .operation = operations[work->operation]};

    if (work->operation == SU_OP_SEND) {
        run_ring_put(&end->said, &work->control);
    }
    orch_assert(nic_post(end->host->nic, end->qp, &request) == ST_OK);
}

/* Lets the core work on 'work' before it is posted. */
static void
wait_for_core(struct end *end, const struct su_work *work)
{
    const struct host_spec *spec = end->host->profile->spec;
    const int64_t now_ps = run_now(end->flow->run);
    const int64_t cost_ps =
        spec->cpu.rdma.op_ps +
        spec->memory.register_ps * (int64_t)work->registrations;

    run_delay_enter(&end->posts,
                    run_software_work(end->host, end->core, now_ps, cost_ps),
                    work);
}

static void
on_post(struct event *event, int64_t now_ps)
{
    struct end *end = EVENT_OWNER(event, struct end, posts.event);
    struct su_work work;

    (void)now_ps;
    if (!end->flow->error && !end->flow->su->has_failed) {
        run_delay_leave(&end->posts, &work);
        post_work(end, &work);
    }
}

/* Posts what the connection wants. */
static void
pump(struct end *end)
{
    struct su_work work;

    while (!end->flow->error && !end->flow->su->has_failed &&
           su_next(end->su, &work)) {
        if (end->host->processor) {
            wait_for_core(end, &work);
        } else {
            post_work(end, &work);
        }
    }
}

void
run_su_post(struct run_flow *flow)
{
    if (flow->failover) {
        run_failover_post(flow);
    } else {
        run_su_give(flow);
    }
}

void
run_su_give(struct run_flow *flow)
{
    struct end *end = &flow->su->ends[0];

    orch_assert(su_post(end->su, flow->message_bytes) == ST_OK);
    pump(end);
}

/* Completions -------------------------------------------------------------- */

/* Notes the messages that the program of the destination has. */
static void
deliver_messages(struct run_flow *flow)
{
    struct run_su_rdma *su = flow->su;

    while (su->n_delivered < su_n_delivered(su->ends[1].su)) {
        su->n_delivered++;
        if (flow->failover) {
            run_failover_note_delivered(flow);
        }
        if (flow->disk) {
            run_disk_note_arrived(flow, run_now(flow->run));
        }
    }
}

/* Ends the messages that the peer has. */
static void
end_messages(struct run_flow *flow, int64_t now_ps)
{
    const struct rc_completion whole = {.bytes = flow->message_bytes,
                                        .status = RC_STATUS_OK};

    while (!flow->error &&
           flow->su->n_ended < su_n_sent(flow->su->ends[0].su)) {
        flow->su->n_ended++;
        if (flow->failover) {
            run_failover_note_done(flow, now_ps);
        } else {
            run_traffic_complete(flow, true, &whole, now_ps);
        }
    }
}

static void
handle(struct end *end, const struct arrival *arrival, int64_t now_ps)
{
    struct run_flow *flow = end->flow;

    if (arrival->is_receive) {
        su_received(end->su, &arrival->control);
    } else {
        su_completed(end->su);
    }
    for (uint32_t n = su_take_receives(end->su); n; n--) {
        orch_assert(nic_post_receive(end->host->nic, end->qp, 0,
                                     run_su_receive_bytes(flow)) == ST_OK);
    }
    pump(end);
    deliver_messages(flow);
    end_messages(flow, now_ps);
}

/* Returns the work of the core for what arrives. */
static int64_t
cost_of(const struct end *end, const struct arrival *arrival)
{
    const struct host_spec *spec = end->host->profile->spec;
    int64_t cost_ps = spec->cpu.rdma.op_ps;

    if (arrival->is_receive && arrival->control.kind == SU_DATA &&
        spec->memory.copy_bps) {
        cost_ps += arrival->control.bytes * PS_PER_BYTE_AT_1_BPS /
                   spec->memory.copy_bps;
    }
    return cost_ps;
}

/* Lets the core poll '*arrival', and the system delay it. */
static void
await_core(struct end *end, const struct arrival *arrival, bool is_silent,
           int64_t now_ps)
{
    int64_t at_ps = now_ps;

    if (!is_silent) {
        at_ps = run_software_work(end->host, end->core, now_ps,
                                  cost_of(end, arrival)) +
                run_software_delay(end->host);
    }
    run_delay_enter(&end->arrivals, at_ps, arrival);
}

static void
on_arrive(struct event *event, int64_t now_ps)
{
    struct end *end = EVENT_OWNER(event, struct end, arrivals.event);
    struct arrival arrival;

    if (!end->flow->error) {
        run_delay_leave(&end->arrivals, &arrival);
        handle(end, &arrival, now_ps);
    }
}

void
run_su_abandon(struct run_flow *flow, int64_t now_ps)
{
    if (!flow->su->has_failed) {
        flow->su->has_failed = true;
        run_failover_note_failed(flow, now_ps);
    }
}

/* The queue pair of 'flow' at one end has failed with 'completion'. */
static void
fail(struct run_flow *flow, bool is_source,
     const struct rc_completion *completion, int64_t now_ps)
{
    if (!flow->failover) {
        run_traffic_complete(flow, is_source, completion, now_ps);
    } else {
        run_su_abandon(flow, now_ps);
    }
}

void
run_su_complete(struct run_flow *flow, bool is_source, uint32_t number,
                const struct rc_completion *completion, int64_t now_ps)
{
    struct end *end = &flow->su->ends[!is_source];
    struct arrival arrival = {.is_receive = completion->is_receive};

    if (flow->error) {
        return;
    }
    if (number != end->qp) {
        if (flow->failover) {
            run_failover_note_stream(flow, is_source, number, completion,
                                     now_ps);
        }
        return;
    }
    /* What completes later does not count.  If the sender knows that a message
     * has arrived, it is in the queue of its receiver already. */
    if (flow->su->has_failed) {
        return;
    }
    if (completion->status != RC_STATUS_OK) {
        fail(flow, is_source, completion, now_ps);
        return;
    }
    if (arrival.is_receive) {
        run_ring_take(&end->peer->said, &arrival.control);
    }
    if (end->host->processor) {
        await_core(end, &arrival,
                   !arrival.is_receive && completion->operation == RC_WRITE,
                   now_ps);
    } else {
        handle(end, &arrival, now_ps);
    }
}

/* Creation ----------------------------------------------------------------- */

static void
create_end(struct run_flow *flow, bool is_source)
{
    struct run_su_rdma *su = flow->su;
    struct end *end = &su->ends[!is_source];
    struct arena *arena = flow->run->arena;
    const uint32_t n_waiting = su_most_work(&su->config);
    const uint32_t number = 2 * flow->number + !is_source;
    uint32_t entity;

    *end = (struct end){.flow = flow, .peer = &su->ends[is_source]};
    end->host = run_flow_end(flow, is_source);
    end->qp = is_source ? flow->qp : flow->peer_qp;
    end->core = end->host->processor
                    ? end->qp % end->host->processor->config.n_cores
                    : 0;
    run_ring_create(&end->said, arena, su->config.credits,
                    sizeof(struct su_control));
    entity = nic_entity(end->host->nic);
    run_delay_create(&end->posts, arena, flow->run->engine, n_waiting,
                     sizeof(struct su_work),
                     event_make(EVENT_TIMER_SEND, entity, number, on_post));
    run_delay_create(&end->arrivals, arena, flow->run->engine,
                     n_waiting + su->config.credits, sizeof(struct arrival),
                     event_make(EVENT_TIMER_SEND, entity, number, on_arrive));
    /* The peer of a host that sends to itself has its memory. */
    orch_assert(su_create(&su->config,
                          run_memory_of(run_host(flow->run, is_source
                                                     ? flow->source
                                                     : flow->destination)),
                          &end->su) == ST_OK);
}

/* Returns whether the largest chunk of 'flow' goes by READ. */
static bool
needs_reads(const struct run_flow *flow, const struct su_config *config)
{
    const uint32_t chunk =
        config->chunk_bytes && config->chunk_bytes < flow->message_bytes
            ? config->chunk_bytes
            : flow->message_bytes;

    return config->mode == SU_MODE_READ ||
           (config->mode == SU_MODE_AUTO && chunk > config->medium_bytes);
}

enum st
run_su_create(struct run_flow *flow, struct err *err)
{
    const struct su_config config = config_of(flow);
    struct run_su_rdma *su;
    struct err why = {0};

    if (su_config_check(&config, &why)) {
        return scenario_fail(flow->run->scenario, &flow->traffic->place, err,
                             "su_rdma: %s", why.reason);
    }
    if (needs_reads(flow, &config) &&
        run_flow_check_reads(flow, "chunks", ", or 'mode: write'", err)) {
        return ST_INVALID;
    }
    su = arena_alloc(flow->run->arena, 1, sizeof *su);
    *su = (struct run_su_rdma){.config = config};
    flow->su = su;
    create_end(flow, true);
    create_end(flow, false);
    return ST_OK;
}

bool
run_su_is_polled(const struct run_flow *flow)
{
    for (int i = 0; i < 2; i++) {
        const struct end *end = &flow->su->ends[i];

        if (run_ring_n(&end->arrivals.items)) {
            return false;
        }
    }
    return true;
}

bool
run_su_has_failed(const struct run_flow *flow)
{
    return flow->su->has_failed;
}

/* Adds 'one' to '*sum'; of peaks the greater one counts. */
static void
add_counts(struct counts *sum, const struct su_stats *one, uint64_t n_rnr_naks)
{
    for (size_t mode = 0; mode < SU_N_MODES; mode++) {
        sum->su.sent[mode] += one->sent[mode];
    }
    sum->su.updates += one->updates;
    sum->su.waits_for_credit += one->waits_for_credit;
    sum->su.waits_for_slot += one->waits_for_slot;
    sum->su.copied_bytes += one->copied_bytes;
    if (one->in_flight_peak_bytes > sum->su.in_flight_peak_bytes) {
        sum->su.in_flight_peak_bytes = one->in_flight_peak_bytes;
    }
    sum->n_rnr_naks += n_rnr_naks;
}

/* Adds what 'end' has counted, now and before it failed. */
static void
add_end(struct counts *sum, const struct end *end)
{
    struct su_stats now;

    if (end->su) {
        su_get_stats(end->su, &now);
        add_counts(sum, &now,
                   rc_counters(nic_rc(end->host->nic, end->qp))->rnr_naks_sent);
    }
    add_counts(sum, &end->past.su, end->past.n_rnr_naks);
}

/* Returns what 'end' has counted, with what it had before. */
static struct counts
counts_of(const struct end *end)
{
    struct counts sum = {.n_rnr_naks = 0};

    add_end(&sum, end);
    return sum;
}

void
run_su_give_back(struct run_flow *flow)
{
    struct run_su_rdma *su = flow->su;

    su->has_failed = true;
    for (int i = 0; i < 2; i++) {
        nic_fail_qp(su->ends[i].host->nic, su->ends[i].qp);
        su->ends[i].past = counts_of(&su->ends[i]);
    }
    run_su_destroy(flow);
}

enum st
run_su_renew(struct run_flow *flow, struct err *err)
{
    struct counts past[2];
    enum st st;

    for (int i = 0; i < 2; i++) {
        past[i] = counts_of(&flow->su->ends[i]);
    }
    run_su_destroy(flow);
    flow->su = NULL;
    st = run_flow_add_pair(flow, err);
    st = st ? st : run_su_create(flow, err);
    for (int i = 0; !st && i < 2; i++) {
        flow->su->ends[i].past = past[i];
    }
    return st;
}

void
run_su_destroy(struct run_flow *flow)
{
    for (int i = 0; flow->su && i < 2; i++) {
        struct end *end = &flow->su->ends[i];

        run_delay_stop(&end->posts);
        run_delay_stop(&end->arrivals);
        su_destroy(end->su);
        end->su = NULL;
    }
}

uint64_t
run_su_bytes(const struct run_flow *flow)
{
    struct su_stats stats;

    su_get_stats(flow->su->ends[1].su, &stats);
    return stats.delivered_bytes;
}

/* Reports ------------------------------------------------------------------ */

void
run_su_describe(const struct run *run, struct results *results)
{
    struct counts sum = {.n_rnr_naks = 0};
    uint64_t n = 0, lent = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        for (int k = 0; flow->su && k < 2; k++) {
            add_end(&sum, &flow->su->ends[k]);
            lent += su_lent_bytes(&flow->su->config);
            n++;
        }
    }
    if (!n) {
        return;
    }
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"su.ends", n},
        {"su.by_send", sum.su.sent[SU_MODE_SEND]},
        {"su.by_write", sum.su.sent[SU_MODE_WRITE]},
        {"su.by_read", sum.su.sent[SU_MODE_READ]},
        {"su.updates", sum.su.updates},
        {"su.waits_for_credit", sum.su.waits_for_credit},
        {"su.waits_for_slot", sum.su.waits_for_slot},
        {"su.copied_bytes", sum.su.copied_bytes},
        {"su.in_flight_peak", sum.su.in_flight_peak_bytes},
        {"su.lent_bytes", lent},
        {"su.rnr_naks", sum.n_rnr_naks},
    };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            counters[i].name, counters[i].value);
    }
}
