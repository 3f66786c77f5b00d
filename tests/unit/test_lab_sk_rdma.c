/* SPDX-License-Identifier: Apache-2.0 */

/* sK-RDMA between hosts: what I/Os take, credits, losses, flips of bits. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048 };

#define NS INT64_C(1000)
#define US (1000 * NS)
#define MS (1000 * US)

static struct lab_run *
run(const char *keys, const char *sk, const char *rest)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2, rate: 100G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{sk_rdma: {pattern: pairs, from: h-0-0, "
                   "to: h-0-1, %s}}]\n"
                   "record: {messages: true}\n"
                   "%s\n",
                   keys, sk, rest);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    return lab;
}

static uint64_t
count(const struct lab_run *lab, const char *name)
{
    return lab_run_counter(lab, SINK_NONE, name);
}

/* Returns the latency of one I/O. */
static int64_t
measure(const char *keys, const char *sk)
{
    struct lab_run *lab = run(keys, sk, "stop: 50ms");

    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->flows[0].bytes, 8192);
    return lab_run_end_latency(lab);
}

/* The disk, a registration and the work of cores are added to an I/O. */
static void
test_what_an_io_takes(void **state)
{
    static const char on[] =
        "cpu: {rdma_op: 1us, rdma_delay: 3us, rdma_spread: 0}";

    (void)state;
    for (int is_read = 0; is_read < 2; is_read++) {
        const char *sk = is_read ? "size: 8KiB, reads: 1, disk: 9us"
                                 : "size: 8KiB, disk: 9us";
        const char *slow = is_read ? "size: 8KiB, reads: 1, disk: 79us"
                                   : "size: 8KiB, disk: 79us";
        const int64_t least_ps = measure("cpu: off", sk);

        assert_int_equal(measure("cpu: off", slow) - least_ps, 70 * US);
        assert_int_equal(measure("fmr: {time: 9us}", sk) -
                             measure("fmr: {time: 4us}", sk),
                         5 * US);
        /* Work on a request, an answer and, of a disk write, a READ; each is
         * polled at its end.  Without work the READ waits behind the
         * acknowledgement of the request, of 86 bytes on the wire; and the
         * answer of a disk read, of 150, leaves the switch behind the data:
         * the first packet of 1,122, which it has to have, and all of 8,864. */
        assert_int_equal(measure(on, sk) - least_ps,
                         is_read ? 3 * US + 2 * 4 * US -
                                       INT64_C(80) * (1122 + 8864 - 150)
                                 : 3 * US + 3 * 4 * US - INT64_C(80) * 86);
    }
}

/* With one credit the server has one I/O at a time, and no SEND meets an empty
 * receive queue. */
static void
test_credits(void **state)
{
    struct lab_run *lab = run("cpu: off",
                              "size: 4KiB, repeat: 50, depth: 16, credits: 1, "
                              "reads: 1/2, disk: 100us",
                              "stop: 50ms");

    (void)state;
    assert_int_equal(lab->n_messages, 50);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_true(lab->flows[0].end_ps > 50 * 100 * US);
    assert_int_equal(count(lab, "sk.rnr_naks"), 0);
    assert_int_equal(count(lab, "sk.waits_for_credit"), 49);
    assert_int_equal(count(lab, "sk.disk_reads") + count(lab, "sk.disk_writes"),
                     50);
    lab_run_destroy(lab);
}

/* A link that loses packets delays I/Os; one that is down fails them. */
static void
test_losses_and_failures(void **state)
{
    struct lab_run *lab = run(
        "rc: {timeout: 5}", "size: 64KiB, repeat: 200, depth: 8, reads: 1/2",
        "faults: [{loss: 1/500, link: t0-0.h-0-1}]\nstop: 1s");

    (void)state;
    assert_int_equal(lab->n_messages, 200);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_true(lab->flows[0].retransmitted > 0);
    assert_int_equal(count(lab, "sk.crc_errors"), 0);
    lab_run_destroy(lab);
    lab = run("rc: {timeout: 5, retries: 2}",
              "size: 64KiB, repeat: inf, depth: 8",
              "faults: [{down: true, link: t0-0.h-0-1, at: 1ms}]\nstop: 100ms");
    assert_int_equal(lab->flows[0].state, SINK_FLOW_FAILED);
    lab_run_destroy(lab);
}

/* Bits flip in one place, in reads and in writes: they are found there. */
static void
test_flips(void **state)
{
    static const char *const places[] = {
        "client_memory", "client_nic", "switch", "server_nic", "server_memory"};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char sk[256], name[64];
        struct lab_run *lab;

        (void)snprintf(sk, sizeof sk,
                       "size: 999, repeat: 100, depth: 4, reads: 1/2, "
                       "flips: {%s: 1}",
                       places[i]);
        (void)snprintf(name, sizeof name, "sk.found_in_%s", places[i]);
        lab = run("cpu: off", sk, "stop: 50ms");
        assert_int_equal(lab->n_messages, 100);
        assert_int_equal(count(lab, name), 100);
        assert_int_equal(count(lab, "sk.crc_errors"), 100);
        assert_int_equal(count(lab, "sk.misplaced"), 0);
        assert_int_equal(count(lab, "sk.missed"), 0);
        lab_run_destroy(lab);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_an_io_takes),
        cmocka_unit_test(test_credits),
        cmocka_unit_test(test_losses_and_failures),
        cmocka_unit_test(test_flips),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
