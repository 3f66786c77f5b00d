/* SPDX-License-Identifier: Apache-2.0 */

/* How many hosts a fault affects: those whose goodput it brings below a
 * twentieth.
 *
 * Before the first fault, the payload that arrives at a host, and that of the
 * host at others, give its usual goodput in both directions.  From then on a
 * host is affected in an interval in which one of them is less than 5 % of
 * that. A direction without traffic before the fault does not count. */

#include <config.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

enum { AFFECTED_SHARE = 20 }; /* 1 / 5 %. */

/* Payload that a host has sent or received. */
struct payload {
    uint64_t usual; /* Before the first fault. */
    uint64_t last;  /* Up to the last sample. */
    uint64_t now;
};

enum { SENT, RECEIVED, N_DIRECTIONS };

struct run_affected {
    struct run *run;
    uint32_t series;
    int64_t every_ps;
    int64_t before_ps; /* How long the usual goodput was measured. */
    struct payload (*hosts)[N_DIRECTIONS];
    struct event timer;
    uint32_t last, most;
};

/* Adds up what each host has sent and received so far. */
static void
add_up(struct run_affected *affected)
{
    const struct run *run = affected->run;
    const uint32_t n_switches = run->topology->n_switches;

    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        affected->hosts[i][SENT].now = affected->hosts[i][RECEIVED].now = 0;
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        const uint64_t bytes = run_flow_bytes(flow);

        affected->hosts[flow->source - n_switches][SENT].now += bytes;
        affected->hosts[flow->destination - n_switches][RECEIVED].now += bytes;
    }
}

/* Returns whether 'payload' has grown by less than 5 % of the usual. */
static bool
is_low(const struct run_affected *affected, const struct payload *payload)
{
    const unsigned __int128 got =
        (unsigned __int128)(payload->now - payload->last) *
        (uint64_t)affected->before_ps * AFFECTED_SHARE;

    return got <
           (unsigned __int128)payload->usual * (uint64_t)affected->every_ps;
}

/* Counts the hosts that are affected in the interval that ends now. */
static uint32_t
count(struct run_affected *affected)
{
    uint32_t n = 0;

    add_up(affected);
    for (uint32_t i = 0; i < affected->run->topology->n_hosts; i++) {
        struct payload *host = affected->hosts[i];

        n += is_low(affected, &host[SENT]) || is_low(affected, &host[RECEIVED]);
        host[SENT].last = host[SENT].now;
        host[RECEIVED].last = host[RECEIVED].now;
    }
    return n;
}

/* Makes what was sent and received until now the usual. */
static void
begin(struct run_affected *affected)
{
    add_up(affected);
    for (uint32_t i = 0; i < affected->run->topology->n_hosts; i++) {
        for (int d = 0; d < N_DIRECTIONS; d++) {
            struct payload *payload = &affected->hosts[i][d];

            payload->usual = payload->last = payload->now;
        }
    }
}

static void
on_sample(struct event *event, int64_t now_ps)
{
    struct run_affected *affected =
        EVENT_OWNER(event, struct run_affected, timer);
    const struct run *run = affected->run;

    if (now_ps == affected->before_ps) {
        begin(affected);
    } else {
        affected->last = count(affected);
        if (affected->last > affected->most) {
            affected->most = affected->last;
        }
        if (run->sink->sampled) {
            run->sink->sampled(run->sink->context,
                               &(struct sink_sample){.t_ps = now_ps,
                                                     .series = affected->series,
                                                     .value = affected->last});
        }
    }
    engine_schedule(run->engine, event, now_ps + affected->every_ps);
}

/* Returns when the first fault, restart or repair begins; 0: there is none. */
static int64_t
first_fault_ps(const struct scenario *scenario)
{
    int64_t first_ps = INT64_MAX;

    for (size_t i = 0; i < scenario->n_faults; i++) {
        first_ps = scenario->faults[i].at_ps < first_ps
                       ? scenario->faults[i].at_ps
                       : first_ps;
    }
    for (size_t i = 0; i < scenario->n_restarts; i++) {
        first_ps = scenario->restarts[i].at_ps < first_ps
                       ? scenario->restarts[i].at_ps
                       : first_ps;
    }
    for (size_t i = 0; i < scenario->n_repairs; i++) {
        first_ps = scenario->repairs[i].at_ps < first_ps
                       ? scenario->repairs[i].at_ps
                       : first_ps;
    }
    return first_ps == INT64_MAX ? 0 : first_ps;
}

enum st
run_affected_create(struct run *run, const struct series_spec *spec,
                    uint32_t series, struct err *err)
{
    const uint32_t n = run->topology->n_hosts;
    struct run_affected *affected;

    if (run->affected) {
        return scenario_fail(run->scenario, &spec->place, err,
                             "'hosts.affected' is recorded already");
    }
    if (first_fault_ps(run->scenario) <= 0) {
        return scenario_fail(run->scenario, &spec->place, err,
                             "'hosts.affected' compares with the goodput "
                             "before the first fault: 'faults' needs one, and "
                             "all with an 'at' after 0");
    }
    affected = arena_alloc(run->arena, 1, sizeof *affected);
    *affected = (struct run_affected){
        .run = run,
        .series = series,
        .every_ps = spec->every_ps,
        .before_ps = first_fault_ps(run->scenario),
        .hosts = arena_alloc(run->arena, n, sizeof *affected->hosts),
        .timer = event_make(EVENT_TIMER_OBSERVE, 1, 0, on_sample)};
    engine_schedule(run->engine, &affected->timer, affected->before_ps);
    run->affected = affected;
    return ST_OK;
}

void
run_affected_report(const struct run *run, struct results *results)
{
    if (run->affected) {
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            "hosts_affected", run->affected->last);
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            "hosts_affected_peak", run->affected->most);
    }
}
