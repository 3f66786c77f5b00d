/* SPDX-License-Identifier: Apache-2.0 */

/* What the files of adapters do in runs: the fence of fast registrations, the
 * shared FIFO, and that nothing but data differs. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048 };

/* Metres of each of the two links, for round trips of 10 us to 2 ms. */
static const int lengths[] = {500,   1000,  2500,  5000,
                              12500, 25000, 50000, 100000};

enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

/* Returns the time of the light for both links and back. */
static double
round_trip_us(int length_m)
{
    return 4 * 5e-3 * length_m;
}

/* Runs requests of 64 KiB that register, 'depth' at a time, and stores the mean
 * T5 - T1, from posting to completion, in '*latency_us'.  Returns how many have
 * completed in 100 round trips and 25 us each. */
static size_t
run_requests(const char *nic, int length_m, int depth, double *latency_us)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;
    double sum_ps = 0;
    size_t n;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2, rate: 40G}, "
                   "links: {host: %dm}}\n"
                   "hosts: {default: {nic: %s, dcqcn: off, "
                   "rc: {timeout: 20}}}\n"
                   "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
                   "verb: send, size: 64KiB, repeat: inf, depth: %d, "
                   "registers: true}}]\n"
                   "record: {messages: true}\n"
                   "stop: %dus\n",
                   length_m, nic, depth,
                   (int)(100 * (round_trip_us(length_m) + 25)));
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    n = lab->n_messages;
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        sum_ps += (double)(lab->messages[i].end_ps - lab->messages[i].start_ps);
    }
    *latency_us = sum_ps / (double)n / 1e6;
    lab_run_destroy(lab);
    return n;
}

/* Returns Pearson's correlation of the 'n' pairs. */
static double
correlate(const double *x, const double *y, int n)
{
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;

    for (int i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        syy += y[i] * y[i];
        sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) /
           sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

/* T5 - T1 follows the round trip; exactly one SEND completes in each, whatever
 * waits in the queue. */
static void
test_fence_completes_one_request_per_round_trip(void **state)
{
    double trips_us[N_LENGTHS], latencies_us[N_LENGTHS];

    (void)state;
    for (int i = 0; i < N_LENGTHS; i++) {
        double one_us;
        size_t n, n_one;

        trips_us[i] = round_trip_us(lengths[i]);
        n_one = run_requests("gen2-bugs", lengths[i], 1, &one_us);
        n = run_requests("gen2-bugs", lengths[i], 8, &latencies_us[i]);
        assert_in_range(n, n_one, n_one + 1);
        /* Registration, 64 packets and the acknowledgement: 15 to 18 us. */
        assert_true(one_us > trips_us[i] + 15 && one_us < trips_us[i] + 18);
    }
    assert_true(correlate(trips_us, latencies_us, N_LENGTHS) > 0.99);
}

/* Without the fence 8 are on their way, until the link is full. */
static void
test_requests_overlap_without_the_fence(void **state)
{
    (void)state;
    for (int i = 0; i < N_LENGTHS; i++) {
        double one_us, eight_us;
        const size_t one = run_requests("gen2", lengths[i], 1, &one_us);
        const size_t eight = run_requests("gen2", lengths[i], 8, &eight_us);
        /* 64 packets of 1,106 bytes at 40 Gb/s. */
        const size_t most =
            (size_t)(100 * (round_trip_us(lengths[i]) + 25) / 14.157);

        assert_true((double)one <=
                    100 * (round_trip_us(lengths[i]) + 25) / one_us + 1);
        if (one_us > 8 * 14.157) {
            assert_in_range(eight, 8 * one - 16, 8 * one + 8);
        } else {
            assert_in_range(eight, most * 97 / 100, most);
        }
    }
}

/* Returns the hash of a run with congestion and losses in which the adapters
 * have 'keys'. */
static uint64_t
hash_of(const char *keys)
{
    char text[TEXT_SIZE];

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 9, rate: 40G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic:\n"
                   "  - {jitter: 5us, rc: {pattern: incast, from: "
                   "'h-0-[1..8]', to: h-0-0, size: 1MB, qps: 2, "
                   "registers: true}}\n"
                   "  - {rc: {pattern: permutation, size: 300KB, repeat: 3}}\n"
                   "faults: [{loss: 1e-3, link: h-0-1.t0-0}]\n"
                   "record: {messages: true}\n"
                   "stop: 30ms\n",
                   keys);
    return lab_run_hash(text, 0);
}

/* gen2 with the keys of gen1 is gen1, to the bit; with one less it is not. */
static void
test_generations_are_nothing_but_data(void **state)
{
    static const char *const less[] = {
        "nic: gen2, pcie: gen3x8, burst: 16, rc: {recovery_delay: 300us}, "
        "caches: {contexts: 1024, mtt: 2048, overlap: 1}",
        "nic: gen2, pcie: gen3x8, dcqcn: {np_mode: window, np_gap: 50us, "
        "cut_window: 0}, rc: {recovery_delay: 300us}, "
        "caches: {contexts: 1024, mtt: 2048, overlap: 1}",
        "nic: gen2, pcie: gen3x8, dcqcn: {np_mode: window, np_gap: 50us, "
        "cut_window: 0}, burst: 16, "
        "caches: {contexts: 1024, mtt: 2048, overlap: 1}",
        "nic: gen2, pcie: gen3x8, dcqcn: {np_mode: window, np_gap: 50us, "
        "cut_window: 0}, burst: 16, rc: {recovery_delay: 300us}, "
        "caches: {contexts: 1024, mtt: 2048, overlap: 8}",
    };
    const uint64_t gen1 = hash_of("nic: gen1, pcie: gen3x8");

    (void)state;
    assert_true(hash_of("nic: gen2, pcie: gen3x8, dcqcn: {np_mode: window, "
                        "np_gap: 50us, cut_window: 0}, burst: 16, "
                        "rc: {recovery_delay: 300us}, "
                        "caches: {contexts: 1024, mtt: 2048, overlap: 1}") ==
                gen1);
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++) {
        assert_true(hash_of(less[i]) != gen1);
    }
    assert_true(hash_of("nic: gen2, pcie: gen3x8, fmr: {fence: true}, "
                        "shared_fifo: true") ==
                hash_of("nic: gen2-bugs, pcie: gen3x8"));
    assert_true(hash_of("nic: gen2-fixed, rc: {recovery: selective, "
                        "recovery_delay: 0}") == hash_of("nic: gen3-fixed"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fence_completes_one_request_per_round_trip),
        cmocka_unit_test(test_requests_overlap_without_the_fence),
        cmocka_unit_test(test_generations_are_nothing_but_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
