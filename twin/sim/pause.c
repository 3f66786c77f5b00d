/* SPDX-License-Identifier: Apache-2.0 */

/* Pauses: the frames that a port sends while its PGs are XOFF, and those that
 * it receives. */

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

    if (want != ((port->pausing & bit) != 0)) {
        pause_meter_set(&port->pauses[priority].meter, want,
                        port->config.speed_mbps, sim_now_ps(port->sim));
    }
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
    const uint32_t per_port = sim->chip->pgs_per_port;
    struct sim_port *port = &sim->ports[pg / per_port];
    uint8_t left = classify_pg_priorities(&port->rules, pg % per_port);

    for (; left; left &= (uint8_t)(left - 1)) {
        pause_update(port, (unsigned int)__builtin_ctz(left), xoff);
    }
}

void
sim_pause_update__(struct sim_port *port)
{
    const struct mmu *mmu = port->sim->mmu;

    for (unsigned int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        const int pg = classify_priority_pg(&port->rules, i);

        pause_update(
            port, i,
            port->exists && pg >= 0 &&
                (uint32_t)pg < port->sim->chip->pgs_per_port &&
                mmu_pg_is_xoff(mmu, mmu_pg_id(mmu, port->id, (uint32_t)pg)));
    }
}

/* Received ------------------------------------------------------------- */

/* Follows the pauses of 'port': what may go again, and when to look next. */
static void
resume(struct sim_port *port)
{
    const int64_t next_ps = pause_next_ps(&port->receiver);

    if (next_ps == EVENT_NEVER) {
        engine_cancel(port->sim->engine, &port->resume);
    } else {
        engine_schedule(port->sim->engine, &port->resume, next_ps);
    }
    sim_transmit__(port);
}

/* Ends what is over. */
static void
on_resume(struct event *event, int64_t now_ps)
{
    struct sim_port *port = EVENT_OWNER(event, struct sim_port, resume);

    pause_expire(&port->receiver, now_ps);
    resume(port);
}

void
sim_pause_receive__(struct sim_port *port, const struct pause_frame *frame)
{
    pause_receive(&port->receiver, frame, sim_now_ps(port->sim));
    resume(port);
}

void
sim_pause_configure__(struct sim_port *port, uint32_t old_mbps)
{
    const struct sim_port_config *config = &port->config;
    const int64_t now_ps = sim_now_ps(port->sim);

    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        pause_meter_set(&port->pauses[i].meter, port->pausing >> i & 1,
                        old_mbps, now_ps);
    }
    pause_configure(&port->receiver,
                    &(struct pause_config){.speed_mbps = config->speed_mbps,
                                           .priorities = config->pfc_rx_enabled,
                                           .all = config->pause_rx_enabled},
                    now_ps);
    if (!config->admin_up || !port->exists) {
        pause_reset(&port->receiver, now_ps);
    }
    resume(port);
}

enum st
sim_port_get_pauses(const struct sim *sim, uint32_t id,
                    struct sim_pause_stats *stats)
{
    const struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    stats->all_received = port->receiver.all_frames;
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        const uint32_t speed = port->config.speed_mbps;

        stats->received[i] = port->receiver.frames[i];
        stats->ended[i] = port->receiver.ends[i];
        stats->rx[i] =
            pause_meter_read(&port->receiver.meters[i], speed, sim_now_ps(sim));
        stats->tx[i] =
            pause_meter_read(&port->pauses[i].meter, speed, sim_now_ps(sim));
    }
    return ST_OK;
}

void
sim_pause_abort__(struct sim_port *port)
{
    port->pausing = 0;
    engine_cancel(port->sim->engine, &port->resume);
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        engine_cancel(port->sim->engine, &port->pauses[i].event);
    }
}

void
sim_pause_init__(struct sim_port *port)
{
    port->resume = (struct event){.fire = on_resume};
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        port->pauses[i].port = port;
        port->pauses[i].event = (struct event){.fire = on_pause_refresh};
    }
}
