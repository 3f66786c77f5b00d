/* SPDX-License-Identifier: Apache-2.0 */

/* Streams of random numbers. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/event/event.h"
#include "twin/event/random_stream.h"

/* The vectors of philox4x32 with 10 rounds in kat_vectors, which the authors
 * of Random123 publish. */
static void
test_known_answers(void **state)
{
    static const struct {
        uint32_t counter[4];
        uint32_t key[2];
        uint32_t words[4];
    } cases[] = {
        {{0, 0, 0, 0},
         {0, 0},
         {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t *counter = cases[i].counter;
        uint32_t words[4];

        random_stream_block((uint64_t)cases[i].key[1] << 32 | cases[i].key[0],
                            counter[2], (enum random_purpose)counter[3],
                            (uint64_t)counter[1] << 32 | counter[0], words);
        assert_memory_equal(words, cases[i].words, sizeof words);
    }
}

/* Words come in order, and a stream gives what random access gives. */
static void
test_stream_is_a_sequence_of_blocks(void **state)
{
    struct random_stream stream;
    struct random_stream wide;

    (void)state;
    random_stream_init(&stream, 7, 3, RANDOM_WRED);
    random_stream_init(&wide, 7, 3, RANDOM_WRED);
    for (uint64_t block = 0; block < 1000; block++) {
        uint32_t words[4];

        random_stream_block(7, 3, RANDOM_WRED, block, words);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(random_stream_u32(&stream), words[i]);
        }
        assert_true(random_stream_u64(&wide) ==
                    ((uint64_t)words[1] << 32 | words[0]));
        assert_true(random_stream_u64(&wide) ==
                    ((uint64_t)words[3] << 32 | words[2]));
    }
}

/* Counts equal words of two streams. */
static int
count_equal(struct random_stream a, struct random_stream b)
{
    int n = 0;

    for (int i = 0; i < 1000; i++) {
        n += random_stream_u32(&a) == random_stream_u32(&b);
    }
    return n;
}

static void
test_streams_differ(void **state)
{
    struct random_stream stream;
    struct random_stream other;

    (void)state;
    random_stream_init(&stream, 1, 1, RANDOM_WRED);
    other = stream;
    assert_int_equal(count_equal(stream, other), 1000);
    random_stream_init(&other, 2, 1, RANDOM_WRED);
    assert_int_equal(count_equal(stream, other), 0);
    random_stream_init(&other, 1, 2, RANDOM_WRED);
    assert_int_equal(count_equal(stream, other), 0);
    random_stream_init(&other, 1, 1, RANDOM_LOSS);
    assert_int_equal(count_equal(stream, other), 0);
    random_stream_init(&other, 1, EVENT_MAX_ENTITY, RANDOM_WRED);
    assert_int_equal(count_equal(stream, other), 0);
}

/* All limits in this file are five standard deviations. */
static void
test_below_is_uniform(void **state)
{
    enum { N = 60000, SIDES = 6 };
    struct random_stream stream;
    int counts[SIDES] = {0};

    (void)state;
    random_stream_init(&stream, 1, 1, RANDOM_TEST);
    for (int i = 0; i < N; i++) {
        const uint64_t side = random_stream_below(&stream, SIDES);

        assert_in_range(side, 0, SIDES - 1);
        counts[side]++;
    }
    for (int i = 0; i < SIDES; i++) {
        assert_in_range(counts[i], 10000 - 457, 10000 + 457);
    }
    assert_int_equal(random_stream_below(&stream, 1), 0);
}

static void
test_chance_has_its_probability(void **state)
{
    enum { N = 40000 };
    struct random_stream stream;
    int quarter = 0;
    int rare = 0;

    (void)state;
    random_stream_init(&stream, 1, 1, RANDOM_TEST);
    for (int i = 0; i < N; i++) {
        quarter += random_stream_chance(&stream, UINT64_C(1) << 30);
        rare += random_stream_rare(&stream, UINT64_C(1) << 62);
        assert_false(random_stream_chance(&stream, 0));
        assert_true(random_stream_chance(&stream, UINT64_C(1) << 32));
        assert_false(random_stream_rare(&stream, 0));
    }
    assert_in_range(quarter, 10000 - 433, 10000 + 433);
    assert_in_range(rare, 10000 - 433, 10000 + 433);
}

static void
test_exponential_has_its_mean(void **state)
{
    enum { N = 40000, MEAN = 1000000 };
    struct random_stream stream;
    uint64_t sum = 0;
    int above = 0;

    (void)state;
    random_stream_init(&stream, 1, 1, RANDOM_PACE);
    for (int i = 0; i < N; i++) {
        const uint64_t drawn = random_stream_exponential(&stream, MEAN);

        sum += drawn;
        above += drawn > 3 * UINT64_C(1000000);
    }
    assert_in_range(sum / N, 975000, 1025000);
    /* e^-3 of them: 1,991, give or take 218. */
    assert_in_range(above, 1773, 2209);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_stream_is_a_sequence_of_blocks),
        cmocka_unit_test(test_streams_differ),
        cmocka_unit_test(test_below_is_uniform),
        cmocka_unit_test(test_chance_has_its_probability),
        cmocka_unit_test(test_exponential_has_its_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
