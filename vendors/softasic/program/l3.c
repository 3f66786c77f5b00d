/* SPDX-License-Identifier: Apache-2.0 */

/* Virtual routers, router interfaces, next hops and their groups: from objects
 * of SAI to the router of the twin (twin/forwarding/router.h).
 *
 * Each kind of object has a function that computes, from its attributes and
 * those that it inherits, the whole configuration of its counterpart in the
 * router (domain_of, interface_of, next_hop_of).  Both create and set call it,
 * so that one place defines each attribute.  The counterpart is found by the
 * 'handle' of the object.
 *
 * MAC addresses are inherited: an interface without one has that of its virtual
 * router, which has that of the switch.  So a change of the latter updates all
 * interfaces (update_interfaces). */

#include <config.h>

#include "vendors/softasic/program/l3.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/program/supported_attributes.h"

/* Returns the router of the switch. */
static struct router *
router_of(const struct asic *asic)
{
    return sim_router(asic->sim);
}

uint8_t
l3_action(int64_t action)
{
    switch (action) {
    case SAI_PACKET_ACTION_DROP:
    case SAI_PACKET_ACTION_DENY:
        return ROUTER_DROP;
    case SAI_PACKET_ACTION_TRAP:
        return ROUTER_TRAP;
    case SAI_PACKET_ACTION_COPY:
    case SAI_PACKET_ACTION_LOG:
        return ROUTER_COPY;
    default: /* FORWARD, and the actions that only cancel a copy. */
        return ROUTER_FORWARD;
    }
}

bool
l3_handles_type(sai_object_type_t type)
{
    return l3_capacity(type) != 0;
}

uint32_t
l3_capacity(sai_object_type_t type)
{
    switch (type) {
    case SAI_OBJECT_TYPE_VIRTUAL_ROUTER:
        return L3_MAX_ROUTERS;
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        return L3_MAX_INTERFACES;
    case SAI_OBJECT_TYPE_NEXT_HOP:
        return L3_MAX_NEXT_HOPS;
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP:
        return L3_MAX_GROUPS;
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER:
        return L3_MAX_GROUP_MEMBERS;
    default:
        return 0;
    }
}

/* Addresses ------------------------------------------------------------ */

/* Returns the MAC address of 'item' as a number. */
static uint64_t
mac_of(const struct asic *asic, const struct objects_item *item)
{
    sai_mac_t mac;

    addresses_mac(asic, item, mac);
    return port_lookup_mac_number(mac);
}

/* Refuses an address that is not a unicast address. */
static sai_status_t
check_mac(const struct objects_item *item, sai_attr_id_t id,
          sai_attr_id_t *blame)
{
    const sai_attribute_value_t *value = objects_value(item, id);

    *blame = id;
    return value && ((value->mac[0] & 1) ||
                     port_lookup_mac_number(value->mac) == 0)
               ? SAI_STATUS_INVALID_ATTR_VALUE_0
               : SAI_STATUS_SUCCESS;
}

/* Configuration of the router ------------------------------------------ */

/* Returns the router's action for an attribute that is a packet action. */
static uint8_t
action_of(const struct objects_item *item, sai_attr_id_t id)
{
    return l3_action(objects_number(item, id));
}

/* Returns the configuration of a virtual router. */
static struct router_domain
domain_of(const struct asic *asic, const struct objects_item *item)
{
    return (struct router_domain){
        .mac = mac_of(asic, item),
        .switch_mac = mac_of(asic, asic->sw),
        .v4 = objects_number(item, SAI_VIRTUAL_ROUTER_ATTR_ADMIN_V4_STATE) != 0,
        .v6 = objects_number(item, SAI_VIRTUAL_ROUTER_ATTR_ADMIN_V6_STATE) != 0,
        .ttl_action = action_of(
            item, SAI_VIRTUAL_ROUTER_ATTR_VIOLATION_TTL1_PACKET_ACTION),
        .options_action = action_of(
            item, SAI_VIRTUAL_ROUTER_ATTR_VIOLATION_IP_OPTIONS_PACKET_ACTION),
        .multicast_action = action_of(
            item, SAI_VIRTUAL_ROUTER_ATTR_UNKNOWN_L3_MULTICAST_PACKET_ACTION),
    };
}

/* Fills in the port or VLAN of 'item'. */
static sai_status_t
place_of(const struct asic *asic, const struct objects_item *item,
         struct router_interface *interface, sai_attr_id_t *blame)
{
    const struct objects_item *port = objects_referent(
        asic->objects, item, SAI_ROUTER_INTERFACE_ATTR_PORT_ID);
    const struct objects_item *vlan = objects_referent(
        asic->objects, item, SAI_ROUTER_INTERFACE_ATTR_VLAN_ID);

    switch (objects_number(item, SAI_ROUTER_INTERFACE_ATTR_TYPE)) {
    case SAI_ROUTER_INTERFACE_TYPE_PORT:
        interface->kind = ROUTER_ON_PORT;
        break;
    case SAI_ROUTER_INTERFACE_TYPE_SUB_PORT:
        interface->kind = ROUTER_ON_SUB_PORT;
        interface->vlan = (uint16_t)objects_number(
            item, SAI_ROUTER_INTERFACE_ATTR_OUTER_VLAN_ID);
        *blame = SAI_ROUTER_INTERFACE_ATTR_OUTER_VLAN_ID;
        if (interface->vlan == 0) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
        break;
    case SAI_ROUTER_INTERFACE_TYPE_VLAN:
        interface->kind = ROUTER_ON_VLAN;
        interface->vlan = (uint16_t)objects_number(vlan, SAI_VLAN_ATTR_VLAN_ID);
        return SAI_STATUS_SUCCESS;
    default:
        interface->kind = ROUTER_LOOPBACK;
        return SAI_STATUS_SUCCESS;
    }
    interface->port = port ? port->handle : MMU_NONE;
    *blame = SAI_ROUTER_INTERFACE_ATTR_PORT_ID;
    return interface->port == MMU_NONE ? SAI_STATUS_INVALID_ATTR_VALUE_0
                                       : SAI_STATUS_SUCCESS;
}

/* Fills in the configuration of an interface; on failure '*blame' is the
 * attribute that is wrong. */
static sai_status_t
interface_of(const struct asic *asic, const struct objects_item *item,
             struct router_interface *interface, sai_attr_id_t *blame)
{
#define NUMBER(NAME) objects_number(item, SAI_ROUTER_INTERFACE_ATTR_##NAME)
    const struct objects_item *domain = objects_referent(
        asic->objects, item, SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID);

    *interface = (struct router_interface){
        .domain = domain->handle,
        .mac = mac_of(asic, item),
        .is_virtual = NUMBER(IS_VIRTUAL) != 0,
        .v4 = NUMBER(ADMIN_V4_STATE) != 0,
        .v6 = NUMBER(ADMIN_V6_STATE) != 0,
        .keeps_ttl = NUMBER(DISABLE_DECREMENT_TTL) != 0,
        .mtu_bytes = (uint32_t)NUMBER(MTU),
        .miss_action = l3_action(NUMBER(NEIGHBOR_MISS_PACKET_ACTION)),
        .loopback_action = l3_action(NUMBER(LOOPBACK_PACKET_ACTION)),
    };
#undef NUMBER
    return place_of(asic, item, interface, blame);
}

/* Returns the configuration of a next hop. */
static struct router_next_hop
next_hop_of(const struct asic *asic, const struct objects_item *item)
{
    const struct objects_item *interface = objects_referent(
        asic->objects, item, SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID);

    return (struct router_next_hop){
        .interface = interface->handle,
        .address =
            addresses_ip(&objects_value(item, SAI_NEXT_HOP_ATTR_IP)->ipaddr),
        .keeps_ttl =
            objects_number(item, SAI_NEXT_HOP_ATTR_DISABLE_DECREMENT_TTL) != 0,
    };
}

/* Programming ---------------------------------------------------------- */

void
l3_start(struct asic *asic)
{
    l3_start_shared(asic, objects_add(asic->objects,
                                      SAI_OBJECT_TYPE_VIRTUAL_ROUTER, 0, NULL));
}

void
l3_start_shared(struct asic *asic, struct objects_item *item)
{
    const struct router_domain domain = domain_of(asic, item);

    asic->domain = item;
    item->handle = router_domain_add(router_of(asic), &domain);
    l3_update_switch(asic);
}

/* Updates the interfaces of the router: what they inherit may have changed. */
static void
update_interfaces(struct asic *asic)
{
    const struct objects_item *i =
        objects_first(asic->objects, SAI_OBJECT_TYPE_VIRTUAL_ROUTER);
    struct router_interface interface;
    sai_attr_id_t blame;

    for (; i; i = objects_next(asic->objects, i)) {
        const struct router_domain domain = domain_of(asic, i);

        router_domain_set(router_of(asic), i->handle, &domain);
    }
    i = objects_first(asic->objects, SAI_OBJECT_TYPE_ROUTER_INTERFACE);
    for (; i; i = objects_next(asic->objects, i)) {
        (void)interface_of(asic, i, &interface, &blame); /* It was checked. */
        router_interface_set(router_of(asic), i->handle, &interface);
    }
}

void
l3_update_switch(struct asic *asic)
{
    update_interfaces(asic);
}

/* A port or VLAN has one interface, and any number of virtual ones, which only
 * add an address; a port in a LAG has none. */
static sai_status_t
create_interface(struct asic *asic, struct objects_item *item,
                 sai_attr_id_t *blame)
{
    const struct objects_item *port = objects_referent(
        asic->objects, item, SAI_ROUTER_INTERFACE_ATTR_PORT_ID);
    struct router_interface interface;
    sai_status_t status =
        check_mac(item, SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS, blame);

    if (status == SAI_STATUS_SUCCESS) {
        status = interface_of(asic, item, &interface, blame);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (port && port->type == SAI_OBJECT_TYPE_PORT &&
        sim_lag_of(asic->sim, port->handle) != MMU_NONE) {
        return SAI_STATUS_OBJECT_IN_USE; /* It belongs to a LAG. */
    }
    if (router_interface_taken(router_of(asic), &interface)) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    item->handle = router_interface_add(router_of(asic), &interface);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
create_next_hop(struct asic *asic, struct objects_item *item,
                sai_attr_id_t *blame)
{
    const sai_attribute_value_t *ip = objects_value(item, SAI_NEXT_HOP_ATTR_IP);
    struct router_next_hop hop;

    *blame = SAI_NEXT_HOP_ATTR_IP;
    if (addresses_ip(&ip->ipaddr).family == ADDRESS_NONE) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    hop = next_hop_of(asic, item);
    item->handle = router_next_hop_add(router_of(asic), &hop);
    return SAI_STATUS_SUCCESS;
}

/* Adds a member of a group to the router. */
static sai_status_t
program_member(struct asic *asic, const struct objects_item *item,
               sai_attr_id_t *blame)
{
    const struct objects_item *group = objects_referent(
        asic->objects, item, SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID);
    const struct objects_item *hop = objects_referent(
        asic->objects, item, SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID);

    *blame = SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID;
    if (hop->type != SAI_OBJECT_TYPE_NEXT_HOP) {
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0; /* A group in a group. */
    }
    router_group_set(
        router_of(asic), group->handle, item->oid, hop->handle,
        (uint32_t)objects_number(item, SAI_NEXT_HOP_GROUP_MEMBER_ATTR_WEIGHT));
    return SAI_STATUS_SUCCESS;
}

sai_status_t
l3_create(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
          struct err *err)
{
    struct router_domain domain;
    sai_status_t status = supported_attributes_check_all(item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (objects_count(asic->objects, item->type) > l3_capacity(item->type)) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_VIRTUAL_ROUTER:
        status =
            check_mac(item, SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS, blame);
        if (status == SAI_STATUS_SUCCESS) {
            domain = domain_of(asic, item);
            item->handle = router_domain_add(router_of(asic), &domain);
        }
        return status;
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        return create_interface(asic, item, blame);
    case SAI_OBJECT_TYPE_NEXT_HOP:
        return create_next_hop(asic, item, blame);
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP:
        item->handle = router_group_add(router_of(asic));
        return SAI_STATUS_SUCCESS;
    default:
        return program_member(asic, item, blame);
    }
}

sai_status_t
l3_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
       struct err *err)
{
    struct router_next_hop hop;
    sai_attr_id_t blame;
    sai_status_t status = supported_attributes_check(item, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_VIRTUAL_ROUTER:
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        status =
            id == (item->type == SAI_OBJECT_TYPE_VIRTUAL_ROUTER
                       ? (sai_attr_id_t)SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS
                       : (sai_attr_id_t)
                             SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS)
                ? check_mac(item, id, &blame)
                : SAI_STATUS_SUCCESS;
        if (status == SAI_STATUS_SUCCESS) {
            update_interfaces(asic);
        }
        return status;
    case SAI_OBJECT_TYPE_NEXT_HOP:
        hop = next_hop_of(asic, item);
        router_next_hop_set(router_of(asic), item->handle, &hop);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER:
        return program_member(asic, item, &blame);
    default:
        return SAI_STATUS_SUCCESS;
    }
}

sai_status_t
l3_remove(struct asic *asic, struct objects_item *item)
{
    struct router *router = router_of(asic);
    const struct objects_item *group;

    switch (item->type) {
    case SAI_OBJECT_TYPE_VIRTUAL_ROUTER:
        if (item == asic->domain) {
            return SAI_STATUS_NOT_SUPPORTED;
        }
        router_domain_remove(router, item->handle);
        break;
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        counters_free(item);
        router_interface_remove(router, item->handle);
        break;
    case SAI_OBJECT_TYPE_NEXT_HOP:
        router_next_hop_remove(router, item->handle);
        break;
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP:
        router_group_remove(router, item->handle);
        break;
    default:
        group =
            objects_referent(asic->objects, item,
                             SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID);
        router_group_unset(router, group->handle, item->oid);
        break;
    }
    return SAI_STATUS_SUCCESS;
}

/* Members -------------------------------------------------------------- */

uint32_t
l3_count_members(const struct asic *asic, const struct objects_item *group,
                 sai_object_type_t type, sai_attr_id_t id)
{
    uint32_t n = 0;

    for (const struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        n += objects_oid(i, id) == group->oid;
    }
    return n;
}

sai_status_t
l3_answer_members(const struct asic *asic, const struct objects_item *group,
                  sai_object_type_t type, sai_attr_id_t id,
                  sai_attribute_t *attribute)
{
    sai_object_id_t *oids =
        check_calloc(objects_count(asic->objects, type) + 1, sizeof *oids);
    sai_status_t status;
    uint32_t n = 0;

    for (const struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        if (objects_oid(i, id) == group->oid) {
            oids[n++] = i->oid;
        }
    }
    status = objects_answer_list(&attribute->value, n, oids);
    free(oids);
    return status;
}
