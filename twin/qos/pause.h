/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_PAUSE_H
#define ORCHD_TWIN_QOS_PAUSE_H

/* Obeys received pause frames, and measures how long they last.
 *
 * A port has a timer per priority, and one for all of them.  A PFC frame sets
 * the timers of the priorities in its class-enable vector, an 802.3x frame sets
 * the one for all, each to a number of quanta of 512 bit times at the speed of
 * the port.  While a timer runs its traffic must not start; a frame on the wire
 * finishes.  A further frame replaces the remaining time; quanta of 0 end the
 * pause at once.  A vector of 0 does nothing.
 *
 * Frames count for each priority that they name, even with quanta of 0.  They
 * are obeyed only for priorities that are enabled; a priority that is disabled
 * while paused resumes at once.  When the speed changes, the duration of a
 * quantum and the rest of a pause change with it.
 *
 * Duration.  The time for which a priority was paused is counted in picoseconds
 * and in quanta of the speed at that time, without rounding losses. A pause
 * that has not ended counts up to the time of reading.
 *
 * The caller provides the time in picoseconds, which must not go back.  It
 * calls pause_next_ps() to learn when to call pause_expire() next.
 *
 * Reference: IEEE 802.1Q-2018 clause 36.2, IEEE 802.3-2018 annexes 31B, 31D. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"
#include "twin/qos/pause_frame.h"

/* Adds up how long something was on.  Zero-initialised. */
struct pause_meter {
    bool is_on;
    int64_t since_ps; /* Valid while on: the time before it is already added
                       * up. */
    uint64_t total_ps;
    uint64_t quanta;
    uint64_t rest; /* Of 'quanta', in ps * Mb/s. */
};

/* Switches 'meter' on or off at 'now_ps', or only adds up (before a change of
 * speed).  The speed until then was 'speed_mbps'. */
void pause_meter_set(struct pause_meter *meter, bool on, uint32_t speed_mbps,
                     int64_t now_ps);

/* Returns 'meter' added up to 'now_ps'. */
struct pause_meter pause_meter_read(const struct pause_meter *meter,
                                    uint32_t speed_mbps, int64_t now_ps);

struct pause_config {
    uint32_t speed_mbps; /* Not 0. */
    uint8_t priorities;  /* Priorities for which PFC frames are obeyed. */
    bool all;            /* Whether 802.3x frames are obeyed. */
};

/* The pause receiver of a port.  The members are read-only for users. */
struct pause_receiver {
    struct pause_config config;
    uint8_t paused; /* A bit per priority. */
    bool all_paused;

    /* Valid while paused. */
    int64_t until_ps[PFC_N_PRIORITIES];
    int64_t all_until_ps;

    /* Counters; 'ends' counts pauses that have ended for any reason. */
    uint64_t frames[PFC_N_PRIORITIES];
    uint64_t ends[PFC_N_PRIORITIES];
    struct pause_meter meters[PFC_N_PRIORITIES];
    uint64_t all_frames;
};

/* Initialises '*receiver', which has received no frame. */
void pause_init(struct pause_receiver *receiver,
                const struct pause_config *config);

/* Changes the configuration from 'now_ps' on. */
void pause_configure(struct pause_receiver *receiver,
                     const struct pause_config *config, int64_t now_ps);

/* Handles 'frame', received at 'now_ps': pause_count() and pause_obey(). */
void pause_receive(struct pause_receiver *receiver,
                   const struct pause_frame *frame, int64_t now_ps);

/* Counts 'frame'. */
void pause_count(struct pause_receiver *receiver,
                 const struct pause_frame *frame);

/* Lets 'frame' take effect at 'now_ps'. */
void pause_obey(struct pause_receiver *receiver,
                const struct pause_frame *frame, int64_t now_ps);

/* Ends the pauses that are over at 'now_ps'. */
void pause_expire(struct pause_receiver *receiver, int64_t now_ps);

/* Ends all pauses: the link is down. */
void pause_reset(struct pause_receiver *receiver, int64_t now_ps);

/* Returns when the next pause expires, INT64_MAX if there is none. */
int64_t pause_next_ps(const struct pause_receiver *receiver);

#endif /* twin/qos/pause.h */
