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
 *   pfc_point      when a queue that raw frames fill from n ports of its
 *                  switch makes their PGs pause, for the queue; PGs of one
 *                  partition of the buffer share its memory
 * Paths are those that the packets have taken (record: {paths: true}). */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/buffer.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/fairness.h"
#include "lab/oracle/hashing.h"
#include "lab/oracle/transport.h"

enum {
    OBJECT_SIZE = 96,
    WIRE_BYTES = 20, /* Preamble and gap. */
    FCS_BYTES = 4,
};

static const char *
name_flow(const struct run_flow *flow, char object[OBJECT_SIZE])
{
    (void)snprintf(object, OBJECT_SIZE, "flow %u", (unsigned int)flow->number);
    return object;
}

/* Fills 'hops' with the links of the path of 'flow'; returns their number. */
static uint32_t
path_of(const struct run *run, const struct run_flow *flow,
        struct delay_hop hops[RUN_HOPS_MAX + 1], uint32_t links[])
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

/* Returns the wire bytes of a data packet of 'flow' with 'payload' bytes that
 * is a message of its own. */
static uint32_t
wire_bytes(const struct run *run, const struct run_flow *flow, uint32_t payload)
{
    const struct transport_framing *framing =
        &run_host(run, flow->source)->profile->framing;

    return transport_frame_bytes(framing, TRANSPORT_SEND_ONLY, payload) +
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

    if (flow->traffic->kind != TRAFFIC_PING || !flow->n_hops ||
        flow->message_bytes >
            run_host(run, flow->source)->profile->rc.mtu_bytes) {
        return;
    }
    n = path_of(run, flow, hops, links);
    bytes = wire_bytes(run, flow, flow->message_bytes);
    /* The destination acknowledges the request before it answers. */
    ack_bytes = transport_frame_bytes(
                    &run_host(run, flow->destination)->profile->framing,
                    TRANSPORT_ACK, 0) +
                WIRE_BYTES;
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
    const uint32_t mtu = run_host(run, flow->source)->profile->rc.mtu_bytes;
    const struct transport_framing *framing =
        &run_host(run, flow->source)->profile->framing;

    return mtu / (double)(transport_frame_bytes(framing, TRANSPORT_WRITE_MIDDLE,
                                                mtu) +
                          WIRE_BYTES);
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
            .n_links = known ? path_of(run, flow, hops, paths[i]) : 0,
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

/* Pauses ------------------------------------------------------------------- */

/* Equal streams of frames into one queue of a switch. */
struct filling {
    const struct run_switch *sw;
    uint32_t slot; /* Of one of the ports that receive. */
    uint32_t out_port;
    uint32_t n;          /* Streams. */
    uint32_t together;   /* Most of them in one partition of the buffer. */
    uint32_t wire_bytes; /* Of a frame. */
    uint64_t in_bps, out_bps;
    int64_t arrival_ps; /* Of the first frames. */
};

/* Returns how many streams of 'traffic' are in the partition of 'sw' that has
 * most of them. */
static uint32_t
most_together(const struct run *run, const struct traffic_spec *traffic,
              const struct run_switch *sw)
{
    const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
    uint32_t *n = check_calloc(mmu_chip(mmu)->partitions, sizeof *n);
    uint32_t most = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        uint32_t *of;

        if (flow->traffic == traffic) {
            of = &n[mmu_port_partition(
                mmu, sw->slots[topology_port(run->topology, flow->source, 0)
                                   ->peer_port])];
            ++*of;
            most = *of > most ? *of : most;
        }
    }
    free(n);
    return most;
}

/* Fills '*filling' from 'traffic'; returns false if it is something else. */
static bool
find_filling(const struct run *run, const struct traffic_spec *traffic,
             struct filling *filling)
{
    *filling = (struct filling){.wire_bytes = (uint32_t)traffic->frame_bytes +
                                              WIRE_BYTES};
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        const struct topology_port *from, *to;
        const struct topology_link *link;

        if (flow->traffic != traffic) {
            continue;
        }
        from = topology_port(run->topology, flow->source, 0);
        to = topology_port(run->topology, flow->destination, 0);
        link = run_link_at(run, flow->source, 0);
        if (from->peer != to->peer) {
            return false;
        }
        filling->sw = &run->switches[to->peer];
        filling->slot = filling->sw->slots[from->peer_port];
        filling->out_port = to->peer_port;
        filling->n++;
        filling->in_bps = link->rate_bps;
        filling->out_bps = run_link_at(run, flow->destination, 0)->rate_bps;
        filling->arrival_ps =
            delay_send_ps(filling->wire_bytes, link->rate_bps) +
            (int64_t)link->length_mm * DELAY_PS_PER_MM;
    }
    if (filling->n) {
        filling->together = most_together(run, traffic, filling->sw);
    }
    return filling->n * filling->in_bps > filling->out_bps;
}

/* Returns when the first PGs of 'filling' pause.  With b = (speed out) / (n *
 * speed in), each holds k - (k - 1) b frames when the k-th of each has arrived.
 */
static double
pause_ps(const struct filling *filling, uint8_t priority)
{
    struct sim *sim = switch_instance_sim(filling->sw->instance);
    const struct chip *chip =
        switch_image_chip(filling->sw->run->image_of[filling->sw->node]);
    const double out = (double)filling->out_bps /
                       ((double)filling->n * (double)filling->in_bps);
    const struct mmu *mmu = sim_mmu(sim);
    const uint32_t id = mmu_pg_id(mmu, filling->slot, priority);
    const uint32_t profile = mmu_pg_profile(mmu, id);
    struct mmu_pg_stats pg;
    struct mmu_pool_stats pool;
    double frames, cells;

    mmu_pg_get(mmu, id, &pg);
    if (profile == MMU_NONE || !pg.headroom_limit || pg.limit == UINT64_MAX ||
        mmu_pool_get(mmu, mmu_profile_pool(mmu, profile), &pool)) {
        return -1;
    }
    cells = (double)pg.guarantee +
            (double)buffer_pg_point(
                pool.shared_limit, filling->together,
                (struct buffer_alpha){(uint32_t)pg.limit,
                                      (uint32_t)pool.shared_limit});
    frames = cells / chip_packet_cells(chip, filling->wire_bytes - WIRE_BYTES -
                                                 FCS_BYTES);
    return (double)filling->arrival_ps +
           ((frames - out) / (1 - out) - 1) *
               (double)delay_send_ps(filling->wire_bytes, filling->in_bps);
}

void
run_oracles_predict(const struct run *run, struct results *results)
{
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct traffic_spec *traffic = &run->scenario->traffic[i];
        struct filling filling;
        double when_ps;

        if (traffic->kind != TRAFFIC_RAW || traffic->rate_bps ||
            traffic->pattern != TRAFFIC_PATTERN_INCAST || traffic->start_ps ||
            traffic->jitter_ps || !find_filling(run, traffic, &filling)) {
            continue;
        }
        when_ps = pause_ps(&filling, (uint8_t)traffic->priority);
        if (when_ps >= 0) {
            char object[OBJECT_SIZE];
            size_t n;

            (void)snprintf(object, sizeof object, "%s %s|%u",
                           run->topology->nodes[filling.sw->node].name,
                           switch_image_ports(run->image_of[filling.sw->node],
                                              &n)[filling.out_port]
                               .name,
                           (unsigned int)traffic->priority);
            results_add_oracle(results, "pfc_point", object,
                               when_ps / (double)PS_PER_S);
        }
    }
}

void
run_oracles_describe(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->n_flows; i++) {
        describe_rtt(run, &run->flows[i], results);
    }
    describe_incast(run, results);
    if (run->scenario->record.paths) {
        describe_max_min(run, results);
        describe_bins(run, results);
    }
}
