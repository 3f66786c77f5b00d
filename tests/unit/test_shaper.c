/* SPDX-License-Identifier: Apache-2.0 */

/* The token bucket against its definition, in whole picoseconds. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/qos/shaper.h"

#define N(array)  (sizeof(array) / sizeof((array)[0]))
#define SECOND_PS INT64_C(1000000000000)

__extension__ typedef __int128 wide;

static struct shaper
make(uint64_t rate, uint64_t burst, bool by_packets, int64_t now_ps)
{
    struct shaper shaper = {0};

    shaper_set(&shaper, rate, burst, by_packets, now_ps);
    return shaper;
}

/* Sends 'n' frames as early as each may start, and returns when the last did.
 */
static int64_t
saturate(struct shaper *shaper, uint32_t length, uint64_t n)
{
    int64_t now = 0;

    for (uint64_t i = 0; i < n; i++) {
        const int64_t ready = shaper_ready_ps(shaper);

        now = ready > now ? ready : now;
        shaper_charge(shaper, length, now);
    }
    return now;
}

static void
test_without_a_rate_everything_may_start(void **state)
{
    struct shaper zeroed = {0};
    struct shaper off = make(0, 1000, false, 5);

    (void)state;
    assert_false(shaper_is_on(&zeroed));
    assert_false(shaper_is_on(&off));
    shaper_charge(&off, 1500, 7);
    shaper_drain(&off, 1500, 7);
    assert_true(shaper_ready_ps(&zeroed) == INT64_MIN);
    assert_true(shaper_ready_ps(&off) == INT64_MIN);
}

static void
test_long_run_has_no_drift(void **state)
{
    /* Rates that do and do not divide a second in picoseconds. */
    static const struct {
        uint64_t rate;
        uint64_t burst;
        bool by_packets;
        uint32_t length;
    } cases[] = {
        {1250000000, 64, false, 1500},
        {750000, 64, false, 1000},
        {333333333, 64, false, 65},
        {71993, 64, false, 9000},
        {999999999989, 64, false, 64},
        {12500000000, 1, false, 123},
        {3, 1, true, 64},
        {1488095, 1, true, 64},
        {333333333, 100, false, 65},
        {750000, 0, false, 1000},
        {7, 7, true, 65535},
        {400000000001, 0, false, 1},
    };
    enum { FRAMES = 100000 };

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        struct shaper shaper =
            make(cases[i].rate, cases[i].burst, cases[i].by_packets, 0);
        const int64_t first = saturate(&shaper, cases[i].length, 1);
        const int64_t last = saturate(&shaper, cases[i].length, FRAMES);
        const wide units =
            (wide)FRAMES * (cases[i].by_packets ? 1 : cases[i].length);
        const wide exact =
            (units * SECOND_PS + cases[i].rate - 1) / cases[i].rate;

        if (last - first != exact) {
            fail_msg("case %zu: off by %lld ps", i,
                     (long long)(last - first - exact));
        }
    }
}

static void
test_interval_never_has_more_than_rate_and_burst(void **state)
{
    static const uint32_t lengths[] = {64, 1500, 9000, 300, 64, 64, 576};
    struct shaper shaper = make(1000000, 5000, false, 0);
    int64_t now = 0;
    uint64_t random = 1;
    uint64_t sent = 0;
    uint32_t longest = 9000;

    (void)state;
    /* Idle now and then: what was not used comes back, up to the burst. */
    for (int i = 0; i < 100000; i++) {
        const uint32_t length = lengths[i % (int)N(lengths)];
        const int64_t ready = shaper_ready_ps(&shaper);

        random = random * 6364136223846793005u + 1442695040888963407u;
        if (random >> 60 == 0) {
            now += (int64_t)(random >> 30);
        }
        now = ready > now ? ready : now;
        assert_true((wide)sent * SECOND_PS <=
                    (wide)now * 1000000 + (wide)(5000 + longest) * SECOND_PS);
        shaper_charge(&shaper, length, now);
        sent += length;
    }
}

static void
test_burst_comes_back_after_idleness(void **state)
{
    /* 1 MB/s: a byte is 1 us. */
    struct shaper shaper = make(1000000, 5000, false, 0);
    const int64_t now = SECOND_PS;
    int n = 0;

    (void)state;
    while (shaper_ready_ps(&shaper) <= now) {
        shaper_charge(&shaper, 1000, now);
        n++;
    }
    /* 5,000 bytes are five frames; then it takes a grain to go on. */
    assert_int_equal(n, 5);
    assert_true(shaper_ready_ps(&shaper) - now == 64 * INT64_C(1000000));
}

static void
test_bucket_starts_empty(void **state)
{
    struct shaper bytes = make(1000000, 5000, false, 100);
    struct shaper packets = make(1000, 10, true, 100);

    (void)state;
    assert_true(shaper_ready_ps(&bytes) == 100 + 64 * INT64_C(1000000));
    assert_true(shaper_ready_ps(&packets) == 100 + SECOND_PS / 1000);
}

static void
test_one_byte_per_second_blocks(void **state)
{
    struct shaper shaper = make(1, 0, false, 0);

    (void)state;
    assert_true(shaper_ready_ps(&shaper) == 64 * SECOND_PS);
    shaper_charge(&shaper, 1500, 64 * SECOND_PS);
    assert_true(shaper_ready_ps(&shaper) == 1564 * SECOND_PS);
}

static void
test_extreme_values_do_not_overflow(void **state)
{
    struct shaper fast = make(UINT64_MAX, UINT64_MAX, false, 0);
    struct shaper slow = make(1, UINT64_MAX, false, 0);

    (void)state;
    for (int i = 0; i < 1000; i++) {
        shaper_charge(&fast, SHAPER_MAX_FRAME_BYTES, i);
        shaper_charge(&slow, SHAPER_MAX_FRAME_BYTES, i);
        shaper_drain(&slow, SHAPER_MAX_FRAME_BYTES, i);
    }
    assert_true(shaper_ready_ps(&fast) <= 1000);
    assert_true(shaper_ready_ps(&slow) > 0);
}

static void
test_equal_setting_keeps_the_bucket(void **state)
{
    struct shaper shaper = make(1000000, 0, false, 0);
    int64_t ready;

    (void)state;
    shaper_charge(&shaper, 9000, SECOND_PS);
    shaper_charge(&shaper, 9000, SECOND_PS);
    ready = shaper_ready_ps(&shaper);
    shaper_set(&shaper, 1000000, 0, false, SECOND_PS + 1);
    assert_true(shaper_ready_ps(&shaper) == ready);
    /* Another burst is another bucket, which is empty. */
    shaper_set(&shaper, 1000000, 64, false, SECOND_PS + 1);
    assert_true(shaper_ready_ps(&shaper) ==
                SECOND_PS + 1 + 64 * INT64_C(1000000));
    shaper_set(&shaper, 0, 0, false, SECOND_PS + 1);
    assert_true(shaper_ready_ps(&shaper) == INT64_MIN);
}

static void
test_guarantee_has_no_debt(void **state)
{
    struct shaper charged = make(1000000, 1000, false, 0);
    struct shaper drained = charged;

    (void)state;
    for (int i = 0; i < 10; i++) {
        shaper_charge(&charged, 1000, SECOND_PS);
        shaper_drain(&drained, 1000, SECOND_PS);
    }
    assert_true(shaper_ready_ps(&drained) == SECOND_PS + 64 * INT64_C(1000000));
    assert_true(shaper_ready_ps(&charged) ==
                SECOND_PS + 9064 * INT64_C(1000000));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_rate_everything_may_start),
        cmocka_unit_test(test_long_run_has_no_drift),
        cmocka_unit_test(test_interval_never_has_more_than_rate_and_burst),
        cmocka_unit_test(test_burst_comes_back_after_idleness),
        cmocka_unit_test(test_bucket_starts_empty),
        cmocka_unit_test(test_one_byte_per_second_blocks),
        cmocka_unit_test(test_extreme_values_do_not_overflow),
        cmocka_unit_test(test_equal_setting_keeps_the_bucket),
        cmocka_unit_test(test_guarantee_has_no_debt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
