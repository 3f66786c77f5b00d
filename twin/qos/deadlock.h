/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_DEADLOCK_H
#define ORCHD_TWIN_QOS_DEADLOCK_H

/* PFC deadlock detection (DLD) and recovery (DLR) of a queue, as switches do
 * them in hardware: a queue that is paused for too long ignores pauses for a
 * while.
 *
 *            paused, with something to send, for the detection time
 *     ALIVE -------------------------------------------------------> DEAD
 *           <-------------------------------------------------------
 *              not paused for the recovery time
 *
 * While it is DEAD, pauses do not hold the queue: its frames are sent or
 * discarded.  Pauses are still observed, and each one restarts the recovery
 * time, so a long storm is one deadlock and not a series of them.
 *
 * SAI does not specify when the recovery time begins; on some chips it begins
 * at the detection, and ends regardless of received pauses.
 *
 * Recovery can also be forced ('manual'); it then lasts until 'manual' is
 * cleared, without detection.
 *
 * The caller provides the time in picoseconds, which must not go back.  It
 * calls deadlock_next_ps() to learn when to call deadlock_follow() next.
 *
 * Reference: IEEE 802.1Q-2018 clause 36 (which does not limit repeated pauses);
 * the attributes PFC_TC_DLD_INTERVAL, PFC_TC_DLR_INTERVAL, ENABLE_PFC_DLDR and
 * PFC_DLR_INIT of SAI. */

#include <stdbool.h>
#include <stdint.h>

struct deadlock_config {
    bool enabled; /* Detect deadlocks. */
    bool manual;  /* Force recovery. */
    bool drops;   /* Recovery discards frames instead of sending them. */
    int64_t detection_ps;
    int64_t recovery_ps;
};

/* Zero-initialised.  The members are read-only for users. */
struct deadlock {
    struct deadlock_config config;
    bool dead;        /* A deadlock was detected and is not over. */
    bool runs;        /* The timer runs: that of detection, or of recovery. */
    int64_t since_ps; /* Valid while it runs. */
};

enum deadlock_event {
    DEADLOCK_NOTHING,
    DEADLOCK_DETECTED,
    DEADLOCK_RECOVERED,
};

/* Changes the configuration from 'now_ps' on; a running timer continues.  If
 * detection is disabled, a detected deadlock ends. */
enum deadlock_event deadlock_configure(struct deadlock *deadlock,
                                       const struct deadlock_config *config);

/* Updates the state: from 'now_ps' on the queue is 'paused', and 'waiting' if
 * it has frames to send. */
enum deadlock_event deadlock_follow(struct deadlock *deadlock, bool paused,
                                    bool waiting, int64_t now_ps);

/* Returns whether the queue ignores pauses. */
bool deadlock_recovers(const struct deadlock *deadlock);

/* Returns the time of the next change if the inputs stay the same, INT64_MAX if
 * there is none. */
int64_t deadlock_next_ps(const struct deadlock *deadlock);

#endif /* twin/qos/deadlock.h */
