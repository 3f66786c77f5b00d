/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_ROWS_H
#define ORCHD_ORCHCTL_HEADROOM_ROWS_H

/* Turns a plan into rows of CONFIG_DB for "config load".
 *
 * The rows use the traditional buffer model, with all values explicit: the
 * ingress pool with its shared headroom, the egress pool for lossless traffic,
 * a lossless profile for each kind of port, the cable lengths, and the priority
 * groups and queues of the ports, which are named Ethernet0, Ethernet4, ... by
 * their first lane.  They include an ECN profile with the Kmin of the plan, to
 * which queues can refer.  The user adds what a plan does not contain: lanes,
 * maps, schedulers, and everything lossy. */

#include <jansson.h>

#include "orchctl/headroom_plan.h"

/* Returns the rows for a plan that fits, in the format of config_db.json; the
 * caller frees them with json_decref().  'dynamic_th' is alpha in the encoding
 * of the chip, 'priorities' a mask. */
json_t *headroom_rows(const struct plan_question *question,
                      const struct plan_answer *answer, int dynamic_th,
                      uint32_t priorities);

#endif /* orchctl/headroom_rows.h */
