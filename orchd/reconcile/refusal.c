/* SPDX-License-Identifier: Apache-2.0 */

/* Records refusals, and decides when each is worth another try.
 *
 * Three things make a refusal due; the cost of each depends on the number of
 * refusals, not of objects.  Time: one timer per object.  Freed resources,
 * which may help any of them: a pass over the list of refused objects.  A
 * change of what the object refers to: the same pass compares two counts of
 * accepted changes. */

#include <config.h>

#include "orchd/reconcile/refusal.h"

#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/status.h"

/* Returns whether 'refusal' may succeed after some time. */
static bool
may_succeed_later(const struct refusal *refusal)
{
    return refusal->status != SAI_STATUS_SUCCESS &&
           st_retry(st_from_sai(refusal->status)) != ST_RETRY_NEVER;
}

/* The back-off is over: all refusals of the object that time may help become
 * due, so one timer per object is enough. */
static void
retry_fire(struct timer *timer, int64_t when)
{
    struct retry *retry = timer->owner;
    struct object *object = retry->object;

    (void)when;
    object->refusal.due |= may_succeed_later(&object->refusal);
    for (size_t i = 0; i < object->n_slots; i++) {
        struct refusal *refusal = &object->slots[i].refusal;

        refusal->due |= may_succeed_later(refusal);
    }
    graph_mark(object);
}

static int64_t
backoff_ns(unsigned int attempts)
{
    int64_t wait = REFUSAL_RETRY_MIN_NS;

    for (unsigned int i = 1; i < attempts && wait < REFUSAL_RETRY_MAX_NS; i++) {
        wait *= 2;
    }
    return wait < REFUSAL_RETRY_MAX_NS ? wait : REFUSAL_RETRY_MAX_NS;
}

/* Returns the retry of 'object', creating it if needed. */
static struct retry *
retry_make(struct object *object)
{
    struct retry *retry = object->retry;

    if (!retry) {
        object->retry = retry = check_calloc(1, sizeof *retry);
        retry->object = object;
        retry->timer.fire = retry_fire;
        retry->timer.owner = retry;
        DL_APPEND2(object->graph->refused, retry, previous, next);
    }
    return retry;
}

void
refusal_note(struct object *object, struct refusal *refusal,
             sai_status_t status, struct timeline *timeline, int64_t now)
{
    struct timer *timer = &retry_make(object)->timer;

    refusal->status = status;
    refusal->attempts++;
    refusal->due = false;
    refusal->at = object->graph->n_accepted;
    if (may_succeed_later(refusal)) {
        int64_t when = now + backoff_ns(refusal->attempts);

        /* Another refusal of the object may be due earlier. */
        if (!timer_pending(timer) || when < timer->when) {
            timeline_set(timeline, timer, when);
        }
    }
    graph_mark(object);
}

void
refusal_forget(struct refusal *refusal)
{
    memset(refusal, 0, sizeof *refusal);
}

bool
refusal_stands(const struct refusal *refusal)
{
    return refusal->status != SAI_STATUS_SUCCESS && !refusal->due;
}

void
refusal_settle(struct object *object, struct timeline *timeline)
{
    if (object->refusal.status != SAI_STATUS_SUCCESS) {
        return;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        if (object->slots[i].refusal.status != SAI_STATUS_SUCCESS) {
            return;
        }
    }
    if (object->retry) {
        timeline_cancel(timeline, &object->retry->timer);
    }
}

void
refusal_note_change(struct object *object)
{
    object->accepted_at = ++object->graph->n_accepted;
}

/* Returns whether 'refusal' may succeed once something else is freed: resources
 * were lacking, or something was in the way. */
static bool
may_succeed_after_release(const struct refusal *refusal)
{
    enum st status = st_from_sai(refusal->status);

    return refusal->status != SAI_STATUS_SUCCESS &&
           (status == ST_NO_RESOURCE || st_retry(status) == ST_RETRY_EDGE);
}

/* Returns whether an object that 'slot' wants to refer to has changed since
 * 'refusal'. */
static bool
target_changed(const struct slot *slot, const struct refusal *refusal)
{
    const struct edge *edges;

    if (!slot->want || !slot->want->n_refs) {
        return false;
    }
    edges = source_edges(slot->source, slot->want);
    for (size_t i = 0; i < slot->want->n_refs; i++) {
        if (edges[i].object->accepted_at > refusal->at) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'object' has changed since 'refusal' of a value that it may
 * accept now: devices check attributes against each other. */
static bool
sibling_changed(const struct object *object, const struct refusal *refusal)
{
    return object->accepted_at > refusal->at &&
           st_from_sai(refusal->status) == ST_INVALID;
}

void
refusal_make_due(struct graph *graph)
{
    struct retry *retry;

    DL_FOREACH2(graph->refused, retry, next)
    {
        struct object *object = retry->object;

        object->refusal.due = object->refusal.status != SAI_STATUS_SUCCESS;
        for (size_t i = 0; i < object->n_slots; i++) {
            struct refusal *refusal = &object->slots[i].refusal;

            refusal->due = refusal->status != SAI_STATUS_SUCCESS;
        }
        graph_mark(object);
    }
}

/* Makes those refusals of 'object' due whose cause may be gone; 'freed' says
 * whether resources were freed.  Returns whether anything of it is refused.
 *
 * One that is due already may wait for another change (execute.c): marking the
 * object again would only repeat the plan that has skipped it. */
static bool
reconsider(struct object *object, bool freed)
{
    bool any = object->refusal.status != SAI_STATUS_SUCCESS;
    bool due = freed && may_succeed_after_release(&object->refusal);

    for (size_t i = 0; i < object->n_slots; i++) {
        struct slot *slot = &object->slots[i];
        struct refusal *refusal = &slot->refusal;

        /* A creation may have failed because of any of its references. */
        if (object->refusal.status != SAI_STATUS_SUCCESS) {
            due |= target_changed(slot, &object->refusal);
        }
        if (refusal->status != SAI_STATUS_SUCCESS) {
            any = true;
            if (!refusal->due &&
                ((freed && may_succeed_after_release(refusal)) ||
                 target_changed(slot, refusal) ||
                 sibling_changed(object, refusal))) {
                refusal->due = true;
                graph_mark(object);
            }
        }
    }
    if (due && !object->refusal.due) {
        object->refusal.due = true;
        graph_mark(object);
    }
    return any;
}

void
refusal_reconsider(struct graph *graph, bool freed)
{
    struct retry *retry, *next;

    for (retry = graph->refused; retry; retry = next) {
        next = retry->next;
        if (!reconsider(retry->object, freed) &&
            !timer_pending(&retry->timer)) {
            object_drop_retry(retry->object);
        }
    }
}
