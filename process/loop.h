/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_LOOP_H
#define ORCHD_PROCESS_LOOP_H

/* The event loop: sockets by libevent, timers by the timeline, one clock.
 *
 * Motivation: logic must not know what time it is, so that tests and the
 * simulator can say.  This module is the only one that reads a clock.  It owns
 * the daemon's timeline (nanoseconds of CLOCK_MONOTONIC) and arms one libevent
 * timer at timeline_next(); nobody else has timers in libevent.
 *
 * A turn is: wait for a socket, a signal or the next timer; run the handlers
 * of whatever is ready; run the timers that are due; call the turn function.
 * While that function says that it has work left, the next turn polls instead
 * of waiting, so that long work (a large plan) leaves room for I/O in between.
 * What has arrived by then is handled in one go, however many pieces it came
 * in.
 *
 * The clock is read once per turn, at the first question for it, and stands
 * still until the turn ends. */

#include <stdbool.h>
#include <stdint.h>

struct event_base;
struct loop;
struct timeline;

/* Called at the end of each turn with the turn's time.  Returns whether work
 * is left that needs no further input. */
typedef bool loop_turn_fn(void *context, int64_t now);

/* Creates a loop; ignores SIGPIPE for the process and stops on SIGINT and
 * SIGTERM while it runs.  NULL if the system has no event mechanism. */
struct loop *loop_create(void);

/* Frees 'loop' and its timeline.  Whoever has events or timers in it must be
 * destroyed before.  Accepts NULL. */
void loop_destroy(struct loop *loop);

/* The libevent base, for sockets; the timeline, for timers.  Borrowed. */
struct event_base *loop_base(struct loop *loop);
struct timeline *loop_timeline(struct loop *loop);

/* Returns the time of this turn in nanoseconds of CLOCK_MONOTONIC. */
int64_t loop_now(struct loop *loop);

/* Returns the time of day of this turn, in nanoseconds since 1970, UTC.  Only
 * for people to read (wallclock.h): it can jump. */
int64_t loop_wall(struct loop *loop);

/* Makes 'turn' the turn function; NULL for none. */
void loop_on_turn(struct loop *loop, loop_turn_fn *turn, void *context);

/* Has a turn whenever 'fd' is readable, which the turn function has to end;
 * once. 'fd' is borrowed, and must outlive the loop. */
void loop_wake_on(struct loop *loop, int fd);

/* Says what is to be done at SIGHUP, once.  Without this it ends the process.
 */
typedef void loop_hangup_fn(void *context);
void loop_on_hangup(struct loop *loop, loop_hangup_fn *on_hangup,
                    void *context);

/* Runs turns until loop_stop() or a signal. */
void loop_run(struct loop *loop);

/* Makes loop_run() return after this turn. */
void loop_stop(struct loop *loop);

#endif /* process/loop.h */
