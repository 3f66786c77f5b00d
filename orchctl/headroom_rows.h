/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_ROWS_H
#define ORCHD_ORCHCTL_HEADROOM_ROWS_H

/* A plan as rows of CONFIG_DB, to be loaded.
 *
 * The rows of the traditional model, with everything written out: the ingress
 * pool with its shared headroom, the egress pool for lossless traffic, a
 * lossless profile for each kind of port, the cables, and the priority groups
 * and queues of ports that are named Ethernet0, Ethernet4, ... by their first
 * lane.  An ECN profile with the Kmin of the plan is there to be referred to.
 * What a plan does not know is left to the user: lanes, maps, schedulers, and
 * everything lossy. */

#include <jansson.h>

#include "orchctl/headroom_plan.h"

/* Returns the rows for a plan that fits, as config_db.json has them; to be
 * freed with json_decref().  'dynamic_th' is the alpha as the chip takes it,
 * 'priorities' a mask. */
json_t *headroom_rows(const struct plan_question *question,
                      const struct plan_answer *answer, int dynamic_th,
                      uint32_t priorities);

#endif /* orchctl/headroom_rows.h */
