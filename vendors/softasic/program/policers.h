/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_POLICERS_H
#define ORCHD_SOFTASIC_PROGRAM_POLICERS_H

/* Policers: meters in front of the buffer (twin/qos/policer.h).
 *
 * A policer meters all frames that arrive at the ports whose POLICER_ID it is,
 * and what the traps of a group send to the CPU if it is the POLICER of the
 * group.  Several users of a policer share its buckets.  A port gives a frame
 * the color of the policer: WRED and counters by color see that.
 *
 * Actions by color: DROP, FORWARD, COPY and TRAP, and those that mean the same.
 * Traps know only two outcomes: the packet goes to the CPU or it does not.
 *
 * MODE STORM_CONTROL meters by one rate, as SR_TCM; it is not restricted to
 * broadcasts.  STATS_COUNT_MODE and ENABLE_COUNTER_PACKET_ACTION_LIST are
 * stored: all counters always count.  SELECTIVE_COUNTER_LIST is refused.
 *
 * The counters by color and those of all packets are read by counters.h. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

struct policer;

enum { POLICERS_MAX = 4096, POLICERS_N_STATS = 8 };

/* Returns whether this module handles objects of 'type'. */
bool policers_handles_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(), for policers.
 * SAI_STATUS_INSUFFICIENT_RESOURCES beyond POLICERS_MAX. */
sai_status_t policers_create(struct asic *asic, struct objects_item *item,
                             sai_attr_id_t *blame, struct err *err);
sai_status_t policers_set(struct asic *asic, struct objects_item *item,
                          sai_attr_id_t id, struct err *err);
void policers_remove(struct objects_item *item);

/* Returns the policer of the twin that belongs to 'item'. */
struct policer *policers_get(const struct objects_item *item);

/* Returns the policer to which attribute 'id' of 'user' refers, NULL if there
 * is none.  Borrowed: it is there as long as the reference. */
struct policer *policers_of(const struct asic *asic,
                            const struct objects_item *user, sai_attr_id_t id);

/* Programs the policer of 'port'. */
void policers_program_port(struct asic *asic, const struct objects_item *port);

#endif /* vendors/softasic/program/policers.h */
