/* SPDX-License-Identifier: Apache-2.0 */

/* What theory (lab/oracle) says of the flows of a run.
 *
 *   rtt            of each ping over its recorded path
 *   max_min        of each endless flow over its recorded path, in bit/s of
 *                  payload
 *   incast         the time of an item of traffic whose flows all go to one
 *                  host, for its last flow
 *   balls_in_bins  the expected largest number of flows on one of the links by
 *                  which the switches of the first hop choose
 * Paths are those that the packets have taken (record: {paths: true}). */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/fairness.h"
#include "lab/oracle/transport.h"

enum {
    OBJECT_SIZE = 32,
    WIRE_BYTES = 20, /* Preamble and gap. */
};

#define PS_PER_S 1e12

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
                           PS_PER_S);
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

void
run_oracles_describe(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->n_flows; i++) {
        describe_rtt(run, &run->flows[i], results);
    }
    if (run->scenario->record.paths) {
        describe_max_min(run, results);
    }
}
