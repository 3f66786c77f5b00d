/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLL_SLICE_H
#define ORCHD_TELEMETRY_POLLING_POLL_SLICE_H

/* Reads the next objects of a group; for the poller.
 *
 * The first objects of a class are read one by one, until it is known what they
 * have; after that, those with the same counters are read in one call. */

#include "orchd/telemetry/polling/poller_state.h"

/* Reads what is next in 'roster' for 'group', and tells it. */
void poll_slice_read(struct poller *poller, enum counter_group group,
                     const struct object_list *roster, int64_t now);

/* Tells how an object is read. */
void poll_slice_describe(struct poller *poller,
                         const struct polled_object *object,
                         const struct reading *reading);

#endif /* orchd/telemetry/polling/poll_slice.h */
