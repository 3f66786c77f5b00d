/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLER_H
#define ORCHD_TELEMETRY_POLLING_POLLER_H

/* Reads the counters of a switch, a slice at a time.
 *
 * Motivation: a chip of 512 ports has fifteen thousand queues and priority
 * groups.  Read in one go, they would keep the control plane waiting; read at
 * the same moment of every interval, they would load switch and Redis in
 * bursts.  So each group (counter_group.h) walks through its objects in slices
 * of at most POLLER_SLICE, which are spread evenly over its interval: the part
 * of the objects that is read is the part of the interval that has passed. That
 * is also the jitter over ports.  Only the first round after a group was
 * enabled does not wait, so that there is something to see.  The objects of a
 * slice are read by one call where the switch has one for several
 * (sai/core/backend.h).
 *
 * What a switch refuses is found out by asking, because not all libraries tell
 * beforehand.  A refusal of a whole list is followed by one question for each
 * of its counters.  Those that are refused are dropped for all objects of that
 * class (ports, unicast queues, ...), and that is told once for all objects of
 * the group.  An object that
 * cannot be read and cleared is only read.  One that has none of the counters
 * is left alone.  Other failures, which may pass, are tried again in the next
 * round.
 *
 * Pure: it is told what time it is (nanoseconds of any monotonic clock), reads
 * through the backend it is given, and hands what it found to a sink. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/polled_object.h"

struct poller;
struct sai_backend;

/* Creates a poller without objects, in which no group is enabled.  'sink' is
 * copied. */
struct poller *poller_create(const struct poller_sink *sink);

/* Frees 'poller' without telling the sink.  Accepts NULL. */
void poller_destroy(struct poller *poller);

/* Gives the poller the switch, borrowed.  Before that nothing is read. */
void poller_attach(struct poller *poller, struct sai_backend *backend);

/* Adds an object; one with the same id is replaced, unless it is the same in
 * all, and then it keeps what was read.  It is read when the walk of its groups
 * comes by.  Returns it; it is valid until it is removed. */
const struct polled_object *poller_add(struct poller *poller,
                                       const struct polled_object_place *place);

/* Removes an object, after telling the sink that it is gone from each group
 * that described it.  Does nothing if there is none of that id. */
void poller_remove(struct poller *poller, sai_object_id_t oid);

/* Removes all objects without telling the sink. */
void poller_clear(struct poller *poller);

/* Returns an object, or NULL. */
const struct polled_object *poller_find(const struct poller *poller,
                                        sai_object_id_t oid);

/* Switches a group, and sets the time between two readings of an object.  Both
 * take effect at once: a group that is enabled begins to read at 'now', and a
 * shorter interval does not wait for the end of the longer one. */
void poller_set(struct poller *poller, enum counter_group group, bool enabled,
                int64_t interval_ns, int64_t now);

/* Sets the length of the slices of a group, at most POLLER_SLICE, which 0
 * stands for. */
void poller_set_slice(struct poller *poller, enum counter_group group,
                      uint32_t n);

/* Returns when the next slice is due, TIMELINE_NEVER (base/timeline.h) if
 * nothing is to be read. */
int64_t poller_next(const struct poller *poller);

/* Reads the slice that is due, if one is.  Returns whether another one is. */
bool poller_turn(struct poller *poller, int64_t now);

/* Tells the sink all descriptions, and all values as if for the first time:
 * after poller_retell_begin(), each call does so for at most POLLER_SLICE
 * objects, and returns whether there are more. */
void poller_retell_begin(struct poller *poller);
bool poller_retell(struct poller *poller);

/* Calls 'visit' for each object of 'type', in the order in which they were
 * added. */
void poller_each(const struct poller *poller, sai_object_type_t type,
                 void (*visit)(void *context,
                               const struct polled_object *object),
                 void *context);

/* How a group is doing. */
struct poller_figures {
    bool enabled;
    int64_t interval_ns;
    uint64_t n_rounds;   /* Completed. */
    uint64_t n_reads;    /* Of objects. */
    uint64_t n_failures; /* Of these, failed. */
};
void poller_figures(const struct poller *poller, enum counter_group group,
                    struct poller_figures *figures);

#endif /* orchd/telemetry/polling/poller.h */
