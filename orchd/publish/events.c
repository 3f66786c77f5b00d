/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the last events of a turn in a ring. */

#include <config.h>

#include "orchd/publish/events.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"

#define EVENTS_KEY "ORCHD_EVENTS"

struct events {
    struct redis *redis;
    char *ring[EVENTS_MAX]; /* As JSON. */
    size_t n;               /* All events of this turn. */
};

struct events *
events_create(struct redis *redis)
{
    struct events *events = check_calloc(1, sizeof *events);

    events->redis = redis;
    return events;
}

void
events_destroy(struct events *events)
{
    if (events) {
        for (size_t i = 0; i < EVENTS_MAX; i++) {
            free(events->ring[i]);
        }
        free(events);
    }
}

void
events_add(struct events *events, const struct event *event)
{
    char **slot = &events->ring[events->n % EVENTS_MAX];
    struct text text = {0};

    text_add(&text, "{\"time\":");
    text_add_json(&text, event->time);
    text_add(&text, ",\"table\":");
    text_add_json(&text, event->table);
    text_add(&text, ",\"key\":");
    text_add_json(&text, event->key);
    text_add(&text, ",\"old\":");
    text_add_json(&text, event->old);
    text_add(&text, ",\"new\":");
    text_add_json(&text, event->new);
    text_add(&text, ",\"reason\":");
    text_add_json(&text, event->reason);
    text_add_char(&text, '}');
    free(*slot);
    *slot = text_take(&text);
    events->n++;
}

/* Writes all events in one command.  Does not send those that the limit of the
 * list would remove at once. */
void
events_flush(struct events *events)
{
    const char *values[EVENTS_MAX] = {NULL};
    const size_t n = events->n;
    const size_t first = n > EVENTS_MAX ? n - EVENTS_MAX : 0;

    if (n == 0) {
        return;
    }
    for (size_t i = first; i < n; i++) {
        values[i - first] = events->ring[i % EVENTS_MAX];
    }
    redis_push(events->redis, STATE_DB, EVENTS_KEY, values, n - first,
               EVENTS_MAX);
    for (size_t i = first; i < n; i++) {
        free(events->ring[i % EVENTS_MAX]);
        events->ring[i % EVENTS_MAX] = NULL;
    }
    events->n = 0;
}
