/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_PANEL_H
#define ORCHD_SOFTASIC_TRAFFIC_PANEL_H

/* The wires of the front panel (vendors/softasic/front_panel.h), for the rest
 * of the switch.
 *
 * Without a listener there are no wires, and links are always up. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Removes the wires, reports to the listener that the ports are removed, and
 * drops the listener.  Call before the twin is destroyed. */
void panel_end(struct asic *asic);

/* Returns whether the link of 'slot' is up; that of the CPU port always is. */
bool panel_link_is_up(const struct asic *asic, uint32_t slot);

/* Port 'port' was added at its slot; an attribute has changed; it is about to
 * be removed. */
void panel_added(struct asic *asic, const struct objects_item *port);
void panel_changed(struct asic *asic, const struct objects_item *port);
void panel_removed(struct asic *asic, uint32_t slot);

/* Implement the functions of vendors/softasic/front_panel.h with these names.
 * panel_set_link() returns whether the state has changed. */
bool panel_set_link(struct asic *asic, uint32_t slot, bool up);
void panel_send(struct asic *asic, uint32_t slot, const uint8_t *bytes,
                uint32_t n);
uint32_t panel_waiting(const struct asic *asic, uint32_t slot);
int64_t panel_arrived_ps(const struct asic *asic);
void panel_count_missed(struct asic *asic, uint32_t slot, uint64_t n);

/* Returns how many frames panel_count_missed() has counted for a port. */
uint64_t panel_missed(const struct asic *asic, uint32_t slot);

#endif /* vendors/softasic/traffic/panel.h */
