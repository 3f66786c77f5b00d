/* SPDX-License-Identifier: Apache-2.0 */

/* Addresses of SAI's objects. */

#include <config.h>

#include "vendors/softasic/program/addresses.h"

#include <string.h>

struct address
addresses_ip(const sai_ip_address_t *address)
{
    switch (address->addr_family) {
    case SAI_IP_ADDR_FAMILY_IPV4:
        return address_make(ADDRESS_V4, (const uint8_t *)&address->addr.ip4);
    case SAI_IP_ADDR_FAMILY_IPV6:
        return address_make(ADDRESS_V6, address->addr.ip6);
    default:
        return (struct address){.family = ADDRESS_NONE};
    }
}

/* The address of the switch, unless the client sets another. */
static const sai_mac_t switch_mac = {0x02, 0x73, 0x61, 0x01, 0x00, 0x00};

void
addresses_mac(const struct asic *asic, const struct objects_item *item,
              sai_mac_t mac)
{
    const sai_attribute_value_t *value = NULL;
    const struct objects_item *parent = asic->sw;

    switch (item->type) {
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        value = objects_value(item, SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS);
        parent = objects_referent(asic->objects, item,
                                  SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID);
        break;
    case SAI_OBJECT_TYPE_VIRTUAL_ROUTER:
        value = objects_value(item, SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS);
        break;
    default:
        value = objects_value(item, SAI_SWITCH_ATTR_SRC_MAC_ADDRESS);
        parent = NULL;
        break;
    }
    if (value) {
        memcpy(mac, value->mac, sizeof(sai_mac_t));
    } else if (parent) {
        addresses_mac(asic, parent, mac);
    } else {
        memcpy(mac, switch_mac, sizeof switch_mac);
    }
}
