/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_L2_H
#define ORCHD_SOFTASIC_PROGRAM_L2_H

/* Bridges, bridge ports, VLANs and their members.
 *
 * There is the bridge of 802.1Q and VLAN 1, and every port has from the start
 * a bridge port, which is up, and is an untagged member of VLAN 1.  Bridge port
 * and member may be removed, and made anew by the client.
 *
 * Served are the attributes
 *
 *   VLAN         VLAN_ID, LEARN_DISABLE, STP_INSTANCE (kept), MEMBER_LIST
 *   VLAN member  VLAN_ID, BRIDGE_PORT_ID, VLAN_TAGGING_MODE but for priority
 *                tags
 *   bridge       TYPE (no second bridge), PORT_LIST
 *   bridge port  TYPE (of ports only), PORT_ID, ADMIN_STATE, INGRESS_FILTERING,
 *                FDB_LEARNING_MODE (DISABLE and HW)
 *   port         PORT_VLAN_ID, DROP_UNTAGGED
 *
 * Others keep their default values: giving them another is
 * SAI_STATUS_ATTR_NOT_SUPPORTED. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Makes bridge and VLAN 1, before the first port. */
void l2_start(struct daemon_switch *asic);

/* Returns whether objects of 'type' are this module's. */
bool l2_serves(sai_object_type_t type);

/* Returns whether attribute 'id' of such a type, or of an entry of the
 * forwarding database, takes other values than its default. */
bool l2_takes(sai_object_type_t type, sai_attr_id_t id);

/* Like program_create(), program_set() and program_remove(), for these types.
 * SAI_STATUS_ITEM_ALREADY_EXISTS for a second bridge port of a port or a
 * second membership; SAI_STATUS_OBJECT_IN_USE for a bridge port or VLAN that
 * static entries name. */
sai_status_t l2_create(struct daemon_switch *asic, struct objects_item *item,
                       sai_attr_id_t *blame, struct err *err);
sai_status_t l2_set(struct daemon_switch *asic, const struct objects_item *item,
                    sai_attr_id_t id, struct err *err);
sai_status_t l2_remove(struct daemon_switch *asic,
                       const struct objects_item *item);

/* Judges the removal of a bridge port or VLAN member that came with its port,
 * as objects_check_remove() does for others. */
sai_status_t l2_check_retire(const struct objects_item *child);

/* Brings the bridge to what 'port', which has its other half, says. */
void l2_configure_port(struct daemon_switch *asic,
                       const struct objects_item *port);

/* An objects_compute_fn for MEMBER_LIST, STP_INSTANCE and PORT_LIST; 'context'
 * is the struct daemon_switch. */
sai_status_t l2_compute(void *context, const struct objects_item *item,
                        sai_attribute_t *attribute);
bool l2_knows(sai_object_type_t type, sai_attr_id_t id);

/* Return the bridge port of a slot, the slot of a bridge port, the VLAN of a
 * number; NULL or MMU_NONE if there is none. */
struct objects_item *l2_bridge_port(const struct daemon_switch *asic,
                                    uint32_t slot);
uint32_t l2_slot(const struct daemon_switch *asic,
                 const struct objects_item *port);
struct objects_item *l2_vlan(const struct daemon_switch *asic, uint16_t vlan);

/* Returns whether attribute 'id' of 'item' has the value that it has by
 * default. */
bool l2_is_default(const struct objects_item *item, sai_attr_id_t id);

#endif /* vendors/softasic/program/l2.h */
