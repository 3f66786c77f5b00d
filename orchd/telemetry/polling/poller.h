/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_POLLER_H
#define ORCHD_TELEMETRY_POLLING_POLLER_H

/* Reads the counters of a switch, a slice at a time.
 *
 * Motivation: a chip of 512 ports has fifteen thousand queues and priority
 * groups.  Reading all of them at once would block the control plane; doing so
 * at the same moment of every interval would load switch and Redis in bursts.
 * So each group (counter_group.h) walks through its objects in slices of at
 * most POLLER_SLICE, which are spread evenly over its interval: after half of
 * the interval it has read half of the objects.  This also spreads the ports
 * over time.  Only the first round after a group was enabled does not pause,
 * and objects that are added later are read at the next turn, whatever the
 * interval, so that values and descriptions are available soon.  One call reads
 * the objects of a slice if the switch has a call for several objects
 * (sai/core/backend.h).
 *
 * The poller finds out by reading which counters a switch supports, because not
 * all libraries implement the capability query.  If the switch refuses a whole
 * list, the poller reads its counters one by one, and drops those that are
 * refused for all objects of that class (ports, unicast queues, ...); it
 * reports them once for all objects of the group.  An object that cannot be
 * read and cleared is only read.  An object that has none of the counters is
 * skipped from then on.  Other failures may be temporary: the poller tries
 * again in the next round.
 *
 * Pure: the caller passes the time (nanoseconds of any monotonic clock) and the
 * backend to read from, and gets the results through a listener. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/polled_object.h"

struct poller;
struct sai_backend;

/* Creates a poller without objects, in which no group is enabled.  'listener'
 * is copied. */
struct poller *poller_create(const struct poller_listener *listener);

/* Frees 'poller' without calling the listener.  Accepts NULL. */
void poller_destroy(struct poller *poller);

/* Sets the switch to read from, borrowed.  Before that nothing is read. */
void poller_attach(struct poller *poller, struct sai_backend *backend);

/* Sets the clock of the switch, which is copied; it is read before each slice
 * of group PORT.  NULL, as in the beginning: the time that poller_turn() is
 * given. */
void poller_set_clock(struct poller *poller, const struct poller_clock *clock);

/* Adds an object, and replaces one with the same oid, unless 'id' is the same
 * in every member: then the object keeps its values.  The next turns read it
 * for each enabled group.  Returns the object, which is valid until it is
 * removed. */
const struct polled_object *poller_add(struct poller *poller,
                                       const struct polled_object_id *id);

/* Removes an object, after calling 'gone' of the listener for each group that
 * reads it.  Does nothing if there is no such object. */
void poller_remove(struct poller *poller, sai_object_id_t oid);

/* Returns an object, or NULL. */
const struct polled_object *poller_find(const struct poller *poller,
                                        sai_object_id_t oid);

/* Enables or disables a group, and sets the time between two readings of an
 * object.  Both take effect at once: a group that is enabled begins to read at
 * 'now', and a shorter interval does not wait for the end of the longer one. */
void poller_set(struct poller *poller, enum counter_group group, bool enabled,
                int64_t interval_ns, int64_t now);

/* Sets the length of the slices of a group, at most POLLER_SLICE; 0 means
 * POLLER_SLICE. */
void poller_set_slice(struct poller *poller, enum counter_group group,
                      uint32_t n);

/* Returns when the next slice is due, TIMELINE_NEVER (base/timeline.h) if there
 * is nothing to read. */
int64_t poller_next(const struct poller *poller);

/* Reads a slice if one is due.  Returns whether another one is due. */
bool poller_turn(struct poller *poller, int64_t now);

/* Call the listener with all descriptions, and with all values as if they were
 * the first ones: after poller_republish_begin(), each call of
 * poller_republish() does so for at most POLLER_SLICE objects, and returns
 * whether there are more. */
void poller_republish_begin(struct poller *poller);
bool poller_republish(struct poller *poller);

/* Calls 'visit' for each object of 'type', in the order in which they were
 * added. */
void poller_each(const struct poller *poller, sai_object_type_t type,
                 void (*visit)(void *context,
                               const struct polled_object *object),
                 void *context);

/* Statistics of a group. */
struct poller_figures {
    bool enabled;
    int64_t interval_ns;
    uint64_t n_rounds;   /* Completed. */
    uint64_t n_reads;    /* Of objects. */
    uint64_t n_failures; /* Reads that failed. */
};
void poller_figures(const struct poller *poller, enum counter_group group,
                    struct poller_figures *figures);

#endif /* orchd/telemetry/polling/poller.h */
