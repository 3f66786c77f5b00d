/* SPDX-License-Identifier: Apache-2.0 */

/* Random numbers: the published sequence, ranges, distributions. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"

/* Worked out by hand from the definition: with the state 1, 2, 3, 4 the first
 * result is rotl(2 * 5, 7) * 9 = 1280 * 9, and so on. */
static void
test_sequence_is_that_of_the_paper(void **state)
{
    static const uint64_t want[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
    };
    struct random random = {{1, 2, 3, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_true(random_u64(&random) == want[i]);
    }
}

/* The first outputs of splitmix64 for seed 0. */
static void
test_seed_fills_the_state_by_splitmix64(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 0);
    assert_true(random.state[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random.state[1] == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random.state[2] == UINT64_C(0x06c45d188009454f));
    assert_true(random.state[3] == UINT64_C(0xf88bb8a8724c81ec));
}

static void
test_numbers_below_are_below_and_even(void **state)
{
    struct random random;
    uint64_t counts[7] = {0};

    (void)state;
    random_init(&random, 1);
    for (int i = 0; i < 70000; i++) {
        uint64_t x = random_below(&random, 7);

        assert_true(x < 7);
        counts[x]++;
    }
    for (int i = 0; i < 7; i++) {
        /* 10000 expected, standard deviation 93. */
        assert_in_range(counts[i], 9600, 10400);
    }
    assert_int_equal(random_below(&random, 1), 0);
}

/* For 3 * 2^62 a quarter of the 64-bit numbers would come twice if results
 * were merely scaled: the lowest third of them half of the time. */
static void
test_numbers_below_a_huge_bound_are_even_too(void **state)
{
    struct random random;
    uint64_t bound = UINT64_C(3) << 62;
    uint64_t odd = 0;

    (void)state;
    random_init(&random, 2);
    for (int i = 0; i < 30000; i++) {
        uint64_t x = random_below(&random, bound);

        assert_true(x < bound);
        odd += x % 3 == 0;
    }
    /* Scaled without correction x % 3 == 0 comes in 1 of 2 draws. */
    assert_in_range(odd, 9600, 10400);
}

static void
test_exponential_has_its_mean_and_tail(void **state)
{
    enum { N = 200000 };
    struct random random;
    uint64_t sum = 0;
    unsigned int above[4] = {0};
    /* N * e^-k, give or take five standard deviations. */
    static const unsigned int low[4] = {N, 72496, 26305, 9462};
    static const unsigned int high[4] = {N, 74655, 27830, 10453};

    (void)state;
    random_init(&random, 3);
    for (int i = 0; i < N; i++) {
        uint64_t x = random_exponential(&random, 1000000);

        sum += x;
        for (uint64_t k = 0; k < 4; k++) {
            above[k] += x >= k * 1000000;
        }
    }
    /* The standard deviation of the mean is 1000000 / sqrt(N) = 2236. */
    assert_in_range(sum / N, 1000000 - 11180, 1000000 + 11180);
    for (int k = 0; k < 4; k++) {
        assert_in_range(above[k], low[k], high[k]);
    }
    assert_int_equal(random_exponential(&random, 0), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_is_that_of_the_paper),
        cmocka_unit_test(test_seed_fills_the_state_by_splitmix64),
        cmocka_unit_test(test_numbers_below_are_below_and_even),
        cmocka_unit_test(test_numbers_below_a_huge_bound_are_even_too),
        cmocka_unit_test(test_exponential_has_its_mean_and_tail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
