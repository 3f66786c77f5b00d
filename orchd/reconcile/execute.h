/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EXECUTE_H
#define ORCHD_RECONCILE_EXECUTE_H

/* Carries out a plan, step by step, through SAI.
 *
 * Only what SAI accepted enters the graph's memory of the ASIC.  A step that
 * is refused leaves the wish standing with the refusal beside it, and the
 * other steps go on; a step that needs what a refused one should have made is
 * passed over.  When a refusal is worth another try (st_retry() of its class):
 *
 *   - always when the row changes, or SAI accepts a change of something that
 *     the object refers to;
 *   - if resources were lacking or something was in the way, when any step has
 *     freed something;
 *   - if it may pass with time, after 1 s, doubling up to 60 s; what else of
 *     the same object may pass with time is tried along with it.
 *
 * A change that failed for a reason of the device's own may have been made or
 * not.  What the slot holds is then uncertain, and it is set once more even if
 * the row meanwhile wants back what was there before.
 *
 * An attribute that the device does not know or support is left out of a
 * creation, unless it is mandatory, and stays refused: the rest of the row is
 * applied. */

#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/observer.h"
#include "orchd/reconcile/plan.h"
#include "orchd/reconcile/ports.h"
#include "sai/backend.h"

struct graph;
struct timeline;

#define EXECUTE_RETRY_MIN_NS (INT64_C(1) * 1000 * 1000 * 1000)
#define EXECUTE_RETRY_MAX_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* What carrying out needs.  All pointers are borrowed. */
struct executor {
    struct graph *graph;
    struct sai_backend *backend;
    struct ports *ports;
    struct timeline *timeline;
    const struct observer *observer;
    uint64_t n_calls;
    uint64_t n_refused;
    bool freed; /* A step has freed resources since execute_reconsider(). */
};

/* Executes at most 'budget' further steps of 'plan' at time 'now'.  Returns
 * how many it executed; fewer means that the plan is done. */
size_t execute_steps(struct executor *executor, struct plan *plan,
                     size_t budget, int64_t now);

/* Marks the objects of which something was refused for a reason that may have
 * gone since: steps have freed something, or what they refer to has changed.
 * Cost: proportional to the number of objects of which something is refused. */
void execute_reconsider(struct executor *executor);

#endif /* orchd/reconcile/execute.h */
