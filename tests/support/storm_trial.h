/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_STORM_TRIAL_H
#define ORCHD_TESTS_SUPPORT_STORM_TRIAL_H

/* Random storms against a detector, judged by an oracle that knows them.
 *
 * A trial draws a rule, times, a way of polling (jittered, now and then not at
 * all) and a series of pauses, some longer and some shorter than the detection
 * time, some in bursts, some that end in frames that end pauses.  The oracle
 * looks at the series alone.  With G, the longest time between two samples:
 *
 *   - a pause longer than D + G is detected, at most G + D after it began;
 *   - what is detected has lasted for D at least;
 *   - a storm is not restored while it lasts, nor before it was over for R;
 *   - and it is restored at most R + G after it ended, if nothing follows (up
 *     to R later, if pauses go on that pause nothing: they need a probe). */

#include <stddef.h>
#include <stdint.h>

enum { STORM_TRIAL_LATENCIES = 32 };

struct storm_trial {
    /* Of this trial. */
    const char *rule;
    int64_t detection_ns, restoration_ns, poll_ns;
    unsigned int n_pauses;

    unsigned int n_storms;  /* That have to be detected. */
    unsigned int n_misses;  /* Of these, not in time. */
    unsigned int n_false;   /* Detected, but too short. */
    unsigned int n_flaps;   /* Restored too early. */
    unsigned int n_overdue; /* Restored too late. */

    /* From the bound (begin + D; end + R) to the verdict. */
    int64_t detection_late_ns[STORM_TRIAL_LATENCIES];
    size_t n_detections;
    int64_t restoration_late_ns[STORM_TRIAL_LATENCIES];
    size_t n_restorations;
};

/* Runs the trial of 'seed'. */
void storm_trial_run(struct storm_trial *trial, uint64_t seed);

#endif /* tests/support/storm_trial.h */
