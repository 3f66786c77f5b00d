/* SPDX-License-Identifier: Apache-2.0 */

/* The watchdogs of PFC in a run, and the storms that they find: orchd's on
 * switches, those of adapters, and those of cards in front of hosts. */

#include <config.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/builder/switch_watchdog.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"

/* Storms ------------------------------------------------------------------ */

/* Returns the place of the storm of 'watchdog' in the list, or of its end. */
static struct run_storm **
find(struct run *run, enum sink_watchdog watchdog, uint32_t node, uint32_t port,
     uint8_t priority)
{
    struct run_storm **at = &run->storms;

    while (*at &&
           ((*at)->report.watchdog != watchdog || (*at)->report.node != node ||
            (*at)->report.port != port || (*at)->report.priority != priority)) {
        at = &(*at)->next;
    }
    return at;
}

static void
report(const struct run *run, const struct sink_storm *storm)
{
    if (run->sink->storm_ended) {
        run->sink->storm_ended(run->sink->context, storm);
    }
}

void
run_storm_begin(struct run *run, enum sink_watchdog watchdog, uint32_t node,
                uint32_t port, uint8_t priority, const struct run_pause *pause)
{
    struct run_storm *storm = run->free_storms;

    if (storm) {
        run->free_storms = storm->next;
    } else {
        storm = arena_alloc(run->arena, 1, sizeof *storm);
    }
    *storm = (struct run_storm){
        .next = run->storms,
        .report = {.node = node,
                   .port = port,
                   .priority = priority,
                   .watchdog = watchdog,
                   .paused_ps = pause && pause->id != SINK_NO_PAUSE
                                    ? pause->report.start_ps
                                    : run_now(run),
                   .detected_ps = run_now(run),
                   .quiet_ps = -1,
                   .restored_ps = -1}};
    run->storms = storm;
}

void
run_storm_end(struct run *run, enum sink_watchdog watchdog, uint32_t node,
              uint32_t port, uint8_t priority, int64_t quiet_ps)
{
    struct run_storm **at = find(run, watchdog, node, port, priority);
    struct run_storm *storm = *at;

    if (!storm) {
        return;
    }
    *at = storm->next;
    storm->report.quiet_ps = quiet_ps;
    storm->report.restored_ps = run_now(run);
    report(run, &storm->report);
    storm->next = run->free_storms;
    run->free_storms = storm;
}

void
run_watchdogs_finish(struct run *run)
{
    for (struct run_storm *storm = run->storms; storm; storm = storm->next) {
        report(run, &storm->report);
    }
    run->storms = NULL;
}

/* Adapters ---------------------------------------------------------------- */

void
run_watchdogs_note_adapter(void *host_, bool trips, int64_t now_ps)
{
    struct run_host *host = host_;

    (void)now_ps;
    for (uint8_t p = 0; p < RUN_PRIORITIES; p++) {
        if (!trips) {
            run_storm_end(host->run, SINK_WATCHDOG_ADAPTER, host->node, 0, p,
                          -1);
        } else if (host->pauses && host->pauses[p].id != SINK_NO_PAUSE) {
            run_storm_begin(host->run, SINK_WATCHDOG_ADAPTER, host->node, 0, p,
                            &host->pauses[p]);
        }
    }
}

/* Switches ---------------------------------------------------------------- */

/* A switch_watchdog_fn. */
static void
on_storm(void *context, uint32_t slot, unsigned int queue, bool begins)
{
    struct run_switch *sw = context;
    const uint32_t port = sw->ports[slot];
    const struct run_pause *pause =
        run_pause_at(sw->run, sw->node, port, (uint8_t)queue);

    if (begins) {
        run_storm_begin(sw->run, SINK_WATCHDOG_ORCHD, sw->node, port,
                        (uint8_t)queue, pause);
    } else {
        run_storm_end(
            sw->run, SINK_WATCHDOG_ORCHD, sw->node, port, (uint8_t)queue,
            pause && pause->id == SINK_NO_PAUSE ? pause->report.end_ps : -1);
    }
}

/* Makes orchd watch the ports of 'sw' that 'spec' chooses. */
static enum st
watch_switch(struct run_switch *sw, const struct watchdog_spec *spec,
             struct err *err)
{
    static const char *const actions[] = {
#define X(member, name) name,
        WATCHDOG_ACTIONS(X)
#undef X
    };
    const struct topology *topology = sw->run->topology;
    const uint32_t n_ports = topology->nodes[sw->node].n_ports;
    uint32_t *slots = arena_alloc(sw->run->arena, n_ports + 1U, sizeof *slots);
    struct switch_watchdog_config config = {
        .detection_ms = (uint32_t)(spec->detection_ps / PS_PER_MS),
        .restoration_ms = (uint32_t)(spec->restoration_ps / PS_PER_MS),
        .poll_ms = (uint32_t)(spec->poll_ps / PS_PER_MS),
        .priorities = (uint8_t)spec->priorities,
        .action = actions[spec->action],
        .slots = slots,
        .entity = topology->nodes[sw->node].entity,
        .storm = on_storm,
        .context = sw};

    for (uint32_t i = 0; i < n_ports; i++) {
        if (spec->ports == WATCHDOG_PORTS_ALL ||
            run_is_host(sw->run, topology_port(topology, sw->node, i)->peer)) {
            slots[config.n_slots++] = sw->slots[i];
        }
    }
    return config.n_slots
               ? switch_watchdog_create(sw->instance, sw->run->engine, &config,
                                        &sw->watchdog, err)
               : ST_OK;
}

enum st
run_watchdog_start(struct run_switch *sw, struct err *err)
{
    const struct role_spec *role = sw->run->experiment->switches[sw->node];

    return role->watchdog.enabled ? watch_switch(sw, &role->watchdog, err)
                                  : ST_OK;
}

void
run_watchdog_stop(struct run_switch *sw)
{
    switch_watchdog_destroy(sw->watchdog);
    sw->watchdog = NULL;
}

enum st
run_watchdogs_create(struct run *run, struct err *err)
{
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < run->topology->n_switches; i++) {
        st = run_watchdog_start(&run->switches[i], err);
    }
    for (uint32_t i = 0; !st && i < run->topology->n_hosts; i++) {
        struct run_host *host = &run->hosts[i];
        const struct watchdog_spec *spec = &host->profile->spec->card;

        if (spec->enabled && host->profile->nic.pcie.lanes) {
            host->card = run_card_create(host, spec);
        }
    }
    return st;
}

void
run_watchdogs_destroy(struct run *run)
{
    for (uint32_t i = 0; run->switches && i < run->topology->n_switches; i++) {
        run_watchdog_stop(&run->switches[i]);
    }
    for (uint32_t i = 0; run->hosts && i < run->topology->n_hosts; i++) {
        run_card_destroy(run->hosts[i].card);
    }
}
