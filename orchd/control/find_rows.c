/* SPDX-License-Identifier: Apache-2.0 */

/* A search that owns itself, in the list of its call. */

#include <config.h>

#include "orchd/control/find_rows.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"
#include "process/loop.h"

/* Rows that are looked at in one turn, if they are not listed: one or two
 * milliseconds. */
#define ROWS_PER_TURN 1024

/* What the call owns. */
struct finding {
    struct row_answers answers;
    find_rows_fn *done;
    int64_t patience_end;
};

static void
forget(void *finding_)
{
    struct finding *finding = finding_;

    row_answers_cancel(&finding->answers);
    free(finding);
}

bool
find_rows_must_wait(const struct call *call, int64_t patience_end)
{
    struct agent_figures figures;

    agent_figures(call->context->services.agent, &figures);
    return figures.applied_generation < figures.generation &&
           loop_now(call->context->loop) < patience_end;
}

static void
find_some(struct call *call)
{
    struct finding *finding = call->work;
    json_t *data;

    if (find_rows_must_wait(call, finding->patience_end) ||
        row_answers_continue(&finding->answers, ROWS_PER_TURN)) {
        call_each_turn(call, find_some);
        return;
    }
    call->work = NULL; /* 'done' may start another search, or free the call. */
    data = row_answers_end(&finding->answers);
    finding->done(call, &finding->answers, data);
    free(finding);
}

void
find_rows(struct call *call, const struct row_answers *wanted,
          find_rows_fn *done)
{
    struct finding *finding = check_calloc(1, sizeof *finding);

    orch_assert(!call->work);
    finding->answers = *wanted;
    finding->done = done;
    finding->patience_end = loop_now(call->context->loop) + COMMAND_SETTLE_NS;
    row_answers_begin(&finding->answers, call->context->services.agent);
    call->work = finding;
    call->forget_work = forget;
    find_some(call);
}
