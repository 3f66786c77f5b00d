/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_LAG_H
#define ORCHD_SOFTASIC_PROGRAM_LAG_H

/* Link aggregation groups (LAG) and their members.
 *
 * To the bridge and the router a LAG is a port: a bridge port, a router
 * interface and entries of the forwarding database can name it.  Its handle is
 * its number in the twin, after those of the ports.  A port is a member of at
 * most one LAG, and of none while it has a router interface; a member does not
 * take part in bridging itself. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

bool lag_handles_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(), for LAGs and
 * their members.  SAI_STATUS_INSUFFICIENT_RESOURCES beyond SIM_MAX_LAGS,
 * SAI_STATUS_OBJECT_IN_USE for a port that has a router interface,
 * SAI_STATUS_ITEM_ALREADY_EXISTS for one that is a member already. */
sai_status_t lag_create(struct asic *asic, struct objects_item *item,
                        sai_attr_id_t *blame, struct err *err);
sai_status_t lag_set(struct asic *asic, struct objects_item *item,
                     sai_attr_id_t id, struct err *err);
sai_status_t lag_remove(struct asic *asic, struct objects_item *item);

#endif /* vendors/softasic/program/lag.h */
