/* SPDX-License-Identifier: Apache-2.0 */

/* What theory (lab/oracle) says of the flows of a run.
 *
 *   rtt            of each ping over its recorded path; the acknowledgement of
 *                  the ping is sent before its echo
 *   max_min        of each endless flow over its recorded path, in bit/s of
 *                  payload
 *   incast         how long the last flow takes of the one item of traffic,
 *                  whose flows all go to one host
 *   balls_in_bins  the expected largest number of flows on one of the links
 *                  into the highest tier, if a hash chooses among those that
 *                  lead up from their sources
 *   go_back_n      goodput of the only flow, if one of its links loses packets
 *   go_back_0      likewise, of messages that follow each other
 *   fence          of flows that register memory: run_fence.c
 *   dcqcn          where the queue of the only bottleneck settles
 * Paths are those that the packets have taken (record: {paths: true}).  Those
 * of the buffer are in run_predict.c. */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/dcqcn_point.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/fairness.h"
#include "lab/oracle/hashing.h"
#include "lab/oracle/transport.h"
#include "twin/qos/wred.h"

enum {
    OBJECT_SIZE = 96,
    WIRE_BYTES = 20, /* Preamble and gap. */
};

/* Of the timeout of a queue pair (InfiniBand, 9.7.6.1.3). */
#define TIMEOUT_UNIT_PS 4.096e6

static const char *
name_flow(const struct run_flow *flow, char object[OBJECT_SIZE])
{
    (void)snprintf(object, OBJECT_SIZE, "flow %u", (unsigned int)flow->number);
    return object;
}

uint32_t
run_oracle_path(const struct run *run, const struct run_flow *flow,
                struct delay_hop hops[RUN_HOPS_MAX + 1],
                uint32_t links[RUN_HOPS_MAX + 1])
{
    uint32_t n = 0;
    uint32_t node = flow->source, port = 0;

    for (uint32_t i = 0; i <= flow->n_hops; i++) {
        const struct topology_port *to =
            topology_port(run->topology, node, port);
        const struct topology_link *link = &run->topology->links[to->link];
        const bool forward = link->node[0] == node && link->port[0] == port;

        hops[n] = (struct delay_hop){.rate_bps = link->rate_bps,
                                     .length_mm = link->length_mm};
        links[n++] = 2 * to->link + !forward;
        if (i < flow->n_hops) {
            node = flow->hops[i].node;
            port = flow->hops[i].port;
        }
    }
    return n;
}

uint32_t
run_oracle_wire_bytes(const struct run_profile *profile, uint8_t opcode,
                      uint32_t payload)
{
    return transport_frame_bytes(&profile->framing, opcode, payload) +
           WIRE_BYTES;
}

static void
describe_rtt(const struct run *run, const struct run_flow *flow,
             struct results *results)
{
    struct delay_hop hops[RUN_HOPS_MAX + 1];
    uint32_t links[RUN_HOPS_MAX + 1];
    char object[OBJECT_SIZE];
    uint32_t n, bytes, ack_bytes;

    if (flow->traffic->kind != TRAFFIC_PING ||
        flow->traffic->transport != TRAFFIC_TRANSPORT_RDMA || !flow->n_hops ||
        flow->message_bytes >
            run_host(run, flow->source)->profile->rc.mtu_bytes) {
        return;
    }
    n = run_oracle_path(run, flow, hops, links);
    bytes = run_oracle_wire_bytes(run_host(run, flow->source)->profile,
                                  TRANSPORT_SEND_ONLY, flow->message_bytes);
    /* The destination acknowledges the request before it answers. */
    ack_bytes = run_oracle_wire_bytes(run_host(run, flow->destination)->profile,
                                      TRANSPORT_ACK, 0);
    results_add_oracle(results, "rtt", name_flow(flow, object),
                       (double)delay_round_trip_ps(
                           hops, n, bytes, bytes,
                           delay_send_ps(ack_bytes, hops[n - 1].rate_bps)) /
                           (double)PS_PER_S);
}

/* Returns the share of the payload in the bytes on the wire. */
static double
efficiency(const struct run *run, const struct run_flow *flow)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const uint32_t mtu = profile->rc.mtu_bytes;

    return mtu /
           (double)run_oracle_wire_bytes(profile, TRANSPORT_WRITE_MIDDLE, mtu);
}

/* Adds the max-min fair rates of all endless flows, if all paths are known. */
static void
describe_max_min(const struct run *run, struct results *results)
{
    struct fairness_flow *flows = check_calloc(run->n_flows, sizeof *flows);
    uint32_t(*paths)[RUN_HOPS_MAX + 1] =
        check_calloc(run->n_flows, sizeof *paths);
    double *rates = check_calloc(run->n_flows, sizeof *rates);
    double *capacities =
        check_calloc(2 * (size_t)run->topology->n_links, sizeof *capacities);
    bool known = run->n_flows > 0;

    for (uint32_t i = 0; known && i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        struct delay_hop hops[RUN_HOPS_MAX + 1];

        known = flow->n_hops && flow->traffic->kind == TRAFFIC_RC &&
                flow->traffic->size_bytes == QUANTITY_INFINITE;
        flows[i] = (struct fairness_flow){
            .links = paths[i],
            .n_links = known ? run_oracle_path(run, flow, hops, paths[i]) : 0,
            .cap = INFINITY};
    }
    for (uint32_t i = 0; i < 2 * run->topology->n_links; i++) {
        capacities[i] = (double)run->topology->links[i / 2].rate_bps;
    }
    if (known) {
        fairness_max_min(capacities, 2 * run->topology->n_links, flows,
                         run->n_flows, rates);
        for (uint32_t i = 0; i < run->n_flows; i++) {
            char object[OBJECT_SIZE];

            results_add_oracle(results, "max_min",
                               name_flow(&run->flows[i], object),
                               rates[i] * efficiency(run, &run->flows[i]));
        }
    }
    free(capacities);
    free(rates);
    free(paths);
    free(flows);
}

/* Hash collisions ---------------------------------------------------------- */

/* Returns the tier above which there is none. */
static int
highest_tier(const struct topology *topology)
{
    int highest = 0;

    for (uint32_t i = 0; i < topology->n_switches; i++) {
        if (topology->nodes[i].tier > highest) {
            highest = topology->nodes[i].tier;
        }
    }
    return highest;
}

/* Marks in 'reached' the nodes that packets of 'node' can climb to. */
static void
climb(const struct topology *topology, uint32_t node, bool *reached)
{
    if (reached[node]) {
        return;
    }
    reached[node] = true;
    for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
        const uint32_t peer = topology_port(topology, node, p)->peer;

        if (topology->nodes[peer].tier > topology->nodes[node].tier) {
            climb(topology, peer, reached);
        }
    }
}

/* Adds the expected largest number of flows on a link into the highest tier, of
 * the flows that cross it. */
static void
describe_bins(const struct run *run, struct results *results)
{
    const struct topology *topology = run->topology;
    const int highest = highest_tier(topology);
    bool *reached = check_calloc(topology->n_nodes, sizeof *reached);
    uint32_t balls = 0, bins = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        bool crosses = false;

        for (uint8_t h = 0; h < flow->n_hops; h++) {
            crosses |= topology->nodes[flow->hops[h].node].tier == highest;
        }
        if (crosses) {
            balls++;
            climb(topology, flow->source, reached);
        }
    }
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];

        for (unsigned int end = 0; end < 2; end++) {
            bins += reached[link->node[end]] &&
                    topology->nodes[link->node[end]].tier < highest &&
                    topology->nodes[link->node[!end]].tier == highest;
        }
    }
    if (highest > 0 && balls && balls <= HASHING_MAX_BALLS && bins &&
        bins <= HASHING_MAX_BINS) {
        results_add_oracle(results, "balls_in_bins", "",
                           hashing_expected_max(balls, bins));
    }
    free(reached);
}

/* Incasts ------------------------------------------------------------------ */

/* Adds how long the last flow takes of finite messages to one host. */
static void
describe_incast(const struct run *run, struct results *results)
{
    const struct run_flow *first = run->flows;
    const struct traffic_spec *traffic;
    double bytes;

    if (!run->n_flows || run->scenario->n_traffic != 1) {
        return;
    }
    traffic = first->traffic;
    if (traffic->kind != TRAFFIC_RC ||
        traffic->pattern != TRAFFIC_PATTERN_INCAST ||
        traffic->verb == TRAFFIC_VERB_READ || traffic->every_ps ||
        traffic->size_bytes == QUANTITY_INFINITE ||
        traffic->repeat == QUANTITY_INFINITE) {
        return;
    }
    bytes = (double)traffic->size_bytes * (double)traffic->repeat /
            efficiency(run, first);
    results_add_oracle(
        results, "incast", "",
        transport_incast_ps(
            run->n_flows, bytes,
            (double)run_link_at(run, first->destination, 0)->rate_bps) /
            (double)PS_PER_S);
}

/* Losses ------------------------------------------------------------------- */

static bool
is_read(const struct run_flow *flow)
{
    return flow->traffic->verb == TRAFFIC_VERB_READ;
}

/* Returns the adapter that sends the data of 'flow', or that receives them. */
static const struct run_profile *
data_end(const struct run *run, const struct run_flow *flow, bool sender)
{
    return run_host(run,
                    sender == is_read(flow) ? flow->destination : flow->source)
        ->profile;
}

/* Fills 'hops' and 'links' with the path of the data of 'flow', and returns
 * their number.  The data of READs are their responses, and which way these
 * take is only known over one switch, where there is no other; 0: it is not. */
static uint32_t
data_path_of(const struct run *run, const struct run_flow *flow,
             struct delay_hop hops[RUN_HOPS_MAX + 1],
             uint32_t links[RUN_HOPS_MAX + 1])
{
    const uint32_t n = run_oracle_path(run, flow, hops, links);
    const struct delay_hop first = hops[0];
    const uint32_t link = links[0];

    if (!is_read(flow)) {
        return n;
    }
    hops[0] = hops[1];
    hops[1] = first;
    links[0] = links[1] ^ 1;
    links[1] = link ^ 1;
    return n == 2 ? n : 0;
}

/* Returns the share of the data of 'flow' that the link of 'fault' loses for
 * all of the run, at random or at equal distances, and nothing else of it; 0 if
 * it is otherwise. */
static double
loss_of(const struct run *run, const struct run_flow *flow,
        const struct run_fault *fault)
{
    const struct fault_spec *spec = fault->spec;
    struct delay_hop hops[RUN_HOPS_MAX + 1];
    uint32_t links[RUN_HOPS_MAX + 1];
    const uint32_t n = data_path_of(run, flow, hops, links);
    const unsigned int end =
        spec->direction == FAULT_FORWARD ? fault->end : 1 - fault->end;

    if ((spec->kind != FAULT_LOSS && spec->kind != FAULT_DROP_EVERY) ||
        spec->direction == FAULT_BOTH || spec->at_ps ||
        spec->for_ps < run->scenario->stop_ps) {
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (links[i] == 2 * fault->link + end) {
            return spec->kind == FAULT_DROP_EVERY
                       ? 1 / (double)spec->every
                       : (double)spec->loss.numerator /
                             (double)spec->loss.denominator;
        }
    }
    return 0;
}

/* Returns whether something else than losses keeps 'flow' from sending all the
 * time. */
static bool
is_limited(const struct run *run, const struct run_flow *flow)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct traffic_spec *traffic = flow->traffic;

    return profile->rc.window_bytes ||
           data_end(run, flow, true)->spec->dcqcn.profile ||
           (traffic->size_bytes != QUANTITY_INFINITE &&
            (traffic->repeat != QUANTITY_INFINITE || traffic->every_ps));
}

/* What a loss costs the only flow of a run. */
struct loss_cost {
    double p;           /* Lost, by those that arrive. */
    bool is_random;     /* Else at equal distances, of all that is sent. */
    double window;      /* Packets from the lost one until the NAK is there. */
    double silence_ps;  /* After that. */
    double rate_bps;    /* Of the sender. */
    double packet_bits; /* On the wire. */
};

/* Fills '*cost' of the only flow, if its adapter sends without limits and one
 * link loses its packets; returns whether that is so.  A loss costs what is
 * sent until the NAK of the next packet is there, and the recovery delay;
 * without one, the packet that is then on the wire ends first.  A packet that
 * is lost again is noticed by the timeout only: the receiver has one NAK for a
 * gap.
 *
 * With READs, the request for the missing response takes the part of the NAK.
 * Until it arrives responses are sent, so the delay before it is no silence. */
static bool
find_loss(const struct run *run, struct loss_cost *cost)
{
    const struct run_flow *flow = run->flows;
    const struct run_profile *profile;
    struct delay_hop hops[RUN_HOPS_MAX + 1];
    uint32_t links[RUN_HOPS_MAX + 1];
    uint32_t n, bytes, nak_bytes;

    if (run->n_flows != 1 || run->scenario->n_faults != 1 || !flow->n_hops ||
        flow->traffic->kind != TRAFFIC_RC || is_limited(run, flow)) {
        return false;
    }
    profile = run_host(run, flow->source)->profile;
    n = data_path_of(run, flow, hops, links);
    if (!n) {
        return false;
    }
    bytes =
        run_oracle_wire_bytes(data_end(run, flow, true), TRANSPORT_WRITE_MIDDLE,
                              profile->rc.mtu_bytes);
    nak_bytes = run_oracle_wire_bytes(
        data_end(run, flow, false),
        is_read(flow) ? TRANSPORT_READ_REQUEST : TRANSPORT_ACK, 0);
    *cost = (struct loss_cost){
        .p = loss_of(run, flow, run->faults),
        .is_random = run->scenario->faults[0].kind == FAULT_LOSS,
        .window =
            1 + (double)delay_round_trip_ps(hops, n, bytes, nak_bytes, 0) /
                    (double)delay_send_ps(bytes, hops[0].rate_bps),
        .silence_ps = (double)profile->rc.recovery_delay_ps,
        .rate_bps = (double)hops[0].rate_bps,
        .packet_bits = 8.0 * bytes};
    if (is_read(flow)) {
        cost->window +=
            cost->silence_ps / (double)delay_send_ps(bytes, hops[0].rate_bps);
        cost->silence_ps = 0;
    }
    if (cost->silence_ps <= 0) {
        cost->window = ceil(cost->window);
    }
    if (!cost->is_random) {
        /* Discarded packets count, too.  What is sent again is not lost
         * again. */
        cost->p =
            cost->p * cost->window < 1 ? 1 / (1 / cost->p - cost->window) : 0;
    } else if (profile->rc.timeout_exponent) {
        cost->silence_ps +=
            cost->p * ldexp(TIMEOUT_UNIT_PS, profile->rc.timeout_exponent);
    }
    return cost->p > 0;
}

/* Returns whether so many messages of 'flow', or requests for them, are
 * outstanding that the wire is never idle for lack of one. */
static bool
is_ahead(const struct run_flow *flow, const struct loss_cost *cost)
{
    const struct run_profile *profile =
        run_host(flow->run, flow->source)->profile;

    const double depth = is_read(flow) && profile->rc.max_reads < flow->depth
                             ? profile->rc.max_reads
                             : flow->depth;

    return (flow->traffic->size_bytes == QUANTITY_INFINITE && !is_read(flow)) ||
           (depth - 1) * flow->message_bytes >=
               cost->window * profile->rc.mtu_bytes;
}

/* Adds the goodput of the only flow under loss, if it goes back to what was
 * lost. */
static void
describe_go_back_n(const struct run *run, struct results *results)
{
    const struct run_flow *flow = run->flows;
    struct loss_cost cost;
    char object[OBJECT_SIZE];

    if (!find_loss(run, &cost) || !is_ahead(flow, &cost) ||
        run_host(run, flow->source)->profile->rc.recovery != RC_GO_BACK_N) {
        return;
    }
    results_add_oracle(results, "go_back_n", name_flow(flow, object),
                       cost.rate_bps * efficiency(run, flow) *
                           transport_go_back_n(cost.p, cost.window,
                                               cost.silence_ps, cost.rate_bps,
                                               cost.packet_bits));
}

/* The same, if it goes back to the start of a message, or to the last multiple
 * of a chunk in it.  The messages are whole units of this. */
static void
describe_go_back_0(const struct run *run, struct results *results)
{
    const struct run_flow *flow = run->flows;
    const struct rc_config *rc;
    struct loss_cost cost;
    char object[OBJECT_SIZE];
    uint64_t unit_bytes;

    if (!find_loss(run, &cost) || !cost.is_random) {
        return;
    }
    rc = &run_host(run, flow->source)->profile->rc;
    unit_bytes =
        rc->go_back_chunk_bytes && rc->go_back_chunk_bytes < flow->message_bytes
            ? rc->go_back_chunk_bytes
            : flow->message_bytes;
    if (rc->recovery != RC_GO_BACK_0 || flow->message_bytes % unit_bytes ||
        unit_bytes % rc->mtu_bytes || !is_ahead(flow, &cost)) {
        return;
    }
    results_add_oracle(
        results, "go_back_0", name_flow(flow, object),
        cost.rate_bps * efficiency(run, flow) *
            transport_go_back_0_goodput(cost.p, unit_bytes / rc->mtu_bytes,
                                        cost.window, cost.silence_ps,
                                        cost.rate_bps, cost.packet_bits));
}

/* DCQCN -------------------------------------------------------------------- */

/* Returns the profile of adapters that all flows have in common, if all are
 * endless, use DCQCN and go to one host; NULL if not. */
static const struct run_profile *
find_dcqcn(const struct run *run)
{
    const struct run_profile *profile = NULL;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        profile = run_host(run, flow->source)->profile;
        if (flow->traffic->kind != TRAFFIC_RC ||
            flow->traffic->verb == TRAFFIC_VERB_READ ||
            flow->traffic->size_bytes != QUANTITY_INFINITE ||
            flow->traffic->priority != run->flows->traffic->priority ||
            flow->destination != run->flows->destination ||
            profile != run_host(run, run->flows->source)->profile ||
            !profile->spec->dcqcn.profile) {
            return NULL;
        }
    }
    return profile;
}

/* Adds the length at which the queue to the one receiver of all flows settles.
 */
static void
describe_dcqcn(const struct run *run, struct results *results)
{
    const struct run_profile *profile = find_dcqcn(run);
    const struct topology_port *to;
    const struct run_switch *sw;
    const struct wred_profile *wred;
    struct dcqcn_link link;
    struct dcqcn_point point;
    char object[OBJECT_SIZE];
    uint8_t priority;

    if (!profile || run->n_flows < 2) {
        return;
    }
    priority = (uint8_t)run->flows->traffic->priority;
    to = topology_port(run->topology, run->flows->destination, 0);
    sw = &run->switches[to->peer];
    if (!run_owns(run, sw->node)) {
        return; /* Its rank says it. */
    }
    wred = sim_queue_get_wred(switch_instance_sim(sw->instance),
                              sw->slots[to->peer_port], priority);
    if (!wred || !wred->colors[0].marks || !wred->colors[0].mark.percent ||
        wred->colors[0].mark.max_bytes <= wred->colors[0].mark.min_bytes) {
        return;
    }
    link = (struct dcqcn_link){
        .rate_bps =
            (double)run_link_at(run, run->flows->destination, 0)->rate_bps,
        .packet_bytes = run_oracle_wire_bytes(profile, TRANSPORT_WRITE_MIDDLE,
                                              profile->rc.mtu_bytes),
        .n = run->n_flows,
        .additive_bps = (double)profile->dcqcn.profile.ai_bps,
        .alpha_period_s =
            (double)profile->dcqcn.profile.alpha_period_ps / (double)PS_PER_S,
        .timer_s = (double)profile->dcqcn.profile.timer_ps / (double)PS_PER_S,
        .byte_counter = profile->dcqcn.profile.byte_reset_bytes
                            ? (double)profile->dcqcn.profile.byte_reset_bytes
                            : (double)INFINITY,
        .kmin_bytes = (double)wred->colors[0].mark.min_bytes,
        .kmax_bytes = (double)wred->colors[0].mark.max_bytes,
        .pmax = wred->colors[0].mark.percent / 100.0};
    dcqcn_point_solve(&link, &point);
    results_add_oracle(results, "dcqcn",
                       run_name_port(run, to->peer, to->peer_port, priority,
                                     object, sizeof object),
                       point.queue_bytes);
}

void
run_oracles_describe(const struct run *run, struct results *results)
{
    if (run->has_macsec || run->has_credits || run->has_loops) {
        return;
    }
    describe_dcqcn(run, results);
    if (run->rank != 0) {
        return;
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        describe_rtt(run, &run->flows[i], results);
        run_fence_describe(run, &run->flows[i], results);
    }
    describe_incast(run, results);
    run_llr_describe(run, results);
    describe_go_back_n(run, results);
    describe_go_back_0(run, results);
    if (run->scenario->record.paths) {
        describe_max_min(run, results);
        describe_bins(run, results);
    }
}
