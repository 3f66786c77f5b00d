/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the objects of a slice, and handles the results. */

#include <config.h>

#include "orchd/telemetry/polling/poll_slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/telemetry/polling/supported_counters.h"
#include "sai/core/backend.h"

/* Stores new values, and calls the listener. */
static void
take_values(struct poller *poller, const struct polled_object *object,
            struct polled_reading *reading, const uint64_t *values,
            const struct polled_time *at)
{
    const struct counter_list *list = reading->list;

    if (!reading->values) {
        reading->values = check_calloc(list->n, sizeof *reading->values);
    }
    poller->listener.values(poller->listener.context, object, list, values,
                            reading->known ? reading->values : NULL, at,
                            reading->known ? &reading->at : at);
    memcpy(reading->values, values, list->n * sizeof *values);
    reading->known = true;
    reading->at = *at;
}

void
poll_slice_describe(struct poller *poller, const struct polled_object *object,
                    const struct polled_reading *reading)
{
    poller->listener.described(poller->listener.context, object, reading->list,
                               reading->mode);
}

/* Sets the list of 'reading', and forgets the values of another list. */
static void
use_list(struct polled_reading *reading, const struct counter_list *list)
{
    reading->list = list;
    reading->known = false;
    free(reading->values);
    reading->values = NULL;
}

/* Handles the result of reading the object of 'item'.  If the switch refused
 * it, finds out which counters the object has. */
static void
settle(struct poller *poller, struct group_walk *walk, struct slice_item *item,
       sai_status_t status, uint64_t *values, const struct polled_time *at)
{
    const struct polled_object *object = item->object;
    struct polled_reading *reading = item->reading;
    const struct counter_list *asked = reading->list;
    const enum counter_group group = asked->group;

    if (supported_counters_is_refusal(status) &&
        asked != walk->lists[poller_class_of(object)]) {
        /* Another object of its class has a newer list. */
        use_list(reading, walk->lists[poller_class_of(object)]);
        asked = reading->list;
        status = supported_counters_read(poller, object, reading, asked->n,
                                         asked->ids, values);
    }
    if (supported_counters_is_refusal(status)) {
        status = supported_counters_list(poller, object, reading, values);
        if (reading->list != asked) {
            use_list(reading, reading->list);
        }
    }
    if (reading->mute) {
        if (item->before) {
            poller->listener.gone(poller->listener.context, object, group);
        }
        reading->list = NULL;
    } else if (status) {
        walk->n_failures++;
        reading->list = reading->known ? reading->list : item->before;
        if (!walk->failing) {
            poller->listener.failed(poller->listener.context, object, group,
                                    status);
        }
        walk->failing = true;
    } else {
        walk->proven[poller_class_of(object)] = true;
        if (item->before != reading->list || item->mode != reading->mode) {
            poll_slice_describe(poller, object, reading);
        }
        take_values(poller, object, reading, values, at);
    }
}

/* Prepares 'item' for reading 'object'.  Returns false if it has no counters.
 */
static bool
prepare(struct group_walk *walk, enum counter_group group,
        struct polled_object *object, struct slice_item *item)
{
    const struct counter_list *list = walk->lists[poller_class_of(object)];
    struct polled_reading *reading = object_list_get_reading(object, group);

    if (reading->mute) {
        return false;
    }
    *item = (struct slice_item){.object = object,
                                .reading = reading,
                                .before = reading->list,
                                .mode = reading->mode};
    if (reading->list != list) {
        use_list(reading, list);
    }
    walk->n_reads++;
    return true;
}

/* Reads item 'first' of 'n', and those after it with the same counters and
 * mode, in one call. */
static void
read_together(struct poller *poller, struct group_walk *walk, uint32_t first,
              uint32_t n, const struct polled_time *at)
{
    const struct polled_reading like = *poller->items[first].reading;
    struct backend_stats call = {.type = poller->items[first].object->id.type,
                                 .mode = like.mode,
                                 .keys = poller->keys,
                                 .n_ids = like.list->n,
                                 .ids = like.list->ids,
                                 .values = poller->values,
                                 .statuses = poller->statuses};
    uint32_t members[POLLER_SLICE];

    for (uint32_t i = first; i < n; i++) {
        struct slice_item *item = &poller->items[i];

        if (!item->done && item->reading->list == like.list &&
            item->reading->mode == like.mode) {
            item->done = true;
            poller->keys[call.n].key.object_id = item->object->id.oid;
            members[call.n++] = i;
        }
    }
    (void)backend_get_stats_many(poller->backend, &call);
    for (uint32_t i = 0; i < call.n; i++) {
        settle(poller, walk, &poller->items[members[i]], call.statuses[i],
               call.values + (size_t)i * call.n_ids, at);
    }
}

/* Returns the time of a slice.  Only pauses are measured by the clock of the
 * switch, which costs a call. */
static struct polled_time
read_time(const struct poller *poller, enum counter_group group, int64_t now)
{
    const struct poller_clock *clock = &poller->clock;

    return (struct polled_time){now, clock->now && group == COUNTER_GROUP_PORT
                                         ? clock->now(clock->context)
                                         : now};
}

void
poll_slice_read(struct poller *poller, enum counter_group group,
                const struct object_list *objects, size_t *cursor, int64_t now)
{
    struct group_walk *walk = &poller->walks[group];
    const struct polled_time at = read_time(poller, group, now);
    uint32_t n = 0;

    for (uint32_t i = 0; i < walk->slice && *cursor < objects->n; i++) {
        struct polled_object *object = &objects->entries[(*cursor)++]->object;
        struct slice_item *item = &poller->items[n];

        if (!prepare(walk, group, object, item)) {
            continue;
        }
        if (walk->proven[poller_class_of(object)]) {
            n++;
            continue;
        }
        settle(poller, walk, item,
               supported_counters_read(
                   poller, object, item->reading, item->reading->list->n,
                   item->reading->list->ids, poller->values),
               poller->values, &at);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!poller->items[i].done) {
            read_together(poller, walk, i, n, &at);
        }
    }
}
