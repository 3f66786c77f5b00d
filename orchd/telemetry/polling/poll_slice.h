/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLL_SLICE_H
#define ORCHD_TELEMETRY_POLLING_POLL_SLICE_H

/* Reads the next objects of a group; for the poller.
 *
 * The first objects of a class are read one by one, until their counters are
 * known; after that, one call reads all objects with the same counters. */

#include "orchd/telemetry/polling/poller_state.h"

/* Reads the slice of 'objects' that begins at '*cursor' for 'group', moves the
 * cursor behind it, and calls the listener. */
void poll_slice_read(struct poller *poller, enum counter_group group,
                     const struct object_list *objects, size_t *cursor,
                     int64_t now);

/* Calls the listener with the way in which an object is read. */
void poll_slice_describe(struct poller *poller,
                         const struct polled_object *object,
                         const struct polled_reading *reading);

#endif /* orchd/telemetry/polling/poll_slice.h */
