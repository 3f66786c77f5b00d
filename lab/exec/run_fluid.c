/* SPDX-License-Identifier: Apache-2.0 */

/* What the fluid model of DCQCN needs to know of a fabric. */

#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/fluid/dcqcn_fluid.h"

enum {
    WIRE_BYTES = 20, /* Preamble and gap. */
    PS_PER_MM = 5,
    BITS = 8
};

/* Returns whether DCQCN decides how fast 'flow' sends. */
static bool
has_dcqcn(const struct run *run, const struct run_flow *flow)
{
    return flow->traffic->kind == TRAFFIC_RC &&
           flow->traffic->verb != TRAFFIC_VERB_READ &&
           flow->source != flow->destination &&
           run_host(run, flow->source)->profile->spec->dcqcn.profile;
}

/* Returns the host to which most such flows lead, and in '*n' how many. */
static uint32_t
find_busiest(const struct run *run, uint32_t *n)
{
    uint32_t *counts = check_calloc(run->topology->n_nodes, sizeof *counts);
    uint32_t busiest = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (has_dcqcn(run, &run->flows[i])) {
            const uint32_t to = run->flows[i].destination;

            counts[to]++;
            busiest = counts[to] > counts[busiest] ? to : busiest;
        }
    }
    *n = counts[busiest];
    free(counts);
    return busiest;
}

/* Stores in 'away_s' how long a frame of 'bytes' takes from each node to 'to'
 * by a shortest path, breadth first; INFINITY: there is none. */
static void
measure_ways(const struct topology *topology, uint32_t to, double bytes,
             double *away_s)
{
    uint32_t *queue = check_calloc(topology->n_nodes, sizeof *queue);
    size_t first = 0, last = 0;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        away_s[i] = INFINITY;
    }
    away_s[to] = 0;
    queue[last++] = to;
    while (first < last) {
        const uint32_t node = queue[first++];

        for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
            const struct topology_port *port = topology_port(topology, node, p);
            const struct topology_link *link = &topology->links[port->link];

            if (isinf(away_s[port->peer])) {
                away_s[port->peer] =
                    away_s[node] + bytes * BITS / (double)link->rate_bps +
                    (double)(link->length_mm * PS_PER_MM) / (double)PS_PER_S;
                queue[last++] = port->peer;
            }
        }
    }
    free(queue);
}

/* Takes the profile of the senders, of which 'flow' is one. */
static void
take_profile(const struct run *run, const struct run_flow *flow,
             struct dcqcn_loop *loop)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct dcqcn_profile *dcqcn = &profile->dcqcn.profile;

    loop->link.packet_bytes =
        transport_frame_bytes(&profile->framing, TRANSPORT_WRITE_MIDDLE,
                              profile->rc.mtu_bytes) +
        WIRE_BYTES;
    loop->link.additive_bps = (double)dcqcn->ai_bps;
    loop->link.alpha_period_s =
        (double)dcqcn->alpha_period_ps / (double)PS_PER_S;
    loop->link.timer_s = (double)dcqcn->timer_ps / (double)PS_PER_S;
    loop->link.byte_counter = dcqcn->byte_reset_bytes
                                  ? (double)dcqcn->byte_reset_bytes
                                  : (double)INFINITY;
    loop->g = (double)dcqcn->g_numerator / dcqcn->g_denominator;
    loop->cnp_gap_s = (double)(dcqcn->np_gap_ps > dcqcn->cut_window_ps
                                   ? dcqcn->np_gap_ps
                                   : dcqcn->cut_window_ps) /
                      (double)PS_PER_S;
    loop->fast_stages = dcqcn->stages + dcqcn->stage_before;
    loop->line_bps = (double)run_link_at(run, flow->source, 0)->rate_bps;
    loop->min_bps = (double)dcqcn->min_bps;
}

enum st
run_describe_loop(const struct run *run, struct dcqcn_loop *loop,
                  struct err *err)
{
    uint32_t n;
    const uint32_t to = find_busiest(run, &n);
    double *away_s;
    double far_s = 0, size = 0;

    if (n < 2) {
        (void)err_set(err, ST_NOT_FOUND, "dcqcn",
                      "no two flows with DCQCN lead to one host");
        err_set_remedy(err, "give the hosts 'dcqcn', and the load an incast");
        return ST_NOT_FOUND;
    }
    *loop = (struct dcqcn_loop){.limit_bytes = INFINITY};
    loop->link.rate_bps = (double)run_link_at(run, to, 0)->rate_bps;
    loop->link.n = n;
    away_s = check_calloc(run->topology->n_nodes, sizeof *away_s);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        if (flow->destination != to || !has_dcqcn(run, flow)) {
            continue;
        }
        if (loop->delay_s <= 0) {
            take_profile(run, flow, loop);
            measure_ways(run->topology, to, loop->link.packet_bytes, away_s);
            loop->delay_s = far_s = 2 * away_s[flow->source];
        }
        far_s = fmax(far_s, 2 * away_s[flow->source]);
        if (flow->traffic->size_bytes != QUANTITY_INFINITE) {
            size = fmax(size, (double)flow->traffic->size_bytes);
        }
    }
    loop->delay_s = far_s;
    loop->size_bytes =
        size * loop->link.packet_bytes /
        run_host(run, run->flows[0].source)->profile->rc.mtu_bytes;
    free(away_s);
    return ST_OK;
}
