/* SPDX-License-Identifier: Apache-2.0 */

/* PFC deadlock detection for the queues of a port (twin/qos/deadlock.h).
 *
 * A port gets a watch for each of its queues when detection is enabled for the
 * first of them.  The watches are updated whenever the port looks for a frame
 * to send, which follows every change of pauses or queues, and when the timer
 * of a watch expires. */

#include <config.h>

#include <stdlib.h>

#include "twin/switch/sim_state.h"

/* The watch of one queue. */
struct sim_deadlock {
    struct deadlock deadlock;
    struct event event; /* Its timer. */
    struct sim_port *port;
};

/* Counts a frame that queue 'index' of 'port' has discarded, and gives it
 * back. */
static void
note_discarded(struct sim_port *port, uint32_t index,
               const struct mmu_departure *departure)
{
    struct sim *sim = port->sim;
    const struct sim_frame *frame =
        sim_frame__(sim, sim->held[departure->packet].frame);

    sim_queue_note_drop__(sim, mmu_queue_id(sim->mmu, port->id, index), false,
                          frame);
    port->cold->stats.tx_dropped++;
    if (sim->listener.drop) {
        sim->listener.drop(sim->listener.context, port->id, MMU_DEADLOCK, frame,
                           sim_now_ps(sim));
    }
    sim_give_held__(sim, departure);
}

/* Discards the frames of queue 'index' of 'port'. */
static void
discard(struct sim_port *port, uint32_t index)
{
    struct sim *sim = port->sim;
    const uint32_t id = mmu_queue_id(sim->mmu, port->id, index);
    struct mmu_departure departure;

    while (mmu_discard(sim->mmu, id, MMU_DEADLOCK, &departure)) {
        note_discarded(port, index, &departure);
    }
}

static void
notify(const struct sim_port *port, uint32_t index, enum deadlock_event event)
{
    const struct sim_listener *listener = &port->sim->listener;

    if (event != DEADLOCK_NOTHING && listener->deadlock) {
        listener->deadlock(listener->context, port->id, index,
                           event == DEADLOCK_DETECTED);
    }
}

/* Updates the watch of queue 'index' of 'port', and starts or ends recovery. */
static void
follow(struct sim_port *port, uint32_t index)
{
    struct sim *sim = port->sim;
    struct sim_deadlock *watch = &port->cold->deadlocks[index];
    const uint64_t bit = UINT64_C(1) << index;
    const uint64_t paused =
        classify_paused_queues(&port->cold->rules, port->cold->receiver.paused);
    const bool waits = (mmu_port_backlog(sim->mmu, port->id) & bit) != 0;

    notify(port, index,
           deadlock_follow(&watch->deadlock, (paused & bit) != 0, waits,
                           sim_now_ps(sim)));
    if (deadlock_next_ps(&watch->deadlock) == EVENT_NEVER) {
        engine_cancel(sim->engine, &watch->event);
    } else {
        engine_schedule(sim->engine, &watch->event,
                        deadlock_next_ps(&watch->deadlock));
    }
    port->cold->recovering &= ~bit;
    if (deadlock_recovers(&watch->deadlock)) {
        port->cold->recovering |= bit;
        if (watch->deadlock.config.drops) {
            discard(port, index);
        }
    }
}

void
sim_deadlock_update__(struct sim_port *port)
{
    for (uint64_t left = port->cold->guarded; left; left &= left - 1) {
        follow(port, (uint32_t)__builtin_ctzll(left));
    }
}

/* The timer of a watch has expired. */
static void
on_deadlock(struct event *event, int64_t now_ps)
{
    struct sim_deadlock *watch = EVENT_OWNER(event, struct sim_deadlock, event);

    (void)now_ps;
    sim_transmit__(watch->port);
}

/* Creates the watches of 'port' if it has none. */
static void
make_watches(struct sim_port *port)
{
    const uint32_t n = port->sim->chip->queues_per_port;

    if (port->cold->deadlocks) {
        return;
    }
    port->cold->deadlocks = check_calloc(n, sizeof *port->cold->deadlocks);
    for (uint32_t i = 0; i < n; i++) {
        port->cold->deadlocks[i].port = port;
        port->cold->deadlocks[i].event = event_make(
            EVENT_TIMER_WATCH, sim_port_entity__(port), i, on_deadlock);
    }
}

enum st
sim_queue_set_deadlock(struct sim *sim, uint32_t id, uint32_t index,
                       const struct deadlock_config *config)
{
    struct sim_port *port = sim_port_find__(sim, id);
    const uint64_t bit = UINT64_C(1) << index;

    if (!port || index >= sim->chip->queues_per_port) {
        return ST_NOT_FOUND;
    }
    if (!config->enabled && !config->manual && !(port->cold->guarded & bit)) {
        return ST_OK;
    }
    make_watches(port);
    notify(port, index,
           deadlock_configure(&port->cold->deadlocks[index].deadlock, config));
    port->cold->guarded |= bit;
    sim_port_review__(port);
    sim_transmit__(port);
    if (!config->enabled && !config->manual) {
        port->cold->guarded &= ~bit;
    }
    sim_port_review__(port);
    return ST_OK;
}

void
sim_deadlock_abort__(struct sim_port *port)
{
    const uint32_t n =
        port->cold->deadlocks ? port->sim->chip->queues_per_port : 0;

    for (uint32_t i = 0; i < n; i++) {
        engine_cancel(port->sim->engine, &port->cold->deadlocks[i].event);
    }
    free(port->cold->deadlocks);
    port->cold->deadlocks = NULL;
    port->cold->guarded = port->cold->recovering = 0;
    sim_port_review__(port);
}
