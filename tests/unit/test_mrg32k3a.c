/* SPDX-License-Identifier: Apache-2.0 */

/* The random numbers of ns-3, which a comparison with it uses. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/mrg32k3a.h"

/* The first numbers of the package of L'Ecuyer et al. with its default seed. */
static void
test_first_numbers(void **state)
{
    static const double wanted[] = {0.127011, 0.318528, 0.309186};
    struct mrg32k3a generator;

    (void)state;
    mrg32k3a_init(&generator, 12345);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(mrg32k3a_next(&generator) - wanted[i]) < 1e-6);
    }
}

static void
test_jumps_are_steps(void **state)
{
    (void)state;
    for (unsigned int power = 0; power < 12; power++) {
        struct mrg32k3a walks, jumps;

        mrg32k3a_init(&walks, 7);
        jumps = walks;
        for (unsigned int i = 0; i < 1U << power; i++) {
            (void)mrg32k3a_next(&walks);
        }
        mrg32k3a_jump(&jumps, power);
        assert_memory_equal(&walks, &jumps, sizeof walks);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_numbers),
        cmocka_unit_test(test_jumps_are_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
