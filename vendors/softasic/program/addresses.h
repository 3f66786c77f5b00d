/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_ADDRESSES_H
#define ORCHD_SOFTASIC_PROGRAM_ADDRESSES_H

/* IP addresses from SAI's form to that of the twin, and the MAC addresses of
 * the switch, its virtual routers and its interfaces.  A MAC address that is
 * not set is inherited: an interface has that of its virtual router, a virtual
 * router that of the switch. */

#include <sai.h>

#include "twin/forwarding/address.h"
#include "vendors/softasic/state.h"

/* Converts an address; family ADDRESS_NONE if there is no such family. */
struct address addresses_ip(const sai_ip_address_t *address);

/* Stores in '*mac' the address of the switch, a virtual router or an
 * interface. */
void addresses_mac(const struct asic *asic, const struct objects_item *item,
                   sai_mac_t mac);

#endif /* vendors/softasic/program/addresses.h */
