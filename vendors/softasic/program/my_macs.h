/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_MY_MACS_H
#define ORCHD_SOFTASIC_PROGRAM_MY_MACS_H

/* Further addresses for which the router takes frames (MY_MAC).
 *
 * A frame to such an address is for the router interface of its port, tag or
 * VLAN; if there is none, it is bridged.  Without MAC_ADDRESS it is the address
 * of the switch when the object was created; without a mask all bits are
 * compared.  PRIORITY is stored: all entries do the same. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

enum { MY_MACS_MAX = 1024 };

/* Like program_create() and program_remove(), for MY_MAC.
 * SAI_STATUS_INSUFFICIENT_RESOURCES beyond MY_MACS_MAX. */
sai_status_t my_macs_create(struct asic *asic, const struct objects_item *item,
                            sai_attr_id_t *blame, struct err *err);
sai_status_t my_macs_remove(struct asic *asic, const struct objects_item *item);

#endif /* vendors/softasic/program/my_macs.h */
