/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_SUPPORTED_COUNTERS_H
#define ORCHD_TELEMETRY_POLLING_SUPPORTED_COUNTERS_H

/* Finds out which of its counters an object has; for the poller (poller.h says
 * what becomes of refusals). */

#include "orchd/telemetry/polling/poller_state.h"

/* Returns whether 'status' says that there is no such counter, or no such way
 * of reading it.  Libraries that do not know a counter call the parameter
 * invalid. */
bool supported_counters_is_refusal(sai_status_t status);

/* Reads 'n' counters of an object, in the mode of 'reading'. */
sai_status_t supported_counters_read(struct poller *poller,
                                     const struct polled_object *object,
                                     const struct reading *reading, uint32_t n,
                                     const sai_stat_id_t *ids,
                                     uint64_t *values);

/* The list of 'reading' was refused: finds out what of it the object has, and
 * reads that into 'values'.  Changes the list of the class, and list, mode and
 * 'mute' of 'reading'. */
sai_status_t supported_counters_list(struct poller *poller,
                                     const struct polled_object *object,
                                     struct reading *reading, uint64_t *values);

#endif /* orchd/telemetry/polling/supported_counters.h */
