/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_QOS_MAP_ENTRY_H
#define ORCHD_SAI_CORE_QOS_MAP_ENTRY_H

/* Checks the entries of a QoS map by the type of the map.
 *
 * Keys and values of all maps have the same structure; the type of the map
 * determines which members are used.  Some members have a range that is the
 * same for every switch: a DSCP is 0..63 (RFC 2474), an 802.1p or PFC priority
 * and an EXP are 0..7 (IEEE 802.1Q-2018 clauses 9.6 and 36, RFC 3032), a
 * traffic class is 0..15, a color is a member of its enumeration.  The numbers
 * of queues, priority groups and forwarding classes depend on the chip and are
 * not checked. Unused members may have any value. */

#include <stdbool.h>

#include <sai.h>

/* Returns whether all entries of '*list' are valid in a map of 'type'.  The
 * caller has checked the memory of the list.  Entries of an unknown type are
 * valid. */
bool qos_map_entry_ok(sai_qos_map_type_t type, const sai_qos_map_list_t *list);

#endif /* sai/core/qos_map_entry.h */
