/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_HOSTIF_FRAMES_H
#define ORCHD_SOFTASIC_TRAFFIC_HOSTIF_FRAMES_H

/* Host interfaces as those who have real interfaces
 * (vendors/softasic/front_panel.h) get them.
 *
 * A host interface of type NETDEV whose object is a port is one end of a wire
 * around the switch: what the traps and the router take out of the traffic of
 * that port goes there, if the host interface table has an entry of type
 * WILDCARD with a channel to network devices, and what comes from there leaves
 * by the port.  The tag of a frame is taken out unless VLAN_TAG says KEEP or
 * ORIGINAL.  A port has one at most.  Host interfaces of other types or of
 * other objects are kept, as is an entry of another type. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct sim_frame;

/* Host interface 'item' is made (it may be refused), was changed, is about to
 * go. */
sai_status_t hostif_frames_add(struct daemon_switch *asic,
                               const struct objects_item *item,
                               sai_attr_id_t *blame, struct err *err);
void hostif_frames_changed(struct daemon_switch *asic,
                           const struct objects_item *item);
void hostif_frames_remove(struct daemon_switch *asic,
                          const struct objects_item *item);

/* The listener is about to go. */
void hostif_frames_end(struct daemon_switch *asic);

/* 'frame', which came in at 'slot', goes to the processor. */
void hostif_frames_trapped(const struct daemon_switch *asic, uint32_t slot,
                           const struct sim_frame *frame);

/* What from_host() of vendors/softasic/front_panel.h does. */
void hostif_frames_send(struct daemon_switch *asic, uint32_t slot,
                        const uint8_t *bytes, uint32_t n);

#endif /* vendors/softasic/traffic/hostif_frames.h */
