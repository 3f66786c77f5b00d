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
    return traffic->kind == TRAFFIC_TCP || traffic->kind == TRAFFIC_SRD;
}

/* Whether 'traffic' uses reliable connections of RDMA. */
static bool
is_rc(const struct traffic_spec *traffic)
{
    return traffic->kind != TRAFFIC_RAW && traffic->kind != TRAFFIC_SRD &&
           !is_tcp(traffic);
}

/* 'port' is that of the source.  In RoCEv2 and SRD it is the source port both
 * ways. */
struct sim_payload *
run_flow_headers(const struct run_flow *flow, bool is_segment, bool from_source,
                 uint16_t port)
{
    const struct run *run = flow->run;
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
    return traffic->kind == TRAFFIC_PING || traffic->kind == TRAFFIC_SU_RDMA ||
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
    return flow->traffic->kind == TRAFFIC_PING ? PING_RECEIVES
           : flow->traffic->kind == TRAFFIC_SU_RDMA
               ? run_su_receives(flow)
               : (uint32_t)host->profile->spec->rc.receives;
}

/* Returns the RC settings of 'host' for 'flow'. */
static const struct rc_config *
make_rc(struct run *run, const struct run_flow *flow,
        const struct run_host *host)
{
    struct rc_config *rc = arena_alloc(run->arena, 1, sizeof *rc);

    *rc = host->profile->rc;
    rc->send_depth = round_up(flow->traffic->kind == TRAFFIC_SU_RDMA
                                  ? run_su_send_depth(flow)
                                  : flow->depth);
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
    tcp->send_depth = round_up((uint64_t)flow->depth *
                               run_software_pieces(host, flow->message_bytes));
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

/* Returns how much lag the pacer of 'traffic' makes up for.  TCP is not paced:
 * TSO only lets packets follow each other, without a gap afterwards. */
static int64_t
lag_of(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return is_tcp(traffic) ? INT64_MAX / 2 : spec->pacer_credit_ps;
}

/* Returns the DCQCN of 'host' for 'traffic', or NULL. */
static const struct dcqcn *
dcqcn_of(const struct traffic_spec *traffic, const struct run_host *host)
{
    return host->profile->spec->dcqcn.profile && is_rc(traffic)
               ? &host->profile->dcqcn
               : NULL;
}

/* Posts a receive work request to QP 'qp' of 'host'. */
static void
post_receive(const struct run_flow *flow, struct run_host *host, uint32_t qp)
{
    orch_assert(nic_post_receive(host->nic, qp, 0,
                                 flow->traffic->kind == TRAFFIC_SU_RDMA
                                     ? run_su_receive_bytes(flow)
                                     : flow->message_bytes) == ST_OK);
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
        .pacer = {.burst = burst_of(traffic, host->profile->spec),
                  .max_lag_ps = lag_of(traffic, host->profile->spec)},
        .dcqcn = dcqcn_of(traffic, host)};
    uint32_t qp = host->n_qps;
    struct err why = {0};

    if (!host->nic) {
        run_host_note_qp(host, qp, flow->number, is_source);
        *(is_source ? &flow->qp : &flow->peer_qp) = qp;
        return ST_OK;
    }
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

enum st
run_flow_add_stream(struct run_flow *flow, bool is_source, uint32_t peer_qp,
                    const struct run_stream *stream, uint32_t *qp)
{
    struct run_host *host = run_flow_end(flow, is_source);
    const struct host_spec *spec = host->profile->spec;
    const struct nic_qp_config config = {
        .kind = NIC_TCP,
        .peer_qp = peer_qp,
        .headers = stream->headers[!is_source],
        .priority = stream->priority,
        .dscp = stream->dscp,
        .pacer = {.burst =
                      (uint32_t)(spec->tcp.tso_bytes / spec->tcp.mss_bytes),
                  .max_lag_ps = INT64_MAX / 2},
        .tcp = make_tcp(flow->run, flow, host)};

    if (nic_add_qp(host->nic, &config, qp)) {
        return ST_NO_RESOURCE;
    }
    run_host_note_qp(host, *qp, flow->number, is_source);
    host->qps[*qp].is_stream = true;
    return ST_OK;
}

enum st
run_flow_add_pair(struct run_flow *flow, struct err *err)
{
    const bool loops = flow->source == flow->destination;
    const struct run_host *source = run_flow_end(flow, true);
    /* The destination first: the source may send at once. */
    const enum st st =
        add_qp(flow->run, flow, false, source->n_qps + loops, err);

    return st ? st : add_qp(flow->run, flow, true, flow->peer_qp, err);
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
        ((traffic->size_bytes > most && is_rc(traffic)) ||
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
        flow->headers[i] =
            run_flow_headers(flow, is_tcp(traffic), i == 0, from->source_port);
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
    flow->depth = is_endless(traffic) ? ENDLESS_DEPTH
                  : traffic->every_ps || traffic->barrier
                      ? DEPTH_MIN
                      : (uint32_t)traffic->depth;
    flow->message_bytes =
        is_endless(traffic) ? ENDLESS_BYTES : (uint32_t)traffic->size_bytes;
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
    if (!st) {
        st = run_flow_add_pair(flow, err);
    }
    if (!st && traffic->kind == TRAFFIC_SU_RDMA) {
        st = run_su_create(flow, err);
    }
    if (!st) {
        run_software_create(flow);
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
        const bool has_rc = is_rc(flow->traffic);

        if (host->qps[qp].is_stream) {
            continue; /* No key that can be changed is of TCP. */
        }
        orch_assert(nic_tune_qp(host->nic, qp, burst_of(flow->traffic, spec),
                                has_rc ? make_rc(run, flow, host) : NULL,
                                dcqcn_of(flow->traffic, host)) == ST_OK);
    }
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
    return flow->traffic->kind != TRAFFIC_RAW && !is_endless(flow->traffic) &&
           !flow->traffic->peers &&
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
            nic_set_datagram_listener(
                run->hosts[i].loop->nic,
                run->hosts[i].processor ? on_datagram : NULL,
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
        sim_payload_unref(run->flows[i].headers[0]);
        sim_payload_unref(run->flows[i].headers[1]);
    }
    for (uint32_t i = 0; run->hosts && i < run->topology->n_hosts; i++) {
        run_srd_destroy(&run->hosts[i]);
        run_srd_destroy(run->hosts[i].loop);
        run_su_destroy_memory(&run->hosts[i]);
    }
    run_steps_destroy(run);
    run_failovers_destroy(run);
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

    return is_tcp(flow->traffic)
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
    if (is_tcp(flow->traffic)) {
        report.timeouts = tcp_counters(nic_tcp(source, flow->qp))->timeouts;
        report.cwnd_bytes = (uint64_t)run_flow_cwnd(flow);
    } else if (flow->traffic->kind == TRAFFIC_SRD) {
        report.timeouts = run_srd_timeouts(flow);
    } else if (flow->failover) {
        run_failover_count(flow, &report);
    } else if (is_rc(flow->traffic)) {
        report.timeouts = rc_counters(nic_rc(source, flow->qp))->timeouts;
    }
    flow->is_done = true;
    if (!run_lanes_defer(flow, &report, !is_done) &&
        (!run->ranks ||
         !run_ranks_defer(flow, &report, !is_done,
                          is_done && is_stream(flow->traffic)))) {
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
           (!is_endless(traffic) && traffic->repeat != QUANTITY_INFINITE &&
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

    return is_rc(traffic) ? operations[traffic->verb] : RC_SEND;
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
    if (run->ranks && is_stream(flow->traffic)) {
        run_ranks_note_post(flow, flow->posted);
    }
    flow->posted++;
    if (flow->estats) {
        run_estats_post(flow, true, request.operation, request.length_bytes);
    }
    if (flow->su) {
        run_su_post(flow);
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
    return is_stream(flow->traffic) && flow->judged < flow->completed
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
            flow->posted - flow->acknowledged < round_up(flow->depth));
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
    if (!is_stream(flow->traffic)) {
        flow->end_ps = now_ps;
    } else if (!run_owns(flow->run, flow->destination)) {
        /* It was judged there before; the report gets its end from there. */
        flow->judged = flow->completed;
        flow->end_ps = now_ps;
    }
    if (!is_late && !is_stream(flow->traffic)) {
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
        if (is_rc(flow->traffic)) {
            post_receive(flow, host, is_source ? flow->qp : flow->peer_qp);
        }
        if (is_stream(flow->traffic)) {
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
    } else if (end) {
        run_software_complete(end, completion, now_ps);
    } else {
        run_traffic_complete(flow, qp->is_source, completion, now_ps);
    }
}
