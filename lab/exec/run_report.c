/* SPDX-License-Identifier: Apache-2.0 */

/* What a run records before and after: nodes, ports, groups; queues, counters,
 * paths, histograms. */

#include <config.h>

#include <stdio.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"

const char *
run_name_port(const struct run *run, uint32_t node, uint32_t port,
              uint32_t priority, char *name, size_t size)
{
    const struct topology *topology = run->topology;
    const struct topology_port *to = topology_port(topology, node, port);
    const struct topology_link *link = &topology->links[to->link];
    char parallel[16] = "";
    char class[16] = "";

    if (link->parallel) {
        (void)snprintf(parallel, sizeof parallel, ".%u",
                       (unsigned int)link->parallel);
    }
    if (priority < RUN_PRIORITIES) {
        (void)snprintf(class, sizeof class, "|%u", (unsigned int)priority);
    }
    (void)snprintf(name, size, "%s.%s%s%s", topology->nodes[node].name,
                   topology->nodes[to->peer].name, parallel, class);
    return name;
}

/* Returns the name of port 'port' of 'node' as its configuration has it. */
static const char *
configured_name(const struct run *run, uint32_t node, uint32_t port)
{
    size_t n;

    return run_is_host(run, node)
               ? "nic"
               : switch_image_ports(run->image_of[node], &n)[port].name;
}

static void
describe_node(const struct run *run, struct results *results, uint32_t node)
{
    const struct topology *topology = run->topology;
    const struct topology_node *of = &topology->nodes[node];

    results_add_node(results, node, of->name, of->role, of->tier);
    for (uint32_t port = 0; port < of->n_ports; port++) {
        const struct topology_port *to = topology_port(topology, node, port);
        const struct topology_link *link = &topology->links[to->link];

        results_add_port(results, node, port, configured_name(run, node, port),
                         to->peer, to->peer_port, link->rate_bps,
                         link->length_mm);
    }
}

void
run_describe(const struct run *run, struct results *results)
{
    const struct scenario *scenario = run->scenario;

    if (run->rank != 0) {
        run_oracles_predict(run, run_ranks_results(run));
        return;
    }
    for (size_t i = 0; i < scenario->run.n_parameters; i++) {
        results_add_param(results, scenario->run.parameters[i].path,
                          scenario->run.parameters[i].value);
    }
    if (*scenario->run.variant) {
        results_add_param(results, "variant", scenario->run.variant);
    }
    for (uint32_t i = 0; i < run->topology->n_nodes; i++) {
        describe_node(run, results, i);
    }
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        results_add_group(results, (uint32_t)i, scenario->traffic[i].name);
    }
    run_series_describe(run, results);
    run_oracles_predict(run, results);
}

/* After the run ------------------------------------------------------------ */

/* Adds the queues of port 'port' of 'sw' that were used. */
static void
report_queues(const struct run_switch *sw, uint32_t port,
              struct results *results)
{
    struct sim *sim = switch_instance_sim(sw->instance);
    const struct mmu *mmu = sim_mmu(sim);
    const struct chip *chip = switch_image_chip(sw->run->image_of[sw->node]);
    const uint32_t slot = sw->slots[port];

    for (uint32_t q = 0; q < chip->queues_per_port; q++) {
        struct mmu_queue_stats in_buffer;
        struct sim_queue_stats stats;
        struct results_queue report = {
            .node = sw->node, .port = port, .queue = (uint8_t)q};

        mmu_queue_get(mmu, mmu_queue_id(mmu, slot, q), &in_buffer);
        orch_assert(sim_queue_get_stats(sim, slot, q, &stats) == ST_OK);
        report.packets = in_buffer.packets;
        report.bytes = in_buffer.bytes;
        report.dropped_packets = in_buffer.dropped_packets;
        report.peak_bytes =
            chip_cells_to_bytes(chip, in_buffer.total_watermark);
        for (int c = 0; c < CLASSIFY_COLORS; c++) {
            report.marked_packets += stats.colors[c].marked_packets;
        }
        if (report.packets || report.peak_bytes || report.dropped_packets) {
            results_add_queue(results, &report);
        }
    }
}

/* Adds a counter of a port unless it is 0. */
static void
add_counter(struct results *results, uint32_t node, uint32_t port,
            const char *name, uint64_t value)
{
    if (value) {
        results_add_counter(results, node, port, SINK_NONE, name, value);
    }
}

static void
report_switch_port(const struct run_switch *sw, uint32_t port,
                   struct results *results)
{
    struct sim_port_stats stats;
    struct sim_pause_stats pauses;
    struct sim *sim = switch_instance_sim(sw->instance);
    const uint32_t slot = sw->slots[port];

    orch_assert(sim_port_get_stats(sim, slot, &stats) == ST_OK);
    orch_assert(sim_port_get_pauses(sim, slot, &pauses) == ST_OK);
    /* Also of a link without traffic, whose utilization is 0. */
    results_add_counter(results, sw->node, port, SINK_NONE, "tx_bytes",
                        stats.tx_octets);
    add_counter(results, sw->node, port, "rx_bytes", stats.rx_octets);
    add_counter(results, sw->node, port, "tx_packets",
                stats.tx_ucast_packets + stats.tx_non_ucast_packets);
    add_counter(results, sw->node, port, "rx_packets",
                stats.rx_ucast_packets + stats.rx_non_ucast_packets);
    add_counter(results, sw->node, port, "rx_filtered", stats.rx_filtered);
    add_counter(results, sw->node, port, "rx_trapped", stats.rx_trapped);
    for (uint32_t p = 0; p < PFC_N_PRIORITIES; p++) {
        if (stats.pfc_tx[p]) {
            results_add_counter(results, sw->node, port, p, "pfc_tx",
                                stats.pfc_tx[p]);
        }
        if (pauses.received[p]) {
            results_add_counter(results, sw->node, port, p, "pfc_rx",
                                pauses.received[p]);
        }
    }
}

/* Adds the priority groups of a port that were used. */
static void
report_groups(const struct run_switch *sw, uint32_t port,
              struct results *results)
{
    const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
    const struct chip *chip = switch_image_chip(sw->run->image_of[sw->node]);

    for (uint32_t g = 0; g < chip->pgs_per_port; g++) {
        struct mmu_pg_stats stats;

        mmu_pg_get(mmu, mmu_pg_id(mmu, sw->slots[port], g), &stats);
        const struct {
            const char *name;
            uint64_t value;
        } counters[] = {
            {"pg_packets", stats.packets},
            {"pg_bytes", stats.bytes},
            {"pg_dropped_packets", stats.dropped_packets},
            {"pg_shared_peak_bytes",
             chip_cells_to_bytes(chip, stats.shared_watermark)},
            {"pg_headroom_peak_bytes",
             chip_cells_to_bytes(chip, stats.headroom_watermark)},
        };

        for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
            if (counters[i].value) {
                results_add_counter(results, sw->node, port, g,
                                    counters[i].name, counters[i].value);
            }
        }
    }
}

/* Where report_pool() adds the counters of a pool. */
struct pool_report {
    const struct run_switch *sw;
    struct results *results;
};

static void
add_pool_counter(const struct pool_report *report, const char *pool,
                 const char *name, uint64_t value)
{
    char whole[128];

    if (value) {
        (void)snprintf(whole, sizeof whole, "%s.%s", pool, name);
        results_add_counter(report->results, report->sw->node, SINK_NONE,
                            SINK_NONE, whole, value);
    }
}

static void
report_pool(void *report_, const char *name, uint32_t pool)
{
    const struct pool_report *report = report_;
    const struct run_switch *sw = report->sw;
    const struct chip *chip = switch_image_chip(sw->run->image_of[sw->node]);
    struct mmu_pool_stats stats;

    orch_assert(mmu_pool_get(sim_mmu(switch_instance_sim(sw->instance)), pool,
                             &stats) == ST_OK);
    add_pool_counter(report, name, "shared_peak_bytes",
                     chip_cells_to_bytes(chip, stats.shared_watermark));
    add_pool_counter(report, name, "headroom_peak_bytes",
                     chip_cells_to_bytes(chip, stats.headroom_watermark));
    add_pool_counter(report, name, "dropped_packets", stats.dropped_packets);
}

/* Adds everything that a switch has counted. */
static void
report_switch(const struct run_switch *sw, struct results *results)
{
    struct pool_report pools = {sw, results};
    const struct chip *chip = switch_image_chip(sw->run->image_of[sw->node]);

    results_add_counter(results, sw->node, SINK_NONE, SINK_NONE, "buffer_bytes",
                        chip->memory_bytes);

    for (uint32_t port = 0; port < sw->run->topology->nodes[sw->node].n_ports;
         port++) {
        report_queues(sw, port, results);
        report_switch_port(sw, port, results);
        report_groups(sw, port, results);
    }
    switch_instance_each_pool(sw->instance, report_pool, &pools);
}

/* Adds what the receive pipeline of 'host', which has PCIe, has done. */
static void
report_pipeline(const struct run_host *host, const struct nic_stats *stats,
                struct results *results)
{
    const struct nic_config *config = nic_get_config(host->nic);
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"pcie_busy_ps", (uint64_t)stats->work.bus_ps},
        /* As if all that may overlap always did. */
        {"lookup_busy_ps",
         (uint64_t)stats->work.lookup_ps / config->lookups_outstanding},
        {"pcie_switch_busy_ps", (uint64_t)stats->switch_busy_ps},
        {"mtt_hits", stats->lookups.translation_hits},
        {"mtt_misses", stats->lookups.translation_misses},
        {"context_hits", stats->lookups.context_hits},
        {"context_misses", stats->lookups.context_misses},
    };

    for (size_t i = 0;
         config->pcie.lanes && i < sizeof counters / sizeof counters[0]; i++) {
        add_counter(results, host->node, 0, counters[i].name,
                    counters[i].value);
    }
}

static void
report_host(const struct run_host *host, struct results *results)
{
    struct nic_stats stats;

    nic_get_stats(host->nic, &stats);
    results_add_counter(results, host->node, 0, SINK_NONE, "tx_bytes",
                        stats.sent_bytes);
    add_counter(results, host->node, 0, "rx_bytes", stats.received_bytes);
    add_counter(results, host->node, 0, "tx_packets", stats.sent_packets);
    add_counter(results, host->node, 0, "rx_packets", stats.received_packets);
    add_counter(results, host->node, 0, "rx_fifo_dropped",
                stats.dropped_packets);
    add_counter(results, host->node, 0, "rx_fifo_peak_bytes",
                stats.fifo_peak_bytes);
    add_counter(results, host->node, 0, "acks_sent", stats.acks_sent);
    add_counter(results, host->node, 0, "cnps_sent", stats.cnps_sent);
    add_counter(results, host->node, 0, "cnps_received", stats.cnps_received);
    add_counter(results, host->node, 0, "pauses_sent", stats.pauses_sent);
    add_counter(results, host->node, 0, "pauses_received",
                stats.pauses_received);
    report_pipeline(host, &stats, results);
    if (host->loop) {
        nic_get_stats(host->loop->nic, &stats);
        add_counter(results, host->node, 0, "loopback_bytes",
                    stats.received_bytes);
    }
}

/* Adds what end 'end' of link 'i' has noticed, and what the link has lost of
 * what it sent. */
static void
report_link_end(const struct run *run, uint32_t i, unsigned int end,
                struct results *results)
{
    const struct topology_link *link = &run->topology->links[i];
    const struct run_link *observed = &run->observed[i];
    const uint32_t node = link->node[end], port = link->port[end];
    struct link_stats stats;

    link_get_stats(run->links[i], end, &stats);
    add_counter(results, node, port, "link_lost", stats.lost);
    add_counter(results, node, port, "link_downs", observed->downs);
    add_counter(results, node, port, "rx_errors", observed->corrupt[1 - end]);
    add_counter(results, node, port, "rx_missing", observed->missing[1 - end]);
    run_llr_report(run, i, end, results);
    run_credits_report(run, i, end, results);
}

static void
report_links(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->topology->n_links; i++) {
        for (unsigned int e = 0; e < 2; e++) {
            if (run_owns(run, run->topology->links[i].node[e])) {
                report_link_end(run, i, e, results);
            }
        }
    }
}

static void
report_histogram(const struct run *run, struct results *results,
                 const char *name, struct histogram *histogram)
{
    run_ranks_merge(run, histogram);
    if (histogram && run->rank == 0) {
        results_add_histogram(results, name, "", histogram);
    }
}

/* Adds what the nodes of this rank have counted. */
static void
report_nodes(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        if (run_owns(run, i)) {
            report_switch(&run->switches[i], results);
        }
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        if (run->hosts[i].nic) {
            report_host(&run->hosts[i], results);
        }
    }
    report_links(run, results);
}

/* Adds the way of 'flow', whose hops are in order. */
static void
report_path(const struct run_flow *flow, struct results *results)
{
    if (flow->n_hops) {
        results_add_hop(results, flow->number, 0, flow->source, 0);
    }
    for (uint32_t hop = 0; hop < flow->n_hops; hop++) {
        results_add_hop(results, flow->number, hop + 1, flow->hops[hop].node,
                        flow->hops[hop].port);
    }
}

/* Puts the hops of 'flow' that several ranks have found in order: each is the
 * peer of the one before. */
static void
sort_hops(const struct run *run, struct run_flow *flow)
{
    uint32_t node = topology_port(run->topology, flow->source, 0)->peer;

    for (uint8_t i = 0; i < flow->n_hops; i++) {
        for (uint8_t k = i; k < flow->n_hops; k++) {
            const struct run_hop hop = flow->hops[k];

            if (hop.node == node) {
                flow->hops[k] = flow->hops[i];
                flow->hops[i] = hop;
                node = topology_port(run->topology, hop.node, hop.port)->peer;
                break;
            }
        }
    }
}

void
run_finish(struct run *run, struct results *results)
{
    const bool leads = run->rank == 0;
    struct err err = {0};

    results = leads ? results : run_ranks_results(run);
    run_gaps_report(run, results);
    run_estats_report(run, results);
    run_traffic_finish(run);
    run_watchdogs_finish(run);
    run_observe_finish(run);
    run_lanes_settle(run);
    run_ranks_flush(run);
    report_nodes(run, results);
    run_affected_report(run, results);
    run_restarts_report(run, results);
    run_drift_report(run, results);
    run_srd_describe(run, results);
    run_su_describe(run, results);
    run_memory_describe(run, results);
    run_sk_describe(run, results);
    run_failovers_describe(run, results);
    run_repairs_describe(run, results);
    run_disks_describe(run, results);
    run_steps_describe(run, results);
    run_barrier_describe(run, results);
    run_rollout_report(run, results);
    run_software_report(run, results);
    run_deadlock_report(run, results);
    run_deadlock_finish(run);
    run_balance_describe(run, leads ? results : NULL);
    if (run_balance_check(run, &err)) {
        run_fail(run, &err);
    }
    run_captures_finish(run, results);
    for (uint32_t i = 0; leads && i < run->n_flows; i++) {
        if (run->ranks) {
            sort_hops(run, &run->flows[i]);
        }
        report_path(&run->flows[i], results);
    }
    run_oracles_describe(run, results);
    run_ranks_gather(run, results);
    report_histogram(run, results, "fct", run->fct);
    report_histogram(run, results, "message", run->message);
    report_histogram(run, results, "pause", run->pause);
    report_histogram(run, results, "queue.depth", run->depth);
}
