/* SPDX-License-Identifier: Apache-2.0 */

/* Each turn runs libevent once, then the timeline and the turn function. */

#include <config.h>

#include "process/loop.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "base/check.h"
#include "base/timeline.h"

#define NS_PER_S  (INT64_C(1000) * 1000 * 1000)
#define NS_PER_US INT64_C(1000)

static const int stop_signals[] = {SIGINT, SIGTERM};
#define N_STOP_SIGNALS (sizeof stop_signals / sizeof *stop_signals)

struct loop {
    struct event_base *base;
    struct timeline *timeline;
    struct event *alarm; /* Only ends the wait. */
    struct event *signals[N_STOP_SIGNALS];
    struct event *waker;  /* NULL: no descriptor. */
    struct event *hangup; /* NULL: SIGHUP is not handled. */
    loop_hangup_fn *on_hangup;
    void *hangup_context;
    loop_turn_fn *turn;
    void *turn_context;
    bool stop;

    /* The clocks of this turn; valid only while 'read'. */
    bool read;
    int64_t now;
    int64_t wall;
};

/* Only ends the wait; loop_run() does the rest. */
static void
on_alarm(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    (void)context;
}

static void
on_signal(evutil_socket_t number, short what, void *loop)
{
    (void)number;
    (void)what;
    loop_stop(loop);
}

static void
on_hangup_signal(evutil_socket_t number, short what, void *loop_)
{
    struct loop *loop = loop_;

    (void)number;
    (void)what;
    loop->on_hangup(loop->hangup_context);
}

/* Without the precise timer libevent reads a clock with a resolution of some
 * milliseconds, and a timer of 50 ms would be off by a tenth. */
static struct event_base *
base_create(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base;

    orch_assert(config);
    event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

struct loop *
loop_create(void)
{
    struct event_base *base = base_create();
    struct loop *loop;

    if (!base) {
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    loop = check_calloc(1, sizeof *loop);
    loop->base = base;
    loop->timeline = timeline_create();
    loop->alarm = evtimer_new(base, on_alarm, NULL);
    orch_assert(loop->alarm);
    for (size_t i = 0; i < N_STOP_SIGNALS; i++) {
        loop->signals[i] = evsignal_new(base, stop_signals[i], on_signal, loop);
        orch_assert(loop->signals[i]);
        event_add(loop->signals[i], NULL);
    }
    return loop;
}

void
loop_destroy(struct loop *loop)
{
    if (loop) {
        for (size_t i = 0; i < N_STOP_SIGNALS; i++) {
            event_free(loop->signals[i]);
        }
        if (loop->waker) {
            event_free(loop->waker);
        }
        if (loop->hangup) {
            event_free(loop->hangup);
        }
        event_free(loop->alarm);
        timeline_destroy(loop->timeline);
        event_base_free(loop->base);
        free(loop);
    }
}

void
loop_wake_on(struct loop *loop, int fd)
{
    orch_assert(!loop->waker);
    loop->waker =
        event_new(loop->base, fd, EV_READ | EV_PERSIST, on_alarm, NULL);
    orch_assert(loop->waker && !event_add(loop->waker, NULL));
}

void
loop_on_hangup(struct loop *loop, loop_hangup_fn *on_hangup, void *context)
{
    orch_assert(!loop->hangup);
    loop->on_hangup = on_hangup;
    loop->hangup_context = context;
    loop->hangup = evsignal_new(loop->base, SIGHUP, on_hangup_signal, loop);
    orch_assert(loop->hangup);
    event_add(loop->hangup, NULL);
}

struct event_base *
loop_base(struct loop *loop)
{
    return loop->base;
}

struct timeline *
loop_timeline(struct loop *loop)
{
    return loop->timeline;
}

static int64_t
clock_ns(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Reads both clocks at the first call of each turn. */
static void
read_clocks(struct loop *loop)
{
    if (!loop->read) {
        loop->now = clock_ns(CLOCK_MONOTONIC);
        loop->wall = clock_ns(CLOCK_REALTIME);
        loop->read = true;
    }
}

int64_t
loop_now(struct loop *loop)
{
    read_clocks(loop);
    return loop->now;
}

int64_t
loop_wall(struct loop *loop)
{
    read_clocks(loop);
    return loop->wall;
}

void
loop_on_turn(struct loop *loop, loop_turn_fn *turn, void *context)
{
    loop->turn = turn;
    loop->turn_context = context;
}

/* Arms the alarm for the next timer.  'now' is the time of the turn that ends,
 * so the wait may be too long by at most the length of a turn.  A wait that is
 * too short only causes an empty turn. */
static void
arm(struct loop *loop)
{
    int64_t next = timeline_next(loop->timeline);
    int64_t wait_us;
    struct timeval timeout;

    if (next == TIMELINE_NEVER) {
        event_del(loop->alarm);
        return;
    }
    wait_us = next <= loop_now(loop)
                  ? 0
                  : (next - loop_now(loop) + NS_PER_US - 1) / NS_PER_US;
    timeout.tv_sec = (time_t)(wait_us / 1000000);
    timeout.tv_usec = (suseconds_t)(wait_us % 1000000);
    event_add(loop->alarm, &timeout);
}

void
loop_run(struct loop *loop)
{
    bool more = true;

    loop->stop = false;
    while (!loop->stop) {
        arm(loop);
        loop->read = false;
        event_base_loop(loop->base, EVLOOP_ONCE | (more ? EVLOOP_NONBLOCK : 0));
        timeline_run(loop->timeline, loop_now(loop));
        more = loop->turn && loop->turn(loop->turn_context, loop_now(loop));
    }
    loop->read = false;
}

void
loop_stop(struct loop *loop)
{
    loop->stop = true;
}
