/* SPDX-License-Identifier: Apache-2.0 */

/* Host interfaces, traps and their groups. */

#include <config.h>

#include "vendors/softasic/traffic/hostif.h"

#include <string.h>

#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/policers.h"
#include "vendors/softasic/program/supported_attributes.h"
#include "vendors/softasic/traffic/hostif_frames.h"

static const struct {
    sai_hostif_trap_type_t type;
    enum trap trap;
} types[] = {
    {SAI_HOSTIF_TRAP_TYPE_STP, TRAP_STP},
    {SAI_HOSTIF_TRAP_TYPE_LACP, TRAP_LACP},
    {SAI_HOSTIF_TRAP_TYPE_LLDP, TRAP_LLDP},
    {SAI_HOSTIF_TRAP_TYPE_ARP_REQUEST, TRAP_ARP_REQUEST},
    {SAI_HOSTIF_TRAP_TYPE_ARP_RESPONSE, TRAP_ARP_RESPONSE},
    {SAI_HOSTIF_TRAP_TYPE_DHCP, TRAP_DHCP},
    {SAI_HOSTIF_TRAP_TYPE_OSPF, TRAP_OSPF},
    {SAI_HOSTIF_TRAP_TYPE_DHCPV6, TRAP_DHCPV6},
    {SAI_HOSTIF_TRAP_TYPE_OSPFV6, TRAP_OSPFV6},
    {SAI_HOSTIF_TRAP_TYPE_IPV6_NEIGHBOR_DISCOVERY, TRAP_NEIGHBOR_DISCOVERY},
    {SAI_HOSTIF_TRAP_TYPE_IP2ME, TRAP_IP2ME},
    {SAI_HOSTIF_TRAP_TYPE_L3_MTU_ERROR, TRAP_MTU},
    {SAI_HOSTIF_TRAP_TYPE_TTL_ERROR, TRAP_TTL},
};

void
hostif_start(struct asic *asic)
{
    asic->trap_group =
        objects_add(asic->objects, SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, 0, NULL);
}

bool
hostif_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_HOSTIF ||
           type == SAI_OBJECT_TYPE_HOSTIF_TRAP ||
           type == SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP ||
           type == SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP ||
           type == SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY;
}

/* Returns the group of 'trap', by default the default group. */
static const struct objects_item *
group_of(const struct asic *asic, const struct objects_item *trap)
{
    const struct objects_item *group =
        objects_referent(asic->objects, trap, SAI_HOSTIF_TRAP_ATTR_TRAP_GROUP);

    return group ? group : asic->trap_group;
}

/* Programs 'item', a trap. */
static void
program_trap(struct asic *asic, const struct objects_item *item)
{
    const int64_t type = objects_number(item, SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE);
    uint8_t action =
        l3_action(objects_number(item, SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION));

    if (!objects_number(group_of(asic, item),
                        SAI_HOSTIF_TRAP_GROUP_ATTR_ADMIN_STATE)) {
        action &= ROUTER_FORWARD; /* The group is down. */
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if ((int64_t)types[i].type == type) {
            sim_traps(asic->sim)->is_set[types[i].trap] = true;
            sim_traps(asic->sim)->actions[types[i].trap] = action;
            sim_traps(asic->sim)->policers[types[i].trap] = policers_of(
                asic, group_of(asic, item), SAI_HOSTIF_TRAP_GROUP_ATTR_POLICER);
        }
    }
}

/* Programs all traps except 'gone' (may be NULL). */
static void
program_traps(struct asic *asic, const struct objects_item *gone)
{
    memset(sim_traps(asic->sim), 0, sizeof(struct traps));
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_HOSTIF_TRAP);
         i; i = objects_next(asic->objects, i)) {
        if (i != gone) {
            program_trap(asic, i);
        }
    }
}

sai_status_t
hostif_create(struct asic *asic, struct objects_item *item,
              sai_attr_id_t *blame, struct err *err)
{
    sai_status_t status = supported_attributes_check_all(item, blame, err);

    if (status == SAI_STATUS_SUCCESS && item->type == SAI_OBJECT_TYPE_HOSTIF) {
        status = hostif_frames_add(asic, item, blame, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        program_traps(asic, NULL);
    }
    return status;
}

sai_status_t
hostif_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
           struct err *err)
{
    const sai_status_t status = supported_attributes_check(item, id, err);

    if (status == SAI_STATUS_SUCCESS) {
        program_traps(asic, NULL);
        if (item->type == SAI_OBJECT_TYPE_HOSTIF) {
            hostif_frames_changed(asic, item);
        }
    }
    return status;
}

sai_status_t
hostif_remove(struct asic *asic, struct objects_item *item)
{
    if (item == asic->trap_group) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (item->type == SAI_OBJECT_TYPE_HOSTIF) {
        hostif_frames_remove(asic, item);
    }
    program_traps(asic, item);
    return SAI_STATUS_SUCCESS;
}
