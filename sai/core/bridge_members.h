/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_BRIDGE_MEMBERS_H
#define ORCHD_SAI_CORE_BRIDGE_MEMBERS_H

/* The bridge ports and members of the default VLAN that ports have from the
 * start, and the removal of ports that have them.
 *
 * Motivation: a switch starts with every port in the default 1Q bridge and the
 * default VLAN.  SAI refuses to remove a port that is in use, so the VLAN
 * member has to go first, then the bridge port.  Many devices do not make the
 * ports that a client creates members, so the memberships have to be restored
 * where a created port succeeds such a port.
 *
 * Members of other VLANs were created by another client.  They stay, and SAI
 * refuses to remove the bridge port.
 *
 * Cost: members are read when the first port is removed, later only those that
 * are new. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct bridge_members;

/* Returns an empty register.  End with bridge_members_destroy(), which accepts
 * NULL. */
struct bridge_members *bridge_members_create(void);
void bridge_members_destroy(struct bridge_members *members);

/* Removes 'port' and the memberships described above.  Returns the status of
 * the first call that fails, with the type of the object that it was to remove
 * in '*refused'; what was removed before is then created again, so that the
 * port goes on forwarding.  '*was_member' says whether the port has lost a VLAN
 * member, also one that could not be created again; it is not changed to false.
 */
sai_status_t bridge_members_remove_port(struct bridge_members *members,
                                        struct sai_backend *backend,
                                        sai_object_id_t port,
                                        sai_object_type_t *refused,
                                        bool *was_member);

/* Makes 'port' an untagged member of the default VLAN, unless the device has
 * done so.  Returns the status of the first call that fails. */
sai_status_t bridge_members_restore(struct bridge_members *members,
                                    struct sai_backend *backend,
                                    sai_object_id_t port);

#endif /* sai/core/bridge_members.h */
