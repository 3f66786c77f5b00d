/* SPDX-License-Identifier: Apache-2.0 */

/* The traffic of a run: queue pairs, messages, completions.
 *
 * A flow posts messages at its source: 'depth' of them outstanding, or one each
 * 'every'.  An endless message is a sequence of messages of ENDLESS_BYTES.  A
 * ping is a SEND or a WRITE with immediate data; its destination answers with
 * one of the same size, in order, and the latency is until that has arrived. An
 * answer after the timeout of a ping is for a message that counts as lost.
 *
 * A message over TCP has ended when all of it has arrived (at the program, if
 * the host has a processor); the next one of a flow is posted when it is
 * acknowledged as well. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "twin/forwarding/frame.h"

enum {
    ENDLESS_BYTES = 8 << 20,
    ENDLESS_DEPTH = 4,
    TIMED_DEPTH = 16,      /* Messages of 'every' that are outstanding. */
    PACKETS_MAX = 1 << 22, /* Of a message. */
    MBPS = 1000000,
};

#define GBPS 1e9

/* Creation ----------------------------------------------------------------- */

/* Checks that the messages or frames of 'flow' can be sent. */
static enum st
check_size(const struct run *run, const struct run_flow *flow, struct err *err)
{
    const struct traffic_spec *traffic = flow->traffic;
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const int64_t most = profile->spec->mtu_bytes * PACKETS_MAX;

    if (traffic->kind == TRAFFIC_RAW &&
        traffic->rate_bps > (int64_t)profile->speed_mbps * MBPS) {
        return scenario_fail(
            run->scenario, &traffic->place, err,
            "the rate of '%s' is %.10g Gbps, but the link of %s has %.10g Gbps",
            traffic->name, (double)traffic->rate_bps / GBPS,
            run->topology->nodes[flow->source].name,
            (double)profile->speed_mbps * MBPS / GBPS);
    }

    if (traffic->kind != TRAFFIC_RAW && !traffic_is_endless(traffic) &&
        ((traffic->size_bytes > most && traffic_is_rc(traffic)) ||
         traffic->size_bytes > INT32_MAX)) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "a message has at most 2^31-1 bytes and 2^22 "
                             "packets; use 'repeat', or 'size: inf'");
    }
    return ST_OK;
}

static void on_timer(struct event *event, int64_t now_ps);
static void on_overdue(struct event *event, int64_t now_ps);

/* Adds the queue pairs of 'flow', and what is above them. */
static enum st
add_connection(struct run_flow *flow, struct err *err)
{
    const enum traffic_kind kind = flow->traffic->kind;
    enum st st;

    if (kind == TRAFFIC_SK_RDMA) {
        flow->regions = regions_create();
    }
    st = run_flow_add_pair(flow, err);
    if (!st && kind == TRAFFIC_SK_RDMA) {
        st = run_sk_create(flow, err);
    }
    if (!st && kind == TRAFFIC_SU_RDMA) {
        st = run_su_create(flow, err);
    }
    return st;
}

/* Fills '*flow' from number 'number' of 'list', and adds its queue pairs. */
static enum st
create_flow(struct run *run, const struct flow *from, uint32_t number,
            struct err *err)
{
    struct run_flow *flow = &run->flows[number];
    const struct traffic_spec *traffic = &run->scenario->traffic[from->item];
    const bool loops = from->source == from->destination;
    const struct run_host *source;
    uint32_t entity;
    enum st st;

    *flow = (struct run_flow){.run = run,
                              .number = number,
                              .traffic = traffic,
                              .source = from->source,
                              .destination = from->destination,
                              .start_ps = from->start_ps,
                              .process = from->qp,
                              .end_ps = -1};
    flow->source_port = from->source_port;
    for (int i = 0; i < 2; i++) {
        flow->headers[i] = run_flow_headers(flow, traffic_is_tcp(traffic),
                                            i == 0, from->source_port);
    }
    if (loops && !run_owns(run, flow->source)) {
        return ST_OK;
    }
    if (loops && run_host_loop(run_host(run, flow->source))) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "there are too many hosts for '%s'",
                             traffic->name);
    }
    source = run_flow_end(flow, true);
    flow->depth = traffic_is_endless(traffic) ? ENDLESS_DEPTH
                  : traffic->every_ps || traffic->barrier
                      ? TIMED_DEPTH
                      : (uint32_t)traffic->depth;
    flow->message_bytes = traffic_is_endless(traffic)
                              ? ENDLESS_BYTES
                              : (uint32_t)traffic->size_bytes;
    flow->posted_ps =
        arena_alloc(run->arena, flow->depth, sizeof *flow->posted_ps);
    if (run->scenario->record.paths) {
        flow->hops = arena_alloc(run->arena, RUN_HOPS_MAX, sizeof *flow->hops);
    }
    entity = source->nic ? nic_entity(source->nic) : 0;
    flow->timer = event_make(EVENT_TIMER_COMMAND, entity, number, on_timer);
    flow->overdue = event_make(EVENT_TIMER_COMMAND, entity, number, on_overdue);
    st = check_size(run, flow, err);
    if (!st && traffic->kind == TRAFFIC_SRD) {
        st = run_srd_add_flow(flow, err);
        if (!st) {
            run_software_create(flow);
        }
        return st;
    }
    st = st ? st : add_connection(flow, err);
    if (!st) {
        run_software_create(flow);
    }
    return st;
}

/* A nic_datagram_fn, of a host with a processor. */
static void
on_datagram(void *context, uint32_t number, uint32_t bytes, bool is_receive,
            int64_t now_ps)
{
    struct run_host *host = context;
    const struct run_qp *qp = &host->qps[number];
    const struct run_flow *flow = &host->run->flows[qp->flow];

    run_software_datagram(qp->is_source ? flow->source_end
                                        : flow->destination_end,
                          bytes, is_receive, now_ps);
}

static void on_completion(void *context, uint32_t qp,
                          const struct rc_completion *completion,
                          int64_t now_ps);

/* Returns whether 'flow' ends by itself, so that the run waits for it: not
 * probes of a pingmesh, whose phases follow each other. */
bool
run_flow_is_finite(const struct run_flow *flow)
{
    return flow->traffic->kind != TRAFFIC_RAW &&
           !traffic_is_endless(flow->traffic) && !flow->traffic->peers &&
           (flow->traffic->repeat != QUANTITY_INFINITE ||
            flow->traffic->stop_ps != QUANTITY_INFINITE);
}

enum st
run_traffic_create(struct run *run, struct err *err)
{
    const struct flow_list *list = &run->experiment->flows;
    enum st st = ST_OK;

    run->flows = arena_alloc(run->arena, list->n + 1, sizeof *run->flows);
    for (uint32_t i = 0; !st && i < list->n; i++) {
        run->n_flows = i + 1; /* For run_traffic_destroy(). */
        st = create_flow(run, &list->flows[i], i, err);
        run->n_finite += run_flow_is_finite(&run->flows[i]);
    }
    run_steps_create(run);
    st = st ? st : run_failovers_create(run, err);
    st = st ? st : run_disks_create(run, err);
    st = st ? st : run_barrier_create(run, err);
    for (uint32_t i = 0; !st && i < run->topology->n_hosts; i++) {
        if (!run->hosts[i].nic) {
            continue;
        }
        nic_set_listener(run->hosts[i].nic, on_completion, &run->hosts[i]);
        nic_set_datagram_listener(run->hosts[i].nic,
                                  run->hosts[i].processor ? on_datagram : NULL,
                                  &run->hosts[i]);
        if (run->hosts[i].loop) {
            nic_set_listener(run->hosts[i].loop->nic, on_completion,
                             run->hosts[i].loop);
            nic_set_datagram_listener(run->hosts[i].loop->nic,
                                      run->hosts[i].processor ? on_datagram
                                                              : NULL,
                                      run->hosts[i].loop);
        }
    }
    for (uint32_t i = 0; !st && i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];
        const int64_t when_ps = flow->traffic->kind == TRAFFIC_RAW
                                    ? flow->traffic->stop_ps
                                    : flow->start_ps;

        if (when_ps != QUANTITY_INFINITE && run_owns(run, flow->source)) {
            engine_schedule(run->engine, &flow->timer, when_ps);
        }
        if (flow->traffic->kind != TRAFFIC_RAW) {
            flow->start_ps = -1;
        }
    }
    return st;
}

void
run_traffic_destroy(struct run *run)
{
    for (uint32_t i = 0; i < run->n_flows; i++) {
        engine_cancel(run->engine, &run->flows[i].timer);
        engine_cancel(run->engine, &run->flows[i].overdue);
        run_software_destroy(run->flows[i].source_end);
        run_software_destroy(run->flows[i].destination_end);
        run_failover_destroy_flow(&run->flows[i]);
        run_su_destroy(&run->flows[i]);
        run_sk_destroy(&run->flows[i]);
        regions_destroy(run->flows[i].regions);
        sim_payload_unref(run->flows[i].headers[0]);
        sim_payload_unref(run->flows[i].headers[1]);
    }
    for (uint32_t i = 0; run->hosts && i < run->topology->n_hosts; i++) {
        run_srd_destroy(&run->hosts[i]);
        run_srd_destroy(run->hosts[i].loop);
        run_memory_destroy(&run->hosts[i]);
    }
    run_steps_destroy(run);
    run_failovers_destroy(run);
    run_disks_destroy(run);
    run_barrier_destroy(run);
}

/* Reports ------------------------------------------------------------------ */

/* Returns what the end of 'flow' that gets the payload has received. */
static const struct nic_flow *
received_by(const struct run_flow *flow)
{
    const bool is_read = flow->traffic->kind == TRAFFIC_RC &&
                         flow->traffic->verb == TRAFFIC_VERB_READ;

    return nic_received(run_flow_end(flow, is_read)->nic,
                        is_read ? flow->qp : flow->peer_qp);
}

uint64_t
run_flow_bytes(const struct run_flow *flow)
{
    return flow->failover ? run_failover_bytes(flow)
           : flow->su     ? run_su_bytes(flow)
           : flow->sk     ? run_sk_bytes(flow)
                          : received_by(flow)->bytes;
}

int64_t
run_flow_last_ps(const struct run_flow *flow)
{
    const struct nic_flow *received = received_by(flow);

    return flow->failover      ? run_failover_last_ps(flow)
           : received->packets ? received->last_ps
                               : -1;
}

int64_t
run_flow_cwnd(const struct run_flow *flow)
{
    const struct run_host *source = run_flow_end(flow, true);

    return traffic_is_tcp(flow->traffic)
               ? (int64_t)tcp_congestion_of(nic_tcp(source->nic, flow->qp))
                     ->cwnd_bytes
               : 0;
}

void
run_flow_emit(struct run *run, const struct sink_flow *report)
{
    if (run->fct && report->state == SINK_FLOW_DONE) {
        histogram_add(run->fct, (uint64_t)(report->end_ps - report->start_ps));
    }
    if (run->sink->flow_ended) {
        run->sink->flow_ended(run->sink->context, report);
    }
}

/* Adds what the sender of the payload of 'flow' and its receiver have counted
 * to 'report'; what another rank has counted is missing. */
static void
count_packets(const struct run_flow *flow, struct sink_flow *report)
{
    const bool is_read = flow->traffic->kind == TRAFFIC_RC &&
                         flow->traffic->verb == TRAFFIC_VERB_READ;
    const struct nic *nic = run_flow_end(flow, !is_read)->nic;
    const uint32_t qp = is_read ? flow->peer_qp : flow->qp;
    const struct nic_flow *sent = nic_sent(nic, qp);

    report->packets = sent->packets;
    report->retransmitted = sent->again;
    report->cnps = nic_cnps(nic, qp);
    if (run_flow_end(flow, is_read)->nic) {
        const struct nic_flow *received = received_by(flow);

        report->marked = received->marked;
        report->bytes = run_flow_bytes(flow);
    }
}

/* Reports 'flow', which stands as 'state'. */
static void
report_flow(struct run_flow *flow, enum sink_flow_state state, int64_t end_ps)
{
    struct run *run = flow->run;
    const struct nic *source = run_flow_end(flow, true)->nic;
    const bool is_done = state == SINK_FLOW_DONE;
    struct sink_flow report = {
        .flow = flow->number,
        .group = (uint32_t)(flow->traffic - run->scenario->traffic),
        .source = flow->source,
        .destination = flow->destination,
        .priority = (uint8_t)flow->traffic->priority,
        .state = state,
        .error = flow->error,
        .start_ps = flow->start_ps < 0 ? end_ps : flow->start_ps,
        .end_ps = end_ps,
        .skipped = flow->skipped,
        .lost = flow->lost};

    count_packets(flow, &report);
    report.bytes = is_done ? flow->bytes : report.bytes;
    if (traffic_is_tcp(flow->traffic)) {
        report.timeouts = tcp_counters(nic_tcp(source, flow->qp))->timeouts;
        report.cwnd_bytes = (uint64_t)run_flow_cwnd(flow);
    } else if (flow->traffic->kind == TRAFFIC_SRD) {
        report.timeouts = run_srd_timeouts(flow);
    } else if (flow->failover) {
        run_failover_count(flow, &report);
    } else if (traffic_is_rc(flow->traffic)) {
        report.timeouts = rc_counters(nic_rc(source, flow->qp))->timeouts;
    }
    flow->is_done = true;
    if (!run_lanes_defer(flow, &report, !is_done) &&
        (!run->ranks ||
         !run_ranks_defer(flow, &report, !is_done,
                          is_done && traffic_is_stream(flow->traffic)))) {
        run_flow_emit(run, &report);
    }
    if (state != SINK_FLOW_RUNNING) {
        run->n_done += run_flow_is_finite(flow);
        run_meet(run, RUN_BREAK_FLOW, flow->number, "flow %u is %s",
                 (unsigned int)flow->number, sink_flow_state_name(state));
    }
}

void
run_traffic_finish(struct run *run)
{
    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (!run->flows[i].is_done && run_owns(run, run->flows[i].source)) {
            report_flow(&run->flows[i], SINK_FLOW_RUNNING, run_now(run));
        }
    }
    run_ranks_finish_flows(run);
}

uint32_t
run_flow_of(const struct run *run, const struct sim_frame *frame)
{
    const struct topology *topology = run->topology;
    uint32_t low = 0, high = topology->n_hosts;
    const uint32_t qp =
        nic_has_datagram(frame) ? nic_datagram_flow(frame) : frame->flow;
    uint32_t address = 0;

    if (!frame->payload || frame->payload->packet.kind != PACKET_IPV4) {
        return SINK_NONE;
    }
    for (int i = 0; i < 4; i++) {
        address = address << 8 | frame->payload->packet.dst.bytes[i];
    }
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const uint32_t node = run->host_by_address[middle];
        const struct run_host *host = run_host(run, node);

        if (topology->nodes[node].address == address) {
            host = address_equal(&frame->payload->packet.src,
                                 &frame->payload->packet.dst)
                       ? host->loop
                       : host;
            return qp < host->n_qps ? host->qps[qp].flow : SINK_NONE;
        }
        if (topology->nodes[node].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return SINK_NONE;
}

/* Messages ----------------------------------------------------------------- */

/* Returns whether 'flow' shall post no more messages. */
static bool
is_exhausted(const struct run_flow *flow)
{
    const struct traffic_spec *traffic = flow->traffic;

    return flow->error || run_now(flow->run) >= traffic->stop_ps ||
           (!traffic_is_endless(traffic) &&
            traffic->repeat != QUANTITY_INFINITE &&
            flow->posted >= run_barrier_messages(flow));
}

/* Returns the operation of a message of 'traffic'. */
static uint8_t
operation_of(const struct traffic_spec *traffic)
{
    static const uint8_t operations[] = {
        [TRAFFIC_VERB_WRITE] = RC_WRITE,
        [TRAFFIC_VERB_SEND] = RC_SEND,
        [TRAFFIC_VERB_READ] = RC_READ,
        [TRAFFIC_VERB_WRITE_IMM] = RC_WRITE_IMMEDIATE,
    };

    return traffic_is_rc(traffic) ? operations[traffic->verb] : RC_SEND;
}

/* Waits for the timeout of the oldest ping of 'flow' that is not judged. */
static void
watch_ping(struct run_flow *flow)
{
    const struct traffic_spec *traffic = flow->traffic;

    if (traffic->kind != TRAFFIC_PING ||
        traffic->timeout_ps == QUANTITY_INFINITE || flow->error) {
        return;
    }
    if (flow->judged == flow->posted) {
        engine_cancel(flow->run->engine, &flow->overdue);
    } else {
        const int64_t posted_ps = flow->posted_ps[flow->judged % flow->depth];

        /* An answer at this very time is not late. */
        if (posted_ps < INT64_MAX - 1 - traffic->timeout_ps) {
            engine_schedule(flow->run->engine, &flow->overdue,
                            posted_ps + traffic->timeout_ps + 1);
        }
    }
}

/* Judges the next message of 'flow': reports that it has ended with 'bytes', or
 * is lost. */
static void
judge_message(struct run_flow *flow, uint64_t bytes, bool lost, int64_t now_ps)
{
    struct run *run = flow->run;
    const struct sink_message message = {
        .flow = flow->number,
        .group = (uint32_t)(flow->traffic - run->scenario->traffic),
        .number = run_barrier_step(flow, flow->judged),
        .start_ps = flow->posted_ps[flow->judged % flow->depth],
        .end_ps = now_ps,
        .bytes = bytes,
        .lost = lost};

    flow->judged++;
    if (run_barrier_is_signal(flow, flow->judged - 1)) {
        return;
    }
    flow->lost += lost;
    run->n_lost += lost;
    run_rollout_note_message(flow, now_ps - message.start_ps, lost);
    if (run->message && !lost) {
        histogram_add(run->message, (uint64_t)(now_ps - message.start_ps));
    }
    if (run->scenario->record.messages && run->sink->message_ended &&
        !traffic_is_endless(flow->traffic)) {
        run->sink->message_ended(run->sink->context, &message);
    }
}

/* The oldest pings of a flow were not answered in time. */
static void
on_overdue(struct event *event, int64_t now_ps)
{
    struct run_flow *flow = EVENT_OWNER(event, struct run_flow, overdue);

    while (flow->judged < flow->posted &&
           flow->posted_ps[flow->judged % flow->depth] <
               now_ps - flow->traffic->timeout_ps) {
        judge_message(flow, 0, true, now_ps);
    }
    watch_ping(flow);
}

/* The adapter at one end of 'flow' has the next operation. */
static void
note_taken(struct run_flow *flow, bool is_source)
{
    if (flow->estats) {
        run_estats_take(flow, is_source);
    }
}

/* Posts one message. */
static void
post_message(struct run_flow *flow)
{
    struct run *run = flow->run;
    const struct rc_request request = {
        .id = flow->posted,
        .length_bytes = run_barrier_bytes(flow, flow->posted),
        .operation = operation_of(flow->traffic),
        .registers = flow->traffic->registers};

    flow->posted_ps[flow->posted % flow->depth] = run_now(run);
    if (flow->start_ps < 0) {
        flow->start_ps = run_now(run);
    }
    if (run->ranks && traffic_is_stream(flow->traffic)) {
        run_ranks_note_post(flow, flow->posted);
    }
    flow->posted++;
    if (flow->estats) {
        run_estats_post(flow, true, request.operation, request.length_bytes);
    }
    if (flow->su) {
        run_su_post(flow);
    } else if (flow->sk) {
        run_sk_post(flow);
    } else if (flow->source_end) {
        run_software_post(flow->source_end, request.operation);
    } else {
        orch_assert(nic_post(run_flow_end(flow, true)->nic, flow->qp,
                             &request) == ST_OK);
        note_taken(flow, true);
    }
    if (flow->posted == flow->judged + 1) {
        watch_ping(flow);
    }
}

/* Returns how many messages of 'flow' are over, at both ends. */
static uint64_t
over(const struct run_flow *flow)
{
    return traffic_is_stream(flow->traffic) && flow->judged < flow->completed
               ? flow->judged
               : flow->completed;
}

/* Returns whether 'flow' may post another message.  The request of a ping is in
 * the send queue until it is acknowledged, which can be after its answer. */
static bool
has_room(const struct run_flow *flow)
{
    return flow->posted - over(flow) < flow->depth && !run_steps_hold(flow) &&
           (flow->traffic->kind != TRAFFIC_PING ||
            flow->posted - flow->acknowledged < run_queue_depth(flow->depth));
}

void
run_flow_fill(struct run_flow *flow)
{
    while (has_room(flow) && !is_exhausted(flow)) {
        post_message(flow);
    }
}

/* Ends 'flow' if nothing of it is left. */
static void
try_end(struct run_flow *flow, int64_t now_ps)
{
    if (!flow->is_done && is_exhausted(flow) && flow->end_ps >= 0 &&
        flow->posted == over(flow) && !flow->error) {
        report_flow(flow, SINK_FLOW_DONE, flow->end_ps);
    }
    (void)now_ps;
}

/* The start of a flow, the time of its next message, or the end of a raw
 * one. */
static void
on_timer(struct event *event, int64_t now_ps)
{
    struct run_flow *flow = EVENT_OWNER(event, struct run_flow, timer);
    const struct traffic_spec *traffic = flow->traffic;

    if (traffic->kind == TRAFFIC_RAW) {
        nic_stop(run_flow_end(flow, true)->nic, flow->qp);
        return;
    }
    if (!traffic->every_ps) {
        run_flow_fill(flow);
        if (traffic->stop_ps > now_ps &&
            traffic->stop_ps != QUANTITY_INFINITE) {
            engine_schedule(flow->run->engine, event, traffic->stop_ps);
        }
        try_end(flow, now_ps);
        return;
    }
    if (is_exhausted(flow)) {
        try_end(flow, now_ps);
        return;
    }
    /* A message that does not fit is left out: the queue is full. */
    if (has_room(flow)) {
        post_message(flow);
    } else {
        flow->skipped++;
        flow->run->n_skipped++;
    }
    engine_schedule(flow->run->engine, event, now_ps + traffic->every_ps);
}

/* Goes on after a message of 'flow' that has ended. */
static void
go_on(struct run_flow *flow, int64_t now_ps)
{
    run_steps_note(flow, over(flow), now_ps);
    if (!flow->traffic->every_ps) {
        run_flow_fill(flow);
    }
    try_end(flow, now_ps);
}

/* Counts a message of 'flow' that has ended; it may be judged already, and one
 * over TCP is judged where it arrives. */
static void
end_message(struct run_flow *flow, uint64_t bytes, int64_t now_ps)
{
    const bool is_late = flow->completed < flow->judged;

    flow->completed++;
    flow->bytes += bytes;
    if (!traffic_is_stream(flow->traffic)) {
        flow->end_ps = now_ps;
    } else if (!run_owns(flow->run, flow->destination)) {
        /* It was judged there before; the report gets its end from there. */
        flow->judged = flow->completed;
        flow->end_ps = now_ps;
    }
    if (!is_late && !traffic_is_stream(flow->traffic)) {
        judge_message(flow, bytes, false, now_ps);
        watch_ping(flow);
    }
    go_on(flow, now_ps);
}

/* The QP of 'flow' at one end is in error: nothing outstanding will end. */
static void
fail_flow(struct run_flow *flow, uint8_t status, int64_t now_ps)
{
    struct err err = {0};

    if (flow->error) {
        return;
    }
    flow->error = status;
    if (run_ranks_cannot_fail(flow)) {
        err_set(&err, ST_UNSUPPORTED, "ranks",
                "flow %u of '%s' fails, and its other end is on another rank, "
                "which would have to know at once",
                (unsigned int)flow->number, flow->traffic->name);
        err_set_remedy(&err, "run it on one rank, without mpirun");
        run_fail(flow->run, &err);
        return;
    }
    engine_cancel(flow->run->engine, &flow->overdue);
    if (flow->disk) {
        run_disk_note_failed(flow);
    }
    while (flow->judged < flow->posted) {
        judge_message(flow, 0, true, now_ps);
    }
    report_flow(flow, SINK_FLOW_FAILED, now_ps);
}

/* Answers the pings of 'flow' at its destination, as far as the send queue of
 * its QP has room; the others wait for completions there. */
static void
answer(struct run_flow *flow, struct run_host *host)
{
    const struct rc_request echo = {.length_bytes = flow->message_bytes,
                                    .operation = operation_of(flow->traffic)};

    for (; flow->owed && flow->destination_end; flow->owed--) {
        if (flow->estats) {
            run_estats_post(flow, false, echo.operation, echo.length_bytes);
        }
        run_software_post(flow->destination_end, echo.operation);
    }
    while (flow->owed && !flow->error &&
           nic_post(host->nic, flow->peer_qp, &echo) == ST_OK) {
        if (flow->estats) {
            run_estats_post(flow, false, echo.operation, echo.length_bytes);
            note_taken(flow, false);
        }
        flow->owed--;
    }
}

/* Tells the job of 'flow' that its last judged message has arrived. */
static void
note_arrival(struct run_flow *flow, int64_t now_ps)
{
    const uint64_t number = flow->judged - 1;

    run_barrier_note(flow, number,
                     now_ps - flow->posted_ps[number % flow->depth], now_ps);
    if (flow->disk) {
        run_disk_note_arrived(flow, now_ps);
    }
}

void
run_traffic_complete(struct run_flow *flow, bool is_source,
                     const struct rc_completion *completion, int64_t now_ps)
{
    struct run_host *host = run_flow_end(flow, is_source);
    const bool is_ping = flow->traffic->kind == TRAFFIC_PING;

    if (flow->estats) {
        run_estats_poll(flow, is_source, completion, now_ps);
    }
    if (completion->status != RC_STATUS_OK) {
        fail_flow(flow, completion->status, now_ps);
    } else if (completion->is_receive) {
        if (traffic_is_rc(flow->traffic)) {
            run_flow_post_receive(flow, host,
                                  is_source ? flow->qp : flow->peer_qp);
        }
        if (traffic_is_stream(flow->traffic)) {
            judge_message(flow, completion->bytes, false, now_ps);
            flow->end_ps = now_ps;
            note_arrival(flow, now_ps);
            if (run_owns(flow->run, flow->source)) {
                go_on(flow, now_ps);
            }
            return;
        }
        if (is_ping && is_source) {
            end_message(flow, completion->bytes, now_ps);
        } else if (is_ping) {
            flow->owed++;
            answer(flow, host);
        }
    } else if (is_ping && !is_source) {
        answer(flow, host);
    } else if (is_ping) {
        flow->acknowledged++;
        if (!flow->traffic->every_ps) {
            run_flow_fill(flow);
        }
    } else {
        end_message(flow, completion->bytes, now_ps);
    }
}

/* A nic_completion_fn. */
static void
on_completion(void *context, uint32_t number,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct run_host *host = context;
    const struct run_qp *qp = &host->qps[number];
    struct run_flow *flow = &host->run->flows[qp->flow];
    struct run_software *end =
        qp->is_source ? flow->source_end : flow->destination_end;

    if (flow->estats) {
        run_estats_complete(flow, qp->is_source, completion, now_ps);
    }
    if (flow->su) {
        run_su_complete(flow, qp->is_source, number, completion, now_ps);
    } else if (flow->sk) {
        run_sk_complete(flow, qp->is_source, completion, now_ps);
    } else if (end) {
        run_software_complete(end, completion, now_ps);
    } else {
        run_traffic_complete(flow, qp->is_source, completion, now_ps);
    }
}
