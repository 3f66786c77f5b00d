/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_L3_H
#define ORCHD_SOFTASIC_PROGRAM_L3_H

/* Virtual routers, router interfaces, next hops and their groups.
 *
 * There is one virtual router from the start.  addresses.h says which MAC
 * addresses are inherited.  supported_attributes.h lists the supported
 * attributes; routes and neighbors are in routes.h.
 *
 * The handle of such an object is that of its counterpart in the router
 * (twin/forwarding/router.h); a member of a group has none. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Limits. */
enum {
    L3_MAX_ROUTERS = 64,
    L3_MAX_INTERFACES = 4096,
    L3_MAX_NEXT_HOPS = 32768,
    L3_MAX_GROUPS = 4096,
    L3_MAX_GROUP_MEMBERS = 65536,
    L3_MAX_NEIGHBORS = 32768, /* Of each family. */
    L3_MAX_ROUTES = 262144,   /* Of each family. */
};

/* Creates the default virtual router; programs the existing one into a new
 * twin. */
void l3_start(struct asic *asic);
void l3_start_shared(struct asic *asic, struct objects_item *domain);

/* Return whether this module handles objects of 'type'; their maximum number.
 */
bool l3_handles_type(sai_object_type_t type);
uint32_t l3_capacity(sai_object_type_t type);

/* Returns the router's action for SAI's 'action'. */
uint8_t l3_action(int64_t action);

/* Like program_create(), program_set() and program_remove(), for these types.
 * SAI_STATUS_ITEM_ALREADY_EXISTS for a second interface of the same port or
 * VLAN that is not virtual, SAI_STATUS_INSUFFICIENT_RESOURCES beyond the limits
 * above. */
sai_status_t l3_create(struct asic *asic, struct objects_item *item,
                       sai_attr_id_t *blame, struct err *err);
sai_status_t l3_set(struct asic *asic, struct objects_item *item,
                    sai_attr_id_t id, struct err *err);
sai_status_t l3_remove(struct asic *asic, struct objects_item *item);

/* Programs a change of the address of the switch. */
void l3_update_switch(struct asic *asic);

/* Return the members of a group or a LAG: objects of 'type' whose attribute
 * 'id' names it; or their number. */
sai_status_t l3_answer_members(const struct asic *asic,
                               const struct objects_item *group,
                               sai_object_type_t type, sai_attr_id_t id,
                               sai_attribute_t *attribute);
uint32_t l3_count_members(const struct asic *asic,
                          const struct objects_item *group,
                          sai_object_type_t type, sai_attr_id_t id);

#endif /* vendors/softasic/program/l3.h */
