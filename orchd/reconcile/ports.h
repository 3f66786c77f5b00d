/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PORTS_H
#define ORCHD_RECONCILE_PORTS_H

/* The ports that the ASIC has, and which of them rows have claimed.
 *
 * A PORT row is matched to an ASIC port by its lanes.  Where there is none,
 * the port is created, and ports that nobody claimed and that use one of these
 * lanes are removed first; otherwise they are left in peace.  A port that
 * another row claimed keeps its lanes: whoever wants exactly these waits until
 * it is let go.  Two rows that share some lanes are legitimate, as
 * configurations of real switches show, and it is the device that decides; if
 * it refuses, in whatever words, the row waits for the other one as well. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct graph;
struct metadata_attribute;
struct object;
struct ports;

/* Returns an empty register.  End with ports_destroy(), which accepts NULL. */
struct ports *ports_create(void);
void ports_destroy(struct ports *ports);

/* Reads the ports of the switch behind 'backend'.  Returns ST_OK, or fills
 * 'err' with what SAI refused. */
enum st ports_read(struct ports *ports, struct sai_backend *backend,
                   struct err *err) ST_WARN_UNUSED;

/* Finds a port that nobody claimed and that has exactly 'lanes', and claims it.
 * Returns its id, or SAI_NULL_OBJECT_ID. */
sai_object_id_t ports_take(struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether a port that is claimed has exactly 'lanes'. */
bool ports_taken(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether a port that is claimed uses one of 'lanes'. */
bool ports_overlap(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether a port that nobody claimed has exactly 'lanes', or no port,
 * claimed or not, uses one of them. */
bool ports_are_at_hand(const struct ports *ports, const sai_u32_list_t *lanes);

/* Returns whether both lists have a lane in common. */
bool ports_share_a_lane(const sai_u32_list_t *a, const sai_u32_list_t *b);

/* Takes in a port that was just created, and is claimed. */
void ports_add(struct ports *ports, sai_object_id_t oid,
               const sai_u32_list_t *lanes);

/* Removes the unclaimed ports that use one of 'lanes' from the ASIC.  Returns
 * what SAI said to the first one that it refused to remove. */
sai_status_t ports_clear(struct ports *ports, struct sai_backend *backend,
                         const sai_u32_list_t *lanes);

/* Returns whether the switch lists port 'oid', or does not tell. */
bool ports_is_listed(struct sai_backend *backend, sai_object_id_t oid);

/* Forgets port 'oid', which is gone although nobody of us removed it, and looks
 * which ports there are now: there may be another one with its lanes.  Those
 * that are claimed stay so. */
void ports_lose(struct ports *ports, struct sai_backend *backend,
                sai_object_id_t oid);

/* Returns the ports that nobody claims, and how many in '*n'; the caller frees
 * them. */
sai_object_id_t *ports_unclaimed(const struct ports *ports, uint32_t *n);

/* Says that port 'oid' is no longer claimed. */
void ports_give(struct ports *ports, sai_object_id_t oid);

/* Reads the priority groups and queues of 'n' different 'ports', which have
 * just come to be on the ASIC, and gives their children their ids.  'statuses'
 * has what SAI said of each. */
void ports_read_children(struct sai_backend *backend, uint32_t n,
                         struct object *const *ports, sai_status_t *statuses);

/* Finds the port of the switch's processor, and its queues.  A switch that does
 * not show any is usual: for such a one it does not exist. */
void ports_read_cpu(struct sai_backend *backend, struct object *cpu);

/* Notes that SAI has accepted 'value' for an attribute of 'object', which may
 * be a port that is no longer shut, or is by now. */
void ports_note_attribute(struct object *object,
                          const struct metadata_attribute *meta,
                          const sai_attribute_value_t *value);

/* Returns, once, a port of which something was learnt: its places, its limits,
 * whether it is shut; NULL if there is none. */
const struct object *ports_take_changed(struct graph *graph);

/* Forgets the places of 'port', which has just been let go. */
void ports_forget_children(struct object *port);

#endif /* orchd/reconcile/ports.h */
