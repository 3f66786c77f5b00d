/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and addresses of SAI and of the twin. */

#include <config.h>

#include "vendors/softasic/program/port_lookup.h"

#include "twin/mmu/mmu.h"
#include "vendors/objects/objects.h"
#include "vendors/softasic/state.h"

sai_status_t
port_lookup_locate_port(const struct asic *asic, sai_object_id_t oid,
                        struct objects_item **port)
{
    const sai_status_t status =
        objects_locate(asic->objects, SAI_OBJECT_TYPE_PORT, oid, port);

    return status == SAI_STATUS_SUCCESS && (*port)->handle == MMU_NONE
               ? SAI_STATUS_INVALID_PARAMETER
               : status;
}

uint64_t
port_lookup_mac_number(const sai_mac_t mac)
{
    uint64_t number = 0;

    for (int i = 0; i < 6; i++) {
        number = number << 8 | mac[i];
    }
    return number;
}

void
port_lookup_mac_bytes(uint64_t number, sai_mac_t mac)
{
    for (int i = 0; i < 6; i++) {
        mac[i] = (sai_uint8_t)(number >> (40 - 8 * i));
    }
}
