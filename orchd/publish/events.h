/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_EVENTS_H
#define ORCHD_PUBLISH_EVENTS_H

/* STATE_DB: a list of events as JSON objects, newest first.
 *
 * Internal to publish/.  ORCHD_EVENTS has the last EVENTS_MAX of
 *
 *   {"time": ..., "table": ..., "key": ..., "old": state, "new": state,
 *    "reason": sentence} */

#define EVENTS_MAX 1000

struct events;
struct redis;

struct event {
    const char *time;
    const char *table, *key; /* The row or the object. */
    const char *old, *new;   /* States; "": it did not exist, or is removed. */
    const char *reason;
};

/* Creates an empty list that writes through 'redis', which is borrowed. */
struct events *events_create(struct redis *redis);

/* Frees 'events' with those that were not written.  Accepts NULL. */
void events_destroy(struct events *events);

/* Adds an event, which is written by the next events_flush(). */
void events_add(struct events *events, const struct event *event);

/* Writes the events that were added since the last call. */
void events_flush(struct events *events);

#endif /* orchd/publish/events.h */
