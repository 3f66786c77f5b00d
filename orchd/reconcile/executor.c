/* SPDX-License-Identifier: Apache-2.0 */

/* Counts and records refusals. */

#include <config.h>

#include "orchd/reconcile/executor.h"

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/refusal.h"

void
executor_refuse(struct executor *executor, struct object *object,
                struct refusal *refusal, sai_status_t status, int64_t now)
{
    executor->n_refused++;
    if (refusal == &object->refusal) {
        object->blocking = SAI_OBJECT_TYPE_NULL;
        if (object->class == OBJECT_CLAIMED && !object_exists(object)) {
            object->port_children->was_refused = true;
        }
    }
    graph_note_lanes(object);
    refusal_note(object, refusal, status, executor->timeline, now);
}
