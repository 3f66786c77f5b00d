/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_FRAMES_H
#define ORCHD_SOFTASIC_TRAFFIC_FRAMES_H

/* Whole frames into and out of the switch, byte by byte.
 *
 * Functions with a counterpart in softasic_ops do what softasic.h says.
 */

#include <sai.h>

#include "vendors/softasic/state.h"

sai_status_t frames_inject(struct asic *asic, sai_object_id_t port, uint32_t n,
                           const uint8_t *bytes);
sai_status_t frames_capture(struct asic *asic, sai_object_id_t port, bool on);
sai_status_t frames_take(struct asic *asic, sai_object_id_t port, uint32_t *n,
                         uint8_t *bytes);

/* Copies the bytes of 'frame', which has some, to 'kept', with the changes that
 * bridge and router have made; at most SIM_TAG_BYTES longer than it arrived.
 * Returns the length. */
uint32_t frames_write(const struct sim_frame *frame, uint8_t *kept);

/* Captures 'frame', which has left by 'slot', if capturing is on there. */
void frames_left(struct state_port *slot, const struct sim_frame *frame);

/* Frees the captured frames at 'slot'. */
void frames_free(struct state_port *slot);

#endif /* vendors/softasic/traffic/frames.h */
