/* SPDX-License-Identifier: Apache-2.0 */

/* sU-RDMA between hosts: what its modes cost, chunks, losses, failures. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"
#include "twin/transport/rc.h"

enum { TEXT_SIZE = 2048 };

#define NS INT64_C(1000)
#define US (1000 * NS)
#define MS (1000 * US)

static struct lab_run *
create(const char *keys, const char *su, const char *rest)
{
    char text[TEXT_SIZE];

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2, rate: 100G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{su_rdma: {%s}}]\n"
                   "record: {messages: true}\n"
                   "%s\n",
                   keys, su, rest);
    return lab_run_create(text);
}

static struct lab_run *
run(const char *keys, const char *su, const char *rest)
{
    struct lab_run *lab = create(keys, su, rest);

    lab_run_all(lab, 0);
    return lab;
}

/* Returns the latency of the only message from h-0-0 to h-0-1. */
static int64_t
measure(const char *keys, const char *su)
{
    char item[256];
    struct lab_run *lab;

    (void)snprintf(item, sizeof item,
                   "pattern: pairs, from: h-0-0, to: h-0-1, %s", su);
    lab = run(keys, item, "stop: 50ms");
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->n_drops, 0);
    return lab_run_end_latency(lab);
}

static void
test_modes_cost_work(void **state)
{
    static const char on[] =
        "cpu: {rdma_op: 1us, rdma_delay: 3us, rdma_spread: 0}";
    static const char off[] = "cpu: off";

    (void)state;
    /* Posted, and polled when it is acknowledged. */
    assert_int_equal(measure(on, "size: 1KiB, mode: send") -
                         measure(off, "size: 1KiB, mode: send"),
                     2 * US + 3 * US);
    /* Description, READ and "done" are posted and polled, one after the
     * other; and the core polls that the description was sent meanwhile.
     * Without work the READ waits behind the acknowledgement of the
     * description, of 86 bytes on the wire. */
    assert_int_equal(measure(on, "size: 1MiB, mode: read") -
                         measure(off, "size: 1MiB, mode: read"),
                     6 * US + 3 * 3 * US - INT64_C(86) * 80);
    /* The second request is posted 1 us after the first, which is on the wire
     * for 0.1 us. */
    assert_in_range(measure(on, "size: 1KiB, mode: write") -
                        measure(off, "size: 1KiB, mode: write"),
                    3 * US + 3 * US - 200 * NS, 3 * US + 3 * US);
}

static void
test_registration_costs_work_once(void **state)
{
    static const char slow[] =
        "cpu: {rdma_op: 1us, rdma_delay: 0}, memory: {register: 50us}";
    static const char fast[] = "cpu: {rdma_op: 1us, rdma_delay: 0}, memory: on";
    struct lab_run *lab;
    int64_t latency_ps[2];

    (void)state;
    assert_int_equal(measure(slow, "size: 1KiB") - measure(fast, "size: 1KiB"),
                     50 * US);
    /* The receiver registers what it READs into, as well. */
    assert_int_equal(measure(slow, "size: 1MiB") - measure(fast, "size: 1MiB"),
                     2 * 50 * US);
    lab = run(slow,
              "pattern: pairs, from: h-0-0, to: h-0-1, size: 1MiB, repeat: 2",
              "stop: 50ms");
    assert_int_equal(lab->n_messages, 2);
    for (int i = 0; i < 2; i++) {
        latency_ps[i] = lab->messages[i].end_ps - lab->messages[i].start_ps;
    }
    assert_int_equal(latency_ps[0] - latency_ps[1], 2 * 50 * US);
    lab_run_destroy(lab);
}

/* Copies delay the receiver, not the message of the sender; but with as many
 * messages as credits, the sender waits for it. */
static void
test_copies_hold_credits(void **state)
{
    static const char su[] = "pattern: pairs, from: h-0-0, to: h-0-1, "
                             "size: 4KiB, repeat: 1000, depth: 100, credits: 8";
    struct lab_run *slow, *fast;
    int64_t slow_ps;

    (void)state;
    fast = run("cpu: {rdma_op: 0, rdma_delay: 0}", su, "stop: 50ms");
    slow = run("cpu: {rdma_op: 0, rdma_delay: 0}, memory: {copy: 1Gbps}", su,
               "stop: 50ms");
    assert_int_equal(fast->n_messages, 1000);
    assert_int_equal(slow->n_messages, 1000);
    slow_ps = slow->flows[0].end_ps - slow->flows[0].start_ps;
    /* All but the credits at the end are copied within this time. */
    assert_true(slow_ps >= (1000 - 8) * 4096 * 8 * NS);
    assert_true(slow_ps <= 1100 * INT64_C(4096) * 8 * NS);
    assert_true(fast->flows[0].end_ps - fast->flows[0].start_ps < slow_ps / 10);
    lab_run_destroy(fast);
    lab_run_destroy(slow);
}

static void
test_chunks_follow_each_other(void **state)
{
    const int64_t whole_ps = measure("cpu: off", "size: 1MiB, mode: write");
    const int64_t chunks_ps =
        measure("cpu: off", "size: 1MiB, mode: write, chunk: 64KiB");
    const int64_t one_ps = measure("cpu: off", "size: 64KiB, mode: write");

    (void)state;
    assert_true(whole_ps < 100 * US); /* 89 us at 100 Gb/s. */
    /* The peer returns slots after every fourth chunk; what acknowledges that
     * is before the next chunk. */
    assert_int_equal(chunks_ps, 16 * one_ps + 3 * INT64_C(86) * 80);
}

static void
test_messages_survive_losses(void **state)
{
    static const char *const modes[] = {"send", "write", "read", "auto"};
    static const char rest[] = "stop: 400ms\n"
                               "faults: [{drop_every: 97, link: h-0-1.t0-0}]";

    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char su[256];
        struct lab_run *labs[2];

        (void)snprintf(su, sizeof su,
                       "pattern: pairs, from: h-0-0, to: h-0-1, both_ways: "
                       "true, size: 96KiB, mode: %s, repeat: 20, depth: 4, "
                       "chunk: 64KiB",
                       modes[i]);
        for (int k = 0; k < 2; k++) {
            labs[k] = create("cpu: {cores: 1}", su, rest);
            lab_run_all(labs[k], k * 13 * US);
            assert_int_equal(labs[k]->n_messages, 40);
            assert_int_equal(labs[k]->flows[0].state, SINK_FLOW_DONE);
            assert_int_equal(labs[k]->flows[1].state, SINK_FLOW_DONE);
            assert_int_equal(labs[k]->flows[0].bytes, 20 * 96 * 1024);
            assert_true(labs[k]->n_drops > 10);
        }
        assert_int_equal(labs[0]->sequence, labs[1]->sequence);
        lab_run_destroy(labs[0]);
        lab_run_destroy(labs[1]);
    }
}

static void
test_a_failed_queue_pair_fails_the_connection(void **state)
{
    struct lab_run *lab =
        run("cpu: {cores: 1}, rc: {retries: 1, timeout: 5}",
            "pattern: pairs, from: h-0-0, to: h-0-1, size: 96KiB, "
            "repeat: inf, depth: 4",
            "stop: 20ms\n"
            "faults: [{link: h-0-1.t0-0, down: true, at: 1ms}]");

    (void)state;
    assert_int_equal(lab->flows[0].state, SINK_FLOW_FAILED);
    assert_int_equal(lab->flows[0].error, RC_STATUS_RETRY_EXCEEDED);
    assert_int_equal(lab->flows[0].lost, 4);
    lab_run_destroy(lab);
}

static void
test_a_host_sends_to_itself(void **state)
{
    struct lab_run *lab = run("cpu: {cores: 1}, memory: on",
                              "pattern: loopback, from: h-0-0, size: 1MiB, "
                              "repeat: 5",
                              "stop: 20ms");

    (void)state;
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->n_messages, 5);
    lab_run_destroy(lab);
}

/* What was delivered counts for a flow that still runs, without headers. */
static void
test_bytes_of_an_endless_message(void **state)
{
    struct lab_run *lab = run("cpu: off",
                              "pattern: pairs, from: h-0-0, to: h-0-1, size: "
                              "inf, mode: send",
                              "stop: 1ms");

    (void)state;
    assert_int_equal(lab->flows[0].state, SINK_FLOW_RUNNING);
    assert_true(lab->flows[0].bytes > 8 * 1000 * 1000);
    assert_true(lab->flows[0].bytes < 12 * 1000 * 1000);
    assert_int_equal(lab->flows[0].bytes % 4096, 0);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_cost_work),
        cmocka_unit_test(test_registration_costs_work_once),
        cmocka_unit_test(test_copies_hold_credits),
        cmocka_unit_test(test_chunks_follow_each_other),
        cmocka_unit_test(test_messages_survive_losses),
        cmocka_unit_test(test_a_failed_queue_pair_fails_the_connection),
        cmocka_unit_test(test_a_host_sends_to_itself),
        cmocka_unit_test(test_bytes_of_an_endless_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
