/* SPDX-License-Identifier: Apache-2.0 */

/* SRD in a run: contexts between hosts, and the queue pairs over them.
 *
 * Two hosts share one context per priority and DSCP, whatever flows they have.
 * Process i of a host has one queue pair per item of 'traffic', with which it
 * sends to process i of all its peers.  So a flow of an item is an end of a
 * message flow of that queue pair at each host.
 *
 * The entropies of a context are UDP source ports, in an order that follows
 * from the seed of the run and the hosts. */

#include <config.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "twin/transport/srd.h"

enum {
    FIRST_PORT = 49152,
    N_PORTS = 16384, /* A power of two. */
    STEP = 6229,     /* Odd: the ports of a context differ. */
};

/* The context of two hosts. */
struct run_context {
    struct run_context *next;
    uint32_t peer;
    uint32_t qp;
    uint8_t priority, dscp;
    bool is_far; /* Of a host to itself: the end that receives. */
    uint32_t n_entropies;
    struct sim_payload **entropies; /* Of one end; owned. */
};

/* The queue pair of a process. */
struct run_endpoint {
    struct run_endpoint *next;
    const struct traffic_spec *traffic;
    uint32_t process;
    uint32_t number;
};

static bool
loops(const struct run_flow *flow)
{
    return flow->source == flow->destination;
}

/* Returns the end of the context of 'flow', or NULL if there is none yet. */
static struct run_context *
find_context(const struct run_flow *flow, bool is_source)
{
    const struct traffic_spec *traffic = flow->traffic;
    const uint32_t peer = is_source ? flow->destination : flow->source;
    struct run_context *context = run_flow_end(flow, is_source)->contexts;

    while (context &&
           (context->peer != peer || context->priority != traffic->priority ||
            context->dscp != traffic->dscp ||
            context->is_far != (loops(flow) && !is_source))) {
        context = context->next;
    }
    return context;
}

/* Adds one end of the context that 'flow' needs, whose QP at the other end is
 * 'peer_qp'. */
static enum st
add_context(struct run_flow *flow, bool is_source, uint32_t peer_qp,
            struct err *err)
{
    struct run *run = flow->run;
    const struct traffic_spec *traffic = flow->traffic;
    struct run_host *host = run_flow_end(flow, is_source);
    const struct srd_config *srd = &host->profile->srd;
    struct run_context *context = arena_alloc(run->arena, 1, sizeof *context);
    struct nic_qp_config config = {.kind = NIC_SRD,
                                   .peer_qp = peer_qp,
                                   .priority = (uint8_t)traffic->priority,
                                   .dscp = (uint8_t)traffic->dscp,
                                   .srd = srd};

    config.seed =
        run->seed << 32 ^
        hash_index_number((uint64_t)flow->source << 32 | flow->destination) ^
        (uint64_t)is_source;
    *context = (struct run_context){
        .next = host->contexts,
        .peer = is_source ? flow->destination : flow->source,
        .priority = (uint8_t)traffic->priority,
        .dscp = (uint8_t)traffic->dscp,
        .is_far = loops(flow) && !is_source,
        .n_entropies = srd->n_entropies,
        .entropies = arena_alloc(run->arena, srd->n_entropies,
                                 sizeof *context->entropies)};
    host->contexts = context;
    for (uint32_t i = 0; i < srd->n_entropies; i++) {
        const uint64_t at = config.seed + (uint64_t)i * STEP;

        context->entropies[i] = run_flow_headers(
            flow, false, is_source, (uint16_t)(FIRST_PORT + at % N_PORTS));
    }
    config.headers = context->entropies[0];
    config.entropies = context->entropies;
    if (nic_add_qp(host->nic, &config, &context->qp)) {
        return scenario_fail(run->scenario, &traffic->place, err,
                             "an adapter refuses a context of '%s'",
                             traffic->name);
    }
    run_host_note_qp(host, context->qp, flow->number, is_source);
    return ST_OK;
}

/* Stores the queue pair of 'flow' at one end in '*number'. */
static enum st
obtain_endpoint(const struct run_flow *flow, bool is_source, uint32_t *number,
                struct err *err)
{
    struct run *run = flow->run;
    struct run_host *host = run_flow_end(flow, is_source);
    const struct nic_endpoint_config config = {
        .send_depth = (uint32_t)host->profile->spec->srd.send_depth,
        .messages = &host->profile->messages};
    struct run_endpoint *endpoint = host->endpoints;

    while (endpoint && (endpoint->traffic != flow->traffic ||
                        endpoint->process != flow->process)) {
        endpoint = endpoint->next;
    }
    if (!endpoint) {
        endpoint = arena_alloc(run->arena, 1, sizeof *endpoint);
        *endpoint = (struct run_endpoint){.next = host->endpoints,
                                          .traffic = flow->traffic,
                                          .process = flow->process};
        if (nic_add_endpoint(host->nic, &config, &endpoint->number)) {
            return scenario_fail(run->scenario, &flow->traffic->place, err,
                                 "an adapter refuses a queue pair of '%s'",
                                 flow->traffic->name);
        }
        host->endpoints = endpoint;
    }
    *number = endpoint->number;
    return ST_OK;
}

/* Adds the message flow of 'flow' at one end. */
static enum st
add_end(struct run_flow *flow, bool is_source, uint32_t peer_qp,
        const uint32_t endpoints[2], struct err *err)
{
    struct run_host *host = run_flow_end(flow, is_source);
    const struct run_context *context = find_context(flow, is_source);
    const struct nic_qp_config config = {.kind = NIC_MESSAGES,
                                         .peer_qp = peer_qp,
                                         .headers = flow->headers[!is_source],
                                         .priority =
                                             (uint8_t)flow->traffic->priority,
                                         .dscp = (uint8_t)flow->traffic->dscp,
                                         .context = context->qp,
                                         .endpoint = endpoints[!is_source],
                                         .peer_endpoint = endpoints[is_source]};
    uint32_t *qp = is_source ? &flow->qp : &flow->peer_qp;

    if (nic_add_qp(host->nic, &config, qp)) {
        return scenario_fail(flow->run->scenario, &flow->traffic->place, err,
                             "an adapter refuses a flow of '%s'",
                             flow->traffic->name);
    }
    run_host_note_qp(host, *qp, flow->number, is_source);
    return ST_OK;
}

/* Returns what prevents 'flow' here, or NULL. */
static const char *
why_not(const struct run_flow *flow)
{
    return flow->run->ranks ? "SRD runs on one rank, without mpirun" : NULL;
}

enum st
run_srd_add_flow(struct run_flow *flow, struct err *err)
{
    const char *wrong = why_not(flow);
    uint32_t endpoints[2];
    enum st st = ST_OK;

    if (wrong) {
        return scenario_fail(flow->run->scenario, &flow->traffic->place, err,
                             "%s", wrong);
    }
    if (!find_context(flow, true)) {
        /* The destination is first; both may be of one adapter. */
        const uint32_t source_qp =
            run_flow_end(flow, true)->n_qps + loops(flow);
        const uint32_t destination_qp = run_flow_end(flow, false)->n_qps;

        st = add_context(flow, false, source_qp, err);
        if (!st) {
            st = add_context(flow, true, destination_qp, err);
        }
    }
    if (!st) {
        st = obtain_endpoint(flow, true, &endpoints[0], err);
    }
    if (!st) {
        st = obtain_endpoint(flow, false, &endpoints[1], err);
    }
    if (!st) {
        st = add_end(flow, false, run_flow_end(flow, true)->n_qps + loops(flow),
                     endpoints, err);
    }
    if (!st) {
        st = add_end(flow, true, flow->peer_qp, endpoints, err);
    }
    return st;
}

void
run_srd_destroy(struct run_host *host)
{
    if (!host) {
        return;
    }
    for (const struct run_context *context = host->contexts; context;
         context = context->next) {
        for (uint32_t i = 0; i < context->n_entropies; i++) {
            sim_payload_unref(context->entropies[i]);
        }
    }
    host->contexts = NULL;
}

uint64_t
run_srd_timeouts(const struct run_flow *flow)
{
    const struct run_context *context = find_context(flow, true);

    return srd_counters(nic_srd(run_flow_end(flow, true)->nic, context->qp))
        ->timeouts;
}

/* Of all contexts. */
struct totals {
    struct srd_counters counters;
    uint64_t n_contexts, n_endpoints;
};

/* Adds what 'host', NULL if there is none, has. */
static void
add_host(struct totals *totals, const struct run_host *host)
{
    struct srd_counters *sum = &totals->counters;

    if (!host || !host->nic) {
        return;
    }
    totals->n_endpoints += nic_n_endpoints(host->nic);
    for (const struct run_context *context = host->contexts; context;
         context = context->next) {
        const struct srd_counters *one =
            srd_counters(nic_srd(host->nic, context->qp));

        totals->n_contexts++;
        sum->sent += one->sent;
        sum->retransmitted += one->retransmitted;
        sum->timeouts += one->timeouts;
        sum->probes += one->probes;
        sum->avoided += one->avoided;
        sum->died += one->died;
        sum->rounds += one->rounds;
        sum->congested += one->congested;
        sum->congested_by_rtt += one->congested_by_rtt;
        sum->duplicates += one->duplicates;
        sum->out_of_order += one->out_of_order;
        if (one->held_peak_bytes > sum->held_peak_bytes) {
            sum->held_peak_bytes = one->held_peak_bytes;
        }
    }
}

/* Adds 'value' of 'name' to 'results', as a counter. */
static void
describe(struct results *results, const char *name, uint64_t value)
{
    results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, name, value);
}

void
run_srd_describe(const struct run *run, struct results *results)
{
    struct totals totals = {.n_contexts = 0};
    const struct srd_counters *sum = &totals.counters;

    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        add_host(&totals, &run->hosts[i]);
        add_host(&totals, run->hosts[i].loop);
    }
    if (!totals.n_contexts) {
        return;
    }
    describe(results, "srd.contexts", totals.n_contexts);
    describe(results, "srd.queue_pairs", totals.n_endpoints);
    describe(results, "srd.sent", sum->sent);
    describe(results, "srd.retransmitted", sum->retransmitted);
    describe(results, "srd.timeouts", sum->timeouts);
    describe(results, "srd.probes", sum->probes);
    describe(results, "srd.avoided", sum->avoided);
    describe(results, "srd.died", sum->died);
    describe(results, "srd.rounds", sum->rounds);
    describe(results, "srd.congested", sum->congested);
    describe(results, "srd.congested_by_rtt", sum->congested_by_rtt);
    describe(results, "srd.duplicates", sum->duplicates);
    describe(results, "srd.out_of_order", sum->out_of_order);
    describe(results, "srd.held_peak", sum->held_peak_bytes);
}
