/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_DEADLOCK_H
#define ORCHD_TWIN_QOS_DEADLOCK_H

/* A queue that finds out by itself that it is paused for good, and goes on all
 * the same: deadlock detection (DLD) and recovery (DLR), as switches have them
 * in hardware.
 *
 *            paused, with something to send, for the detection time
 *     ALIVE -------------------------------------------------------> DEAD
 *           <-------------------------------------------------------
 *              not paused for the recovery time
 *
 * While it is dead pauses do not hold the queue: what it has, and gets, is sent
 * or discarded.  The pauses that come meanwhile are followed all the same, and
 * one that comes starts the recovery time anew, so that a storm that lasts is
 * one deadlock and not one after the other.
 *
 * SAI leaves open what the recovery time begins with; there are chips that let
 * it begin with the detection and end whatever is received.
 *
 * Recovery can also be ordered ('manual'); then nothing is detected, and it
 * lasts until the order ends.
 *
 * Time is given by the caller, in picoseconds, and does not go back.  Who owns
 * one asks deadlock_next_ps() when to call deadlock_follow().
 *
 * Reference: IEEE 802.1Q-2018 clause 36 (which has no bound on repeated
 * pauses); the attributes PFC_TC_DLD_INTERVAL, PFC_TC_DLR_INTERVAL,
 * ENABLE_PFC_DLDR and PFC_DLR_INIT of SAI. */

#include <stdbool.h>
#include <stdint.h>

struct deadlock_config {
    bool enabled; /* Deadlocks are detected. */
    bool manual;  /* Recovery is ordered. */
    bool drops;   /* Recovery discards frames; else it sends them. */
    int64_t detection_ps;
    int64_t recovery_ps;
};

/* Starts zeroed.  The members are for reading. */
struct deadlock {
    struct deadlock_config config;
    bool dead;        /* Detected, and not over. */
    bool runs;        /* A time does: that of detection, or of recovery. */
    int64_t since_ps; /* Valid while it runs. */
};

enum deadlock_event {
    DEADLOCK_NOTHING,
    DEADLOCK_DETECTED,
    DEADLOCK_RECOVERED,
};

/* Changes what is to be done, from 'now_ps' on; a time that runs goes on.  One
 * that is not to be detected any more is over. */
enum deadlock_event deadlock_configure(struct deadlock *deadlock,
                                       const struct deadlock_config *config);

/* Follows the queue: whether it is 'paused' from 'now_ps' on, and is 'waiting',
 * that is, has something to send. */
enum deadlock_event deadlock_follow(struct deadlock *deadlock, bool paused,
                                    bool waiting, int64_t now_ps);

/* Returns whether pauses are not to hold the queue. */
bool deadlock_recovers(const struct deadlock *deadlock);

/* Returns when something follows if all stays as it is, INT64_MAX if nothing
 * does. */
int64_t deadlock_next_ps(const struct deadlock *deadlock);

#endif /* twin/qos/deadlock.h */
