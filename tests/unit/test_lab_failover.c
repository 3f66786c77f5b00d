/* SPDX-License-Identifier: Apache-2.0 */

/* Connections of storage that change between RDMA and TCP while they work,
 * while they fail, and while what acknowledges them is lost. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048 };

#define US INT64_C(1000000)
#define MS (1000 * US)

static struct lab_run *
create(const char *keys, const char *su, const char *rest)
{
    char text[TEXT_SIZE];

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 4, rate: 40G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{priority: 3, su_rdma: {%s}}]\n"
                   "record: {messages: true}\n"
                   "%s\n",
                   keys, su, rest);
    return lab_run_create(text);
}

static uint64_t
counter(const struct lab_run *lab, const char *name)
{
    return lab_run_counter(lab, SINK_NONE, name);
}

/* Checks that all 'n' flows have ended, with 'n_messages' that were executed
 * once.  A run that ends with its flows may end before the last receiver has
 * polled what its sender knows of: so these go on to 'stop'. */
static void
check(const struct lab_run *lab, uint32_t n, uint64_t n_messages)
{
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[i].lost, 0);
    }
    assert_int_equal(lab->n_messages, n_messages);
    assert_int_equal(counter(lab, "failover.executed"), n_messages);
    assert_int_equal(counter(lab, "failover.done"), n_messages);
    assert_int_equal(counter(lab, "failover.over_rdma") +
                         counter(lab, "failover.over_tcp"),
                     n_messages);
    assert_int_equal(counter(lab, "su.rnr_naks"), 0);
}

static const char *const processors[] = {"cpu: {cores: 1}", "cpu: off"};

static void
test_there_and_back(void **state)
{
    static const char su[] =
        "pattern: pairs, from: 'h-0-[0..1]', to: 'h-0-[2..3]', connections: 5, "
        "size: 100KB, repeat: 200, depth: 4, "
        "failover: {at: 1ms, back: 6ms, share: 20%, every: 500us}";

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *labs[2];

        for (int k = 0; k < 2; k++) {
            labs[k] =
                create(processors[i], su, "stop_when_done: false\nstop: 300ms");
            lab_run_all(labs[k], k * 77 * US);
            check(labs[k], 10, 2000);
            assert_int_equal(counter(labs[k], "failover.conversions"), 20);
            assert_int_equal(counter(labs[k], "failover.again"), 0);
            assert_true(counter(labs[k], "failover.over_tcp") > 50);
        }
        assert_int_equal(labs[0]->sequence, labs[1]->sequence);
        lab_run_destroy(labs[0]);
        lab_run_destroy(labs[1]);
    }
}

/* Acknowledgements are lost, so the sender does not know what the receiver has:
 * that is executed once all the same. */
static void
test_lost_acknowledgements(void **state)
{
    static const char *const modes[] = {"send", "write", "read"};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        char su[512], keys[256];
        struct lab_run *lab;

        (void)snprintf(su, sizeof su,
                       "pattern: pairs, from: h-0-0, to: h-0-1, connections: "
                       "3, size: 8KiB, repeat: 500, depth: 8, mode: %s, "
                       "failover: {heal: 2ms, every: 300us}",
                       modes[i / 2]);
        (void)snprintf(keys, sizeof keys,
                       "%s, rc: {timeout: 5, retries: 1, ack_every: 1}, tcp: "
                       "{min_rto: 1ms, first_rto: 1ms}",
                       processors[i % 2]);
        lab = create(keys, su,
                     "stop_when_done: false\nstop: 500ms\n"
                     "faults: [{link: t0-0.h-0-0, loss: 100%, direction: "
                     "forward, at: 1ms, for: 3ms}]");
        lab_run_all(lab, 0);
        check(lab, 3, 1500);
        assert_true(counter(lab, "failover.failures") >= 3);
        assert_true(counter(lab, "failover.again") >= 3);
        /* With READ the sender knows when the receiver says so, which is lost
         * as well. */
        assert_true(counter(lab, "failover.duplicates") >= 3 || i / 2 == 2);
        assert_true(counter(lab, "failover.over_tcp") > 0);
        assert_int_equal(counter(lab, "failover.connections_over_tcp"), 0);
        lab_run_destroy(lab);
    }
}

/* What a flow has done counts over all its transports. */
static void
test_counts_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *lab =
            create(processors[i],
                   "pattern: pairs, from: h-0-0, to: h-0-1, size: 8KiB, every: "
                   "20us, repeat: inf, failover: {heal: 2ms, every: 300us, "
                   "timeout: 1ms}",
                   "stop_when_done: false\nstop: 10ms\n"
                   "faults: [{link: t0-0.h-0-0, storm: [3], at: 3ms, for: "
                   "2ms}]");
        uint64_t by_write;

        assert_int_equal(run_until(lab->run, 2 * MS), RUN_RUNNING);
        by_write = counter(lab, "su.by_write");
        assert_true(by_write >= 90);
        lab_run_all(lab, 0);
        assert_true(counter(lab, "failover.failures") > 0);
        assert_true(counter(lab, "failover.over_tcp") > 50);
        /* The connection that has failed counts, and so does the next. */
        assert_true(counter(lab, "failover.over_rdma") > by_write + 50);
        assert_true(counter(lab, "su.by_write") >=
                    counter(lab, "failover.over_rdma"));
        assert_int_equal(lab->flows[0].state, SINK_FLOW_RUNNING);
        assert_int_equal(lab->flows[0].bytes,
                         8192 * counter(lab, "failover.executed"));
        assert_true(counter(lab, "failover.executed") > 300);
        /* 8 packets and a SEND, or 6 segments. */
        assert_true(lab->flows[0].packets >=
                    9 * counter(lab, "failover.over_rdma") +
                        6 * counter(lab, "failover.over_tcp"));
        lab_run_destroy(lab);
    }
}

/* The program of the receiver polls 2 ms late, so the sender knows long before
 * it that messages have arrived: TCP waits for it, and what it has not polled
 * of a connection that fails is executed as well. */
static void
test_a_receiver_that_is_late(void **state)
{
    static const char *const changes[] = {
        "failover: {at: 1ms, share: 100%, setup: 0}",
        "failover: {timeout: 1ms, every: 300us, setup: 0}"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[TEXT_SIZE];
        struct lab_run *lab;

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {star: {hosts: 2, rate: 40G}}\n"
            "hosts:\n"
            "  default: {cpu: {cores: 1, rdma_delay: 1us}}\n"
            "  groups: {late: {of: h-0-1, cpu: {rdma_delay: 2ms}}}\n"
            "traffic: [{priority: 3, su_rdma: {pattern: pairs, from: h-0-0, "
            "to: h-0-1, size: 4KiB, every: 50us, repeat: 100, credits: 256, "
            "%s}}]\n"
            "record: {messages: true}\n"
            "faults: [{link: t0-0.h-0-0, storm: [3], at: 1ms, for: 3ms}]\n"
            "stop_when_done: false\n"
            "stop: 100ms\n",
            changes[i]);
        lab = lab_run_create(text);
        lab_run_all(lab, 0);
        check(lab, 1, 100);
        assert_int_equal(counter(lab, "failover.conversions"), 1);
        assert_true(counter(lab, "failover.over_rdma") >= 15);
        lab_run_destroy(lab);
    }
}

/* Hosts can be changed while their connections are over either transport. */
static void
test_hosts_change_meanwhile(void **state)
{
    struct lab_run *lab = create(
        "dcqcn: paper, cpu: {cores: 1}",
        "pattern: pairs, from: h-0-0, to: h-0-1, connections: 2, size: 64KiB, "
        "every: 100us, repeat: 50, failover: {at: 1ms, share: 50%, every: 1ms}",
        "stop_when_done: false\nstop: 50ms");
    struct err err = {0};

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(run_until(lab->run, i * MS + 500 * US), RUN_RUNNING);
        assert_int_equal(run_set(lab->run, "host all burst 4", &err), ST_OK);
        assert_int_equal(run_set(lab->run, "host all rc.ack_every 8", &err),
                         ST_OK);
    }
    lab_run_all(lab, 0);
    check(lab, 2, 100);
    assert_int_equal(counter(lab, "failover.conversions"), 2);
    lab_run_destroy(lab);
}

static void
test_a_host_goes_over_to_itself(void **state)
{
    struct lab_run *lab =
        create("cpu: {cores: 1}",
               "pattern: loopback, from: h-0-0, connections: 3, size: 64KiB, "
               "repeat: 100, failover: {at: 200us, back: 1ms, share: 100%, "
               "every: 100us}",
               "stop_when_done: false\nstop: 50ms");

    (void)state;
    lab_run_all(lab, 0);
    check(lab, 3, 300);
    assert_int_equal(counter(lab, "failover.conversions"), 6);
    lab_run_destroy(lab);
}

/* A message that takes too long ends the connection; what the adapter still
 * sends for it does not matter. */
static void
test_overdue_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *lab = create(
            processors[i],
            "pattern: pairs, from: h-0-0, to: h-0-1, connections: 4, size: "
            "64KiB, every: 500us, repeat: 40, failover: {timeout: 2ms, "
            "heal: 5ms, every: 500us, share: 25%}",
            "stop_when_done: false\nstop: 100ms\n"
            "faults: [{link: t0-0.h-0-0, storm: [3], at: 1ms, for: 6ms}]");

        lab_run_all(lab, 0);
        check(lab, 4, 160);
        assert_int_equal(counter(lab, "failover.failures"), 4);
        assert_int_equal(counter(lab, "failover.conversions"), 8);
        lab_run_destroy(lab);
    }
}

static void
test_busy_cores_hold_conversions(void **state)
{
    static const char su[] =
        "pattern: pairs, from: h-0-0, to: h-0-1, connections: 10, size: 64KiB, "
        "every: 400us, repeat: 100, failover: {at: 1ms, share: 10%%, every: "
        "1ms, hold: %s}";
    const char *const limits[] = {"0.5", "1"};
    uint64_t over_tcp[2], held[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[512];
        struct lab_run *lab;

        (void)snprintf(text, sizeof text, su, limits[i]);
        lab =
            create("cpu: {cores: 1}, tcp: {window: 4MiB}", text, "stop: 200ms");
        lab_run_all(lab, 0);
        check(lab, 10, 1000);
        over_tcp[i] = counter(lab, "failover.connections_over_tcp");
        held[i] = counter(lab, "failover.held");
        lab_run_destroy(lab);
    }
    /* A connection over TCP is 2,500/s * 34.8 us of work. */
    assert_in_range(over_tcp[0], 5, 7);
    assert_true(held[0] > 0);
    assert_int_equal(over_tcp[1], 10);
    assert_int_equal(held[1], 0);
}

static void
test_refusals(void **state)
{
    static const struct {
        const char *hosts, *su, *reason;
    } cases[] = {
        {"{default: {cpu: on}, groups: {other: {of: h-0-1, cpu: off}}}",
         "size: 1KiB, failover: {at: 1ms}",
         "'failover' of 's' needs 'cpu' at both ends, or at none"},
        {"{default: {}}", "size: 1KiB, failover: {at: 1ms, hold: 99.9%}",
         "'hold' of 's' is about cores, and its hosts have none: set 'cpu', or "
         "leave it out"},
        {"{default: {rc: {reads: 0}}}", "size: 1MiB",
         "chunks of 's' go by READ, which h-0-0 cannot do: set 'reads' of 'rc' "
         "to 1 or more, or 'mode: write'"},
        {"{default: {}, groups: {other: {of: h-0-1, rc: {reads: 0}}}}",
         "size: 1KiB, mode: read",
         "chunks of 's' go by READ, which h-0-1 cannot do: set 'reads' of 'rc' "
         "to 1 or more, or 'mode: write'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE], reason[TEXT_SIZE];
        struct err err = {0};

        (void)snprintf(text, sizeof text,
                       "name: x\n"
                       "fabric: {star: {hosts: 2, rate: 40G}}\n"
                       "hosts: %s\n"
                       "traffic:\n"
                       "  - {name: s, su_rdma: {pattern: pairs, from: h-0-0, "
                       "to: h-0-1, %s}}\n"
                       "stop: 5ms\n",
                       cases[i].hosts, cases[i].su);
        (void)snprintf(reason, sizeof reason, "test.yaml:5:6: %s",
                       cases[i].reason);
        lab_run_refuse(text, &err);
        assert_string_equal(err.reason, reason);
    }
}

/* Chunks that fit into slots need no READs. */
static void
test_no_reads_are_needed(void **state)
{
    struct lab_run *lab =
        create("rc: {reads: 0}",
               "pattern: pairs, from: h-0-0, to: h-0-1, size: 1MiB, chunk: "
               "64KiB, failover: {at: 1ms}",
               "stop_when_done: false\nstop: 5ms");

    (void)state;
    lab_run_all(lab, 0);
    check(lab, 1, 1);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_lost_acknowledgements),
        cmocka_unit_test(test_overdue_messages),
        cmocka_unit_test(test_counts_go_on),
        cmocka_unit_test(test_a_receiver_that_is_late),
        cmocka_unit_test(test_hosts_change_meanwhile),
        cmocka_unit_test(test_a_host_goes_over_to_itself),
        cmocka_unit_test(test_busy_cores_hold_conversions),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_reads_are_needed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
