/* SPDX-License-Identifier: Apache-2.0 */

/* Discards frames that have waited in the buffer for too long.
 *
 * A bridge discards a frame that it could not send in time, so that the frame
 * never arrives after its sender has given it up.  The limit is the same for
 * all frames and queues are in order of arrival, so only the heads of queues
 * matter. A port has one event for all its queues, at the time at which one of
 * the heads it saw last, or the first frame queued since, will be too old.  If
 * that frame has been sent before, the event moves on to the current head.  So
 * steady traffic costs one event per port and limit, and per frame only the
 * check whether the event is pending.
 *
 * Reference: IEEE 802.1Q-2018 clause 6.5.6, frame lifetime. */

#include <config.h>

#include "twin/switch/sim_state.h"

/* Counts a frame that was too old in queue 'id' of 'port', and gives it
 * back. */
static void
note_aged(struct sim_port *port, uint32_t id,
          const struct mmu_departure *departure)
{
    struct sim *sim = port->sim;
    const struct sim_frame *frame =
        sim_frame__(sim, sim->held[departure->packet].frame);

    sim_queue_note_drop__(sim, id, false, frame);
    port->cold->stats.tx_dropped++;
    if (sim->listener.drop) {
        sim->listener.drop(sim->listener.context, port->id, MMU_AGED, frame,
                           sim_now_ps(sim));
    }
    sim_give_held__(sim, departure);
}

/* Discards the frames in queue 'id' of 'port' that are too old.  Returns when
 * the remaining head will be, EVENT_NEVER if the queue is empty. */
static int64_t
age_queue(struct sim_port *port, uint32_t id)
{
    struct sim *sim = port->sim;
    uint32_t head;

    while ((head = mmu_queue_head(sim->mmu, id)) != MMU_NONE) {
        const int64_t due_ps = sim->held[head].arrived_ps + sim->age_limit_ps;
        struct mmu_departure departure;

        if (due_ps > sim_now_ps(sim)) {
            return due_ps;
        }
        if (mmu_discard(sim->mmu, id, MMU_AGED, &departure)) {
            note_aged(port, id, &departure);
        }
    }
    return EVENT_NEVER;
}

static void
on_age(struct event *event, int64_t now_ps)
{
    struct sim_port *port = EVENT_OWNER(event, struct sim_port_cold, age)->port;
    uint64_t left = mmu_port_backlog(port->sim->mmu, port->id);
    int64_t next_ps = EVENT_NEVER;

    (void)now_ps;
    for (; left; left &= left - 1) {
        const int64_t due_ps =
            age_queue(port, mmu_queue_id(port->sim->mmu, port->id,
                                         (uint32_t)__builtin_ctzll(left)));

        next_ps = due_ps < next_ps ? due_ps : next_ps;
    }
    port->cold->ages = next_ps != EVENT_NEVER;
    if (port->cold->ages) {
        engine_schedule(port->sim->engine, event, next_ps);
    }
    sim_deadlock_update__(port);
    sim_port_review__(port);
}

void
sim_age_init__(struct sim_port *port)
{
    port->cold->age =
        event_make(EVENT_TIMER_AGE, sim_port_entity__(port), 0, on_age);
}

void
sim_age_start__(struct sim_port *port)
{
    struct sim *sim = port->sim;

    port->cold->ages = true;
    engine_schedule(sim->engine, &port->cold->age,
                    sim_now_ps(sim) + sim->age_limit_ps);
}

void
sim_age_abort__(struct sim_port *port)
{
    engine_cancel(port->sim->engine, &port->cold->age);
    port->cold->ages = false;
}
