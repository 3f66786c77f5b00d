/* SPDX-License-Identifier: Apache-2.0 */

/* What connections between RDMA and TCP have counted. */

#include <config.h>

#include "lab/exec/run.h"
#include "lab/exec/run_failover_state.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"

enum { PS_PER_US = 1000000 };

uint64_t
run_failover_bytes(const struct run_flow *flow)
{
    return flow->failover->server.n_executed * flow->message_bytes;
}

/* Returns when a packet arrived last at 'qp' of 'nic', -1: none has. */
static int64_t
last_ps(const struct nic *nic, uint32_t qp)
{
    const struct nic_flow *received = nic_received(nic, qp);

    return received->packets ? received->last_ps : -1;
}

int64_t
run_failover_last_ps(const struct run_flow *flow)
{
    const struct nic *nic = run_flow_end(flow, false)->nic;
    int64_t last = last_ps(nic, flow->failover->qps[1]);

    for (const struct failover_pair *pair = flow->failover->pairs; pair;
         pair = pair->next) {
        const int64_t one = last_ps(nic, pair->qps[1]);

        last = one > last ? one : last;
    }
    return last;
}

/* Adds what queue pairs 'qps' have counted, but their timeouts. */
static void
add_packets(const struct run_flow *flow, const uint32_t qps[2],
            struct sink_flow *report)
{
    const struct nic *source = run_flow_end(flow, true)->nic;

    report->packets += nic_sent(source, qps[0])->packets;
    report->retransmitted += nic_sent(source, qps[0])->again;
    report->cnps += nic_cnps(source, qps[0]);
    report->marked +=
        nic_received(run_flow_end(flow, false)->nic, qps[1])->marked;
}

void
run_failover_count(const struct run_flow *flow, struct sink_flow *report)
{
    const struct run_failover_flow *one = flow->failover;
    const struct nic *source = run_flow_end(flow, true)->nic;

    report->packets = report->retransmitted = 0;
    report->cnps = report->marked = 0;
    add_packets(flow, one->qps, report);
    report->timeouts = tcp_counters(nic_tcp(source, one->qps[0]))->timeouts;
    for (const struct failover_pair *pair = one->pairs; pair;
         pair = pair->next) {
        add_packets(flow, pair->qps, report);
        report->timeouts += rc_counters(nic_rc(source, pair->qps[0]))->timeouts;
    }
}

static void
describe(struct results *results, const char *name, uint64_t value)
{
    results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, name, value);
}

/* Adds when something happened, if it did, in microseconds. */
static void
describe_time(struct results *results, const char *name, int64_t at_ps)
{
    if (at_ps >= 0) {
        describe(results, name, (uint64_t)(at_ps / PS_PER_US));
    }
}

static void
describe_item(const struct run_failover *item, struct results *results)
{
    uint64_t n_conversions = 0, n_failures = 0, n_again = 0, n_duplicates = 0;
    uint64_t n_executed = 0, n_done = 0;
    uint64_t n_ended[FAILOVER_N_TRANSPORTS] = {0};

    for (uint32_t i = 0; i < item->n; i++) {
        const struct run_failover_flow *one = item->order[i];

        n_conversions += one->client.n_conversions;
        n_failures += one->client.n_failures;
        n_again += one->client.n_again;
        n_done += one->client.n_done;
        n_executed += one->server.n_executed;
        n_duplicates += one->server.n_duplicates;
        for (int k = 0; k < FAILOVER_N_TRANSPORTS; k++) {
            n_ended[k] += one->n_ended[k];
        }
    }
    describe(results, "failover.conversions", n_conversions);
    describe(results, "failover.failures", n_failures);
    describe(results, "failover.again", n_again);
    describe(results, "failover.duplicates", n_duplicates);
    describe(results, "failover.executed", n_executed);
    describe(results, "failover.done", n_done);
    describe(results, "failover.over_rdma", n_ended[FAILOVER_RDMA]);
    describe(results, "failover.over_tcp", n_ended[FAILOVER_TCP]);
    describe(results, "failover.connections_over_tcp", item->n_over_tcp);
    describe(results, "failover.held", item->pace.n_held);
    describe_time(results, "failover.begin_us", item->begin_ps);
    describe_time(results, "failover.half_us", item->half_ps);
    describe_time(results, "failover.all_us", item->all_ps);
    describe_time(results, "failover.back_us", item->back_ps);
}

void
run_failovers_describe(const struct run *run, struct results *results)
{
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        if (run->failovers[i].n) {
            describe_item(&run->failovers[i], results);
        }
    }
}
