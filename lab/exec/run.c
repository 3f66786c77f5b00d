/* SPDX-License-Identifier: Apache-2.0 */

/* Creates, drives and destroys a run. */

#include <config.h>

#include "lab/exec/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"

enum {
    ARENA_BLOCK = 1 << 16,
    EVENTS_PER_LOOK = 4096, /* Between looks at a break or an interruption. */
    MBPS = 1000000,
};

#define GBPS 1e9

/* A run whose traffic is complete ends at the next multiple of this, 1 us: the
 * end must not depend on how the caller cuts the run into pieces. */
#define END_GRID_PS INT64_C(1000000)

/* Creation ----------------------------------------------------------------- */

static struct histogram *
make_histogram(struct run *run, enum record_histogram which)
{
    struct histogram *histogram = NULL;

    if (run->scenario->record.histograms >> which & 1) {
        histogram = check_malloc(sizeof *histogram);
        histogram_init(histogram);
    }
    return histogram;
}

/* Lets the ends of link 'i' protect what they send, and pauses as its
 * specification says. */
static void
protect_link(struct run *run, uint32_t i)
{
    static const uint8_t accepts[] = {
#define X(word, bits) bits,
        MACSEC_ACCEPTS(X)
#undef X
    };
    const struct topology_link *link = &run->topology->links[i];
    struct link_macsec macsec;

    for (unsigned int e = 0; e < 2; e++) {
        const struct run_switch *sw = &run->switches[link->node[e]];
        const unsigned int of = e ^ link->is_swapped;
        enum st st;

        macsec.ends[e].sends = (enum link_pause_form)link->macsec->sends[of];
        macsec.ends[e].accepts = accepts[link->macsec->accepts[of]];
        st = sim_port_set_macsec_bytes(
            switch_instance_sim(sw->instance), sw->slots[link->port[e]],
            LINK_MACSEC_BYTES, macsec.ends[e].sends == LINK_PAUSE_PROTECTED);
        orch_assert(st == ST_OK); /* The port is there: it is connected. */
    }
    link_set_macsec(run->links[i], &macsec);
    run->has_macsec = true;
}

/* Fills '*end' with end 'e' of 'link', and '*remote' if that is on another
 * rank. */
static void
find_end(const struct run *run, const struct topology_link *link,
         unsigned int e, struct fabric_end *end, struct fabric_remote *remote)
{
    const uint32_t node = link->node[e];
    const struct run_switch *sw;
    size_t n;

    if (run_is_host(run, node)) {
        *remote = (struct fabric_remote){
            .entity = run->topology->nodes[node].entity,
            .is_nic = true,
            .speed_mbps = run_host(run, node)->profile->speed_mbps};
        end->nic = run_host(run, node)->nic;
    } else {
        sw = &run->switches[node];
        end->port = sw->slots[link->port[e]];
        *remote = (struct fabric_remote){
            .entity = run->topology->nodes[node].entity + end->port,
            .speed_mbps =
                switch_image_ports(run->image_of[node], &n)[link->port[e]]
                    .speed_mbps};
        end->sim =
            run_owns(run, node) ? switch_instance_sim(sw->instance) : NULL;
    }
    end->remote = run_owns(run, node) ? NULL : remote;
}

/* Checks that a link of the scenario has the speed of its ports, 'speed_mbps':
 * that of a host follows from the link, that of a switch from PORT. */
static enum st
check_rate(const struct run *run, const struct topology_link *link,
           uint32_t speed_mbps, struct err *err)
{
    const struct topology_node *nodes = run->topology->nodes;
    enum st st;

    if (link->rate_bps == (uint64_t)speed_mbps * MBPS) {
        return ST_OK;
    }
    st = scenario_fail(
        run->scenario, &run->scenario->fabric.place, err,
        "the link of %s and %s has %.10g Gbps, but their ports have %.10g "
        "Gbps",
        nodes[link->node[0]].name, nodes[link->node[1]].name,
        (double)link->rate_bps / GBPS, (double)speed_mbps * MBPS / GBPS);
    err_set_remedy(err, "name configurations with ports of that speed, or "
                        "'set' 'speed' of their PORT");
    return st;
}

/* Connects the nodes by the links of the topology. */
static enum st
connect_nodes(struct run *run, struct err *err)
{
    const struct topology *topology = run->topology;

    run->links = arena_alloc(run->arena, topology->n_links, sizeof *run->links);
    run->observed =
        arena_alloc(run->arena, topology->n_links, sizeof *run->observed);
    run->is_down =
        arena_alloc(run->arena, topology->n_links, sizeof *run->is_down);
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];
        struct fabric_end ends[2] = {0};
        struct fabric_remote remotes[2];
        enum st st;

        if (!run_owns(run, link->node[0]) && !run_owns(run, link->node[1])) {
            run->links[i] = NULL;
            continue;
        }
        for (unsigned int e = 0; e < 2; e++) {
            find_end(run, link, e, &ends[e], &remotes[e]);
        }
        st = fabric_connect_mm(run->fabric, ends, link->length_mm,
                               RUN_MTU_BYTES, &run->links[i]);
        if (st) {
            /* The second end is a switch. */
            const struct role_spec *role =
                run->experiment->switches[link->node[1]];

            return scenario_fail(
                run->scenario,
                role->place.line ? &role->place : &run->scenario->fabric.place,
                err,
                "the configurations of %s and %s have no "
                "ports of one speed for their link",
                topology->nodes[link->node[0]].name,
                topology->nodes[link->node[1]].name);
        }
        st = check_rate(run, link, remotes[1].speed_mbps, err);
        if (st) {
            return st;
        }
        if (link->macsec) {
            protect_link(run, i);
        }
        st = run_credits_join(run, i, err);
        if (st) {
            return st;
        }
        run_llr_join(run, i);
        run_observe_link(run, i);
        run_ranks_join(run, i);
    }
    return ST_OK;
}

/* Fills the table of hosts by address. */
static int
by_address(const void *a, const void *b, void *topology)
{
    const struct topology *t = topology;
    const uint32_t x = t->nodes[*(const uint32_t *)a].address;
    const uint32_t y = t->nodes[*(const uint32_t *)b].address;

    return (x > y) - (x < y);
}

static void
index_hosts(struct run *run)
{
    const struct topology *topology = run->topology;

    run->host_by_address = arena_alloc(run->arena, topology->n_hosts,
                                       sizeof *run->host_by_address);
    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        run->host_by_address[i] = topology->n_switches + i;
    }
    qsort_r(run->host_by_address, topology->n_hosts,
            sizeof *run->host_by_address, by_address, (void *)topology);
}

/* Creates the parts of 'run' in the order in which they need each other. */
static enum st
create_parts(struct run *run, struct err *err)
{
    enum st st = run_ranks_create(run, err);

    st = st ? st : run_switches_create(run, err);
    if (!st) {
        st = run_hosts_create(run, err);
    }
    if (!st) {
        st = run_pcie_create(run, err);
    }
    if (!st) {
        st = connect_nodes(run, err);
    }
    st = st ? st : run_captures_create(run, err);
    st = st ? st : run_vlans_create(run, err);
    if (!st) {
        st = run_routes_program(run, err);
    }
    st = st ? st : run_watchdogs_create(run, err);
    if (!st) {
        index_hosts(run);
        st = run_faults_create(run, err);
    }
    st = st ? st : run_restarts_create(run, err);
    if (!st) {
        st = run_traffic_create(run, err);
        st = st ? st : run_repairs_create(run, err);
        run_ranks_follow(run);
        run_gaps_create(run);
        run_estats_create(run);
    }
    st = st ? st : run_rollout_create(run, err);
    run_deadlock_create(run);
    run_drift_create(run);
    st = st ? st : run_series_create(run, err);
    if (!st) {
        run_lanes_create(run);
        run_apart_follow(run);
    }
    return st;
}

enum st
run_create(struct experiment *experiment, const struct run_options *options,
           const struct sink *sink, struct run **made, struct err *err)
{
    struct run *run = check_calloc(1, sizeof *run);
    enum st st;

    run->experiment = experiment;
    run->scenario = &experiment->scenario;
    run->topology = &experiment->topology;
    run->options = *options;
    run->seed = experiment->scenario.run.seed;
    run->sink = sink;
    run->arena = arena_create(ARENA_BLOCK);
    run->fabric = fabric_create_with(options->memory, run->seed);
    run->engine = fabric_engine(run->fabric);
    run->fct = make_histogram(run, RECORD_HISTOGRAM_FCT);
    run->message = make_histogram(run, RECORD_HISTOGRAM_MESSAGE);
    run->pause = make_histogram(run, RECORD_HISTOGRAM_PAUSE);
    run->depth = make_histogram(run, RECORD_HISTOGRAM_QUEUE_DEPTH);
    run->signalled = mmap(NULL, sizeof *run->signalled, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    st = run->signalled == MAP_FAILED
             ? err_set(err, ST_IO, "memory", "cannot share memory: %s",
                       strerror(errno))
             : create_parts(run, err);
    if (st) {
        run_destroy(run);
        return st;
    }
    *made = run;
    return ST_OK;
}

void
run_destroy(struct run *run)
{
    struct err ignored;

    if (!run) {
        return;
    }
    run_observe_end(run);
    (void)!run_close_captures(run, &ignored);
    run_estats_destroy(run);
    run_traffic_destroy(run);
    run_watchdogs_destroy(run);
    run_vlans_destroy(run);
    run_switches_destroy(run);
    fabric_destroy(run->fabric);
    run_ranks_destroy(run);
    run_lanes_destroy(run);
    switch_images_destroy(run->images);
    fabric_routes_destroy(run->routes);
    free(run->fct);
    free(run->message);
    free(run->pause);
    free(run->depth);
    free(run->breaks);
    if (run->signalled != MAP_FAILED) {
        (void)munmap((void *)(uintptr_t)run->signalled, sizeof *run->signalled);
    }
    arena_destroy(run->arena);
    free(run);
}

/* Driving ------------------------------------------------------------------ */

int64_t
run_now(const struct run *run)
{
    return engine_now_ps(run->engine);
}

/* Returns whether nothing is left that the scenario waits for. */
static bool
is_done(const struct run *run)
{
    return run->scenario->stop_when_done && run->n_finite > 0 &&
           run->n_done >= run->n_finite;
}

/* The next time at which the run can end when it is done is the first multiple
 * of END_GRID_PS that is not before now, nor, while the run waits for something
 * to happen, before the next event. */
int64_t
run_next_end_ps(const struct run *run, bool is_done, int64_t next_ps)
{
    int64_t from_ps = run_now(run);

    if (!run->scenario->stop_when_done || !run->n_finite) {
        return run->scenario->stop_ps;
    }
    if (!is_done) {
        from_ps = next_ps > from_ps ? next_ps : from_ps;
    }
    return from_ps < INT64_MAX - END_GRID_PS
               ? (from_ps + END_GRID_PS - 1) / END_GRID_PS * END_GRID_PS
               : INT64_MAX;
}

static int64_t
next_end_ps(const struct run *run)
{
    return run_next_end_ps(run, is_done(run), engine_next_ps(run->engine));
}

/* Returns whether the scenario is over, whose traffic 'is_done' or not; all
 * events up to now have happened. */
static bool
is_over(const struct run *run, bool is_done)
{
    return run_now(run) >= run->scenario->stop_ps ||
           (run_now(run) % END_GRID_PS == 0 && is_done &&
            run->scenario->stop_when_done && run->n_finite > 0);
}

/* Returns the state after some events; 'is_whole': all of those up to now. */
static enum run_state
state_of(struct run *run, bool is_whole, bool is_done)
{
    struct err err = {0};

    if (run->is_broken) {
        return RUN_BROKEN;
    }
    if (run->has_failed) {
        return RUN_FAILED;
    }
    if (run->ranks ? run->is_interrupted : *run->signalled != 0) {
        *run->signalled = 0;
        return RUN_INTERRUPTED;
    }
    if (!is_whole || !is_over(run, is_done)) {
        return RUN_RUNNING;
    }
    if (run_now(run) < run->scenario->stop_ps && run_planned_check(run, &err)) {
        run_fail(run, &err);
        return RUN_FAILED;
    }
    return RUN_STOPPED;
}

enum run_state
run_state_of(struct run *run, bool is_done)
{
    return state_of(run, true, is_done);
}

/* Returns the time of the earliest break by time, EVENT_NEVER if there is
 * none. */
static int64_t
next_break_ps(const struct run *run)
{
    int64_t when_ps = EVENT_NEVER;

    for (size_t i = 0; i < run->n_breaks; i++) {
        if (run->breaks[i].kind == RUN_BREAK_TIME &&
            run->breaks[i].when_ps < when_ps) {
            when_ps = run->breaks[i].when_ps;
        }
    }
    return when_ps;
}

/* Returns how many events may happen between two looks: 1 if a break may follow
 * from any event. */
static uint64_t
events_per_look(const struct run *run)
{
    for (size_t i = 0; i < run->n_breaks; i++) {
        if (run->breaks[i].kind != RUN_BREAK_TIME) {
            return 1;
        }
    }
    return EVENTS_PER_LOOK;
}

enum run_state
run_until(struct run *run, int64_t until_ps)
{
    const int64_t break_ps = next_break_ps(run);
    const uint64_t most = events_per_look(run);
    enum run_state state;
    int64_t end_ps;
    uint64_t n;

    if (run->ranks) {
        return run_ranks_until(run, until_ps);
    }
    run->is_broken = false;
    run->reason[0] = '\0';
    if (until_ps > run->scenario->stop_ps) {
        until_ps = run->scenario->stop_ps;
    }
    if (until_ps > break_ps) {
        until_ps = break_ps;
    }
    do {
        end_ps = next_end_ps(run);
        end_ps = end_ps < until_ps ? end_ps : until_ps;
        n = engine_run_some(run->engine, end_ps, most);
        run_lanes_settle(run);
        state = state_of(run, n < most, is_done(run));
    } while (state == RUN_RUNNING && (n >= most || end_ps < until_ps));
    if (run_now(run) >= break_ps && state != RUN_BROKEN) {
        run_meet(run, RUN_BREAK_TIME, 0, "virtual time %.3f us is reached",
                 (double)break_ps / 1e6);
        state = state_of(run, true, is_done(run));
    }
    return state;
}

enum run_state
run_step(struct run *run, uint64_t n)
{
    enum run_state state = RUN_RUNNING;

    run->is_broken = false;
    run->reason[0] = '\0';
    while (n-- > 0 && state == RUN_RUNNING) {
        const int64_t next_ps = engine_next_ps(run->engine);
        int64_t end_ps = run->scenario->stop_ps;

        if (is_done(run) && next_end_ps(run) < end_ps) {
            end_ps = next_end_ps(run);
        }
        engine_run_until(run->engine, next_ps < end_ps ? next_ps : end_ps);
        run_lanes_settle(run);
        state = state_of(run, true, is_done(run));
    }
    return state;
}

void
run_interrupt(struct run *run)
{
    *run->signalled = 1;
}

void
run_get_progress(const struct run *run, struct run_progress *progress)
{
    if (run->ranks) {
        *progress = *run_ranks_progress(run);
    } else {
        run_measure_progress(run, progress);
    }
}

void
run_measure_progress(const struct run *run, struct run_progress *progress)
{
    struct fabric_census census;

    fabric_take_census(run->fabric, &census);
    *progress = (struct run_progress){
        .now_ps = run_now(run),
        .stop_ps = run->scenario->stop_ps,
        .hops = census.hops,
        .drops = run->n_drops,
        .pauses = run->n_pauses,
        .marks = run->n_marks,
        .skipped = run->n_skipped,
        .lost = run->n_lost,
        .flows = run->n_flows,
        .flows_done = run->n_done,
    };
}

/* Notes -------------------------------------------------------------------- */

void
run_note(struct run *run, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    (void)text_vformat(text, sizeof text, format, args);
    va_end(args);
    if (run->sink->changed) {
        run->sink->changed(
            run->sink->context,
            &(struct sink_change){.number = run->n_changes + run->n_notes,
                                  .t_ps = run_now(run),
                                  .text = text});
    }
    run->n_notes++;
}

/* Failures ----------------------------------------------------------------- */

void
run_fail(struct run *run, const struct err *err)
{
    if (!run->has_failed) {
        run->has_failed = true;
        run->failure = *err;
    }
}

const struct err *
run_failure(const struct run *run)
{
    return run->has_failed ? &run->failure : NULL;
}
