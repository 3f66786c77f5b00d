/* SPDX-License-Identifier: Apache-2.0 */

/* Whatever storms come, and however they are polled: see storm_trial.h.  The
 * number of a trial that fails is its seed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/storm_trial.h"

enum { N_TRIALS = 2000 };

static void
test_storms_are_distinguished_from_pauses(void **state)
{
    unsigned int n_storms = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_TRIALS; seed++) {
        struct storm_trial trial;

        storm_trial_run(&trial, seed);
        n_storms += trial.n_storms;
        if (trial.n_misses || trial.n_false || trial.n_flaps ||
            trial.n_overdue) {
            fail_msg("seed %d, rule %s, detection %d ms, restoration %d ms, "
                     "poll %d ms: %u missed, %u false, %u restored too early, "
                     "%u too late",
                     (int)seed, trial.rule, (int)(trial.detection_ns / 1000000),
                     (int)(trial.restoration_ns / 1000000),
                     (int)(trial.poll_ns / 1000000), trial.n_misses,
                     trial.n_false, trial.n_flaps, trial.n_overdue);
        }
    }
    /* The trials would prove nothing without storms in them. */
    assert_true(n_storms > N_TRIALS);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_storms_are_distinguished_from_pauses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
