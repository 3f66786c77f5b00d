/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_HASHES_H
#define ORCHD_SOFTASIC_PROGRAM_HASHES_H

/* How the switch chooses among equal-cost next hops, and members of LAGs.
 *
 * Algorithm, seed and offset are attributes of the switch, once for ECMP and
 * once for LAGs.  The fields are lists in hash objects.  Two of these exist
 * from the start, SAI_SWITCH_ATTR_ECMP_HASH and SAI_SWITCH_ATTR_LAG_HASH, with
 * addresses, protocol and ports; they can be changed but not removed.
 * SAI_SWITCH_ATTR_ECMP_HASH_IPV4, _IPV6 and those of LAGs name another hash for
 * packets of one family.
 *
 * Frames that are not IP are hashed by the Ethernet fields and the VLAN in the
 * first list; if it has none of them, by their addresses and type.  Fields of
 * tunnelled packets, labels, the flow label, the ingress port and fields of
 * RDMA are refused, and so are groups of user-defined fields and parts of
 * fields.  twin/forwarding/flow_hash.h describes the algorithms. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

enum { HASHES_MAX = 64 };

/* Creates the default hashes; finds those of a switch that shares 'image', and
 * programs them into its twin. */
void hashes_start(struct asic *asic);
void hashes_start_shared(struct asic *asic, const struct asic *image);

/* Returns whether this module handles objects of 'type'. */
bool hashes_handles_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(), for hashes.
 * SAI_STATUS_INSUFFICIENT_RESOURCES beyond HASHES_MAX,
 * SAI_STATUS_ATTR_NOT_SUPPORTED for a field that is not supported,
 * SAI_STATUS_INVALID_ATTR_VALUE for one that is named twice,
 * SAI_STATUS_NOT_SUPPORTED for the removal of a default hash. */
sai_status_t hashes_create(struct asic *asic, struct objects_item *item,
                           sai_attr_id_t *blame, struct err *err);
sai_status_t hashes_set(struct asic *asic, struct objects_item *item,
                        sai_attr_id_t id, struct err *err);
sai_status_t hashes_remove(struct asic *asic, struct objects_item *item);

/* Returns whether attribute 'id' of the switch is about hashes. */
bool hashes_concern(sai_attr_id_t id);

/* Checks and programs a change of attribute 'id' of the switch.
 * SAI_STATUS_INVALID_ATTR_VALUE for an offset beyond 31. */
sai_status_t hashes_set_switch(struct asic *asic, const struct objects_item *sw,
                               sai_attr_id_t id, struct err *err);

#endif /* vendors/softasic/program/hashes.h */
