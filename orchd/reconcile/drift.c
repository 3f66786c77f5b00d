/* SPDX-License-Identifier: Apache-2.0 */

/* Iterates over the graph's hash table by position.  If objects come or go in
 * the meantime the iteration may miss some; the next round finds them. */

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

/* One object that is being read back. */
struct read_back {
    const struct drift *drift;
    struct object *object;
    struct executor *executor;
    size_t n;              /* Number of drifted attributes. */
    bool unsettled;        /* A change of another attribute is pending. */
    bool repaired;         /* The next plan repairs something. */
    struct object *missed; /* A lost port that is to be created again. */
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
    const size_t n = graph->objects_by_name.n;

    if (!drift->options.interval_ns || n == 0) {
        return TIMELINE_NEVER;
    }
    return drift->start +
           drift->options.interval_ns / (int64_t)n * (int64_t)drift->cursor;
}

/* Returns whether the switch knows none of the attributes of 'object'. */
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

/* Makes the next plan create the object again if the switch has lost it. */
static enum drift_remedy
replace(struct read_back *read_back)
{
    struct object *object = read_back->object;
    struct object *port =
        object->class == OBJECT_CHILD ? object->parent : object;
    struct sai_backend *backend = read_back->executor->backend;

    if (!read_back->drift->options.repair || !is_lost(object, backend)) {
        return DRIFT_LEFT;
    }
    if (object->class == OBJECT_OWNED) {
        object->lost = true;
        return DRIFT_REPAIRED;
    }
    /* Creating it again starts with removing what may be left of it.  That must
     * not hit a port that the device merely fails to read. */
    if (port->class == OBJECT_CLAIMED && is_lost(port, backend) &&
        !ports_is_listed(backend, port->oid)) {
        read_back->missed = port;
        return DRIFT_REPAIRED;
    }
    return DRIFT_IMPOSSIBLE;
}

/* Makes the next plan set 'slot' to its intended value; 'found' is the current
 * one. */
static enum drift_remedy
repair(const struct read_back *read_back, struct slot *slot,
       const sai_attribute_value_t *found)
{
    const bool create_only =
        (slot->meta->flags & METADATA_FLAG_CREATE_ONLY) != 0;

    if (!read_back->drift->options.repair) {
        return DRIFT_LEFT;
    }
    if (create_only && read_back->object->class != OBJECT_OWNED) {
        return DRIFT_IMPOSSIBLE;
    }
    if (!create_only) {
        paired_bounds_blur(read_back->object, slot, found);
        headroom_order_blur(read_back->object, slot, found);
    }
    slot->uncertain = true;
    return DRIFT_REPAIRED;
}

static void
on_difference(void *read_back_, const struct compare_difference *difference)
{
    struct read_back *read_back = read_back_;
    const struct drift_options *options = &read_back->drift->options;
    struct slot *slot = object_slot(read_back->object, difference->meta->id);
    enum drift_remedy remedy;

    if (!difference->found && !compare_is_missing(difference->unread)) {
        return;
    }
    if (slot_differs(read_back->object, slot)) {
        read_back->unsettled = true;
        return;
    }
    if (difference->found && options->excuses &&
        options->excuses(options->excuses_context, read_back->object->oid,
                         difference->meta->id)) {
        return;
    }
    remedy = difference->found ? repair(read_back, slot, difference->found)
                               : replace(read_back);
    read_back->repaired |= remedy == DRIFT_REPAIRED;
    read_back->n++;
    read_back->drift->options.differs(read_back->drift->options.context,
                                      difference, remedy);
}

/* Reads one object. */
static bool
check(const struct drift *drift, struct object *object,
      struct executor *executor)
{
    struct read_back read_back = {
        .drift = drift, .object = object, .executor = executor};

    if (!object_exists(object) || object->removal_uncertain) {
        return false;
    }
    (void)compare_object(object, executor->backend, on_difference, &read_back);
    drift->options.checked(drift->options.context, object, read_back.n,
                           !read_back.unsettled);
    if (read_back.missed) {
        return create_forget_port(executor, read_back.missed);
    }
    if (read_back.repaired) {
        graph_mark(object);
    }
    return read_back.repaired;
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
        object = object->next;
        n++;
    }
    for (; object && n < drift->cursor + DRIFT_SLICE; n++) {
        repaired |= check(drift, object, executor);
        object = object->next;
    }
    drift->cursor = n;
    if (!object) {
        drift->options.rounded(drift->options.context);
        drift_start(drift, now);
    }
    return repaired;
}
