/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_HOSTIF_FRAMES_H
#define ORCHD_SOFTASIC_TRAFFIC_HOSTIF_FRAMES_H

/* Frames of host interfaces, between the CPU port and the listener of the front
 * panel (vendors/softasic/front_panel.h).
 *
 * A host interface of type NETDEV whose object is a port bypasses forwarding.
 * It receives the frames that traps and the router take out of the traffic of
 * that port, if the host interface table has an entry of type WILDCARD with a
 * channel to network devices.  Frames that it sends leave by the port.  The tag
 * of a frame is removed unless VLAN_TAG is KEEP or ORIGINAL.  A port has at
 * most one host interface.  Host interfaces of other types or of other objects
 * are only stored, as are entries of other types. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct sim_frame;

/* Host interface 'item' is created (which may be refused), was changed, is
 * about to be removed. */
sai_status_t hostif_frames_add(struct asic *asic,
                               const struct objects_item *item,
                               sai_attr_id_t *blame, struct err *err);
void hostif_frames_changed(struct asic *asic, const struct objects_item *item);
void hostif_frames_remove(struct asic *asic, const struct objects_item *item);

/* Return whether host interface 'item' is the network device of a port; whether
 * 'entry' of the host interface table selects such devices.  Others have no
 * effect. */
bool hostif_frames_is_device(const struct asic *asic,
                             const struct objects_item *item);
bool hostif_frames_selects(const struct objects_item *entry);

/* The listener is about to be removed. */
void hostif_frames_end(struct asic *asic);

/* Passes on 'frame', which came in at 'slot' and goes to the CPU port. */
void hostif_frames_trapped(const struct asic *asic, uint32_t slot,
                           const struct sim_frame *frame);

/* Implements from_hostif() of vendors/softasic/front_panel.h. */
void hostif_frames_send(struct asic *asic, uint32_t slot, const uint8_t *bytes,
                        uint32_t n);

#endif /* vendors/softasic/traffic/hostif_frames.h */
