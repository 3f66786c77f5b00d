/* SPDX-License-Identifier: Apache-2.0 */

/* A number of events in each turn of the loop, and at most PS_PER_TURN: what
 * polls the switch by its clock, as the PFC watchdog, shall see the time pass
 * also where nothing happens. */

#include <config.h>

#include "orchd/control/advance.h"

#include <stdbool.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "orchd/control/command.h"
#include "orchd/control/effort.h"
#include "orchd/switch/switch_query.h"
#include "vendors/softasic/softasic.h"

/* In the first turn; less than a millisecond. */
#define FIRST_EVENTS 1024

/* A tenth of the shortest interval at which the PFC watchdog polls. */
#define PS_PER_TURN (10 * PS_PER_MS)

struct advance {
    advance_done_fn *done;
    struct effort effort;
    bool settles;     /* Until it is idle, else */
    int64_t until_ps; /* until this. */
    int64_t turn_ps;  /* Where the turn ends, at most 'until_ps'. */
    uint64_t n_sent;
};

/* Begins a turn at 'now_ps'. */
static void
begin_turn(struct advance *advance, int64_t now_ps)
{
    advance->turn_ps = advance->until_ps - now_ps > PS_PER_TURN
                           ? now_ps + PS_PER_TURN
                           : advance->until_ps;
}

/* Lets time pass for one slice.  '*is_done': it was the last. */
static enum st
pass(const struct command_context *context, struct advance *advance,
     uint64_t *is_done, struct err *err)
{
    const uint64_t n = advance->effort.n;
    uint64_t n_sent = 0;
    sai_status_t status;

    effort_begin(&advance->effort);
    if (!advance->settles) {
        status = context->softasic->run_some(advance->turn_ps, n, is_done);
    } else {
        status = context->softasic->settle_some(n, &n_sent, is_done);
    }
    if (!*is_done) { /* Else there were fewer. */
        effort_end(&advance->effort, n);
    }
    if (*is_done && advance->turn_ps < advance->until_ps) {
        begin_turn(advance, advance->turn_ps);
        *is_done = 0;
    }
    advance->n_sent += n_sent;
    if (status == SAI_STATUS_OBJECT_IN_USE) {
        return err_set(err, ST_INVALID, "usage",
                       "an endless flow is running: stop it first, or let time "
                       "pass with run");
    }
    return switch_query_status(status, advance->settles ? "settle" : "run",
                               err);
}

static void
pass_some(struct call *call)
{
    const struct command_context *context = call->context;
    struct advance *advance = call->state;
    uint64_t is_done = 0;
    struct err err = {0};
    enum st st = switch_query_check_soft(context->query, &err);

    if (!moment_move(&call->context->moment)) {
        call_each_turn(call, pass_some);
        return;
    }
    st = st ? st : pass(context, advance, &is_done, &err);
    if (st) {
        call_end(call, &err, NULL);
    } else if (is_done) {
        advance->done(call);
    } else {
        call_each_turn(call, pass_some);
    }
}

static struct advance *
begin(struct call *call, advance_done_fn *done)
{
    struct advance *advance = check_calloc(1, sizeof *advance);

    advance->done = done;
    effort_init(&advance->effort, FIRST_EVENTS, SOFTASIC_EVENTS_MAX);
    call->state = advance;
    return advance;
}

void
advance_run(struct call *call, int64_t ns, advance_done_fn *done)
{
    const struct command_context *context = call->context;
    struct advance *advance = begin(call, done);
    struct err err = {0};
    int64_t now_ps = 0;
    enum st st = switch_query_check_soft(context->query, &err);

    st = st ? st
            : switch_query_status(context->softasic->now(&now_ps), "run", &err);
    if (!st && ns > (INT64_MAX - now_ps) / PS_PER_NS) {
        st = err_set(&err, ST_INVALID, "usage",
                     "%lld ns is too long: the time of the switch ends before",
                     (long long)ns);
    }
    if (st) {
        call_end(call, &err, NULL);
        return;
    }
    advance->until_ps = now_ps + ns * PS_PER_NS;
    begin_turn(advance, now_ps);
    pass_some(call);
}

void
advance_settle(struct call *call, advance_done_fn *done)
{
    begin(call, done)->settles = true;
    pass_some(call);
}

uint64_t
advance_n_sent(const struct call *call)
{
    const struct advance *advance = call->state;

    return advance->n_sent;
}
