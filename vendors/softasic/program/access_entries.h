/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_ACCESS_ENTRIES_H
#define ORCHD_SOFTASIC_PROGRAM_ACCESS_ENTRIES_H

/* Entries of access lists: from attributes to rules of the twin
 * (twin/forwarding/acl.h).
 *
 * Fields.  A field matches only packets that have its header: an IPv4 address
 * those of IPv4, a port those with ports, a VLAN or its priority those with a
 * tag.  A field whose mask is 0 matches all packets.  OUTER_VLAN_ID is the VLAN
 * of the tag, not that of the port.  Fields are those of the packet as it
 * arrived; TC is that of the classification.  IN_PORT may be a LAG.
 *
 * Actions.  PACKET_ACTION: DROP, FORWARD, COPY, TRAP, LOG (as COPY) and DENY
 * (as DROP).  SET_TC selects priority group and queue; SET_DSCP changes the
 * packet that leaves, not its TC; SET_PACKET_COLOR comes before SET_POLICER.
 *
 * Refused are all other fields and actions, among them mirroring and
 * redirection. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct acl_count;
struct acl_rule;

enum { ACCESS_PRIORITY_MAX = UINT16_MAX };

/* Makes '*rule' a new rule with number 'number' that does what 'entry' says;
 * release it with access_entries_free().  If that is not possible, returns
 * SAI_STATUS_INVALID_ATTR_VALUE or SAI_STATUS_ATTR_NOT_SUPPORTED, with the
 * attribute in '*blame' and the reason in '*err'. */
sai_status_t access_entries_compile(const struct asic *asic,
                                    const struct objects_item *entry,
                                    uint32_t number, struct acl_rule **rule,
                                    sai_attr_id_t *blame, struct err *err);
void access_entries_free(struct acl_rule *rule);

/* Returns the counts of 'counter', which are its data. */
struct acl_count *access_entries_count(const struct objects_item *counter);

#endif /* vendors/softasic/program/access_entries.h */
