/* SPDX-License-Identifier: Apache-2.0 */

/* The pause frames that a port sends while its PGs are XOFF. */

#include <config.h>

#include "twin/sim/sim_state.h"

enum {
    PAUSE_QUANTA = 65535,
    QUANTUM_BITS = 512,
};

/* One bit at 1 Mb/s, in picoseconds. */
#define PS_PER_BIT_MBPS 1000000

/* Sends one pause frame: counts it and tells the listener. */
static void
pause_send(struct sim_port *port, unsigned int priority, unsigned int quanta)
{
    struct sim *sim = port->sim;

    port->stats.pfc_tx[priority]++;
    if (sim->sink.pfc) {
        sim->sink.pfc(sim->sink.context, port->id, priority, quanta,
                      sim_now_ps(sim));
    }
}

/* Plans the next pause frame for when half of the time of this one is over, so
 * that the sender never starts in between. */
static void
pause_schedule(struct sim_port *port, unsigned int priority)
{
    int64_t time_ps = (int64_t)PAUSE_QUANTA * QUANTUM_BITS * PS_PER_BIT_MBPS /
                      port->config.speed_mbps;

    engine_schedule(port->sim->engine, &port->pauses[priority].event,
                    sim_now_ps(port->sim) + time_ps / 2);
}

/* Repeats the pause. That it is still wanted is known: its end cancels the
 * event. */
static void
on_pause_refresh(struct event *event, int64_t now_ps)
{
    struct pause *pause = EVENT_OWNER(event, struct pause, event);
    unsigned int priority = (unsigned int)(pause - pause->port->pauses);

    (void)now_ps;
    pause_send(pause->port, priority, PAUSE_QUANTA);
    pause_schedule(pause->port, priority);
}

/* Starts or ends the pausing of 'priority', as its PG and the configuration
 * want it.  A port that is down says nothing. */
static void
pause_update(struct sim_port *port, unsigned int priority, bool xoff)
{
    uint8_t bit = (uint8_t)(1u << priority);
    bool want = port->exists && port->config.admin_up && xoff &&
                (port->config.pfc_tx_enabled & bit);

    if (want && !(port->pausing & bit)) {
        port->pausing |= bit;
        port->sim->events |= SIM_STOP_XOFF;
        pause_send(port, priority, PAUSE_QUANTA);
        pause_schedule(port, priority);
    } else if (!want && (port->pausing & bit)) {
        port->pausing &= (uint8_t)~bit;
        engine_cancel(port->sim->engine, &port->pauses[priority].event);
        if (port->exists && port->config.admin_up) {
            pause_send(port, priority, 0);
        }
    }
}

void
sim_pause_flow__(void *context, uint32_t pg, bool xoff)
{
    struct sim *sim = context;
    uint32_t per_port = sim->chip->pgs_per_port;
    int priority = classify_pfc_priority(pg % per_port);

    if (priority >= 0) {
        pause_update(&sim->ports[pg / per_port], (unsigned int)priority, xoff);
    }
}

void
sim_pause_update__(struct sim_port *port)
{
    uint32_t n = port->sim->chip->pgs_per_port;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t pg = mmu_pg_id(port->sim->mmu, port->id, i);
        int priority = classify_pfc_priority(i);

        if (priority >= 0) {
            pause_update(port, (unsigned int)priority,
                         port->exists && mmu_pg_is_xoff(port->sim->mmu, pg));
        }
    }
}

void
sim_pause_abort__(struct sim_port *port)
{
    port->pausing = 0;
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        engine_cancel(port->sim->engine, &port->pauses[i].event);
    }
}

void
sim_pause_init__(struct sim_port *port)
{
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        port->pauses[i].port = port;
        port->pauses[i].event = (struct event){.fire = on_pause_refresh};
    }
}
