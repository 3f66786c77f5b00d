/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_PAUSE_H
#define ORCHD_TWIN_QOS_PAUSE_H

/* Obeying pause frames, and counting how long.
 *
 * A port has a timer per priority, and one for all of them.  A PFC frame sets
 * the timers of the priorities in its class-enable vector, a frame of 802.3x
 * the one for all, each to so many quanta of 512 bit times at the speed of the
 * port.  While a timer runs its traffic must not start; a frame on the wire
 * finishes.  A further frame replaces what is left, quanta of 0 end the pause
 * at once.  A vector of 0 does nothing.
 *
 * Frames are counted for each priority that they name, quanta of 0 too.  They
 * are obeyed only for priorities that are enabled; who is disabled while paused
 * goes on at once.  When the speed changes a quantum is another time, and what
 * is left of a pause changes with it.
 *
 * Duration.  How long a priority was paused is kept twice, as time and as
 * quanta: these are of the speed at that moment.  Nothing is lost to rounding.
 * A pause that has not ended counts up to the moment of reading.
 *
 * Time is given by the caller, in picoseconds, and does not go back.  Who owns
 * a receiver asks pause_next_ps() when to call pause_expire().
 *
 * Reference: IEEE 802.1Q-2018 clause 36.2, IEEE 802.3-2018 annexes 31B, 31D. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"
#include "twin/qos/pause_frame.h"

/* Adds up how long something was on.  Starts zeroed. */
struct pause_meter {
    bool is_on;
    int64_t since_ps; /* Valid while on: what is before is added up. */
    uint64_t total_ps;
    uint64_t quanta;
    uint64_t rest; /* Of 'quanta', in ps * Mb/s. */
};

/* Turns 'meter' on or off, or only adds up (as before a change of speed), at
 * 'now_ps'; until then the speed was 'speed_mbps'. */
void pause_meter_set(struct pause_meter *meter, bool on, uint32_t speed_mbps,
                     int64_t now_ps);

/* Returns 'meter' with all added up until 'now_ps'. */
struct pause_meter pause_meter_read(const struct pause_meter *meter,
                                    uint32_t speed_mbps, int64_t now_ps);

struct pause_config {
    uint32_t speed_mbps; /* Not 0. */
    uint8_t priorities;  /* For which PFC frames are obeyed. */
    bool all;            /* Whether frames of 802.3x are obeyed. */
};

/* The receiving side of a port.  The members are for reading. */
struct pause_receiver {
    struct pause_config config;
    uint8_t paused; /* A bit per priority. */
    bool all_paused;

    /* Valid while paused. */
    int64_t until_ps[PFC_N_PRIORITIES];
    int64_t all_until_ps;

    /* Counters; 'ends' are pauses that have ended, however. */
    uint64_t frames[PFC_N_PRIORITIES];
    uint64_t ends[PFC_N_PRIORITIES];
    struct pause_meter meters[PFC_N_PRIORITIES];
    uint64_t all_frames;
};

/* Makes '*receiver' one that has received nothing. */
void pause_init(struct pause_receiver *receiver,
                const struct pause_config *config);

/* Changes what is obeyed, and the speed, from 'now_ps' on. */
void pause_configure(struct pause_receiver *receiver,
                     const struct pause_config *config, int64_t now_ps);

/* Handles 'frame', received at 'now_ps'. */
void pause_receive(struct pause_receiver *receiver,
                   const struct pause_frame *frame, int64_t now_ps);

/* Ends what is over at 'now_ps'. */
void pause_expire(struct pause_receiver *receiver, int64_t now_ps);

/* Ends all pauses: the link is down. */
void pause_reset(struct pause_receiver *receiver, int64_t now_ps);

/* Returns when the next pause ends by itself, INT64_MAX if there is none. */
int64_t pause_next_ps(const struct pause_receiver *receiver);

#endif /* twin/qos/pause.h */
