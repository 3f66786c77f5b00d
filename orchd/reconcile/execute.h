/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EXECUTE_H
#define ORCHD_RECONCILE_EXECUTE_H

/* Carries out a plan, step by step, through SAI.
 *
 * Only what SAI accepted enters the graph's memory of the ASIC.  A step that
 * is refused leaves the wish standing with the refusal beside it (refusal.h),
 * and the other steps go on; a step that needs what a refused one should have
 * made is passed over.
 *
 * A change that failed for a reason of the device's own may have been made or
 * not.  What the slot holds is then uncertain, and it is set once more even if
 * the row meanwhile wants back what was there before.
 *
 * Steps in a row that do the same to several objects of a type (create or
 * remove them, or set one attribute: a profile of all its queues) go to SAI
 * together, and are judged one by one.
 *
 * An attribute that the device does not know or support is left out of a
 * creation, unless it is mandatory, and stays refused: the rest of the row is
 * applied. */

#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/executor.h"
#include "orchd/reconcile/plan.h"

/* Most objects that are set at once. */
enum { EXECUTE_BATCH = 4096 };

/* Executes at most 'budget' further steps of 'plan' at time 'now'.  Returns
 * how many it executed; fewer means that the plan is done. */
size_t execute_steps(struct executor *executor, struct plan *plan,
                     size_t budget, int64_t now);

#endif /* orchd/reconcile/execute.h */
