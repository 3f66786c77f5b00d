/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_L2_H
#define ORCHD_SOFTASIC_PROGRAM_L2_H

/* Bridges, bridge ports, VLANs and their members.
 *
 * There are the 802.1Q bridge and VLAN 1.  Every port has a bridge port from
 * the start, which is up, and is an untagged member of VLAN 1.  The client may
 * remove bridge port and member, and create them again.
 *
 * Supported attributes are
 *
 *   VLAN         VLAN_ID, LEARN_DISABLE, EGRESS_ACL, STP_INSTANCE (stored),
 *                MEMBER_LIST
 *   VLAN member  VLAN_ID, BRIDGE_PORT_ID, VLAN_TAGGING_MODE but for priority
 *                tags
 *   bridge       TYPE (no second bridge), PORT_LIST
 *   bridge port  TYPE (of ports only), PORT_ID, ADMIN_STATE, INGRESS_FILTERING,
 *                FDB_LEARNING_MODE (DISABLE and HW)
 *   port         PORT_VLAN_ID, DROP_UNTAGGED
 *
 * Others have only their default values: another one is
 * SAI_STATUS_ATTR_NOT_SUPPORTED. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Creates the bridge and VLAN 1, before the first port. */
void l2_start(struct asic *asic);

/* Returns whether this module handles objects of 'type'. */
bool l2_handles_type(sai_object_type_t type);

/* Returns whether attribute 'id' of such a type, or of an entry of the
 * forwarding database, supports values other than its default. */
bool l2_takes(sai_object_type_t type, sai_attr_id_t id);

/* Like program_create(), program_set() and program_remove(), for these types.
 * SAI_STATUS_ITEM_ALREADY_EXISTS for a second bridge port of a port or a
 * second membership; SAI_STATUS_OBJECT_IN_USE for a bridge port or VLAN that
 * static entries name. */
sai_status_t l2_create(struct asic *asic, struct objects_item *item,
                       sai_attr_id_t *blame, struct err *err);
sai_status_t l2_set(struct asic *asic, struct objects_item *item,
                    sai_attr_id_t id, struct err *err);
sai_status_t l2_remove(struct asic *asic, const struct objects_item *item);

/* Programs the attributes of 'port', which is in the twin, into the bridge. */
void l2_configure_port(struct asic *asic, const struct objects_item *port);

/* An objects_compute_fn for MEMBER_LIST, STP_INSTANCE and PORT_LIST; 'context'
 * is the struct asic. */
sai_status_t l2_compute(void *context, const struct objects_item *item,
                        sai_attribute_t *attribute);
bool l2_supports(sai_object_type_t type, sai_attr_id_t id);

/* Return the bridge port of a slot, the slot of a bridge port, the VLAN of a
 * number; NULL or MMU_NONE if there is none. */
struct objects_item *l2_bridge_port(const struct asic *asic, uint32_t slot);
uint32_t l2_slot(const struct asic *asic, const struct objects_item *port);
struct objects_item *l2_vlan(const struct asic *asic, uint16_t vlan);

/* Returns whether attribute 'id' of 'item' has its default value. */
bool l2_is_default(const struct objects_item *item, sai_attr_id_t id);

#endif /* vendors/softasic/program/l2.h */
