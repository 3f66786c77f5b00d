/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PANEL_H
#define ORCHD_SOFTASIC_PANEL_H

/* The wires of the front panel (front.h), as the rest of the switch sees them.
 *
 * Without a listener there are none, and links are always up. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* The listener of the process that 'asic' is made for, if there is one.  Before
 * its first port. */
void panel_begin(struct asic *asic);

/* The wires end, and the listener hears that the ports are gone; before the
 * twin is. */
void panel_end(struct asic *asic);

/* Returns whether the link of 'slot' is up; that of the CPU port always is. */
bool panel_link_is_up(const struct asic *asic, uint32_t slot);

/* Port 'port' was added at its slot; something about it has changed; it is
 * about to go. */
void panel_added(struct asic *asic, const struct objects_item *port);
void panel_changed(struct asic *asic, const struct objects_item *port);
void panel_removed(struct asic *asic, uint32_t slot);

#endif /* vendors/softasic/panel.h */
