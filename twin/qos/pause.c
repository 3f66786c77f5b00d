/* SPDX-License-Identifier: Apache-2.0 */

/* Timers of received pauses. */

#include <config.h>

#include "twin/qos/pause.h"

#include "base/pfc.h"

__extension__ typedef unsigned __int128 wide;

/* A quantum at s Mb/s lasts this many picoseconds, divided by s. */
#define QUANTUM_PS_MBPS (UINT64_C(1000000) * PAUSE_FRAME_QUANTUM_BITS)

enum { N = PFC_N_PRIORITIES };

/* Meters -------------------------------------------------------------- */

void
pause_meter_set(struct pause_meter *meter, bool on, uint32_t speed_mbps,
                int64_t now_ps)
{
    *meter = pause_meter_read(meter, speed_mbps, now_ps);
    meter->is_on = on;
    meter->since_ps = now_ps;
}

struct pause_meter
pause_meter_read(const struct pause_meter *meter, uint32_t speed_mbps,
                 int64_t now_ps)
{
    struct pause_meter read = *meter;

    if (meter->is_on) {
        const uint64_t ps = (uint64_t)(now_ps - meter->since_ps);
        const wide work = (wide)ps * speed_mbps + meter->rest;

        read.since_ps = now_ps;
        read.total_ps += ps;
        read.quanta += (uint64_t)(work / QUANTUM_PS_MBPS);
        read.rest = (uint64_t)(work % QUANTUM_PS_MBPS);
    }
    return read;
}

/* Receivers ----------------------------------------------------------- */

/* Starts, continues or ends the pause of 'priority'. */
static void
set_paused(struct pause_receiver *receiver, unsigned int priority, bool on,
           int64_t now_ps)
{
    const uint8_t bit = (uint8_t)(1u << priority);

    if (((receiver->paused & bit) != 0) == on) {
        return;
    }
    receiver->paused ^= bit;
    receiver->ends[priority] += !on;
    pause_meter_set(&receiver->meters[priority], on,
                    receiver->config.speed_mbps, now_ps);
}

void
pause_init(struct pause_receiver *receiver, const struct pause_config *config)
{
    *receiver = (struct pause_receiver){.config = *config};
}

/* Returns when a pause until 'until_ps' ends if the speed changes at
 * 'now_ps'. */
static int64_t
rescale(int64_t until_ps, uint32_t from_mbps, uint32_t to_mbps, int64_t now_ps)
{
    const wide left = (wide)(uint64_t)(until_ps - now_ps) * from_mbps;

    return now_ps + (int64_t)((left + to_mbps - 1) / to_mbps);
}

/* Adds up the time at the old speed, and corrects the remaining time. */
static void
change_speed(struct pause_receiver *receiver, uint32_t speed_mbps,
             int64_t now_ps)
{
    const uint32_t old_mbps = receiver->config.speed_mbps;

    for (unsigned int i = 0; i < N; i++) {
        if (receiver->paused >> i & 1) {
            pause_meter_set(&receiver->meters[i], true, old_mbps, now_ps);
            receiver->until_ps[i] =
                rescale(receiver->until_ps[i], old_mbps, speed_mbps, now_ps);
        }
    }
    if (receiver->all_paused) {
        receiver->all_until_ps =
            rescale(receiver->all_until_ps, old_mbps, speed_mbps, now_ps);
    }
}

void
pause_configure(struct pause_receiver *receiver,
                const struct pause_config *config, int64_t now_ps)
{
    pause_expire(receiver, now_ps);
    if (config->speed_mbps != receiver->config.speed_mbps) {
        change_speed(receiver, config->speed_mbps, now_ps);
    }
    receiver->config = *config;
    for (unsigned int i = 0; i < N; i++) {
        if (!(config->priorities >> i & 1)) {
            set_paused(receiver, i, false, now_ps);
        }
    }
    receiver->all_paused = receiver->all_paused && config->all;
}

/* Sets the timer of 'priority' to 'quanta' from a frame. */
static void
obey_priority(struct pause_receiver *receiver, unsigned int priority,
              uint16_t quanta, int64_t now_ps)
{
    if (!(receiver->config.priorities >> priority & 1)) {
        return;
    }
    receiver->until_ps[priority] =
        now_ps + pause_frame_quanta_to_ps(quanta, receiver->config.speed_mbps);
    set_paused(receiver, priority, quanta != 0, now_ps);
}

void
pause_receive(struct pause_receiver *receiver, const struct pause_frame *frame,
              int64_t now_ps)
{
    pause_count(receiver, frame);
    pause_obey(receiver, frame, now_ps);
}

void
pause_count(struct pause_receiver *receiver, const struct pause_frame *frame)
{
    if (frame->kind != PAUSE_FRAME_PFC) {
        receiver->all_frames++;
        return;
    }
    for (unsigned int i = 0; i < N; i++) {
        receiver->frames[i] += frame->priorities >> i & 1;
    }
}

void
pause_obey(struct pause_receiver *receiver, const struct pause_frame *frame,
           int64_t now_ps)
{
    pause_expire(receiver, now_ps);
    if (frame->kind == PAUSE_FRAME_PFC) {
        for (unsigned int i = 0; i < N; i++) {
            if (frame->priorities >> i & 1) {
                obey_priority(receiver, i, frame->quanta[i], now_ps);
            }
        }
        return;
    }
    if (receiver->config.all) {
        receiver->all_paused = frame->quanta[0] != 0;
        receiver->all_until_ps =
            now_ps + pause_frame_quanta_to_ps(frame->quanta[0],
                                              receiver->config.speed_mbps);
    }
}

void
pause_expire(struct pause_receiver *receiver, int64_t now_ps)
{
    for (unsigned int i = 0; i < N; i++) {
        if ((receiver->paused >> i & 1) && receiver->until_ps[i] <= now_ps) {
            /* The pause ended then, even if it is noticed only now. */
            set_paused(receiver, i, false, receiver->until_ps[i]);
        }
    }
    if (receiver->all_until_ps <= now_ps) {
        receiver->all_paused = false;
    }
}

void
pause_reset(struct pause_receiver *receiver, int64_t now_ps)
{
    pause_expire(receiver, now_ps);
    for (unsigned int i = 0; i < N; i++) {
        set_paused(receiver, i, false, now_ps);
    }
    receiver->all_paused = false;
}

int64_t
pause_next_ps(const struct pause_receiver *receiver)
{
    int64_t next_ps = receiver->all_paused ? receiver->all_until_ps : INT64_MAX;

    for (unsigned int i = 0; i < N; i++) {
        if ((receiver->paused >> i & 1) && receiver->until_ps[i] < next_ps) {
            next_ps = receiver->until_ps[i];
        }
    }
    return next_ps;
}
