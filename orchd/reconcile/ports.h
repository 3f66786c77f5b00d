/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PORTS_H
#define ORCHD_RECONCILE_PORTS_H

/* The ports of the ASIC, and which of them rows have claimed.
 *
 * A row PORT is matched to an ASIC port by its lanes.  If there is none, orchd
 * creates the port, after it has removed unclaimed ports that use one of these
 * lanes; other unclaimed ports stay.  If a removed port was a member of the
 * default VLAN, the port that gets its lanes becomes one.  A port that another
 * row claimed keeps its lanes: lane_claims.h says which rows wait until it is
 * released.  If the device refuses a port that shares a lane with another one,
 * with whatever status, the row waits for the other one as well. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct ports;

/* Returns an empty register.  End with ports_destroy(), which accepts NULL. */
struct ports *ports_create(void);
void ports_destroy(struct ports *ports);

/* Reads the ports of the switch behind 'backend'.  Returns ST_OK, or fills
 * 'err' with what SAI refused. */
enum st ports_read(struct ports *ports, struct sai_backend *backend,
                   struct err *err) ST_WARN_UNUSED;

/* Finds an unclaimed port with exactly 'lanes', and claims it.  Returns its id,
 * or SAI_NULL_OBJECT_ID. */
sai_object_id_t ports_take(struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether an unclaimed port has exactly 'lanes'. */
bool ports_has_free(const struct ports *ports, const sai_u32_list_t *lanes);

/* Finds the range of the lanes of all ports.  Returns false if there are none.
 */
bool ports_lane_range(const struct ports *ports, uint32_t *least,
                      uint32_t *most);

/* Returns whether a claimed port has exactly 'lanes'. */
bool ports_taken(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether a claimed port uses one of 'lanes'. */
bool ports_overlap(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether an unclaimed port has exactly 'lanes', or no port, claimed or
 * not, uses any of them. */
bool ports_are_at_hand(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether the lists have a lane in common. */
bool ports_share_a_lane(const sai_u32_list_t *a, const sai_u32_list_t *b);

/* Adds a port that was just created, as claimed. */
void ports_add(struct ports *ports, sai_object_id_t oid,
               const sai_u32_list_t *lanes);

/* Removes one unclaimed port from the ASIC, which has no room for another.
 * Returns false if there is none, or it cannot be removed. */
bool ports_give_up(struct ports *ports, struct sai_backend *backend);

/* Removes the unclaimed ports that use one of 'lanes' from the ASIC, with their
 * memberships of the default VLAN (sai/core/bridge_members.h).  Returns the SAI
 * status of the first removal that failed, and in '*refused' the type of that
 * object. */
sai_status_t ports_clear(struct ports *ports, struct sai_backend *backend,
                         const sai_u32_list_t *lanes,
                         sai_object_type_t *refused);

/* Makes port 'oid', which was just created with 'lanes', a member of the
 * default VLAN if a removed port that had one of these lanes was one.  A
 * refusal is no reason to do without the port: nothing in CONFIG_DB asks for
 * the membership. */
void ports_rejoin(struct ports *ports, struct sai_backend *backend,
                  sai_object_id_t oid, const sai_u32_list_t *lanes);

/* Returns whether the switch lists port 'oid', or does not report its ports. */
bool ports_is_listed(struct sai_backend *backend, sai_object_id_t oid);

/* Forgets port 'oid', which is gone although orchd did not remove it, and reads
 * the list of ports again: there may be another one with its lanes.  Claimed
 * ports stay claimed. */
void ports_lose(struct ports *ports, struct sai_backend *backend,
                sai_object_id_t oid);

/* Returns the unclaimed ports, and their number in '*n'; the caller frees them.
 */
sai_object_id_t *ports_unclaimed(const struct ports *ports, uint32_t *n);

/* Marks port 'oid' as unclaimed. */
void ports_give(struct ports *ports, sai_object_id_t oid);

#endif /* orchd/reconcile/ports.h */
