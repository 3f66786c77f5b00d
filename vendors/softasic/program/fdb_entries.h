/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_FDB_ENTRIES_H
#define ORCHD_SOFTASIC_PROGRAM_FDB_ENTRIES_H

/* The forwarding database in terms of SAI.
 *
 * An entry is identified by switch, VLAN and address:
 * SAI_STATUS_INVALID_OBJECT_ID for a switch or VLAN that does not exist,
 * SAI_STATUS_INVALID_OBJECT_TYPE if the id is that of another object,
 * SAI_STATUS_INVALID_PARAMETER for a group address or a zero one.  Only the
 * twin stores the entries; they have no objects.
 *
 * Supported attributes are TYPE, BRIDGE_PORT_ID and PACKET_ACTION (FORWARD and
 * DROP); others have only their default values (SAI_STATUS_ATTR_NOT_SUPPORTED).
 * Learned entries age by SAI_SWITCH_ATTR_FDB_AGING_TIME; created entries do not
 * age. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* SAI_STATUS_ITEM_ALREADY_EXISTS, whether that is learned or static;
 * SAI_STATUS_TABLE_FULL. */
sai_status_t fdb_entries_create(struct asic *asic, const sai_fdb_entry_t *key,
                                uint32_t n, const sai_attribute_t *attributes);

/* SAI_STATUS_ITEM_NOT_FOUND. */
sai_status_t fdb_entries_remove(struct asic *asic, const sai_fdb_entry_t *key);
sai_status_t fdb_entries_set(struct asic *asic, const sai_fdb_entry_t *key,
                             const sai_attribute_t *attribute);
sai_status_t fdb_entries_get(const struct asic *asic,
                             const sai_fdb_entry_t *key, uint32_t n,
                             sai_attribute_t *attributes);

/* Removes the entries that the attributes of a flush select, and notifies the
 * client. */
sai_status_t fdb_entries_flush(struct asic *asic, uint32_t n,
                               const sai_attribute_t *attributes);

/* Returns how many entries there are, and stores their keys in 'keys' (NULL:
 * only counts). */
uint32_t fdb_entries_list(const struct asic *asic, sai_object_key_t *keys);

/* A sim_learned_fn and a sim_aged_fn; 'context' is the struct asic. */
void fdb_entries_learned(void *context, const struct fdb_entry *entry,
                         uint32_t from);
void fdb_entries_aged(void *context, const struct fdb_entry *entry);

/* Programs SAI_SWITCH_ATTR_FDB_AGING_TIME of the switch 'sw'. */
void fdb_entries_set_aging(struct asic *asic, const struct objects_item *sw);

#endif /* vendors/softasic/program/fdb_entries.h */
