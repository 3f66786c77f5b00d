/* SPDX-License-Identifier: Apache-2.0 */

/* The traffic of a run: queue pairs, messages, completions.
 *
 * A flow posts messages at its source: 'depth' of them outstanding, or one each
 * 'every'.  An endless message is a sequence of messages of ENDLESS_BYTES.  A
 * ping is a SEND or a WRITE with immediate data; its destination answers with
 * one of the same size, in order, and the latency is until that has arrived. An
 * answer after the timeout of a ping is for a message that counts as lost.
 *
 * A message over TCP has ended when all of it has arrived; the next one of a
 * flow is posted when it is acknowledged. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "twin/forwarding/frame.h"

enum {
    ROCE_PORT = 4791,
    TCP_PORT = 5001,
    TTL = 64,
    ETHERTYPE_IPV4 = 0x0800,
    FCS_BYTES = 4,
    ENDLESS_BYTES = 8 << 20,
    ENDLESS_DEPTH = 4,
    PING_RECEIVES = 64,
    DEPTH_MIN = 16,
    DEPTH_MAX = 32768,
    PACKETS_MAX = 1 << 22, /* Of a message. */
    MBPS = 1000000,
};

#define GBPS 1e9

/* Creation ----------------------------------------------------------------- */

struct run_host *
run_flow_end(const struct run_flow *flow, bool is_source)
{
    struct run_host *host =
        run_host(flow->run, is_source ? flow->source : flow->destination);

    return flow->source == flow->destination ? host->loop : host;
}

static bool
is_tcp(const struct traffic_spec *traffic)
{
    return traffic->transport == TRAFFIC_TRANSPORT_TCP;
}

/* Whether completions at the receiver end the messages of 'traffic': the sender
 * of a stream does not wait for acknowledgements. */
static bool
is_stream(const struct traffic_spec *traffic)
{
    return traffic->kind == TRAFFIC_TCP;
}

/* Returns the headers of the packets of 'flow' from its source, or to it;
 * 'port' is that of the source.  In RoCEv2 it is the source port both ways. */
static struct sim_payload *
make_headers(const struct run_flow *flow, bool from_source, uint16_t port)
{
    const struct run *run = flow->run;
    const bool is_segment = is_tcp(flow->traffic);
    const uint32_t from = from_source ? flow->source : flow->destination;
    const uint32_t to = from_source ? flow->destination : flow->source;
    const struct topology *topology = run->topology;
    const struct topology_node *source = &topology->nodes[from];
    /* What leaves the host goes to its T0. */
    const uint32_t next =
        from == to ? to : topology_port(topology, from, 0)->peer;
    const struct packet packet = {
        .dst_mac = topology->nodes[next].mac,
        .src_mac = source->mac,
        .type = ETHERTYPE_IPV4,
        .offset = PACKET_MIN_BYTES,
        .kind = PACKET_IPV4,
        .src = address_v4(source->address),
        .dst = address_v4(topology->nodes[to].address),
        .ttl = TTL,
        .protocol = is_segment ? PACKET_TCP : PACKET_UDP,
        .has_ports = true,
        .src_port = is_segment && !from_source ? TCP_PORT : port,
        .dst_port = !is_segment   ? ROCE_PORT
                    : from_source ? TCP_PORT
                                  : port};

    return sim_payload_describe(&packet);
}

static bool
is_endless(const struct traffic_spec *traffic)
{
    return traffic->size_bytes == QUANTITY_INFINITE;
}

/* Returns whether the messages of 'traffic' need receive work requests. */
static bool
needs_receives(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return traffic->kind == TRAFFIC_PING ||
           (spec->rc.receives > 0 && (traffic->verb == TRAFFIC_VERB_SEND ||
                                      traffic->verb == TRAFFIC_VERB_WRITE_IMM));
}

/* Returns the smallest power of 2 that is at least 'n' and DEPTH_MIN. */
static uint32_t
round_up(uint64_t n)
{
    uint32_t depth = DEPTH_MIN;

    while (depth < n && depth < DEPTH_MAX) {
        depth *= 2;
    }
    return depth;
}

/* Returns the number of receive work requests that an end keeps posted. */
static uint32_t
receives_of(const struct run_flow *flow, const struct run_host *host)
{
    return flow->traffic->kind == TRAFFIC_PING
               ? PING_RECEIVES
               : (uint32_t)host->profile->spec->rc.receives;
}

/* Returns the RC settings of 'host' for 'flow'. */
static const struct rc_config *
make_rc(struct run *run, const struct run_flow *flow,
        const struct run_host *host)
{
    struct rc_config *rc = arena_alloc(run->arena, 1, sizeof *rc);

    *rc = host->profile->rc;
    rc->send_depth = round_up(flow->depth);
    if (needs_receives(flow->traffic, host->profile->spec)) {
        rc->receive_depth = round_up(receives_of(flow, host));
    }
    return rc;
}

/* Returns the TCP settings of 'host' for 'flow'. */
static const struct tcp_config *
make_tcp(struct run *run, const struct run_flow *flow,
         const struct run_host *host)
{
    struct tcp_config *tcp = arena_alloc(run->arena, 1, sizeof *tcp);

    *tcp = host->profile->tcp;
    tcp->send_depth = round_up(flow->depth);
    return tcp;
}

/* Returns how many packets of 'traffic' the pacer of a host sends back to
 * back. */
static uint32_t
burst_of(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return (uint32_t)(is_tcp(traffic)
                          ? spec->tcp.tso_bytes / spec->tcp.mss_bytes
                          : spec->burst);
}

/* Returns the DCQCN of 'host' for 'traffic', or NULL. */
static const struct dcqcn *
dcqcn_of(const struct traffic_spec *traffic, const struct run_host *host)
{
    return host->profile->spec->dcqcn.profile && traffic->kind != TRAFFIC_RAW &&
                   !is_tcp(traffic)
               ? &host->profile->dcqcn
               : NULL;
}

/* Posts a receive work request to QP 'qp' of 'host'. */
static void
post_receive(const struct run_flow *flow, struct run_host *host, uint32_t qp)
{
    orch_assert(nic_post_receive(host->nic, qp, 0, flow->message_bytes) ==
                ST_OK);
}

/* Adds the queue pair of 'flow' at one end. */
static enum st
add_qp(struct run *run, struct run_flow *flow, bool is_source, uint32_t peer_qp,
       struct err *err)
{
    struct run_host *host = run_flow_end(flow, is_source);
    const struct traffic_spec *traffic = flow->traffic;
    const bool is_raw = traffic->kind == TRAFFIC_RAW;
    struct nic_qp_config config = {
        .kind = is_raw            ? NIC_RAW
                : is_tcp(traffic) ? NIC_TCP
                                  : NIC_RC,
        .peer_qp = peer_qp,
        .headers = flow->headers[!is_source],
        .priority = (uint8_t)traffic->priority,
        .dscp = (uint8_t)traffic->dscp,
        .pacer = {.burst = burst_of(traffic, host->profile->spec)},
        .dcqcn = dcqcn_of(traffic, host)};
    uint32_t qp;
    struct err why = {0};

    if (is_raw) {
        config.raw = (struct nic_raw_config){
            .frame_bytes = (uint32_t)traffic->frame_bytes - FCS_BYTES,
            .bits_per_s = (uint64_t)traffic->rate_bps,
            .start_ps =
                is_source ? run->flows[flow->number].start_ps : INT64_MAX / 2,
            .n_frames = is_source && traffic->frames != QUANTITY_INFINITE
                            ? (uint64_t)traffic->frames
                            : !is_source};
    } else if (is_tcp(traffic)) {
        config.tcp = make_tcp(run, flow, host);
    } else {
        config.rc = make_rc(run, flow, host);
        if (rc_config_check(config.rc, &why)) {
            return scenario_fail(run->scenario, &host->profile->spec->place,
                                 err, "rc: %s", why.reason);
        }
    }
    if (nic_add_qp(host->nic, &config, &qp)) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "an adapter refuses a queue pair of '%s'",
                             traffic->name);
    }
    run_host_note_qp(host, qp, flow->number, is_source);
    *(is_source ? &flow->qp : &flow->peer_qp) = qp;
    if (config.rc && config.rc->receive_depth) {
        for (uint32_t i = 0; i < receives_of(flow, host); i++) {
            post_receive(flow, host, qp);
        }
    }
    return ST_OK;
}

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

    if (traffic->kind != TRAFFIC_RAW && !is_endless(traffic) &&
        ((traffic->size_bytes > most && !is_tcp(traffic)) ||
         traffic->size_bytes > INT32_MAX)) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "a message has at most 2^31-1 bytes and 2^22 "
                             "packets; use 'repeat', or 'size: inf'");
    }
    return ST_OK;
}

static void on_timer(struct event *event, int64_t now_ps);
static void on_overdue(struct event *event, int64_t now_ps);

/* Fills '*flow' from number 'number' of 'list', and adds its queue pairs. */
static enum st
create_flow(struct run *run, const struct flow *from, uint32_t number,
            struct err *err)
{
    struct run_flow *flow = &run->flows[number];
    const struct traffic_spec *traffic = &run->scenario->traffic[from->item];
    const bool loops = from->source == from->destination;
    const struct run_host *source;
    enum st st;

    *flow = (struct run_flow){.run = run,
                              .number = number,
                              .traffic = traffic,
                              .source = from->source,
                              .destination = from->destination,
                              .start_ps = from->start_ps,
                              .end_ps = -1};
    if (loops && run_host_loop(run_host(run, flow->source))) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "there are too many hosts for '%s'",
                             traffic->name);
    }
    source = run_flow_end(flow, true);
    flow->headers[0] = make_headers(flow, true, from->source_port);
    flow->headers[1] = make_headers(flow, false, from->source_port);
    flow->depth = is_endless(traffic) ? ENDLESS_DEPTH
                  : traffic->every_ps ? DEPTH_MIN
                                      : (uint32_t)traffic->depth;
    flow->message_bytes =
        is_endless(traffic) ? ENDLESS_BYTES : (uint32_t)traffic->size_bytes;
    flow->posted_ps =
        arena_alloc(run->arena, flow->depth, sizeof *flow->posted_ps);
    if (run->scenario->record.paths) {
        flow->hops = arena_alloc(run->arena, RUN_HOPS_MAX, sizeof *flow->hops);
    }
    flow->timer = event_make(EVENT_TIMER_COMMAND, nic_entity(source->nic),
                             number, on_timer);
    flow->overdue = event_make(EVENT_TIMER_COMMAND, nic_entity(source->nic),
                               number, on_overdue);
    st = check_size(run, flow, err);
    if (!st) {
        /* The destination first: the source may send at once. */
        st = add_qp(run, flow, false, nic_n_qps(source->nic) + loops, err);
    }
    if (!st) {
        st = add_qp(run, flow, true, flow->peer_qp, err);
    }
    return st;
}

void
run_traffic_tune(struct run_host *host)
{
    struct run *run = host->run;
    const struct host_spec *spec = host->profile->spec;

    for (uint32_t qp = 0; qp < host->n_qps; qp++) {
        const struct run_flow *flow = &run->flows[host->qps[qp].flow];
        const bool has_rc =
            flow->traffic->kind != TRAFFIC_RAW && !is_tcp(flow->traffic);

        orch_assert(nic_tune_qp(host->nic, qp, burst_of(flow->traffic, spec),
                                has_rc ? make_rc(run, flow, host) : NULL,
                                dcqcn_of(flow->traffic, host)) == ST_OK);
    }
}

static void on_completion(void *context, uint32_t qp,
                          const struct rc_completion *completion,
                          int64_t now_ps);

/* Returns whether 'flow' ends by itself. */
static bool
is_finite(const struct run_flow *flow)
{
    return flow->traffic->kind != TRAFFIC_RAW && !is_endless(flow->traffic) &&
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
        run->n_finite += is_finite(&run->flows[i]);
    }
    for (uint32_t i = 0; !st && i < run->topology->n_hosts; i++) {
        nic_set_listener(run->hosts[i].nic, on_completion, &run->hosts[i]);
        if (run->hosts[i].loop) {
            nic_set_listener(run->hosts[i].loop->nic, on_completion,
                             run->hosts[i].loop);
        }
    }
    for (uint32_t i = 0; !st && i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];
        const int64_t when_ps = flow->traffic->kind == TRAFFIC_RAW
                                    ? flow->traffic->stop_ps
                                    : flow->start_ps;

        if (when_ps != QUANTITY_INFINITE) {
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
        sim_payload_unref(run->flows[i].headers[0]);
        sim_payload_unref(run->flows[i].headers[1]);
    }
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
    return received_by(flow)->bytes;
}

int64_t
run_flow_last_ps(const struct run_flow *flow)
{
    const struct nic_flow *received = received_by(flow);

    return received->packets ? received->last_ps : -1;
}

int64_t
run_flow_cwnd(const struct run_flow *flow)
{
    const struct run_host *source = run_flow_end(flow, true);

    return is_tcp(flow->traffic)
               ? (int64_t)tcp_congestion_of(nic_tcp(source->nic, flow->qp))
                     ->cwnd_bytes
               : 0;
}

/* Reports 'flow', which stands as 'state'. */
static void
report_flow(struct run_flow *flow, enum sink_flow_state state, int64_t end_ps)
{
    struct run *run = flow->run;
    const bool is_read = flow->traffic->kind == TRAFFIC_RC &&
                         flow->traffic->verb == TRAFFIC_VERB_READ;
    struct nic *source = run_flow_end(flow, true)->nic;
    struct nic *destination = run_flow_end(flow, false)->nic;
    const struct nic_flow *sent = is_read ? nic_sent(destination, flow->peer_qp)
                                          : nic_sent(source, flow->qp);
    const struct nic_flow *received =
        is_read ? nic_received(source, flow->qp)
                : nic_received(destination, flow->peer_qp);
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
        .bytes = state == SINK_FLOW_DONE ? flow->bytes : received->bytes,
        .packets = sent->packets,
        .retransmitted = sent->again,
        .marked = received->marked,
        .cnps = nic_cnps(is_read ? destination : source,
                         is_read ? flow->peer_qp : flow->qp),
        .skipped = flow->skipped,
        .lost = flow->lost};

    if (is_tcp(flow->traffic)) {
        const struct tcp *tcp = nic_tcp(source, flow->qp);

        report.timeouts = tcp_counters(tcp)->timeouts;
        report.cwnd_bytes = (uint64_t)run_flow_cwnd(flow);
    } else if (flow->traffic->kind != TRAFFIC_RAW) {
        report.timeouts = rc_counters(nic_rc(source, flow->qp))->timeouts;
    } else {
        report.bytes = received->bytes;
    }
    flow->is_done = true;
    if (run->fct && state == SINK_FLOW_DONE) {
        histogram_add(run->fct, (uint64_t)(report.end_ps - report.start_ps));
    }
    if (run->sink->flow_ended) {
        run->sink->flow_ended(run->sink->context, &report);
    }
    if (state != SINK_FLOW_RUNNING) {
        run->n_done += is_finite(flow);
        run_meet(run, RUN_BREAK_FLOW, flow->number, "flow %u is %s",
                 (unsigned int)flow->number, sink_flow_state_name(state));
    }
}

void
run_traffic_finish(struct run *run)
{
    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (!run->flows[i].is_done) {
            report_flow(&run->flows[i], SINK_FLOW_RUNNING, run_now(run));
        }
    }
}

uint32_t
run_flow_of(const struct run *run, const struct sim_frame *frame)
{
    const struct topology *topology = run->topology;
    uint32_t low = 0, high = topology->n_hosts;
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
            return frame->flow < host->n_qps ? host->qps[frame->flow].flow
                                             : SINK_NONE;
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
           (!is_endless(traffic) && traffic->repeat != QUANTITY_INFINITE &&
            flow->posted >= (uint64_t)traffic->repeat);
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

    return is_tcp(traffic) ? RC_SEND : operations[traffic->verb];
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
        .number = flow->judged,
        .start_ps = flow->posted_ps[flow->judged % flow->depth],
        .end_ps = now_ps,
        .bytes = bytes,
        .lost = lost};

    flow->judged++;
    flow->lost += lost;
    run->n_lost += lost;
    run_rollout_note_message(flow, now_ps - message.start_ps, lost);
    if (run->message && !lost) {
        histogram_add(run->message, (uint64_t)(now_ps - message.start_ps));
    }
    if (run->scenario->record.messages && run->sink->message_ended &&
        !is_endless(flow->traffic)) {
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

/* Posts one message. */
static void
post_message(struct run_flow *flow)
{
    struct run *run = flow->run;
    const struct rc_request request = {.id = flow->posted,
                                       .length_bytes = flow->message_bytes,
                                       .operation =
                                           operation_of(flow->traffic)};

    flow->posted_ps[flow->posted % flow->depth] = run_now(run);
    if (flow->start_ps < 0) {
        flow->start_ps = run_now(run);
    }
    flow->posted++;
    orch_assert(nic_post(run_flow_end(flow, true)->nic, flow->qp, &request) ==
                ST_OK);
    if (flow->posted == flow->judged + 1) {
        watch_ping(flow);
    }
}

/* Returns whether 'flow' may post another message.  The request of a ping is in
 * the send queue until it is acknowledged, which can be after its answer. */
static bool
has_room(const struct run_flow *flow)
{
    return flow->posted - flow->completed < flow->depth &&
           (flow->traffic->kind != TRAFFIC_PING ||
            flow->posted - flow->acknowledged < round_up(flow->depth));
}

/* Posts what 'flow' may have outstanding. */
static void
fill(struct run_flow *flow)
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
        flow->posted == flow->completed && !flow->error) {
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
        fill(flow);
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

/* Counts a message of 'flow' that has ended; it may be judged already. */
static void
end_message(struct run_flow *flow, uint64_t bytes, int64_t now_ps)
{
    const bool is_late = flow->completed < flow->judged;

    flow->completed++;
    flow->bytes += bytes;
    if (!is_stream(flow->traffic)) {
        flow->end_ps = now_ps;
    }
    if (!is_late) {
        judge_message(flow, bytes, false, now_ps);
        watch_ping(flow);
    }
    if (!flow->traffic->every_ps) {
        fill(flow);
    }
    try_end(flow, now_ps);
}

/* The QP of 'flow' at one end is in error: nothing outstanding will end. */
static void
fail_flow(struct run_flow *flow, uint8_t status, int64_t now_ps)
{
    if (flow->error) {
        return;
    }
    flow->error = status;
    engine_cancel(flow->run->engine, &flow->overdue);
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

    while (flow->owed && !flow->error &&
           nic_post(host->nic, flow->peer_qp, &echo) == ST_OK) {
        flow->owed--;
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
    const bool is_ping = flow->traffic->kind == TRAFFIC_PING;

    if (completion->status != RC_STATUS_OK) {
        fail_flow(flow, completion->status, now_ps);
    } else if (completion->is_receive) {
        if (!is_tcp(flow->traffic)) {
            post_receive(flow, host, number);
        }
        if (is_stream(flow->traffic)) {
            judge_message(flow, completion->bytes, false, now_ps);
            flow->end_ps = now_ps;
            return;
        }
        if (is_ping && qp->is_source) {
            end_message(flow, completion->bytes, now_ps);
        } else if (is_ping) {
            flow->owed++;
            answer(flow, host);
        }
    } else if (is_ping && !qp->is_source) {
        answer(flow, host);
    } else if (is_ping) {
        flow->acknowledged++;
        if (!flow->traffic->every_ps) {
            fill(flow);
        }
    } else {
        end_message(flow, completion->bytes, now_ps);
    }
}
