/* SPDX-License-Identifier: Apache-2.0 */

/* Pause frames: those that a port sends while its PGs are XOFF, and those that
 * it receives.
 *
 * Sending is by level, not by edge: a port knows which priorities its sender
 * shall pause, and which pauses it has announced.  When the wire is free it
 * sends the difference in one frame, together with due repetitions.  So a PG
 * that releases before its pause could start causes no frame, and priorities
 * that change during one data frame share a pause frame.
 *
 * With 802.3x all priorities are paused as one, by frames that name none. */

#include <config.h>

#include "base/pfc.h"
#include "twin/qos/pause_frame.h"
#include "twin/switch/sim_state.h"

/* Schedules the repetition of the pause that begins now, for half of its time:
 * so the sender never resumes in between, even if the largest frame is on the
 * wire when the repetition is due. */
static void
plan_repetition(struct sim_port *port, unsigned int priority)
{
    int64_t time_ps = pause_frame_quanta_to_ps(PAUSE_FRAME_MAX_QUANTA,
                                               port->cold->config.speed_mbps);

    engine_schedule(port->sim->engine, &port->cold->pauses[priority].event,
                    sim_now_ps(port->sim) + time_ps / 2);
}

/* Shows the listener the pauses of 'port'. */
static void
show(const struct sim_port *port)
{
    const struct sim *sim = port->sim;
    const struct pause_receiver *receiver = &port->cold->receiver;

    if (sim->listener.pauses) {
        sim->listener.pauses(sim->listener.context, port->id, port->pausing,
                             port->exists ? receiver->paused : 0,
                             port->exists && receiver->all_paused,
                             sim_now_ps(sim));
    }
}

/* Counts 'pause', which 'port' sends, and notifies the listener. */
static void
note_pause(const struct sim_port *port, const struct pause_frame *pause)
{
    const struct sim *sim = port->sim;
    struct sim_port_stats *stats = &port->cold->stats;

    stats->pause_tx += pause->kind == PAUSE_FRAME_ALL;
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (!(pause->priorities >> i & 1)) {
            continue;
        }
        stats->pfc_tx[i] += pause->kind == PAUSE_FRAME_PFC;
        if (sim->listener.pfc) {
            sim->listener.pfc(sim->listener.context, port->id, i,
                              pause->quanta[i], sim_now_ps(sim));
        }
    }
}

/* Returns the pause frame that 'port' sends, with its bytes. */
static uint32_t
make_frame(const struct sim_port *port, const struct pause_frame *pause)
{
    struct frame_pool *pool = port->sim->pool;
    const uint32_t index = frame_take(pool);
    uint8_t bytes[PAUSE_FRAME_BYTES];

    pause_frame_build(pause, port->cold->config.mac, bytes);
    *frame_at(pool, index) = (struct sim_frame){
        .dst_mac = PAUSE_FRAME_ADDRESS,
        .src_mac = port->cold->config.mac,
        .length_bytes = PAUSE_FRAME_BYTES,
        .dscp = -1,
        .payload = sim_payload_create(PAUSE_FRAME_BYTES, bytes),
    };
    return index;
}

uint32_t
sim_pause_take__(struct sim_port *port)
{
    struct pause_frame pause = {.kind = port->cold->config.pause_tx_enabled
                                            ? PAUSE_FRAME_ALL
                                            : PAUSE_FRAME_PFC,
                                .priorities = sim_pause_due__(port)};

    if (!pause.priorities) {
        return FRAME_NONE;
    }
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (pause.priorities & port->pausing & 1u << i) {
            pause.quanta[i] = PAUSE_FRAME_MAX_QUANTA;
            if (i == 0 || pause.kind == PAUSE_FRAME_PFC) {
                plan_repetition(port, i);
            }
        } else if (pause.priorities & 1u << i) {
            engine_cancel(port->sim->engine, &port->cold->pauses[i].event);
        }
    }
    port->announced = port->pausing;
    port->repeats = 0;
    note_pause(port, &pause);
    return make_frame(port, &pause);
}

/* Half of the time of the last pause frame is over.  When the wire is free, the
 * pause is repeated if it is still wanted; else the frame that ends it is due.
 */
static void
on_repeat(struct event *event, int64_t now_ps)
{
    struct pause *pause = EVENT_OWNER(event, struct pause, event);
    struct sim_port *port = pause->port;

    (void)now_ps;
    port->repeats |= (uint8_t)(1u << (pause - port->cold->pauses));
    sim_transmit_control__(port);
}

/* Starts or ends the pause of 'priority' by the state of its PG and the
 * configuration.  A port that is down sends no pause frames. */
static void
pause_update(struct sim_port *port, unsigned int priority, bool xoff)
{
    uint8_t bit = (uint8_t)(1u << priority);
    bool speaks = port->exists && port->cold->config.admin_up;
    bool want = speaks && (xoff || (port->cold->storm & bit)) &&
                (port->cold->config.pause_tx_enabled ||
                 (port->cold->config.pfc_tx_enabled & bit));

    if (want != ((port->pausing & bit) != 0)) {
        pause_meter_set(&port->cold->pauses[priority].meter,
                        want && !port->cold->config.pause_tx_enabled,
                        port->cold->config.speed_mbps, sim_now_ps(port->sim));
    }
    if (want && !(port->pausing & bit)) {
        port->pausing |= bit;
        port->sim->events |= SIM_STOP_XOFF;
    } else if (!want && (port->pausing & bit)) {
        /* Until a frame ends it, the pause lasts, and its repetition remains
         * due: it may be wanted again before. */
        port->pausing &= (uint8_t)~bit;
    }
    if (!speaks) {
        port->announced &= (uint8_t)~bit;
        engine_cancel(port->sim->engine, &port->cold->pauses[priority].event);
    }
}

/* Returns whether any PG of 'port', which exists, is XOFF. */
static bool
any_xoff(const struct sim_port *port)
{
    const struct sim *sim = port->sim;
    bool xoff = port->cold->storm != 0;

    for (uint32_t i = 0; i < sim->chip->pgs_per_port; i++) {
        xoff |= mmu_pg_is_xoff(sim->mmu, mmu_pg_id(sim->mmu, port->id, i));
    }
    return xoff;
}

/* Starts or ends the pause of all priorities. */
static void
pause_update_all(struct sim_port *port)
{
    const bool xoff = port->exists && any_xoff(port);

    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        pause_update(port, i, xoff);
    }
}

void
sim_pause_flow__(void *context, uint32_t pg, bool xoff)
{
    struct sim *sim = context;
    const uint32_t per_port = sim->chip->pgs_per_port;
    struct sim_port *port = &sim->ports[pg / per_port];
    uint8_t left = classify_pg_priorities(&port->cold->rules, pg % per_port);

    if (port->cold->config.pause_tx_enabled) {
        left = 0;
        pause_update_all(port);
    }
    for (; left; left &= (uint8_t)(left - 1)) {
        pause_update(port, (unsigned int)__builtin_ctz(left), xoff);
    }
    show(port);
    sim_transmit_control__(port);
}

void
sim_pause_update__(struct sim_port *port)
{
    const struct mmu *mmu = port->sim->mmu;
    const bool is_all = port->cold->config.pause_tx_enabled;

    if (is_all) {
        pause_update_all(port);
    }
    for (unsigned int i = 0; !is_all && i < PFC_N_PRIORITIES; i++) {
        const int pg = classify_priority_pg(&port->cold->rules, i);

        pause_update(
            port, i,
            port->exists && pg >= 0 &&
                (uint32_t)pg < port->sim->chip->pgs_per_port &&
                mmu_pg_is_xoff(mmu, mmu_pg_id(mmu, port->id, (uint32_t)pg)));
    }
    show(port);
    sim_transmit_control__(port);
}

enum st
sim_port_set_storm(struct sim *sim, uint32_t id, uint8_t priorities)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    port->cold->storm = priorities;
    sim_pause_update__(port);
    return ST_OK;
}

/* Received ------------------------------------------------------------- */

/* Handles a change of the received pauses of 'port': starts frames that may be
 * sent again, and schedules the next end of a pause. */
static void
resume(struct sim_port *port)
{
    const int64_t next_ps = pause_next_ps(&port->cold->receiver);

    if (next_ps == EVENT_NEVER) {
        engine_cancel(port->sim->engine, &port->cold->resume);
    } else {
        engine_schedule(port->sim->engine, &port->cold->resume, next_ps);
    }
    show(port);
    sim_port_review__(port);
    sim_transmit__(port);
}

/* Ends the pauses whose time is over. */
static void
on_resume(struct event *event, int64_t now_ps)
{
    struct sim_port *port =
        EVENT_OWNER(event, struct sim_port_cold, resume)->port;

    pause_expire(&port->cold->receiver, now_ps);
    resume(port);
}

/* Lets the frames take effect whose response time is over. */
static void
on_respond(struct event *event, int64_t now_ps)
{
    struct sim_port_cold *cold =
        EVENT_OWNER(event, struct sim_port_cold, respond);
    struct pause_frame frame;

    while (pause_delay_take(&cold->delay, now_ps, &frame)) {
        pause_obey(&cold->receiver, &frame, now_ps);
    }
    if (cold->delay.n) {
        engine_schedule(cold->port->sim->engine, &cold->respond,
                        pause_delay_next_ps(&cold->delay));
    }
    resume(cold->port);
}

/* Forgets the frames that have not taken effect. */
static void
forget_delayed(struct sim_port *port)
{
    engine_cancel(port->sim->engine, &port->cold->respond);
    pause_delay_fini(&port->cold->delay);
}

void
sim_pause_receive__(struct sim_port *port, const struct pause_frame *frame)
{
    struct sim_port_cold *cold = port->cold;
    const struct sim *sim = port->sim;

    pause_count(&cold->receiver, frame);
    if (!sim->pause_response_ps && !cold->delay.n) {
        pause_obey(&cold->receiver, frame, sim_now_ps(sim));
        resume(port);
        return;
    }
    pause_delay_add(&cold->delay, frame,
                    sim_now_ps(sim) + sim->pause_response_ps);
    if (cold->delay.n == 1) {
        engine_schedule(sim->engine, &cold->respond,
                        pause_delay_next_ps(&cold->delay));
    }
}

void
sim_set_pause_response(struct sim *sim, int64_t response_ps)
{
    sim->pause_response_ps = response_ps;
}

void
sim_pause_configure__(struct sim_port *port, uint32_t old_mbps)
{
    const struct sim_port_config *config = &port->cold->config;
    const int64_t now_ps = sim_now_ps(port->sim);

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        pause_meter_set(&port->cold->pauses[i].meter,
                        (port->pausing >> i & 1) && !config->pause_tx_enabled,
                        old_mbps, now_ps);
    }
    pause_configure(&port->cold->receiver,
                    &(struct pause_config){.speed_mbps = config->speed_mbps,
                                           .priorities = config->pfc_rx_enabled,
                                           .all = config->pause_rx_enabled},
                    now_ps);
    if (!config->admin_up || !port->exists) {
        pause_reset(&port->cold->receiver, now_ps);
        forget_delayed(port);
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
    stats->all_received = port->cold->receiver.all_frames;
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        const uint32_t speed = port->cold->config.speed_mbps;

        stats->received[i] = port->cold->receiver.frames[i];
        stats->ended[i] = port->cold->receiver.ends[i];
        stats->rx[i] = pause_meter_read(&port->cold->receiver.meters[i], speed,
                                        sim_now_ps(sim));
        stats->tx[i] = pause_meter_read(&port->cold->pauses[i].meter, speed,
                                        sim_now_ps(sim));
    }
    return ST_OK;
}

void
sim_pause_abort__(struct sim_port *port)
{
    port->pausing = 0;
    port->cold->storm = 0;
    engine_cancel(port->sim->engine, &port->cold->resume);
    forget_delayed(port);
    port->announced = 0;
    port->repeats = 0;
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        engine_cancel(port->sim->engine, &port->cold->pauses[i].event);
    }
    show(port);
}

void
sim_pause_init__(struct sim_port *port)
{
    const uint32_t entity = sim_port_entity__(port);

    port->cold->resume =
        event_make(EVENT_TIMER_PAUSE, entity, PFC_N_PRIORITIES, on_resume);
    port->cold->respond =
        event_make(EVENT_TIMER_PAUSE, entity, PFC_N_PRIORITIES + 1, on_respond);
    for (uint32_t i = 0; i < PFC_N_PRIORITIES; i++) {
        port->cold->pauses[i].port = port;
        port->cold->pauses[i].event =
            event_make(EVENT_TIMER_PAUSE, entity, i, on_repeat);
    }
}
