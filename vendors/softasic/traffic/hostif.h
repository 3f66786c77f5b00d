/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_HOSTIF_H
#define ORCHD_SOFTASIC_TRAFFIC_HOSTIF_H

/* Host interfaces, traps and their groups.
 *
 * A trap takes effect if its type is one of those that the twin recognises
 * (twin/forwarding/traps.h: STP, LACP, LLDP, ARP, DHCP, OSPF, neighbor
 * discovery, IP2ME, TTL and MTU errors) and its group is up; other types are
 * stored.  Protocols between routers (BGP, SSH, ...) need no trap: their
 * packets are addressed to the switch.  Trapped frames can be captured at the
 * CPU port (softasic.h), and go to the host interface of the port if there is a
 * front panel (hostif_frames.h). */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Creates the default trap group. */
void hostif_start(struct asic *asic);

bool hostif_handles_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(). */
sai_status_t hostif_create(struct asic *asic, struct objects_item *item,
                           sai_attr_id_t *blame, struct err *err);
sai_status_t hostif_set(struct asic *asic, struct objects_item *item,
                        sai_attr_id_t id, struct err *err);
sai_status_t hostif_remove(struct asic *asic, struct objects_item *item);

#endif /* vendors/softasic/traffic/hostif.h */
