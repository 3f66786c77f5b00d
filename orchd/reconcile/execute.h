/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EXECUTE_H
#define ORCHD_RECONCILE_EXECUTE_H

/* Carries out a plan, step by step, through SAI.
 *
 * Only what SAI accepted enters the graph's record of the ASIC.  If SAI refuses
 * a step, the wanted value stays, with the refusal beside it (refusal.h), and
 * the other steps continue; a step that depends on a refused one is skipped.
 *
 * If a change failed because of the device (not because of the request), the
 * device may or may not have made it.  The value of the slot is then uncertain,
 * and the next plan sets it again even if the row now wants the old value.
 *
 * Consecutive steps that do the same to several objects of a type (create them,
 * remove them, or set one attribute: the profile of all queues) go to SAI in
 * one call; each result is handled separately.
 *
 * If the device does not know or support an optional attribute, the creation
 * leaves it out, and its refusal stands: the rest of the row is applied. */

#include <stddef.h>
#include <stdint.h>

#include "orchd/reconcile/executor.h"
#include "orchd/reconcile/plan.h"

/* The most objects in one call. */
enum { EXECUTE_BATCH = 4096 };

/* Executes at most 'budget' further steps of 'plan' at time 'now'.  Returns how
 * many it executed; if fewer, the plan is complete. */
size_t execute_steps(struct executor *executor, struct plan *plan,
                     size_t budget, int64_t now);

#endif /* orchd/reconcile/execute.h */
