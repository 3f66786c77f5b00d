/* SPDX-License-Identifier: Apache-2.0 */

/* Turns: what is to be read, in which list and mode, and what came of it. */

#include <config.h>

#include "orchd/telemetry/polling/poll_slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/telemetry/polling/supported_counters.h"
#include "sai/core/backend.h"

/* Keeps and tells what was read. */
static void
take_values(struct poller *poller, const struct polled_object *object,
            struct reading *reading, const uint64_t *values, int64_t now)
{
    const struct counter_list *list = reading->list;

    if (!reading->values) {
        reading->values = check_calloc(list->n, sizeof *reading->values);
    }
    poller->sink.values(poller->sink.context, object, list, values,
                        reading->known ? reading->values : NULL, now,
                        reading->when);
    memcpy(reading->values, values, list->n * sizeof *values);
    reading->known = true;
    reading->when = now;
}

void
poll_slice_describe(struct poller *poller, const struct polled_object *object,
                    const struct reading *reading)
{
    poller->sink.described(poller->sink.context, object, reading->list,
                           reading->mode);
}

/* Forgets values that are not those of 'list'. */
static void
use_list(struct reading *reading, const struct counter_list *list)
{
    reading->list = list;
    reading->known = false;
    free(reading->values);
    reading->values = NULL;
}

/* The object of 'turn' was read, with 'status': finds out what it has if it
 * was refused, and tells what came of it. */
static void
settle(struct poller *poller, struct walk *walk, struct turn *turn,
       sai_status_t status, uint64_t *values, int64_t now)
{
    const struct polled_object *object = turn->object;
    struct reading *reading = turn->reading;
    const struct counter_list *asked = reading->list;
    const enum counter_group group = asked->group;

    if (supported_counters_is_refusal(status) &&
        asked != walk->lists[poller_class_of(object)]) {
        /* Another one of its class has found out. */
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
        if (turn->before) {
            poller->sink.gone(poller->sink.context, object, group);
        }
        reading->list = NULL;
    } else if (status) {
        walk->n_failures++;
        reading->list = reading->known ? reading->list : turn->before;
        if (!walk->failing) {
            poller->sink.failed(poller->sink.context, object, group, status);
        }
        walk->failing = true;
    } else {
        walk->proven[poller_class_of(object)] = true;
        if (turn->before != reading->list || turn->mode != reading->mode) {
            poll_slice_describe(poller, object, reading);
        }
        take_values(poller, object, reading, values, now);
    }
}

/* Prepares the reading of 'object' in 'turn'.  Returns false if it has no
 * counters. */
static bool
prepare(struct walk *walk, enum counter_group group,
        struct polled_object *object, struct turn *turn)
{
    const struct counter_list *list = walk->lists[poller_class_of(object)];
    struct reading *reading = object_list_get_reading(object, group);

    if (reading->mute) {
        return false;
    }
    *turn = (struct turn){.object = object,
                          .reading = reading,
                          .before = reading->list,
                          .mode = reading->mode};
    if (reading->list != list) {
        use_list(reading, list);
    }
    walk->n_reads++;
    return true;
}

/* Reads turn 'first' of 'n', and those behind it that are read for the same
 * counters in the same mode. */
static void
read_together(struct poller *poller, struct walk *walk, uint32_t first,
              uint32_t n, int64_t now)
{
    const struct reading like = *poller->turns[first].reading;
    struct backend_stats call = {.type =
                                     poller->turns[first].object->place.type,
                                 .mode = like.mode,
                                 .keys = poller->keys,
                                 .n_ids = like.list->n,
                                 .ids = like.list->ids,
                                 .values = poller->values,
                                 .statuses = poller->statuses};
    uint32_t members[POLLER_SLICE];

    for (uint32_t i = first; i < n; i++) {
        struct turn *turn = &poller->turns[i];

        if (!turn->done && turn->reading->list == like.list &&
            turn->reading->mode == like.mode) {
            turn->done = true;
            poller->keys[call.n].key.object_id = turn->object->place.oid;
            members[call.n++] = i;
        }
    }
    (void)backend_get_stats_many(poller->backend, &call);
    for (uint32_t i = 0; i < call.n; i++) {
        settle(poller, walk, &poller->turns[members[i]], call.statuses[i],
               call.values + (size_t)i * call.n_ids, now);
    }
}

void
poll_slice_read(struct poller *poller, enum counter_group group,
                const struct object_list *roster, int64_t now)
{
    struct walk *walk = &poller->walks[group];
    uint32_t n = 0;

    for (uint32_t i = 0; i < walk->slice && walk->cursor < roster->n; i++) {
        struct polled_object *object =
            &roster->entries[walk->cursor++]->counted;
        struct turn *turn = &poller->turns[n];

        if (!prepare(walk, group, object, turn)) {
            continue;
        }
        if (walk->proven[poller_class_of(object)]) {
            n++;
            continue;
        }
        settle(poller, walk, turn,
               supported_counters_read(
                   poller, object, turn->reading, turn->reading->list->n,
                   turn->reading->list->ids, poller->values),
               poller->values, now);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!poller->turns[i].done) {
            read_together(poller, walk, i, n, now);
        }
    }
}
