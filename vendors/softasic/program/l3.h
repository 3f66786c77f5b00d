/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_L3_H
#define ORCHD_SOFTASIC_PROGRAM_L3_H

/* Virtual routers, router interfaces, next hops and their groups.
 *
 * There is one virtual router from the start.  Addresses that were not given
 * are inherited: an interface has that of its router, a router that of the
 * switch.  supported_attributes.h says what of their attributes means
 * something; routes and neighbors are in routes.h.
 *
 * The handle of such an object is that of its other half in the router
 * (twin/forwarding/router.h); a member of a group has none. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* How many there can be. */
enum {
    L3_MAX_ROUTERS = 64,
    L3_MAX_INTERFACES = 4096,
    L3_MAX_NEXT_HOPS = 32768,
    L3_MAX_GROUPS = 4096,
    L3_MAX_GROUP_MEMBERS = 65536,
    L3_MAX_NEIGHBORS = 32768, /* Of each family. */
    L3_MAX_ROUTES = 262144,   /* Of each family. */
};

/* Makes the default virtual router. */
void l3_start(struct daemon_switch *asic);

/* Returns whether objects of 'type' are this module's; how many there can be.
 */
bool l3_serves(sai_object_type_t type);
uint32_t l3_capacity(sai_object_type_t type);

/* Returns what SAI's 'action' means to the router. */
uint8_t l3_action(int64_t action);

/* Like program_create(), program_set() and program_remove(), for these types.
 * SAI_STATUS_ITEM_ALREADY_EXISTS for a second interface at the same place that
 * is not virtual, SAI_STATUS_INSUFFICIENT_RESOURCES beyond the limits above. */
sai_status_t l3_create(struct daemon_switch *asic, struct objects_item *item,
                       sai_attr_id_t *blame, struct err *err);
sai_status_t l3_set(struct daemon_switch *asic, const struct objects_item *item,
                    sai_attr_id_t id, struct err *err);
sai_status_t l3_remove(struct daemon_switch *asic, struct objects_item *item);

/* Follows a change of the address of the switch, or of the seeds. */
void l3_follow_switch(struct daemon_switch *asic);

/* Fills '*mac' with the address that a router or an interface has. */
void l3_mac(const struct daemon_switch *asic, const struct objects_item *item,
            sai_mac_t mac);

/* Returns the address in SAI's form as the twin has it; family ADDRESS_NONE if
 * there is no such family. */
struct address l3_address(const sai_ip_address_t *address);

/* Return the members of a group or a LAG, with attribute 'id' of 'type' that
 * names it; or their number. */
sai_status_t l3_answer_members(const struct daemon_switch *asic,
                               const struct objects_item *group,
                               sai_object_type_t type, sai_attr_id_t id,
                               sai_attribute_t *attribute);
uint32_t l3_count_members(const struct daemon_switch *asic,
                          const struct objects_item *group,
                          sai_object_type_t type, sai_attr_id_t id);

#endif /* vendors/softasic/program/l3.h */
