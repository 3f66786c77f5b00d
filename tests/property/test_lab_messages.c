/* SPDX-License-Identifier: Apache-2.0 */

/* Messages that are not posted, or not answered in time. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

#define US INT64_C(1000000)

/* Messages of 'every' whose send queue is full are left out and counted. */
static void
test_every_is_faster_than_the_link(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 100G}}\n"
        "traffic:\n"
        "  - {name: fast, stop: 200us, rc: {pattern: pairs, from: h-0-0,\n"
        "     to: h-0-1, size: 100KB, repeat: inf, every: 1us}}\n"
        "  - {name: slow, stop: 200us, rc: {pattern: pairs, from: h-0-1,\n"
        "     to: h-0-0, size: 1KB, repeat: inf, every: 10us}}\n"
        "record: {messages: true}\n"
        "stop: 1ms\n");
    const struct run_flow *fast = &lab->run->flows[0];

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    /* Each microsecond one was posted or left out. */
    assert_int_equal(fast->posted + lab->flows[0].skipped, 200);
    assert_int_equal(lab->flows[0].bytes, fast->posted * 100000);
    assert_true(lab->flows[0].skipped > 100);
    assert_int_equal(lab->flows[1].skipped, 0);
    assert_int_equal(lab->run->flows[1].posted, 20);
    assert_int_equal(lab->run->n_skipped, lab->flows[0].skipped);
    assert_int_equal(lab->n_messages, fast->posted + 20);
    assert_int_equal(lab->run->n_lost, 0);
    lab_run_destroy(lab);
}

/* Asserts that the messages of flow 0 are reported in order, 'lost' of them as
 * lost after 'timeout_ps', and returns how many there are. */
static uint64_t
check_pings(const struct lab_run *lab, uint64_t lost, int64_t timeout_ps)
{
    uint64_t n_lost = 0;

    for (size_t i = 0; i < lab->n_messages; i++) {
        const struct sink_message *message = &lab->messages[i];

        assert_int_equal(message->number, i);
        n_lost += message->lost;
        if (message->lost) {
            assert_true(message->end_ps == message->start_ps + timeout_ps + 1);
            assert_int_equal(message->bytes, 0);
        } else {
            assert_true(message->end_ps <= message->start_ps + timeout_ps);
            assert_int_equal(message->bytes, 512);
        }
    }
    assert_int_equal(n_lost, lost);
    assert_int_equal(lab->run->n_lost, lost);
    return lab->n_messages;
}

/* A link is down for 60 us; the echoes of pings that were posted meanwhile come
 * after their timeout.  They are not taken for echoes of later pings. */
static void
test_late_echoes_are_lost(void **state)
{
    static const char *const verbs[] = {"send", "write_imm"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        struct lab_run *lab;

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {star: {hosts: 2}}\n"
            "hosts: {default: {rc: {timeout: 3}}}\n"
            "traffic: [{ping: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
            "  every: 10us, repeat: 30, timeout: 20us, verb: %s}}]\n"
            "faults: [{down: true, link: h-0-1.t0-0, at: 105us, for: 60us}]\n"
            "record: {messages: true}\n"
            "stop: 10ms\n",
            verbs[i]);
        lab = lab_run_create(text);
        lab_run_all(lab, 0);
        assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
        assert_in_range(lab->flows[0].lost, 3, 7);
        assert_int_equal(check_pings(lab, lab->flows[0].lost, 20 * US), 30);
        assert_int_equal(lab->flows[0].skipped, 0);
        lab_run_destroy(lab);
    }
}

/* Without a fault nothing is late, however slow the echo. */
static void
test_timeouts_end_with_the_echo(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}}\n"
        "traffic: [{ping: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
        "  every: 10us, repeat: 30, timeout: 5us}}]\n"
        "record: {messages: true}\n"
        "stop: 10ms\n");

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].lost, 0);
    assert_int_equal(check_pings(lab, 0, 5 * US), 30);
    lab_run_destroy(lab);
}

/* What was outstanding when the queue pair failed is lost. */
static void
test_failed_queue_pair_loses_its_messages(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}}\n"
        "hosts: {default: {rc: {timeout: 3, retries: 2}}}\n"
        "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
        "  size: 1MB, repeat: 20, depth: 5}}]\n"
        "faults: [{down: true, link: h-0-1.t0-0, at: 200us}]\n"
        "record: {messages: true}\n"
        "stop: 1s\n");
    uint64_t n_lost = 0;

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_FAILED);
    assert_int_equal(lab->flows[0].lost, 5);
    for (size_t i = 0; i < lab->n_messages; i++) {
        assert_int_equal(lab->messages[i].number, i);
        n_lost += lab->messages[i].lost;
    }
    assert_int_equal(n_lost, 5);
    assert_int_equal(lab->n_messages, lab->run->flows[0].posted);
    lab_run_destroy(lab);
}

/* The acknowledgements of echoes wait while their priority is paused, so that
 * the send queue of the destination fills up.  Every ping has its own echo. */
static void
test_every_ping_is_answered(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 3, rate: 100G}}\n"
        "hosts:\n"
        "  groups:\n"
        "    slow: {of: h-0-2, pcie: gen3x1,\n"
        "      rx_fifo: {size: 64KiB, xoff: 20KB, xon: 10KB}}\n"
        "    first: {of: h-0-0, ack_priority: 4, ack_dscp: 4}\n"
        "traffic:\n"
        "  - {ping: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
        "     every: 1us, repeat: 500}}\n"
        "  - {priority: 4, raw: {pattern: pairs, from: h-0-0, to: h-0-2,\n"
        "     rate: 50G}, stop: 2ms}\n"
        "record: {messages: true}\n"
        "stop: 20ms\n");
    uint64_t most_owed = 0;

    (void)state;
    while (run_until(lab->run, run_now(lab->run) + US) == RUN_RUNNING) {
        if (lab->run->flows[0].owed > most_owed) {
            most_owed = lab->run->flows[0].owed;
        }
    }
    lab_run_finish(lab);
    assert_true(most_owed > 0);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->n_messages, 500);
    assert_int_equal(lab->run->flows[0].owed, 0);
    assert_int_equal(lab->flows[0].lost, 0);
    lab_run_destroy(lab);
}

/* A ping whose request is not acknowledged when its echo comes keeps its place
 * in the send queue: others wait for it. */
static void
test_answered_pings_wait_for_their_acknowledgement(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}}\n"
        "hosts: {default: {rc: {timeout: 8}}}\n"
        "traffic: [{ping: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
        "  every: 2us, timeout: 20us}}]\n"
        "faults: [{link: h-0-0.t0-0, loss: 5%}]\n"
        "record: {messages: true}\n"
        "stop: 20ms\n");
    const struct run_flow *flow = &lab->run->flows[0];
    bool is_full = false;

    (void)state;
    while (run_until(lab->run, run_now(lab->run) + US) == RUN_RUNNING) {
        is_full |= flow->posted - flow->completed < flow->depth &&
                   flow->posted - flow->acknowledged >= flow->depth;
    }
    lab_run_finish(lab);
    assert_true(is_full);
    assert_true(flow->skipped > 0);
    (void)check_pings(lab, lab->flows[0].lost, 20 * US);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_is_faster_than_the_link),
        cmocka_unit_test(test_late_echoes_are_lost),
        cmocka_unit_test(test_timeouts_end_with_the_echo),
        cmocka_unit_test(test_failed_queue_pair_loses_its_messages),
        cmocka_unit_test(test_every_ping_is_answered),
        cmocka_unit_test(test_answered_pings_wait_for_their_acknowledgement),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
