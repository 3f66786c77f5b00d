/* SPDX-License-Identifier: Apache-2.0 */

/* The objects in the order of the graph's table, by number: objects that come
 * or go meanwhile make the walk miss some, which the next round finds. */

#include <config.h>

#include "orchd/reconcile/drift.h"

#include "base/timeline.h"
#include "orchd/reconcile/create.h"
#include "orchd/reconcile/executor.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/paired_bounds.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/slot_diff.h"
#include "sai/core/attr_value.h"

/* One object being read. */
struct reading {
    const struct drift *drift;
    struct object *object;
    struct executor *executor;
    size_t n;              /* Drifted attributes. */
    bool unsettled;        /* Others wait to be changed. */
    bool repaired;         /* Some of them will be set again. */
    struct object *missed; /* A port that is gone and to be made again. */
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
            attr_value_fini(slot->meta->kind, &value);
        }
        if (!compare_is_missing(status)) {
            return false;
        }
    }
    return asked;
}

/* Has the next plan make the object anew if it is gone. */
static enum drift_remedy
replace(struct reading *reading)
{
    struct object *object = reading->object;
    struct object *port =
        object->class == OBJECT_CHILD ? object->parent : object;
    struct sai_backend *backend = reading->executor->backend;

    if (!reading->drift->options.repair || !is_lost(object, backend)) {
        return DRIFT_LEFT;
    }
    if (object->class == OBJECT_OWNED) {
        object->lost = true;
        return DRIFT_REPAIRED;
    }
    /* Making it again begins with removing what may be left of it: that must
     * not hit a port of which the device only does not want to tell. */
    if (port->class == OBJECT_CLAIMED && is_lost(port, backend) &&
        !ports_is_listed(backend, port->oid)) {
        reading->missed = port;
        return DRIFT_REPAIRED;
    }
    return DRIFT_IMPOSSIBLE;
}

/* Has the next plan set 'slot' to what it is meant to be; 'found' is what it
 * has. */
static enum drift_remedy
repair(const struct reading *reading, struct slot *slot,
       const sai_attribute_value_t *found)
{
    const bool create_only =
        (slot->meta->flags & METADATA_FLAG_CREATE_ONLY) != 0;

    if (!reading->drift->options.repair) {
        return DRIFT_LEFT;
    }
    if (create_only && reading->object->class != OBJECT_OWNED) {
        return DRIFT_IMPOSSIBLE;
    }
    if (!create_only) {
        paired_bounds_blur(reading->object, slot, found);
        headroom_order_blur(reading->object, slot, found);
    }
    slot->uncertain = true;
    return DRIFT_REPAIRED;
}

static void
on_difference(void *reading_, const struct compare_difference *difference)
{
    struct reading *reading = reading_;
    struct slot *slot = object_slot(reading->object, difference->meta->id);
    enum drift_remedy remedy;

    if (!difference->found && !compare_is_missing(difference->unread)) {
        return;
    }
    if (slot_differs(reading->object, slot)) {
        reading->unsettled = true;
        return;
    }
    remedy = difference->found ? repair(reading, slot, difference->found)
                               : replace(reading);
    reading->repaired |= remedy == DRIFT_REPAIRED;
    reading->n++;
    reading->drift->options.differs(reading->drift->options.context, difference,
                                    remedy);
}

/* Reads one object. */
static bool
check(const struct drift *drift, struct object *object,
      struct executor *executor)
{
    struct reading reading = {
        .drift = drift, .object = object, .executor = executor};

    if (!object_exists(object) || object->removal_uncertain) {
        return false;
    }
    (void)compare_object(object, executor->backend, on_difference, &reading);
    drift->options.checked(drift->options.context, object, reading.n,
                           !reading.unsettled);
    if (reading.missed) {
        return create_forget_port(executor, reading.missed);
    }
    if (reading.repaired) {
        graph_mark(object);
    }
    return reading.repaired;
}

bool
drift_turn(struct drift *drift, struct executor *executor, int64_t now)
{
    const struct graph *graph = executor->graph;
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
        repaired |= check(drift, object, executor);
        object = object->hh.next;
    }
    drift->cursor = n;
    if (!object) {
        drift->options.rounded(drift->options.context);
        drift_start(drift, now);
    }
    return repaired;
}
