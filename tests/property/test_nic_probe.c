/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab probe nic" finds what random adapters have, within 1 %.
 *
 * PROBE_ADAPTERS: how many adapters; the seed of the first is that of the
 * test.  A failure prints the file. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/probe/nic_probe.h"
#include "lab/scenario/nic_files.h"

#define NS INT64_C(1000)

enum { TEXT_SIZE = 1024, FEW = 1, SEED = 45 };

static const struct run_options options = {.yang_dir = TOP_SRCDIR "/schemas",
                                           .chips_dir = TOP_SRCDIR "/chips",
                                           .configs_dir =
                                               TOP_SRCDIR "/lab/configs"};

/* What is hidden. */
struct truth {
    bool per_packet, gap_is_of_qp;
    int64_t np_gap_ns, cut_window_ns, timer_ns, delay_ns, registration_ns;
    uint32_t burst, contexts;
    int recovery; /* enum nic_probe_recovery */
    bool fence, shared_fifo;
};

/* Returns a number of 'low' to 'high', whose logarithm is uniform. */
static int64_t
draw(struct random *random, int64_t low, int64_t high)
{
    int64_t top = low;

    while (top < high && random_u64(random) % 4 != 0) {
        top *= 2;
    }
    top = top > high ? high : top;
    return low + (int64_t)(random_u64(random) % (uint64_t)(top - low + 1));
}

static struct truth
draw_truth(struct random *random)
{
    struct truth truth = {
        .per_packet = random_u64(random) % 4 == 0,
        .gap_is_of_qp = random_u64(random) % 2 == 0,
        .np_gap_ns = 1000 + (int64_t)(random_u64(random) % 400000),
        .cut_window_ns =
            random_u64(random) % 3 ? draw(random, 12000, 400000) : 0,
        .timer_ns = draw(random, 20000, 1500000),
        .delay_ns = draw(random, 500, 900000),
        .registration_ns = draw(random, 100, 20000),
        .burst = (uint32_t)draw(random, 1, 64),
        .contexts = (uint32_t)draw(random, 200, 8000),
        .recovery = (int)(random_u64(random) % 3),
        .fence = random_u64(random) % 2 == 0,
        .shared_fifo = random_u64(random) % 2 == 0,
    };

    return truth;
}

static void
write_file(const struct truth *truth, char text[TEXT_SIZE])
{
    (void)snprintf(
        text, TEXT_SIZE,
        "name: hidden\nabout: x\n"
        "dcqcn: {profile: paper, np_mode: %s, np_gap: %lldns, "
        "cut_window: %lldns, timer: %lldns, byte_reset: 0}\n"
        "burst: %u\nshared_fifo: %s\n"
        "rc: {recovery: %s, recovery_delay: %lldns, ack_every: 16}\n"
        "fmr: {time: %lldns, fence: %s}\ncaches: {contexts: %u}\n",
        truth->per_packet || !truth->gap_is_of_qp ? "per_packet" : "window",
        (long long)(truth->per_packet ? 0 : truth->np_gap_ns),
        (long long)truth->cut_window_ns, (long long)truth->timer_ns,
        truth->burst, truth->shared_fifo ? "true" : "false",
        nic_probe_recovery_name((enum nic_probe_recovery)truth->recovery),
        (long long)truth->delay_ns, (long long)truth->registration_ns,
        truth->fence ? "true" : "false", truth->contexts);
}

/* Checks that 'found' is within 1 % of 'hidden'. */
static void
assert_close(const char *what, const char *text, int64_t found, int64_t hidden)
{
    if (llabs(found - hidden) * 100 > hidden) {
        fail_msg("%s is %lld, found %lld\n%s", what, (long long)hidden,
                 (long long)found, text);
    }
}

static void
assert_same(const char *what, const char *text, int64_t found, int64_t hidden)
{
    if (found != hidden) {
        fail_msg("%s is %lld, found %lld\n%s", what, (long long)hidden,
                 (long long)found, text);
    }
}

static void
check_cnps(const struct truth *truth, const struct nic_probe *found,
           const char *text)
{
    assert_same("notifies", text, found->notifies, true);
    if (truth->per_packet) {
        assert_same("the gap of CNPs", text, found->cnp_gap_ps, 0);
    } else {
        assert_close("the gap of CNPs", text, found->cnp_gap_ps,
                     truth->np_gap_ns * NS);
        assert_same("each QP has one", text, found->gap_is_of_qp,
                    truth->gap_is_of_qp);
    }
}

static void
check_rate(const struct truth *truth, const struct nic_probe *found,
           const char *text)
{
    assert_same("reacts", text, found->reacts, true);
    assert_same("the burst", text, found->burst, truth->burst);
    /* 64 bytes in frames of 142, and 20 on the wire; alpha is 1 at first, so
     * that the rate is 200 Gb/s. */
    assert_same("bytes on the wire", text, found->wire_bytes, 162);
    assert_close("the gap", text, found->burst_gap_ps,
                 INT64_C(162) * 40 * truth->burst);
    assert_close("the timer", text, found->increase_ps, truth->timer_ns * NS);
    if (truth->cut_window_ns) {
        assert_close("the window", text, found->cut_window_ps,
                     truth->cut_window_ns * NS);
    } else {
        assert_same("the window", text, found->cut_window_ps, 0);
    }
    assert_same("the FIFO", text, found->shares_fifo, truth->shared_fifo);
}

static void
check(uint64_t seed)
{
    struct random random;
    struct truth truth;
    char text[TEXT_SIZE];
    struct nic_file file = {"hidden", "hidden.yaml", text, 0};
    struct nic_probe found;
    struct err err = {0};

    random_init(&random, seed);
    truth = draw_truth(&random);
    write_file(&truth, text);
    file.length = strlen(text);
    if (nic_probe(&file, &options, NULL, NULL, &found, &err)) {
        fail_msg("%s\n%s", err.reason, text);
    }
    check_cnps(&truth, &found, text);
    check_rate(&truth, &found, text);
    assert_same("the recovery", text, (int64_t)found.recovery, truth.recovery);
    assert_close("the delay", text, found.recovery_ps, truth.delay_ns * NS);
    assert_close("the number of contexts", text, found.contexts,
                 truth.contexts);
    assert_close("the registration", text, found.registration_ps,
                 truth.registration_ns * NS);
    assert_same("the fence", text, found.registration_fence, truth.fence);
}

static void
test_hidden_adapters_are_found(void **state)
{
    const char *number = getenv("PROBE_ADAPTERS");
    const int n = number ? atoi(number) : FEW;

    (void)state;
    for (int i = 0; i < n; i++) {
        check((uint64_t)(SEED + i));
    }
}

/* An adapter without congestion control, and one with a mistake. */
static void
test_adapters_without_reactions(void **state)
{
    static const char text[] = "name: a\nabout: x\nrc: {recovery: selective}\n",
                      bad[] = "name: a\nabout: x\nburst: 0\n";
    const struct nic_file file = {"a", "a.yaml", text, sizeof text - 1},
                          wrong = {"a", "a.yaml", bad, sizeof bad - 1};
    struct nic_probe found;
    struct err err = {0};

    (void)state;
    assert_int_equal(nic_probe(&file, &options, NULL, NULL, &found, &err),
                     ST_OK);
    assert_false(found.notifies || found.reacts || found.registration_fence);
    assert_int_equal(found.recovery, NIC_PROBE_SELECTIVE);
    assert_int_equal(found.recovery_ps, 0);
    assert_int_equal(found.contexts, 0);
    assert_int_equal(nic_probe(&wrong, &options, NULL, NULL, &found, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "a.yaml:3:8: 'burst'"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hidden_adapters_are_found),
        cmocka_unit_test(test_adapters_without_reactions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
