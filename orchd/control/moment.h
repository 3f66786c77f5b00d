/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_MOMENT_H
#define ORCHD_CONTROL_MOMENT_H

/* One moment of the switch, for calls that need several turns to read it.
 *
 * The twin's time stands still unless a call moves it.  So while a call reads,
 * those that send traffic, let time pass, or clear counters wait: what the call
 * reads is of one moment of the twin's time.  Rows keep being applied, and a
 * poller that clears watermarks keeps clearing them.
 *
 * Neither side can keep the other one out: a call that wants to read waits if
 * one that moves the time has waited, until that has had its turn.
 *
 * (The time of a switch in another process, or of hardware, passes anyway.) */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed at first; private. */
struct moment {
    size_t n_readers;
    bool is_exclusive;  /* The reader, a single one, changes what it reads, */
    bool was_exclusive; /* or the last one did. */
    uint64_t turn;      /* Number of this turn. */
    uint64_t movers_waited; /* The last turn, + 1, in which one had to wait. */
    uint64_t readers_waited;
};

/* A new turn of the loop begins. */
void moment_turn(struct moment *moment);

/* Return whether a call may begin to read the moment, which it has to end with
 * moment_end(); begin to change it in several turns, which it ends so, too; or
 * move it now, in this turn.  If not, it asks again in the next turn. */
bool moment_hold(struct moment *moment);
bool moment_hold_alone(struct moment *moment);
bool moment_move(struct moment *moment);

/* A call has read what it wanted, or has ended. */
void moment_end(struct moment *moment);

#endif /* orchd/control/moment.h */
