/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_EVENTS_H
#define ORCHD_PUBLISH_EVENTS_H

/* STATE_DB: what has happened, as a list of JSON objects, newest first.
 *
 * Internal to publish/.  ORCHD_EVENTS has the last EVENTS_MAX of
 *
 *   {"time": ..., "table": ..., "key": ..., "old": state, "new": state,
 *    "reason": sentence} */

#define EVENTS_MAX 1000

struct events;
struct redis;

/* What happened. */
struct event {
    const char *time;
    const char *table, *key; /* The row or the object. */
    const char *old, *new;   /* States; "" for what is new, or gone. */
    const char *reason;
};

/* Creates an empty list, written through 'redis', which is borrowed. */
struct events *events_create(struct redis *redis);

/* Frees 'events' and what was not written.  Accepts NULL. */
void events_destroy(struct events *events);

/* Remembers what happened, until it is written. */
void events_add(struct events *events, const struct event *event);

/* Writes what happened since the last time. */
void events_flush(struct events *events);

#endif /* orchd/publish/events.h */
