/* SPDX-License-Identifier: Apache-2.0 */

/* A number of events in each turn of the loop, and at most PS_PER_TURN: what
 * polls the switch by its clock shall see the time pass also where nothing
 * happens.
 *
 * The PFC watchdog polls at the moments that are due, as it does offline
 * (offline/offline_watchdog.h), so that both give the same numbers: a turn ends
 * at the next one, the watchdog polls in the turn that follows, and time goes
 * on when the agent has carried out what it has found. */

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

#define PS_PER_TURN (10 * PS_PER_MS)

/* How many turns the time waits for the agent, in case clients never stop
 * writing rows. */
#define CATCH_UP_TURNS 1000

struct advance {
    advance_done_fn *done;
    struct effort effort;
    bool settles;     /* Until it is idle, else */
    int64_t until_ps; /* until this. */
    int64_t turn_ps;  /* Where the turn ends, at most 'until_ps'. */
    bool turn_over;   /* The switch has reached 'turn_ps'. */
    bool is_done;     /* Only the watchdog has still to catch up. */
    int n_waited;     /* Turns, for the agent. */
    uint64_t n_sent;
};

/* Begins a turn at 'turn_ps', where the last one has ended: it ends before the
 * watchdog polls again.  A poll that is due already could not be done, and is
 * not waited for. */
static void
begin_turn(const struct command_context *context, struct advance *advance)
{
    const int64_t now_ps = advance->turn_ps;
    const int64_t left_ns = context->state.poll_ns - now_ps / PS_PER_NS;

    advance->turn_over = false;
    advance->turn_ps = advance->until_ps - now_ps > PS_PER_TURN
                           ? now_ps + PS_PER_TURN
                           : advance->until_ps;
    if (left_ns > 0 && left_ns < (advance->turn_ps - now_ps) / PS_PER_NS) {
        advance->turn_ps = now_ps + left_ns * PS_PER_NS;
    }
}

/* Lets time pass for one slice. */
static enum st
pass(const struct command_context *context, struct advance *advance,
     struct err *err)
{
    const uint64_t n = advance->effort.n;
    uint64_t n_sent = 0, is_over = 0;
    sai_status_t status;

    if (advance->turn_over) {
        begin_turn(context, advance);
    }
    effort_begin(&advance->effort);
    if (!advance->settles) {
        status = context->softasic->run_some(advance->turn_ps, n, &is_over);
    } else {
        status = context->softasic->settle_some(n, &n_sent, &is_over);
    }
    if (!is_over) { /* Else there were fewer. */
        effort_end(&advance->effort, n);
    }
    advance->turn_over = is_over && !advance->settles;
    advance->is_done = is_over && advance->turn_ps == advance->until_ps;
    advance->n_sent += n_sent;
    if (status == SAI_STATUS_OBJECT_IN_USE) {
        return err_set(err, ST_INVALID, "usage",
                       "an endless flow is running: stop it first, or let time "
                       "pass with run");
    }
    return switch_query_status(status, advance->settles ? "settle" : "run",
                               err);
}

/* Returns whether the agent has still to carry out what the watchdog has
 * found. */
static bool
waits(const struct command_context *context, struct advance *advance)
{
    if (!context->state.catching_up || advance->n_waited >= CATCH_UP_TURNS) {
        advance->n_waited = 0;
        return false;
    }
    advance->n_waited++;
    return true;
}

static void
pass_some(struct call *call)
{
    const struct command_context *context = call->context;
    struct advance *advance = call->state;
    struct err err = {0};
    enum st st = switch_query_check_soft(context->query, &err);

    if (!st && waits(context, advance)) {
        call_each_turn(call, pass_some);
        return;
    }
    if (!st && advance->is_done) {
        advance->done(call);
        return;
    }
    if (!moment_move(&call->context->moment)) {
        call_each_turn(call, pass_some);
        return;
    }
    st = st ? st : pass(context, advance, &err);
    if (st) {
        call_end(call, &err, NULL);
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
    advance->turn_ps = now_ps;
    advance->turn_over = true;
    call_each_turn(call, pass_some);
}

void
advance_settle(struct call *call, advance_done_fn *done)
{
    begin(call, done)->settles = true;
    call_each_turn(call, pass_some);
}

uint64_t
advance_n_sent(const struct call *call)
{
    const struct advance *advance = call->state;

    return advance->n_sent;
}
