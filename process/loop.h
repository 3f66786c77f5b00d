/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_LOOP_H
#define ORCHD_PROCESS_LOOP_H

/* The event loop: libevent for sockets, a timeline for timers, one clock.
 *
 * Motivation: logic gets the time as an argument, so that tests and the
 * simulator can choose it.  This module is the only one that reads a clock.  It
 * owns the timeline of the process (nanoseconds of CLOCK_MONOTONIC) and arms
 * one libevent timer at timeline_next(); no other module has timers in
 * libevent.
 *
 * In each turn the loop waits for a socket, a signal or the next timer, runs
 * the handlers of all that is ready, runs the timers that are due, and calls
 * the turn function.  While that function returns that it has work left, the
 * next turn polls instead of waiting, so that I/O continues during long work (a
 * large plan).  Input that arrives in several pieces meanwhile is handled in
 * one turn.
 *
 * The loop reads the clock once per turn, when the time is first needed. */

#include <stdbool.h>
#include <stdint.h>

struct event_base;
struct loop;
struct timeline;

/* Called at the end of each turn with the time of the turn.  Returns whether
 * work is left that needs no further input. */
typedef bool loop_turn_fn(void *context, int64_t now);

/* Creates a loop; ignores SIGPIPE for the process and stops on SIGINT and
 * SIGTERM while it runs.  NULL if the system has no event mechanism. */
struct loop *loop_create(void);

/* Frees 'loop' and its timeline.  Destroy the owners of its events and timers
 * before.  Accepts NULL. */
void loop_destroy(struct loop *loop);

/* Return the libevent base, for sockets, and the timeline, for timers.
 * Borrowed. */
struct event_base *loop_base(struct loop *loop);
struct timeline *loop_timeline(struct loop *loop);

/* Returns the time of this turn in nanoseconds of CLOCK_MONOTONIC. */
int64_t loop_now(struct loop *loop);

/* Returns the time of day of this turn, in nanoseconds since 1970, UTC.  Use it
 * only in output for people (wallclock.h), because it can jump. */
int64_t loop_wall(struct loop *loop);

/* Sets the turn function; NULL for none. */
void loop_on_turn(struct loop *loop, loop_turn_fn *turn, void *context);

/* Runs a turn whenever 'fd' is readable; the turn function must read it empty.
 * Call this once at most.  'fd' is borrowed and must outlive the loop. */
void loop_wake_on(struct loop *loop, int fd);

/* Sets the function that SIGHUP calls; without it SIGHUP ends the process. Call
 * this once at most. */
typedef void loop_hangup_fn(void *context);
void loop_on_hangup(struct loop *loop, loop_hangup_fn *on_hangup,
                    void *context);

/* Runs turns until loop_stop(), SIGINT or SIGTERM. */
void loop_run(struct loop *loop);

/* Makes loop_run() return after this turn. */
void loop_stop(struct loop *loop);

#endif /* process/loop.h */
