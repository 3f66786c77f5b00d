/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_QOS_MAP_ENTRY_H
#define ORCHD_SAI_CORE_QOS_MAP_ENTRY_H

/* What the entries of a QoS map may hold, by the type of the map.
 *
 * Keys and values of all maps have one form; the type says which members
 * count.  Of those, these have a range that every switch shares: a DSCP is
 * 0..63 (RFC 2474), a priority of a tag or of PFC and an EXP are 0..7
 * (IEEE 802.1Q-2018 clauses 9.6 and 36, RFC 3032), a traffic class is 0..15, a
 * color is one of the enumeration.  How many queues, priority groups and
 * forwarding classes there are is up to the chip.  Members that do not count
 * may be anything. */

#include <stdbool.h>

#include <sai.h>

/* Returns whether all entries of '*list', whose memory is good, are possible
 * in a map of 'type'.  Nothing is asked of types that are not known. */
bool qos_map_entry_ok(sai_qos_map_type_t type, const sai_qos_map_list_t *list);

#endif /* sai/core/qos_map_entry.h */
