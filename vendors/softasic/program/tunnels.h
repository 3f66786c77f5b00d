/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_TUNNELS_H
#define ORCHD_SOFTASIC_PROGRAM_TUNNELS_H

/* Tunnels and the entries for their termination (twin/forwarding/tunnel.h).
 *
 * Packets that match a TUNNEL_TERM_TABLE_ENTRY of type IPINIP are decapsulated:
 * IPv4 and IPv6 in IPv4 and IPv6.  Those inside are routed in the virtual
 * router of the OVERLAY_INTERFACE of the tunnel.  Tunnels of other types, their
 * entries, and what belongs to encapsulation are stored without effect.
 *
 *   DECAP_TTL_MODE, DECAP_DSCP_MODE   uniform, pipe
 *   DECAP_ECN_MODE                    STANDARD, COPY_FROM_OUTER
 *   DECAP_QOS_DSCP_TO_TC_MAP          by the outer DSCP
 *   DECAP_QOS_TC_TO_PRIORITY_GROUP_MAP
 *
 * The addresses of an entry, and the masks where the type has them, select the
 * packets; an address without a mask is compared as a whole, bits that a mask
 * does not have are ignored, and a missing address matches all.  PRIORITY and
 * then the longer mask decide between entries.  The counters of a tunnel count
 * what was decapsulated; as nothing is encapsulated, those of the other
 * direction are 0. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct tunnel;

enum { TUNNELS_MAX = 1024, TUNNELS_N_STATS = 4 };

/* Returns whether this module handles objects of 'type'. */
bool tunnels_handles_type(sai_object_type_t type);

/* Returns whether 'item', of such a type, is simulated; else it is only
 * stored. */
bool tunnels_simulates(const struct objects_item *item);

/* Like program_create(), program_set() and program_remove(), for these types.
 * SAI_STATUS_INSUFFICIENT_RESOURCES beyond TUNNELS_MAX of a type,
 * SAI_STATUS_ITEM_ALREADY_EXISTS for a second entry for the same packets. */
sai_status_t tunnels_create(struct asic *asic, struct objects_item *item,
                            sai_attr_id_t *blame, struct err *err);
sai_status_t tunnels_set(struct asic *asic, struct objects_item *item,
                         sai_attr_id_t id, struct err *err);
sai_status_t tunnels_remove(struct asic *asic, struct objects_item *item);

/* Returns the tunnel of the twin that belongs to 'item', a tunnel. */
const struct tunnel *tunnels_get(const struct objects_item *item);

/* Returns the address family of an entry. */
int64_t tunnels_family(const struct asic *asic,
                       const struct objects_item *item);

#endif /* vendors/softasic/program/tunnels.h */
