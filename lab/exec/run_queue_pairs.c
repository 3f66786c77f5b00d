/* SPDX-License-Identifier: Apache-2.0 */

/* Queue pairs of flows: their headers, and their settings by the profiles of
 * hosts. */

#include <config.h>

#include "lab/exec/run_queue_pairs.h"

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_storage.h"
#include "lab/storage/sk_rdma.h"
#include "twin/forwarding/frame.h"

enum {
    ROCE_PORT = 4791,
    TCP_PORT = 5001,
    TTL = 64,
    ETHERTYPE_IPV4 = 0x0800,
    FCS_BYTES = 4,
    PING_RECEIVES = 64,
    DEPTH_MIN = 16,
    DEPTH_MAX = 32768,
};

struct run_host *
run_flow_end(const struct run_flow *flow, bool is_source)
{
    struct run_host *host =
        run_host(flow->run, is_source ? flow->source : flow->destination);

    return flow->source == flow->destination ? host->loop : host;
}

enum st
run_flow_check_reads(const struct run_flow *flow, const char *what,
                     const char *remedy, struct err *err)
{
    for (int i = 0; i < 2; i++) {
        const struct run_host *host = run_flow_end(flow, i == 0);

        if (!host->profile->rc.max_reads) {
            return scenario_fail(
                flow->run->scenario, &flow->traffic->place, err,
                "%s of '%s' go by READ, which %s cannot do: "
                "set 'reads' of 'rc' to 1 or more%s",
                what, flow->traffic->name,
                flow->run->topology->nodes[host->node].name, remedy);
        }
    }
    return ST_OK;
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

/* Returns whether the messages of 'traffic' need receive work requests. */
static bool
needs_receives(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return traffic->kind == TRAFFIC_PING || traffic->kind == TRAFFIC_SU_RDMA ||
           traffic->kind == TRAFFIC_SK_RDMA ||
           (spec->rc.receives > 0 && (traffic->verb == TRAFFIC_VERB_SEND ||
                                      traffic->verb == TRAFFIC_VERB_WRITE_IMM));
}

uint32_t
run_queue_depth(uint64_t n)
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
    return flow->traffic->kind == TRAFFIC_PING      ? PING_RECEIVES
           : flow->traffic->kind == TRAFFIC_SU_RDMA ? run_su_receives(flow)
           : flow->traffic->kind == TRAFFIC_SK_RDMA
               ? run_sk_receives(flow)
               : (uint32_t)host->profile->spec->rc.receives;
}

/* Returns the RC settings of 'host' for 'flow'. */
static const struct rc_config *
make_rc(struct run *run, const struct run_flow *flow,
        const struct run_host *host)
{
    struct rc_config *rc = arena_alloc(run->arena, 1, sizeof *rc);

    *rc = host->profile->rc;
    rc->send_depth = run_queue_depth(
        flow->traffic->kind == TRAFFIC_SU_RDMA   ? run_su_send_depth(flow)
        : flow->traffic->kind == TRAFFIC_SK_RDMA ? run_sk_send_depth(flow)
                                                 : flow->depth);
    rc->regions = host == run_flow_end(flow, true) ? flow->regions : NULL;
    if (needs_receives(flow->traffic, host->profile->spec)) {
        rc->receive_depth = run_queue_depth(receives_of(flow, host));
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
    tcp->send_depth = run_queue_depth(
        (uint64_t)flow->depth * run_software_pieces(host, flow->message_bytes));
    return tcp;
}

/* Returns how many packets of 'traffic' the pacer of a host sends back to
 * back. */
static uint32_t
burst_of(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return (uint32_t)(traffic_is_tcp(traffic)
                          ? spec->tcp.tso_bytes / spec->tcp.mss_bytes
                          : spec->burst);
}

/* Returns how much lag the pacer of 'traffic' makes up for.  TCP is not paced:
 * TSO only lets packets follow each other, without a gap afterwards. */
static int64_t
lag_of(const struct traffic_spec *traffic, const struct host_spec *spec)
{
    return traffic_is_tcp(traffic) ? INT64_MAX / 2 : spec->pacer_credit_ps;
}

/* Returns the DCQCN of 'host' for 'traffic', or NULL. */
static const struct dcqcn *
dcqcn_of(const struct traffic_spec *traffic, const struct run_host *host)
{
    return host->profile->spec->dcqcn.profile && traffic_is_rc(traffic)
               ? &host->profile->dcqcn
               : NULL;
}

void
run_flow_post_receive(const struct run_flow *flow, struct run_host *host,
                      uint32_t qp)
{
    orch_assert(nic_post_receive(host->nic, qp, 0,
                                 flow->traffic->kind == TRAFFIC_SU_RDMA
                                     ? run_su_receive_bytes(flow)
                                 : flow->traffic->kind == TRAFFIC_SK_RDMA
                                     ? SK_MESSAGE_BYTES
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
        .kind = is_raw                    ? NIC_RAW
                : traffic_is_tcp(traffic) ? NIC_TCP
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
    } else if (traffic_is_tcp(traffic)) {
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
            run_flow_post_receive(flow, host, qp);
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

void
run_traffic_tune(struct run_host *host)
{
    struct run *run = host->run;
    const struct host_spec *spec = host->profile->spec;

    for (uint32_t qp = 0; qp < host->n_qps; qp++) {
        const struct run_flow *flow = &run->flows[host->qps[qp].flow];
        const bool has_rc = traffic_is_rc(flow->traffic);

        if (host->qps[qp].is_stream) {
            continue; /* No key that can be changed is of TCP. */
        }
        orch_assert(nic_tune_qp(host->nic, qp, burst_of(flow->traffic, spec),
                                has_rc ? make_rc(run, flow, host) : NULL,
                                dcqcn_of(flow->traffic, host)) == ST_OK);
    }
}
