/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_FRAMES_H
#define ORCHD_SOFTASIC_TRAFFIC_FRAMES_H

/* Whole frames into and out of the switch, byte by byte.
 *
 * The functions have a counterpart in softasic_ops and do what is said there.
 */

#include <sai.h>

#include "vendors/softasic/state.h"

sai_status_t frames_inject(struct daemon_switch *asic, sai_object_id_t port,
                           uint32_t n, const uint8_t *bytes);
sai_status_t frames_capture(struct daemon_switch *asic, sai_object_id_t port,
                            bool on);
sai_status_t frames_take(struct daemon_switch *asic, sai_object_id_t port,
                         uint32_t *n, uint8_t *bytes);

/* Copies 'frame', which has bytes, to 'kept' as it is now, at most
 * SIM_TAG_BYTES longer than it came.  Returns the length. */
uint32_t frames_write(const struct sim_frame *frame, uint8_t *kept);

/* Keeps 'frame', which has left by 'slot', as it is now, if that is wanted. */
void frames_left(struct state_port *slot, const struct sim_frame *frame);

/* Frees what is kept at 'slot'. */
void frames_forget(struct state_port *slot);

#endif /* vendors/softasic/traffic/frames.h */
