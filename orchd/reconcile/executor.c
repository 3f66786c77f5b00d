/* SPDX-License-Identifier: Apache-2.0 */

/* What those share who carry out the steps of a plan. */

#include <config.h>

#include "orchd/reconcile/executor.h"

#include "orchd/reconcile/refusal.h"

void
executor_refuse(struct executor *executor, struct object *object,
                struct refusal *refusal, sai_status_t status, int64_t now)
{
    executor->n_refused++;
    refusal_note(object, refusal, status, executor->timeline, now);
}
