/* SPDX-License-Identifier: Apache-2.0 */

/* The objects in the order of the graph's table, by number: objects that come
 * or go meanwhile make the walk miss some, which the next round finds. */

#include <config.h>

#include "orchd/reconcile/drift.h"

#include "base/timeline.h"
#include "orchd/reconcile/bounds.h"
#include "orchd/reconcile/differs.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom.h"
#include "sai/deep.h"

/* One object being read. */
struct reading {
    const struct drift *drift;
    struct object *object;
    struct sai_backend *backend;
    size_t n;      /* Drifted attributes. */
    bool repaired; /* Some of them will be set again. */
};

void
drift_start(struct drift *drift, int64_t now)
{
    drift->start = now + drift->options.interval_ns;
    drift->cursor = 0;
}

int64_t
drift_next(const struct drift *drift, const struct graph *graph)
{
    const size_t n = HASH_COUNT(graph->objects);

    if (!drift->options.interval_ns || n == 0) {
        return TIMELINE_NEVER;
    }
    return drift->start +
           drift->options.interval_ns / (int64_t)n * (int64_t)drift->cursor;
}

/* Returns whether SAI says that there is no such object. */
static bool
is_missing(sai_status_t status)
{
    return status == SAI_STATUS_ITEM_NOT_FOUND ||
           status == SAI_STATUS_INVALID_OBJECT_ID;
}

/* Returns whether the switch knows no attribute of 'object'. */
static bool
is_lost(const struct object *object, struct sai_backend *backend)
{
    bool asked = false;

    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];
        sai_attribute_value_t value;
        sai_status_t status;

        if (!slot->held) {
            continue;
        }
        asked = true;
        status = compare_read(object, slot->meta, backend, &value);
        if (status == SAI_STATUS_SUCCESS) {
            deep_fini(slot->meta->kind, &value);
        }
        if (!is_missing(status)) {
            return false;
        }
    }
    return asked;
}

/* Has the next plan make the object anew if it is gone.  Returns whether that
 * can be. */
static bool
replace(const struct reading *reading)
{
    struct object *object = reading->object;

    if (!reading->drift->options.repair || object->class != OBJECT_OWNED) {
        return false;
    }
    object->lost = object->lost || is_lost(object, reading->backend);
    return object->lost;
}

/* Has the next plan set 'slot' to what it is meant to be; 'found' is what it
 * has.  Returns whether that can be. */
static bool
repair(const struct reading *reading, struct slot *slot,
       const sai_attribute_value_t *found)
{
    const bool create_only =
        (slot->meta->flags & METADATA_FLAG_CREATE_ONLY) != 0;

    if (!reading->drift->options.repair ||
        (create_only && reading->object->class != OBJECT_OWNED)) {
        return false;
    }
    if (!create_only) {
        bounds_blur(reading->object, slot, found);
        headroom_blur(reading->object, slot, found);
    }
    slot->uncertain = true;
    return true;
}

static void
on_difference(void *reading_, const struct compare_difference *difference)
{
    struct reading *reading = reading_;
    struct slot *slot = object_slot(reading->object, difference->meta->id);
    bool repaired;

    if ((!difference->found && !is_missing(difference->unread)) ||
        slot_differs(reading->object, slot)) {
        return;
    }
    repaired = difference->found ? repair(reading, slot, difference->found)
                                 : replace(reading);
    reading->repaired |= repaired;
    reading->n++;
    reading->drift->options.differs(reading->drift->options.context, difference,
                                    repaired);
}

/* Reads one object. */
static bool
check(const struct drift *drift, struct object *object,
      struct sai_backend *backend)
{
    struct reading reading = {
        .drift = drift, .object = object, .backend = backend};

    if (!object_exists(object) || object->doubtful) {
        return false;
    }
    (void)compare_object(object, backend, on_difference, &reading);
    drift->options.checked(drift->options.context, object, reading.n);
    if (reading.repaired) {
        graph_mark(object);
    }
    return reading.repaired;
}

bool
drift_turn(struct drift *drift, struct graph *graph,
           struct sai_backend *backend, int64_t now)
{
    struct object *object = graph->objects;
    bool repaired = false;
    size_t n = 0;

    if (drift_next(drift, graph) > now) {
        return false;
    }
    while (object && n < drift->cursor) {
        object = object->hh.next;
        n++;
    }
    for (; object && n < drift->cursor + DRIFT_SLICE; n++) {
        repaired |= check(drift, object, backend);
        object = object->hh.next;
    }
    drift->cursor = n;
    if (!object) {
        drift_start(drift, now);
    }
    return repaired;
}
