/* SPDX-License-Identifier: Apache-2.0 */

/* Adapters whose driver is unloaded and loaded again.
 *
 * The connections of a host that can change to TCP ('failover') are its
 * consumers (lab/storage/repair.h).  When a repair begins, all of them are held
 * (lab/storage/failover.h), and asked to close, at once or one after another.
 * Each drains, goes to TCP, and gives its queue pairs and its memory back. With
 * the last one the pool of the host gives its free slabs back, too; then the
 * driver is unloaded, and loaded 'reload' later.  From then on connections go
 * back as those of their item do that a program converts.
 *
 * Without its driver an adapter has no port: its links are down, unless the
 * scenario says that something else keeps them up.  TCP is in the system, so
 * its connections outlive the driver, and send again what was lost.
 *
 * By force the driver is unloaded at once: all queue pairs of RDMA of the
 * adapter fail.
 *
 * What happens is in the list of changes. */

#include <config.h>

#include "base/arena.h"
#include "base/random.h"
#include "lab/builder/references.h"
#include "lab/exec/run.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"
#include "lab/storage/repair.h"
#include "lab/storage/slab_pool.h"

/* The first of the seeds of repairs (fabric_seed()). */
#define FIRST_REPAIR (UINT64_C(1) << 42)

enum { ENTITY = 6, EVENTS = 3, PS_PER_US = 1000000 };

/* The repair of the adapter of a host. */
struct run_repair {
    struct run_repair *next;
    struct run *run;
    struct run_host *host;
    const struct repair_spec *spec;
    struct repair repair;
    struct run_flow **flows; /* Its consumers. */
    uint32_t n_flows;
    uint32_t n_asked;    /* Of them. */
    struct event timer;  /* The begin, then the end of the reload. */
    struct event asking; /* The next one. */
    struct run_outage outage;
    int64_t begin_ps, unload_ps, load_ps, back_ps; /* -1: not yet. */
};

static const char *
name_of(const struct run_repair *repair)
{
    return repair->run->topology->nodes[repair->host->node].name;
}

/* Counts ------------------------------------------------------------------- */

/* Counts the memory that is registered at the adapter: what the pool of the
 * host has, or a region for each queue pair. */
static void
count_regions(struct run_repair *repair)
{
    const struct slab_pool *memory = repair->host->memory;

    repair_set_regions(&repair->repair, memory ? slab_pool_regions(memory)
                                               : repair->repair.n_qps);
}

/* Adds the queue pairs of RDMA that 'flow' has at the adapter, and 'flow' to
 * the consumers. */
static void
add_flow(struct run_repair *repair, struct run_flow *flow)
{
    const uint32_t node = repair->host->node;

    if (!traffic_is_rc(flow->traffic)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        if ((i ? flow->destination : flow->source) == node) {
            repair_open(&repair->repair);
        }
    }
    if (flow->failover && (flow->source == node || flow->destination == node)) {
        repair->flows[repair->n_flows++] = flow;
    }
}

/* Notes that 'event' has happened, and what is open. */
static void
note_open(const struct run_repair *repair, const char *event)
{
    const uint32_t n_qps = repair->repair.n_qps;
    const uint32_t n_regions = repair->repair.n_regions;

    run_note(repair->run,
             "repair: %s: %s, with %u queue pair%s and %u region%s of memory "
             "open",
             name_of(repair), event, n_qps, n_qps == 1 ? "" : "s", n_regions,
             n_regions == 1 ? "" : "s");
}

/* Unloading ---------------------------------------------------------------- */

/* All queue pairs of RDMA of the adapter fail. */
static void
fail_queue_pairs(const struct run_repair *repair)
{
    const struct run *run = repair->run;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        if (!traffic_is_rc(flow->traffic) ||
            (flow->is_done && !flow->failover)) {
            continue; /* It has no work that could fail. */
        }
        if (flow->source == repair->host->node) {
            nic_fail_qp(run_flow_end(flow, true)->nic, flow->qp);
        }
        if (flow->destination == repair->host->node) {
            nic_fail_qp(run_flow_end(flow, false)->nic, flow->peer_qp);
        }
    }
}

static void
unload(struct run_repair *repair, int64_t now_ps)
{
    struct err err = {0};

    engine_cancel(repair->run->engine, &repair->asking);
    repair_unload(&repair->repair);
    repair->unload_ps = now_ps;
    note_open(repair, "the driver is unloaded");
    if (repair->spec->unload == REPAIR_UNLOAD_FORCED) {
        fail_queue_pairs(repair);
    }
    if (repair->spec->port == REPAIR_PORT_DOWN &&
        run_outage_set(&repair->outage, true, &err)) {
        run_fail(repair->run, &err);
    }
    engine_schedule(repair->run->engine, &repair->timer,
                    now_ps + repair->spec->reload_ps);
}

/* Unloads the driver if nothing is open any more. */
static void
try_unload(struct run_repair *repair)
{
    if (!repair->repair.n_qps && repair->host->memory) {
        slab_pool_trim(repair->host->memory);
    }
    count_regions(repair);
    if (repair_is_closed(&repair->repair)) {
        unload(repair, run_now(repair->run));
    }
}

/* Events ------------------------------------------------------------------- */

/* Asks the next connection to close, or all. */
static void
on_ask(struct event *event, int64_t now_ps)
{
    struct run_repair *repair = EVENT_OWNER(event, struct run_repair, asking);
    const int64_t every_ps = repair->spec->every_ps;
    const uint32_t end = every_ps && repair->n_asked < repair->n_flows
                             ? repair->n_asked + 1
                             : repair->n_flows;

    while (repair->n_asked < end) {
        run_failover_leave(repair->flows[repair->n_asked++]);
    }
    if (end < repair->n_flows) {
        engine_schedule(repair->run->engine, event, now_ps + every_ps);
    }
}

static void
begin(struct run_repair *repair, int64_t now_ps)
{
    const bool is_forced = repair->spec->unload == REPAIR_UNLOAD_FORCED;

    repair->begin_ps = now_ps;
    count_regions(repair);
    if (is_forced) {
        unload(repair, now_ps);
    } else {
        repair_begin(&repair->repair);
        note_open(repair, "begins");
    }
    for (uint32_t i = 0; i < repair->n_flows; i++) {
        run_failover_hold(repair->flows[i]);
    }
    if (repair->repair.state == REPAIR_CLOSING) {
        on_ask(&repair->asking, now_ps);
        try_unload(repair); /* There may be nothing to close. */
    }
}

/* The driver is loaded. */
static void
load(struct run_repair *repair, int64_t now_ps)
{
    struct err err = {0};

    repair_load(&repair->repair);
    repair->load_ps = now_ps;
    run_note(repair->run, "repair: %s: the driver is loaded again",
             name_of(repair));
    if (repair->spec->port == REPAIR_PORT_DOWN &&
        run_outage_set(&repair->outage, false, &err)) {
        run_fail(repair->run, &err);
    }
    for (uint32_t i = 0; i < repair->n_flows; i++) {
        run_failover_release(repair->flows[i]);
    }
}

static void
on_timer(struct event *event, int64_t now_ps)
{
    struct run_repair *repair = EVENT_OWNER(event, struct run_repair, timer);

    if (repair->repair.state == REPAIR_READY) {
        begin(repair, now_ps);
    } else {
        load(repair, now_ps);
    }
}

/* Calls 'note' for each adapter at an end of 'flow' that has a repair. */
static void
note_ends(const struct run_flow *flow, void (*note)(struct run_repair *))
{
    for (int i = 0; i < 2; i++) {
        const struct run_host *host =
            run_host(flow->run, i ? flow->destination : flow->source);

        if (host->repair) {
            note(host->repair);
        }
    }
}

static void
note_closed(struct run_repair *repair)
{
    repair_close(&repair->repair);
    try_unload(repair);
}

void
run_repair_note_closed(const struct run_flow *flow)
{
    note_ends(flow, note_closed);
}

static void
note_opened(struct run_repair *repair)
{
    repair_open(&repair->repair);
    count_regions(repair);
    if (repair->back_ps < 0 && repair_is_over(&repair->repair)) {
        repair->back_ps = run_now(repair->run);
        run_note(repair->run, "repair: %s: all connections are back",
                 name_of(repair));
    }
}

void
run_repair_note_opened(const struct run_flow *flow)
{
    note_ends(flow, note_opened);
}

/* Creation ----------------------------------------------------------------- */

/* Checks that 'node' can be repaired as 'spec' says, and is not by another one
 * that is before it in the scenario. */
static enum st
check_host(const struct run *run, const struct repair_spec *spec, uint32_t node,
           const struct repair_spec **taken, struct err *err)
{
    const char *name = run->topology->nodes[node].name;

    if (taken[node]) {
        return scenario_fail(run->scenario, &spec->place, err,
                             "%s may be repaired twice: it is one of the hosts "
                             "of another repair (line %u)",
                             name, (unsigned int)taken[node]->place.line);
    }
    taken[node] = spec;
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        const bool is_srd = flow->traffic->kind == TRAFFIC_SRD;

        if ((flow->source != node && flow->destination != node) ||
            flow->failover) {
            continue;
        }
        if (is_srd) {
            return scenario_fail(run->scenario, &spec->place, err,
                                 "the adapter of %s cannot be repaired: "
                                 "queue pairs of SRD ('%s') cannot fail or "
                                 "close",
                                 name, flow->traffic->name);
        }
        if (spec->unload == REPAIR_UNLOAD_CLOSED &&
            traffic_is_rc(flow->traffic)) {
            return scenario_fail(
                run->scenario, &spec->place, err,
                "the driver of %s could never be unloaded: '%s' has queue "
                "pairs there and cannot go to TCP; use 'su_rdma' with "
                "'failover', other 'hosts', or 'unload: forced'",
                name, flow->traffic->name);
        }
    }
    return ST_OK;
}

/* Checks that the last connection is asked to close so early that the driver
 * can be loaded again before the run ends; the repair begins at 'at_ps'. */
static enum st
check_asking(const struct run_repair *repair, int64_t at_ps, struct err *err)
{
    const struct scenario *scenario = repair->run->scenario;
    const struct repair_spec *spec = repair->spec;
    const int64_t rest_ps = scenario->stop_ps - at_ps - spec->reload_ps;
    int64_t max_ps;

    if (repair->n_flows < 2 || !spec->every_ps) {
        return ST_OK;
    }
    /* The first is asked at once, and the parser has checked 'rest_ps'. */
    max_ps = (rest_ps - 1) / (repair->n_flows - 1);
    if (spec->every_ps <= max_ps) {
        return ST_OK;
    }
    return scenario_fail(scenario, &spec->place, err,
                         "the driver of %s may not be loaded again when the "
                         "run ends ('stop'): its %u connections are asked to "
                         "close one after the other; with a 'reload' of %.9g "
                         "ms, 'every' can be %.9g us at most",
                         name_of(repair), (unsigned int)repair->n_flows,
                         (double)spec->reload_ps / (1000.0 * PS_PER_US),
                         (double)(max_ps / 1000) / 1000.0);
}

static enum st
create(struct run *run, const struct repair_spec *spec, uint32_t node,
       int64_t at_ps, struct err *err)
{
    struct run_repair *repair = arena_alloc(run->arena, 1, sizeof *repair);
    const uint32_t number = EVENTS * node;

    *repair = (struct run_repair){
        .next = run->repairs,
        .run = run,
        .host = run_host(run, node),
        .spec = spec,
        .timer = event_make(EVENT_TIMER_COMMAND, ENTITY, number, on_timer),
        .asking = event_make(EVENT_TIMER_COMMAND, ENTITY, number + 1, on_ask),
        .flows = arena_alloc(run->arena, run->n_flows + 1, sizeof(void *)),
        .begin_ps = -1,
        .unload_ps = -1,
        .load_ps = -1,
        .back_ps = -1};
    repair_init(&repair->repair);
    run_outage_init(&repair->outage, run, node, ENTITY, number + 2);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        add_flow(repair, &run->flows[i]);
    }
    run->repairs = repair;
    repair->host->repair = repair;
    engine_schedule(run->engine, &repair->timer, at_ps);
    return check_asking(repair, at_ps, err);
}

/* Draws the hosts of item 'number', and when they begin. */
static enum st
create_item(struct run *run, size_t number, struct reference_list *hosts,
            struct err *err)
{
    const struct repair_spec *spec = &run->scenario->repairs[number];
    const uint64_t share = (uint64_t)spec->share.numerator * hosts->n /
                           (uint64_t)spec->share.denominator;
    struct random random;
    enum st st = ST_OK;

    random_init(&random, fabric_seed(run->fabric, FIRST_REPAIR + number));
    for (size_t i = 0; !st && i < hosts->n && i < (share ? share : 1); i++) {
        const size_t k = i + random_below(&random, hosts->n - i);
        const uint32_t node = hosts->numbers[k];

        hosts->numbers[k] = hosts->numbers[i];
        st = create(run, spec, node,
                    spec->at_ps + (int64_t)random_below(
                                      &random, (uint64_t)spec->jitter_ps + 1),
                    err);
    }
    return st;
}

enum st
run_repairs_create(struct run *run, struct err *err)
{
    const struct scenario *scenario = run->scenario;
    const struct repair_spec **taken =
        arena_alloc(run->arena, run->topology->n_nodes + 1, sizeof *taken);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < scenario->n_repairs; i++) {
        const struct repair_spec *spec = &scenario->repairs[i];
        struct reference_list hosts;

        st = references_hosts(scenario, run->topology, &spec->hosts, run->arena,
                              &hosts, err);
        for (size_t k = 0; !st && k < hosts.n; k++) {
            st = check_host(run, spec, hosts.numbers[k], taken, err);
        }
        st = st ? st : create_item(run, i, &hosts, err);
    }
    return st;
}

/* Reports ------------------------------------------------------------------ */

const struct repair_spec *
run_repairs_pending(const struct run *run)
{
    for (const struct run_repair *repair = run->repairs; repair;
         repair = repair->next) {
        if (repair->load_ps < 0) {
            return repair->spec;
        }
    }
    return NULL;
}

static void
describe(const struct run_repair *repair, struct results *results)
{
    const struct {
        const char *name;
        int64_t value;
    } counters[] = {
        {"repair.connections", repair->n_flows},
        {"repair.unloads", repair->repair.n_unloads},
        {"repair.qps_left", repair->repair.qps_left},
        {"repair.regions_left", repair->repair.regions_left},
        {"repair.begin_us", repair->begin_ps},
        {"repair.unload_us", repair->unload_ps},
        {"repair.load_us", repair->load_ps},
        {"repair.back_us", repair->back_ps},
    };
    enum { FIRST_TIME = 4 };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        if (counters[i].value >= 0) {
            results_add_counter(
                results, repair->host->node, 0, SINK_NONE, counters[i].name,
                (uint64_t)counters[i].value / (i < FIRST_TIME ? 1 : PS_PER_US));
        }
    }
}

void
run_repairs_describe(const struct run *run, struct results *results)
{
    for (const struct run_repair *repair = run->repairs; repair;
         repair = repair->next) {
        describe(repair, results);
    }
}
