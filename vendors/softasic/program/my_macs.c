/* SPDX-License-Identifier: Apache-2.0 */

/* Further addresses of the router: found in the twin by the id of the object.
 */

#include <config.h>

#include "vendors/softasic/program/my_macs.h"

#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/port_lookup.h"

sai_status_t
my_macs_create(struct asic *asic, const struct objects_item *item,
               sai_attr_id_t *blame, struct err *err)
{
    const struct objects_item *port =
        objects_referent(asic->objects, item, SAI_MY_MAC_ATTR_PORT_ID);
    const sai_attribute_value_t *mac =
        objects_value(item, SAI_MY_MAC_ATTR_MAC_ADDRESS);
    const sai_attribute_value_t *mask =
        objects_value(item, SAI_MY_MAC_ATTR_MAC_ADDRESS_MASK);
    struct router_my_mac entry = {
        .mask =
            mask ? port_lookup_mac_number(mask->mac) : UINT64_C(0xffffffffffff),
        .port = port ? port->handle : ROUTER_NONE,
        .vlan = (uint16_t)objects_number(item, SAI_MY_MAC_ATTR_VLAN_ID),
        .key = item->oid,
    };
    sai_mac_t of_switch;

    if (objects_count(asic->objects, SAI_OBJECT_TYPE_MY_MAC) > MY_MACS_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    if (port && port->handle == MMU_NONE) {
        *blame = SAI_MY_MAC_ATTR_PORT_ID;
        err_set(err, ST_INVALID, "cpu-port", "frames do not arrive at the CPU");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (mac && (mac->mac[0] & 1)) {
        *blame = SAI_MY_MAC_ATTR_MAC_ADDRESS;
        err_set(err, ST_INVALID, "mac", "a group address is not of a router");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    addresses_mac(asic, asic->sw, of_switch);
    entry.mac = port_lookup_mac_number(mac ? mac->mac : of_switch);
    router_my_mac_set(sim_router(asic->sim), &entry);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
my_macs_remove(struct asic *asic, const struct objects_item *item)
{
    router_my_mac_remove(sim_router(asic->sim), item->oid);
    return SAI_STATUS_SUCCESS;
}
