/* SPDX-License-Identifier: Apache-2.0 */

/* The samples of a run: series of ports, queues, priority groups and flows.
 *
 * An interval samples at the end of its instant, after everything else that
 * happens then. */

#include <config.h>

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "lab/builder/name_pattern.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

enum { OBJECT_SIZE = 96 };

/* One series: a metric of one object. */
struct run_series {
    uint32_t number;
    enum record_series metric;
    uint32_t node, port;
    uint8_t priority;
    uint32_t flow;
};

/* Values ------------------------------------------------------------------- */

/* Returns the value of 'series' of a port of a switch. */
static int64_t
of_switch(const struct run *run, const struct run_series *series)
{
    const struct run_switch *sw = &run->switches[series->node];
    struct sim *sim = switch_instance_sim(sw->instance);
    const struct mmu *mmu = sim_mmu(sim);
    const uint32_t slot = sw->slots[series->port];
    const struct chip *chip =
        switch_image_chip(switch_instance_image(sw->instance));
    struct sim_port_stats stats;
    struct mmu_queue_stats queue;
    struct mmu_pg_stats pg;

    switch (series->metric) {
    case RECORD_PORT_TX:
    case RECORD_PORT_RX:
        orch_assert(sim_port_get_stats(sim, slot, &stats) == ST_OK);
        return (int64_t)(series->metric == RECORD_PORT_TX ? stats.tx_octets
                                                          : stats.rx_octets);
    case RECORD_PORT_PAUSE:
        return sim_queue_is_paused(sim, slot, series->priority);
    case RECORD_QUEUE_BYTES:
        mmu_queue_get(mmu, mmu_queue_id(mmu, slot, series->priority), &queue);
        return (int64_t)queue.bytes;
    case RECORD_QUEUE_DEPTH:
        return (int64_t)chip_cells_to_bytes(
            chip,
            mmu_queue_cells(mmu, mmu_queue_id(mmu, slot, series->priority)));
    default:
        mmu_pg_get(mmu, mmu_pg_id(mmu, slot, series->priority), &pg);
        return (int64_t)chip_cells_to_bytes(
            chip, series->metric == RECORD_PG_HEADROOM
                      ? pg.headroom
                      : pg.reserved + pg.shared + pg.headroom);
    }
}

/* Returns the value of 'series' of a host. */
static int64_t
of_host(const struct run *run, const struct run_series *series)
{
    struct nic_stats stats;

    nic_get_stats(run_host(run, series->node)->nic, &stats);
    switch (series->metric) {
    case RECORD_HOST_CPU:
        return run_software_busy_ps(run_host(run, series->node));
    case RECORD_PORT_TX:
        return (int64_t)stats.sent_bytes;
    case RECORD_PORT_RX:
        return (int64_t)stats.received_bytes;
    default:
        return stats.paused >> series->priority & 1;
    }
}

static int64_t
value_of(const struct run *run, const struct run_series *series)
{
    const struct run_flow *flow;

    if (series->flow == SINK_NONE) {
        return run_is_host(run, series->node) ? of_host(run, series)
                                              : of_switch(run, series);
    }
    flow = &run->flows[series->flow];
    switch (series->metric) {
    case RECORD_FLOW_RATE:
        return (int64_t)nic_rate(run_flow_end(flow, true)->nic, flow->qp);
    case RECORD_FLOW_CWND:
        return run_flow_cwnd(flow);
    default:
        return (int64_t)run_flow_bytes(flow);
    }
}

/* Returns whether this rank knows the value of 'series'. */
static bool
is_known(const struct run *run, const struct run_series *series)
{
    const struct run_flow *flow;

    if (series->flow == SINK_NONE) {
        return run_owns(run, series->node);
    }
    flow = &run->flows[series->flow];
    return run_owns(run, series->metric == RECORD_FLOW_BYTES ? flow->destination
                                                             : flow->source);
}

/* Takes the samples of one interval. */
static void
on_sample(struct event *event, int64_t now_ps)
{
    struct run_sampler *sampler = EVENT_OWNER(event, struct run_sampler, timer);
    struct run *run = sampler->run;

    for (size_t i = 0; i < sampler->n; i++) {
        /* run_affected.c has a timer of its own. */
        if (sampler->series[i].metric == RECORD_HOSTS_AFFECTED ||
            !is_known(run, &sampler->series[i])) {
            continue;
        }
        const struct sink_sample sample = {
            .t_ps = now_ps,
            .series = sampler->series[i].number,
            .value = value_of(run, &sampler->series[i])};

        run->sink->sampled(run->sink->context, &sample);
    }
    engine_schedule(run->engine, event, now_ps + sampler->spec->every_ps);
}

/* Creation ----------------------------------------------------------------- */

static void
add_series(struct run_sampler *sampler, const struct run_series *series)
{
    if (sampler->n == sampler->size) {
        const size_t size = sampler->size ? 2 * sampler->size : 64;
        struct run_series *list =
            arena_alloc(sampler->run->arena, size, sizeof *list);

        if (sampler->n) {
            memcpy(list, sampler->series, sampler->n * sizeof *list);
        }
        sampler->series = list;
        sampler->size = size;
    }
    sampler->series[sampler->n] = *series;
    sampler->series[sampler->n++].number = sampler->run->n_series++;
}

/* Returns whether 'metric' has a value for each priority. */
static bool
is_per_priority(enum record_series metric)
{
    return metric == RECORD_PORT_PAUSE || metric == RECORD_QUEUE_DEPTH ||
           metric == RECORD_QUEUE_BYTES || metric == RECORD_PG_DEPTH ||
           metric == RECORD_PG_HEADROOM;
}

/* Returns whether 'node' has 'metric'. */
static bool
has_metric(const struct run *run, uint32_t node, enum record_series metric)
{
    if (metric == RECORD_HOST_CPU) {
        return run_is_host(run, node) && run_host(run, node)->processor;
    }
    return !run_is_host(run, node) || metric == RECORD_PORT_TX ||
           metric == RECORD_PORT_RX || metric == RECORD_PORT_PAUSE;
}

/* Adds the series of 'metric' of port 'port' of 'node'. */
static void
add_port(struct run_sampler *sampler, enum record_series metric, uint32_t node,
         uint32_t port)
{
    const uint32_t priorities = !is_per_priority(metric) ? 1
                                : sampler->spec->priorities
                                    ? sampler->spec->priorities
                                    : (1 << RUN_PRIORITIES) - 1;

    if (!has_metric(sampler->run, node, metric)) {
        return;
    }
    for (uint8_t p = 0; p < RUN_PRIORITIES; p++) {
        if (priorities >> p & 1) {
            add_series(sampler, &(struct run_series){.metric = metric,
                                                     .node = node,
                                                     .port = port,
                                                     .priority = p,
                                                     .flow = SINK_NONE});
        }
    }
}

/* Returns whether an item of 'at' means port 'port' of 'node': its node, or its
 * link. */
static bool
is_selected(const struct run *run, const struct selector *at, uint32_t node,
            uint32_t port)
{
    const struct topology *topology = run->topology;
    const struct topology_port *to = topology_port(topology, node, port);

    for (size_t i = 0; i < at->n; i++) {
        unsigned int end;
        const uint32_t link = topology_find_link(topology, at->items[i], &end);

        if (link == to->link && topology->links[link].node[end] == node) {
            return true;
        }
        if (link == TOPOLOGY_NONE &&
            name_pattern_match(at->items[i], topology->nodes[node].name)) {
            return true;
        }
    }
    return at->n == 0;
}

/* Adds the series of 'metric' of all selected ports. */
static void
add_ports(struct run_sampler *sampler, enum record_series metric)
{
    const struct topology *topology = sampler->run->topology;

    for (uint32_t node = 0; node < topology->n_nodes; node++) {
        for (uint32_t port = 0; port < topology->nodes[node].n_ports; port++) {
            if (is_selected(sampler->run, &sampler->spec->at, node, port)) {
                add_port(sampler, metric, node, port);
            }
        }
    }
}

/* Adds the series of 'metric' of all selected flows. */
static void
add_flows(struct run_sampler *sampler, enum record_series metric)
{
    const struct selector *of = &sampler->spec->of;
    const struct run *run = sampler->run;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct traffic_spec *traffic = run->flows[i].traffic;
        bool selected = of->n == 0;

        for (size_t k = 0; k < of->n; k++) {
            selected |= name_pattern_match(of->items[k], traffic->name);
        }
        selected &= metric != RECORD_FLOW_CWND ||
                    traffic->transport == TRAFFIC_TRANSPORT_TCP;
        if (selected) {
            add_series(sampler,
                       &(struct run_series){.metric = metric, .flow = i});
        }
    }
}

/* Checks that the choices of 'spec' choose among its metrics. */
static enum st
check_choices(const struct run *run, const struct series_spec *spec,
              struct err *err)
{
    const uint32_t of_ports = (1U << RECORD_FLOW_RATE) - 1;
    bool has_priorities = false;
    const char *wrong = NULL;

    for (int m = RECORD_PORT_TX; m < RECORD_FLOW_RATE; m++) {
        has_priorities |=
            spec->metrics >> m & 1 && is_per_priority((enum record_series)m);
    }
    if (spec->at.n && !(spec->metrics & of_ports)) {
        wrong = "'at' chooses ports, but all of these metrics are of flows: "
                "use 'traffic'";
    } else if (spec->of.n && !(spec->metrics & ~of_ports)) {
        wrong = "'traffic' chooses flows, but all of these metrics are of "
                "ports: use 'at'";
    } else if (spec->priorities && !has_priorities) {
        wrong = "'priorities' chooses nothing: none of these metrics has a "
                "value per priority";
    }
    return wrong ? scenario_fail(run->scenario, &spec->place, err, "%s", wrong)
                 : ST_OK;
}

/* Checks that 'sampler' has something to sample. */
static enum st
check_found(const struct run_sampler *sampler, struct err *err)
{
    return sampler->n
               ? ST_OK
               : scenario_fail(sampler->run->scenario, &sampler->spec->place,
                               err,
                               "nothing that is selected has these metrics; "
                               "hosts have port.tx, port.rx and port.pause, "
                               "and host.cpu if they have a 'cpu'; flow.cwnd "
                               "is of TCP");
}

enum st
run_series_create(struct run *run, struct err *err)
{
    const struct record_spec *record = &run->scenario->record;
    enum st st;

    run->samplers =
        arena_alloc(run->arena, record->n_series + 1, sizeof *run->samplers);
    for (size_t i = 0; i < record->n_series; i++) {
        struct run_sampler *sampler = &run->samplers[i];

        *sampler = (struct run_sampler){.run = run, .spec = &record->series[i]};
        st = check_choices(run, sampler->spec, err);
        if (st) {
            return st;
        }
        for (int m = RECORD_PORT_TX; m <= RECORD_FLOW_CWND; m++) {
            if (!(sampler->spec->metrics >> m & 1)) {
                continue;
            }
            if (m >= RECORD_FLOW_RATE) {
                add_flows(sampler, (enum record_series)m);
            } else {
                add_ports(sampler, (enum record_series)m);
            }
        }
        if (sampler->spec->metrics >> RECORD_HOSTS_AFFECTED & 1) {
            st = run_affected_create(run, sampler->spec, run->n_series, err);
            add_series(sampler,
                       &(struct run_series){.metric = RECORD_HOSTS_AFFECTED,
                                            .flow = SINK_NONE});
        }
        st = st ? st : check_found(sampler, err);
        if (st) {
            return st;
        }
        sampler->timer =
            event_make(EVENT_TIMER_OBSERVE, 0, (uint32_t)i, on_sample);
        if (run->sink->sampled) {
            engine_schedule(run->engine, &sampler->timer,
                            sampler->spec->start_ps ? sampler->spec->start_ps
                                                    : sampler->spec->every_ps);
        }
    }
    return ST_OK;
}

void
run_series_describe(const struct run *run, struct results *results)
{
    static const struct {
        const char *name;
        const char *unit;
    } metrics[] = {
        [RECORD_PORT_TX] = {"port.tx", "B"},
        [RECORD_PORT_RX] = {"port.rx", "B"},
        [RECORD_PORT_PAUSE] = {"port.pause", ""},
        [RECORD_QUEUE_DEPTH] = {"queue.depth", "B"},
        [RECORD_QUEUE_BYTES] = {"queue.bytes", "B"},
        [RECORD_PG_DEPTH] = {"pg.depth", "B"},
        [RECORD_PG_HEADROOM] = {"pg.headroom", "B"},
        [RECORD_HOST_CPU] = {"host.cpu", "ps"},
        [RECORD_FLOW_RATE] = {"flow.rate", "b/s"},
        [RECORD_FLOW_BYTES] = {"flow.bytes", "B"},
        [RECORD_FLOW_CWND] = {"flow.cwnd", "B"},
        [RECORD_HOSTS_AFFECTED] = {"hosts.affected", ""},
    };

    for (size_t i = 0; i < run->scenario->record.n_series; i++) {
        const struct run_sampler *sampler = &run->samplers[i];

        for (size_t k = 0; k < sampler->n; k++) {
            const struct run_series *series = &sampler->series[k];
            char object[OBJECT_SIZE];

            if (series->metric == RECORD_HOSTS_AFFECTED) {
                (void)snprintf(object, sizeof object, "all");
            } else if (series->flow != SINK_NONE) {
                (void)snprintf(object, sizeof object, "flow %u",
                               (unsigned int)series->flow);
            } else {
                run_name_port(run, series->node, series->port,
                              is_per_priority(series->metric) ? series->priority
                                                              : RUN_PRIORITIES,
                              object, sizeof object);
            }
            results_add_series(results, series->number,
                               metrics[series->metric].name, object,
                               metrics[series->metric].unit);
        }
    }
}
