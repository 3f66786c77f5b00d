/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_PAUSE_DELAY_H
#define ORCHD_TWIN_QOS_PAUSE_DELAY_H

/* Received pause frames between their arrival and their effect.
 *
 * A port needs time to react to a pause frame: it decodes the frame, and its
 * pipeline still sends what has passed the scheduler.  IEEE 802.3 annex 31B.3.7
 * limits this time; headroom has to cover it.  Frames take effect in the order
 * in which they arrived. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/qos/pause_frame.h"

struct pause_delay_item {
    struct pause_frame frame;
    int64_t effect_ps;
};

/* Zero-initialised.  The members are read-only for users. */
struct pause_delay {
    struct pause_delay_item *items; /* In order of their effect. */
    uint32_t n;
    uint32_t room;
};

/* Adds 'frame', which takes effect at 'effect_ps', or when the one added before
 * it does if that is later. */
void pause_delay_add(struct pause_delay *delay, const struct pause_frame *frame,
                     int64_t effect_ps);

/* Takes the first frame into '*frame' if it has taken effect by 'now_ps';
 * returns whether it has. */
bool pause_delay_take(struct pause_delay *delay, int64_t now_ps,
                      struct pause_frame *frame);

/* Returns when the next frame takes effect, INT64_MAX if there is none. */
int64_t pause_delay_next_ps(const struct pause_delay *delay);

/* Drops all frames and frees what 'delay' owns. */
void pause_delay_fini(struct pause_delay *delay);

#endif /* twin/qos/pause_delay.h */
