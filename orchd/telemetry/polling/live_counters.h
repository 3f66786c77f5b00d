/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_LIVE_COUNTERS_H
#define ORCHD_TELEMETRY_POLLING_LIVE_COUNTERS_H

/* Reads counters of the poller's objects at the moment of a question, whether
 * their group is polled or not.
 *
 * Motivation: a counter that is not polled is not 0.  Someone who asks for
 * drops wants those of now, not those of the last round.
 *
 * Nothing is cleared, and the poller's values and listener are not touched. */

#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/poller.h"

/* What was read of one object. */
struct live_reading {
    const struct polled_object *object;
    const struct counter_list *list; /* The counters that it has. */
    const uint64_t *values;          /* Of 'list'. */
};

/* Stores the value of counter 'id'.  Returns false, and stores nothing, if it
 * was not read. */
bool live_counters_value(const struct live_reading *reading, sai_stat_id_t id,
                         uint64_t *value);

/* Reads the counters of 'group' of all its objects whose name is 'name' (NULL:
 * of all), in calls for at most POLLER_SLICE objects, and calls 'visit' for
 * each object in the order of the poller; its list is empty if the switch
 * refuses all of them or there is no switch. */
void live_counters_read(const struct poller *poller, enum counter_group group,
                        const char *name,
                        void (*visit)(void *context,
                                      const struct live_reading *reading),
                        void *context);

#endif /* orchd/telemetry/polling/live_counters.h */
