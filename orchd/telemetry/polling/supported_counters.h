/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_SUPPORTED_COUNTERS_H
#define ORCHD_TELEMETRY_POLLING_SUPPORTED_COUNTERS_H

/* Finds out which counters of its list an object has; for the poller (poller.h
 * says how it handles refusals). */

#include "orchd/telemetry/polling/poller_state.h"

/* Returns whether 'status' means that the switch does not support a counter, or
 * this mode of reading it.  Libraries return "invalid parameter" for counters
 * that they do not know. */
bool supported_counters_is_refusal(sai_status_t status);

/* Reads 'n' counters of an object, in the mode of 'reading'. */
sai_status_t supported_counters_read(struct poller *poller,
                                     const struct polled_object *object,
                                     const struct polled_reading *reading,
                                     uint32_t n, const sai_stat_id_t *ids,
                                     uint64_t *values);

/* Handles a refusal of the list of 'reading': finds out which of its counters
 * the object has, and reads them into 'values'.  Changes the list of the class,
 * and list, mode and 'mute' of 'reading'. */
sai_status_t supported_counters_list(struct poller *poller,
                                     const struct polled_object *object,
                                     struct polled_reading *reading,
                                     uint64_t *values);

#endif /* orchd/telemetry/polling/supported_counters.h */
