/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_WATCH_H
#define ORCHD_SOFTASIC_TRAFFIC_WATCH_H

/* Reports changes of the twin to a watcher (vendors/softasic/watch.h). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/switch/sim.h"
#include "vendors/softasic/state.h"
#include "vendors/softasic/watch.h"

/* Starts to watch 'asic' by a copy of 'watcher', instead of the watcher before;
 * NULL: none.  traffic_listen() has to follow. */
void watch_start(struct asic *asic, const struct softasic_watcher *watcher);

/* Reports what has changed without a packet: profiles, pools.  Call it before
 * time passes.  Does nothing without a watcher. */
void watch_look(struct asic *asic);

/* Adds the functions that a watcher needs to 'listener', whose context is
 * 'asic'; none without a watcher. */
void watch_listen(const struct asic *asic, struct sim_listener *listener);

/* Report a frame that has left, a drop and a deadlock.  Only with a watcher. */
void watch_sent(struct asic *asic, uint32_t port, const struct sim_frame *frame,
                int64_t now_ps);
void watch_dropped(struct asic *asic, uint32_t port, enum mmu_drop why,
                   const struct sim_frame *frame, int64_t now_ps);
void watch_deadlock(struct asic *asic, uint32_t port, uint32_t index,
                    bool dead);

#endif /* vendors/softasic/traffic/watch.h */
