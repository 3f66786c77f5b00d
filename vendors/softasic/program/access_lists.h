/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_ACCESS_LISTS_H
#define ORCHD_SOFTASIC_PROGRAM_ACCESS_LISTS_H

/* Access lists: tables, groups of tables, counters, ranges, and where they are
 * bound.  vendors/softasic/program/access_entries.h has the entries.
 *
 * A table or a group is bound by INGRESS_ACL of a port, a LAG or the switch, or
 * by EGRESS_ACL of these or of a VLAN, if it is of that stage and its list of
 * bind points is empty or has that kind of place.  Frames are matched by all
 * tables that are bound to their port, its LAG, its VLAN and the switch, with
 * precedence in this order: at ingress where they arrive, at egress where they
 * have been forwarded, before a queue takes them (sim_set_acl()).  In a group
 * the table with the largest PRIORITY has precedence; in a SEQUENTIAL one the
 * search ends at the first table with a match.
 *
 * Of the entries of a table that match, the one with the largest PRIORITY is
 * taken; of equal ones the one that was created first.  A change of an entry
 * takes effect between two frames, as a whole.
 *
 * Capacity.  The chip says how many tables and entries each stage has (struct
 * chip_access), and how many counters there are.  The entries of all tables of
 * a stage share a memory.  A table with a SIZE reserves as many of them, and
 * has no more: TABLE_FULL.  One without takes what is left:
 * INSUFFICIENT_RESOURCES.
 *
 * A counter counts packets, bytes, or both, as it was created; PACKETS and
 * BYTES may be set.  A removed entry no longer counts. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

enum {
    ACCESS_MAX_RANGES = 64,
    ACCESS_MAX_GROUPS = 1024,
    ACCESS_MAX_MEMBERS = 8192,
};

/* Returns whether this module handles objects of 'type'. */
bool access_lists_handle_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(). */
sai_status_t access_lists_create(struct asic *asic, struct objects_item *item,
                                 sai_attr_id_t *blame, struct err *err);
sai_status_t access_lists_set(struct asic *asic, struct objects_item *item,
                              sai_attr_id_t id, struct err *err);
sai_status_t access_lists_remove(struct asic *asic, struct objects_item *item);

/* Frees the data of all objects of this module. */
void access_lists_fini(struct asic *asic);

/* Returns whether attribute 'id' of objects of 'type' binds access lists. */
bool access_lists_bind(sai_object_type_t type, sai_attr_id_t id);

/* Checks that what is bound to 'place' (a port, a LAG, a VLAN, the switch) may
 * be bound there, else SAI_STATUS_INVALID_ATTR_VALUE, with the attribute in
 * '*blame'. */
sai_status_t access_lists_check(const struct asic *asic,
                                const struct objects_item *place,
                                sai_attr_id_t *blame, struct err *err);

/* Programs what is bound to 'place'. */
void access_lists_program(struct asic *asic, const struct objects_item *place);

/* Return how many more objects of 'type' fit, those of both stages together;
 * how many more tables of 'stage' fit, without 'except' (may be NULL). */
uint64_t access_lists_room(const struct asic *asic, sai_object_type_t type);
uint64_t access_lists_stage_room(const struct asic *asic, sai_acl_stage_t stage,
                                 const struct objects_item *except);

/* Return AVAILABLE_ACL_ENTRY and AVAILABLE_ACL_COUNTER of a table, PACKETS and
 * BYTES of a counter. */
int64_t access_lists_entry_room(const struct asic *asic,
                                const struct objects_item *table);
int64_t access_lists_counter_room(const struct asic *asic,
                                  const struct objects_item *table);
int64_t access_lists_packets(const struct asic *asic,
                             const struct objects_item *counter);
int64_t access_lists_bytes(const struct asic *asic,
                           const struct objects_item *counter);

#endif /* vendors/softasic/program/access_lists.h */
