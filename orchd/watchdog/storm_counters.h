/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_COUNTERS_H
#define ORCHD_WATCHDOG_STORM_COUNTERS_H

/* What the PFC watchdog has written about a queue, as counters of breakpoint
 * scenarios.  The fields are those that a tool reads in Redis:
 *
 *   COUNTERS:<queue>   PFC_WD_STATUS            stormed: 1, or 0 (operational)
 *                      PFC_WD_QUEUE_STATS_name  storm_name, in lower case
 *   PFC_WD_TABLE_INSTORM:<port>                 storm_noted: 1 if it has the
 *                                               queue, else 0 */

#include <stdint.h>

#include <sai.h>

struct memory_store;

/* Gets the value of a counter; 'name' is borrowed for the call. */
typedef void storm_counter_fn(void *context, const char *name, uint64_t value);

/* Calls 'found' for each counter of queue 'index' of 'port', which is 'queue'
 * on the switch; for none if the watchdog never watched it. */
void storm_counters_each(const struct memory_store *store, const char *port,
                         unsigned int index, sai_object_id_t queue,
                         storm_counter_fn *found, void *context);

#endif /* orchd/watchdog/storm_counters.h */
