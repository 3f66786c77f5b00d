/* SPDX-License-Identifier: Apache-2.0 */

/* The pauses of an adapter: those that it obeys, and those that its RX FIFO
 * needs.
 *
 * A sent pause is repeated every half of its time, so that it never ends by
 * itself while the FIFO is above its mark.
 *
 * The watchdog has one timer, which runs while the adapter wants to pause.  A
 * packet that leaves the FIFO does not move it: when it expires, it looks when
 * that was, and waits for the rest of its time. */

#include <config.h>

#include "base/check.h"
#include "twin/nic/nic_state.h"
#include "twin/qos/pause_frame.h"

/* Received ---------------------------------------------------------------- */

/* Applies what the pause timers say now. */
static void
follow(struct nic *nic)
{
    const int64_t next_ps = pause_next_ps(&nic->pause);

    if (next_ps == EVENT_NEVER) {
        engine_cancel(nic->engine, &nic->resume);
    } else {
        engine_schedule(nic->engine, &nic->resume, next_ps);
    }
    nic->paused = nic->pause.all_paused ? UINT8_MAX : nic->pause.paused;
    nic_kick_after_pause__(nic);
}

static void
on_resume(struct event *event, int64_t now_ps)
{
    struct nic *nic = EVENT_OWNER(event, struct nic, resume);

    pause_expire(&nic->pause, now_ps);
    follow(nic);
}

/* Applies all received pause frames whose response time has passed. */
static void
on_respond(struct event *event, int64_t now_ps)
{
    struct nic *nic = EVENT_OWNER(event, struct nic, respond);
    struct pause_frame pause;

    while (pause_delay_take(&nic->delay, now_ps, &pause)) {
        pause_receive(&nic->pause, &pause, now_ps);
    }
    if (nic->delay.n) {
        engine_schedule(nic->engine, &nic->respond,
                        pause_delay_next_ps(&nic->delay));
    }
    follow(nic);
}

void
nic_pause_receive__(struct nic *nic, const struct sim_frame *frame)
{
    struct pause_frame pause;

    nic->stats.pauses_received++;
    if (!frame->payload || !pause_frame_parse(frame->payload->bytes,
                                              frame->payload->length, &pause)) {
        return;
    }
    pause_delay_add(&nic->delay, &pause,
                    engine_now_ps(nic->engine) + nic->config.pause_response_ps);
    if (nic->delay.n == 1) {
        engine_schedule(nic->engine, &nic->respond,
                        pause_delay_next_ps(&nic->delay));
    }
}

/* Sent -------------------------------------------------------------------- */

static void
on_repeat(struct event *event, int64_t now_ps)
{
    struct nic *nic = EVENT_OWNER(event, struct nic, repeat);

    (void)now_ps;
    nic->pause_due |= nic->pausing;
    nic_kick_after_pause__(nic);
}

/* Returns the priorities that the FIFO needs paused. */
static uint8_t
wanted(const struct nic *nic)
{
    const uint8_t xoff = rx_fifo_xoff(nic->fifo) & nic->config.pfc_tx;

    return xoff && nic->config.pause_all ? UINT8_MAX : xoff;
}

/* Starts or stops the timer of the watchdog. */
static void
watch(struct nic *nic)
{
    const int64_t time_ps = nic->config.watchdog_ps;

    if (!time_ps || !wanted(nic) || nic->has_tripped) {
        engine_cancel(nic->engine, &nic->watchdog);
    } else if (!event_is_pending(&nic->watchdog)) {
        nic->drained_ps = engine_now_ps(nic->engine);
        engine_schedule(nic->engine, &nic->watchdog, nic->drained_ps + time_ps);
    }
}

static void
trip(struct nic *nic, bool trips)
{
    const struct nic_listener *listener = &nic->port_listener;

    nic->has_tripped = trips;
    if (listener->watchdog) {
        listener->watchdog(listener->context, trips,
                           engine_now_ps(nic->engine));
    }
    nic_pause_follow__(nic);
}

static void
on_watchdog(struct event *event, int64_t now_ps)
{
    struct nic *nic = EVENT_OWNER(event, struct nic, watchdog);
    const int64_t due_ps = nic->drained_ps + nic->config.watchdog_ps;

    if (due_ps > now_ps) {
        engine_schedule(nic->engine, event, due_ps);
    } else if (nic->config.watchdog_ps) {
        trip(nic, true);
    }
}

void
nic_pause_note_drain__(struct nic *nic)
{
    nic->drained_ps = engine_now_ps(nic->engine);
    if (nic->has_tripped) {
        trip(nic, false);
    }
}

/* Sets the priorities that the adapter pauses. */
static void
set_xoff(struct nic *nic, uint8_t xoff)
{
    const struct nic_listener *listener = &nic->port_listener;

    if (xoff != nic->xoff) {
        nic->xoff = xoff;
        if (nic->loop) {
            nic->loop->paused = xoff;
            nic_kick__(nic->loop);
        }
        if (listener->xoff) {
            listener->xoff(listener->context, xoff, engine_now_ps(nic->engine));
        }
    }
}

void
nic_pause_follow__(struct nic *nic)
{
    const uint8_t xoff = nic->has_tripped ? 0 : wanted(nic);
    const uint8_t pausing = xoff & (uint8_t)~nic->blocked;

    set_xoff(nic, xoff);
    if (nic->config.watchdog_ps) {
        watch(nic);
    }
    if (pausing != nic->pausing) {
        nic->pause_due |= pausing ^ nic->pausing;
        nic->pausing = pausing;
        nic_kick__(nic);
    }
}

/* Notifies the listener of 'pause', which starts. */
static void
notify(const struct nic *nic, const struct pause_frame *pause)
{
    const struct nic_listener *listener = &nic->port_listener;

    for (unsigned int i = 0; listener->pfc && i < PFC_N_PRIORITIES; i++) {
        if (pause->priorities >> i & 1) {
            listener->pfc(listener->context, i, pause->quanta[i],
                          engine_now_ps(nic->engine));
        }
    }
}

void
nic_pause_configure__(struct nic *nic)
{
    pause_configure(&nic->pause,
                    &(struct pause_config){.speed_mbps = nic->config.speed_mbps,
                                           .priorities = nic->config.pfc_rx,
                                           .all = nic->config.pause_all},
                    engine_now_ps(nic->engine));
    follow(nic);
}

uint32_t
nic_pause_take__(struct nic *nic)
{
    const uint32_t index = frame_take(nic->pool);
    struct sim_frame *frame = frame_at(nic->pool, index);
    struct pause_frame pause = {.kind = nic->config.pause_all ? PAUSE_FRAME_ALL
                                                              : PAUSE_FRAME_PFC,
                                .priorities = nic->pause_due};
    uint8_t bytes[PAUSE_FRAME_BYTES];

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        pause.quanta[i] = nic->pausing >> i & 1 ? PAUSE_FRAME_MAX_QUANTA : 0;
    }
    pause_frame_build(&pause, nic->config.mac, bytes);
    *frame = (struct sim_frame){
        .dst_mac = PAUSE_FRAME_ADDRESS,
        .src_mac = nic->config.mac,
        .length_bytes = PAUSE_FRAME_BYTES,
        .dscp = -1,
        .payload = sim_payload_create(PAUSE_FRAME_BYTES, bytes)};
    nic->pause_due = 0;
    nic->stats.pauses_sent++;
    notify(nic, &pause);
    if (nic->pausing) {
        engine_schedule(nic->engine, &nic->repeat,
                        engine_now_ps(nic->engine) +
                            pause_frame_quanta_to_ps(PAUSE_FRAME_MAX_QUANTA,
                                                     nic->config.speed_mbps) /
                                2);
    } else {
        engine_cancel(nic->engine, &nic->repeat);
    }
    return index;
}

void
nic_pause_init__(struct nic *nic)
{
    enum { RESPOND, RESUME, REPEAT, WATCHDOG };

    nic->respond =
        event_make(EVENT_TIMER_PAUSE, nic->entity, RESPOND, on_respond);
    nic->resume = event_make(EVENT_TIMER_PAUSE, nic->entity, RESUME, on_resume);
    nic->repeat = event_make(EVENT_TIMER_PAUSE, nic->entity, REPEAT, on_repeat);
    nic->watchdog =
        event_make(EVENT_TIMER_WATCH, nic->entity, WATCHDOG, on_watchdog);
    pause_init(&nic->pause,
               &(struct pause_config){.speed_mbps = nic->config.speed_mbps,
                                      .priorities = nic->config.pfc_rx,
                                      .all = nic->config.pause_all});
}

void
nic_pause_fini__(struct nic *nic)
{
    engine_cancel(nic->engine, &nic->respond);
    engine_cancel(nic->engine, &nic->resume);
    engine_cancel(nic->engine, &nic->repeat);
    engine_cancel(nic->engine, &nic->watchdog);
    pause_delay_fini(&nic->delay);
}
