/* SPDX-License-Identifier: Apache-2.0 */

/* Adapters that are repaired while connections of storage use them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048, FIRST_HOST = 1, N_HOSTS = 4 };

#define US INT64_C(1000000)
#define MS (1000 * US)

/* What each connection of the tests below does: 50 messages. */
#define TRAFFIC                                                                \
    "{name: s, priority: 3, stop: 50ms, su_rdma: {pattern: all_to_all, size: " \
    "16KiB, every: 1ms, repeat: inf, %s}}"

static const char *const hosts[] = {
    "cpu: {cores: 2}, memory: {slab: 1MiB, limit: 16MiB, kept: 4}",
    "cpu: off",
};

/* Four hosts, each of which sends to each other one. */
static struct lab_run *
create(const char *keys, const char *failover, const char *rest)
{
    char text[TEXT_SIZE];

    text_format(text, sizeof text,
                "name: x\n"
                "fabric: {star: {hosts: 4, rate: 40G}}\n"
                "hosts: {default: {tcp: {min_rto: 1ms, first_rto: 1ms, "
                "quick_acks: 16}, "
                "%s}}\n"
                "traffic: [" TRAFFIC "]\n"
                "record: {messages: true}\n"
                "%s\n"
                "stop_when_done: false\n"
                "stop: 80ms\n",
                keys, failover, rest);
    return lab_run_create(text);
}

static uint64_t
counter(const struct lab_run *lab, const char *name)
{
    return lab_run_counter(lab, SINK_NONE, name);
}

/* Returns a counter of host 'i'. */
static uint64_t
of_host(const struct lab_run *lab, uint32_t i, const char *name)
{
    return lab_run_counter(lab, FIRST_HOST + i, name);
}

/* Checks that nothing was lost, left out, or executed twice. */
static void
check_messages(const struct lab_run *lab)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < lab->n_flows; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[i].lost + lab->flows[i].skipped, 0);
    }
    n = lab->n_messages;
    assert_int_equal(n, 12 * 50);
    assert_int_equal(counter(lab, "failover.executed"), n);
    assert_int_equal(counter(lab, "failover.done"), n);
    /* What connections did before they were closed counts. */
    assert_true(counter(lab, "su.by_write") >=
                counter(lab, "failover.over_rdma"));
}

/* Checks that the driver of host 'i' was unloaded safely, and all is back. */
static void
check_host(const struct lab_run *lab, uint32_t i, uint64_t reload_us)
{
    const uint64_t begin = of_host(lab, i, "repair.begin_us");
    const uint64_t end = of_host(lab, i, "repair.unload_us");
    const uint64_t load = of_host(lab, i, "repair.load_us");

    assert_int_equal(of_host(lab, i, "repair.connections"), 6);
    assert_int_equal(of_host(lab, i, "repair.unloads"), 1);
    assert_int_equal(of_host(lab, i, "repair.qps_left"), 0);
    assert_int_equal(of_host(lab, i, "repair.regions_left"), 0);
    assert_true(end >= begin);
    assert_in_range(load, end + reload_us - 1, end + reload_us + 1);
    assert_true(of_host(lab, i, "repair.back_us") > load);
}

/* Returns the longest time of a message, in microseconds. */
static int64_t
longest_us(const struct lab_run *lab)
{
    int64_t longest = 0;

    for (size_t i = 0; i < lab->n_messages; i++) {
        const struct sink_message *message = &lab->messages[i];
        const int64_t ps = message->end_ps - message->start_ps;

        longest = ps > longest ? ps : longest;
    }
    return longest / US;
}

static void
test_closes_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *labs[2];

        for (int k = 0; k < 2; k++) {
            labs[k] = create(hosts[i], "failover: {every: 300us}",
                             "repairs: [{hosts: h-0-1, at: 5ms, reload: 6ms}]");
            lab_run_all(labs[k], k * 77 * US);
            check_messages(labs[k]);
            check_host(labs[k], 1, 6000);
            /* The connections need 'setup' to open TCP. */
            assert_in_range(of_host(labs[k], 1, "repair.unload_us"), 5100,
                            5400);
            assert_int_equal(of_host(labs[k], 0, "repair.unloads"), 0);
            assert_int_equal(counter(labs[k], "failover.failures"), 0);
            assert_int_equal(counter(labs[k], "failover.again"), 0);
            /* Those of the host go there and back, no other ones. */
            assert_int_equal(counter(labs[k], "failover.conversions"), 12);
            assert_int_equal(counter(labs[k], "su.rnr_naks"), 0);
            /* A message waits for the driver, and for TCP to notice. */
            assert_in_range(longest_us(labs[k]), 6000, 16000);
        }
        assert_int_equal(labs[0]->sequence, labs[1]->sequence);
        assert_non_null(strstr(labs[0]->log, "repair: h-0-1: begins, with 6"));
        assert_non_null(strstr(labs[0]->log,
                               "h-0-1: the driver is unloaded, with 0 queue "
                               "pairs and 0 regions"));
        assert_non_null(
            strstr(labs[0]->log, "h-0-1: all connections are back"));
        lab_run_destroy(labs[0]);
        lab_run_destroy(labs[1]);
    }
}

/* One connection after the other is asked, and the driver waits for the last.
 */
static void
test_asks_in_turn(void **state)
{
    struct lab_run *lab =
        create(hosts[0], "failover: {every: 300us}",
               "repairs: [{hosts: h-0-1, at: 5ms, every: 1ms, reload: 2ms}]");

    (void)state;
    lab_run_all(lab, 0);
    check_messages(lab);
    check_host(lab, 1, 2000);
    assert_in_range(of_host(lab, 1, "repair.unload_us"), 10100, 10999);
    assert_int_equal(counter(lab, "failover.again"), 0);
    lab_run_destroy(lab);
}

/* Two ends of a connection, one after the other and at one time: RDMA opens
 * when both have their drivers. */
static void
test_both_ends(void **state)
{
    static const char *const repairs[] = {
        "repairs: [{hosts: all, at: 5ms, jitter: 4ms, reload: 6ms}]",
        "repairs: [{hosts: all, at: 5ms, reload: 6ms}]",
        ("repairs: [{hosts: h-0-0, at: 5ms, reload: 3ms}, {hosts: "
         "'h-0-[1..3]', at: 6ms, every: 1ms, reload: 1ms}]"),
    };

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        struct lab_run *lab =
            create(hosts[i % 2], "failover: {every: 300us}", repairs[i / 2]);

        lab_run_all(lab, 0);
        check_messages(lab);
        for (uint32_t k = 0; k < N_HOSTS; k++) {
            check_host(lab, k, i / 2 < 2 ? 6000 : k ? 1000 : 3000);
        }
        assert_int_equal(counter(lab, "failover.again"), 0);
        assert_int_equal(counter(lab, "failover.connections_over_tcp"), 0);
        lab_run_destroy(lab);
    }
}

/* By force queue pairs fail: what was outstanding is sent again. */
static void
test_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *lab =
            create(hosts[i], "failover: {every: 300us, heal: 1ms}",
                   "repairs: [{hosts: h-0-1, at: 5.004ms, reload: 5ms, unload: "
                   "forced}]");

        lab_run_all(lab, 0);
        check_messages(lab);
        assert_int_equal(of_host(lab, 1, "repair.unloads"), 1);
        assert_int_equal(of_host(lab, 1, "repair.qps_left"), 6);
        assert_true(of_host(lab, 1, "repair.regions_left") > 0);
        assert_int_equal(of_host(lab, 1, "repair.unload_us"), 5004);
        assert_true(of_host(lab, 1, "repair.back_us") > 10004);
        assert_int_equal(counter(lab, "failover.failures"), 6);
        assert_int_equal(counter(lab, "failover.again"), 6);
        assert_int_equal(counter(lab, "failover.conversions"), 12);
        lab_run_destroy(lab);
    }
}

/* Connections that have TCP by plan are not disturbed when their queue pairs,
 * which they do not use, fail. */
static void
test_force_does_not_reach_tcp(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *lab = create(
            hosts[i],
            "failover: {at: 1ms, back: 8ms, every: 300us, share: 100%, heal: "
            "1ms}",
            "repairs: [{hosts: h-0-1, at: 5.004ms, reload: 5ms, unload: "
            "forced, port: up}]");

        lab_run_all(lab, 0);
        check_messages(lab);
        assert_int_equal(of_host(lab, 1, "repair.qps_left"), 6);
        assert_int_equal(counter(lab, "failover.failures"), 0);
        assert_int_equal(counter(lab, "failover.again"), 0);
        assert_int_equal(counter(lab, "failover.conversions"), 24);
        assert_in_range(of_host(lab, 1, "repair.back_us"), 10004, 12000);
        lab_run_destroy(lab);
    }
}

/* Without TCP that is an error for each connection of the host. */
static void
test_force_without_tcp(void **state)
{
    struct lab_run *lab =
        create(hosts[1], "mode: auto",
               "repairs: [{hosts: h-0-1, at: 5.004ms, reload: 5ms, unload: "
               "forced}]");
    uint32_t n_failed = 0;

    (void)state;
    lab_run_all(lab, 0);
    for (uint32_t i = 0; i < lab->n_flows; i++) {
        const struct sink_flow *flow = &lab->flows[i];
        const bool is_hit = flow->source == FIRST_HOST + 1 ||
                            flow->destination == FIRST_HOST + 1;

        assert_int_equal(flow->state,
                         is_hit ? SINK_FLOW_FAILED : SINK_FLOW_DONE);
        n_failed += is_hit;
    }
    assert_int_equal(n_failed, 6);
    assert_int_equal(of_host(lab, 1, "repair.qps_left"), 6);
    assert_int_equal(of_host(lab, 1, "repair.unloads"), 1);
    lab_run_destroy(lab);
}

/* Connections that have posted nothing yet fail, too. */
static void
test_force_before_the_start(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 40G}}\n"
        "hosts: {default: {cpu: {cores: 2}, memory: {slab: 64KiB, limit: "
        "16MiB, kept: 0}}}\n"
        "traffic:\n"
        "- {su_rdma: {pattern: pairs, from: h-0-0, to: h-0-1, size: 16KiB, "
        "credits: 4, slots: 1, every: 1ms, repeat: 10, failover: {setup: 4ms, "
        "heal: 1ms}}}\n"
        "- {start: 3ms, su_rdma: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "size: 1MiB, connections: 20}}\n"
        "repairs: [{hosts: h-0-0, at: 2.004ms, reload: 5ms, unload: forced, "
        "port: up}]\n"
        "stop: 50ms\n"
        "stop_when_done: false\n");

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->flows[0].lost, 0);
    for (uint32_t i = 1; i < 21; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_FAILED);
    }
    assert_int_equal(of_host(lab, 0, "repair.qps_left"), 21);
    assert_true(counter(lab, "failover.again") > 0);
    lab_run_destroy(lab);
}

/* If something else keeps the port up, TCP goes on without a driver. */
static void
test_port_that_stays_up(void **state)
{
    struct lab_run *lab =
        create(hosts[0], "failover: {every: 300us}",
               "repairs: [{hosts: h-0-1, at: 5ms, reload: 6ms, port: up}]");

    (void)state;
    lab_run_all(lab, 0);
    check_messages(lab);
    check_host(lab, 1, 6000);
    assert_true(longest_us(lab) < 1000);
    lab_run_destroy(lab);
}

/* Connections have TCP by plan when the repair begins, and are planned to go
 * back while there is no driver: they give their queue pairs back at once, and
 * go back later. */
static void
test_planned_conversions(void **state)
{
    struct lab_run *lab = create(
        hosts[0], "failover: {at: 1ms, back: 8ms, every: 300us, share: 100%}",
        "repairs: [{hosts: h-0-1, at: 5ms, reload: 6ms}]");

    (void)state;
    lab_run_all(lab, 0);
    check_messages(lab);
    assert_int_equal(of_host(lab, 1, "repair.begin_us"), 5000);
    assert_int_equal(of_host(lab, 1, "repair.unload_us"), 5000);
    assert_int_equal(of_host(lab, 1, "repair.qps_left"), 0);
    assert_in_range(of_host(lab, 1, "repair.back_us"), 11000, 25000);
    assert_int_equal(counter(lab, "failover.conversions"), 24);
    lab_run_destroy(lab);
}

/* Connections that are closed already when it is their turn to be asked are not
 * asked when they are back. */
static void
test_nobody_is_asked_late(void **state)
{
    static const struct {
        const char *failover, *repairs;
        uint64_t unload_us; /* At least, and 200 us more at most. */
    } cases[] = {
        /* By plan. */
        {"failover: {at: 1ms, back: 8ms, every: 300us, share: 100%}",
         "repairs: [{hosts: h-0-1, at: 5ms, every: 2ms, reload: 1ms}]", 5000},
        /* By repairs of their other ends. */
        {"failover: {every: 300us}",
         "repairs: [{hosts: h-0-1, at: 5ms, every: 4ms, reload: 1ms}, {hosts: "
         "[h-0-0, 'h-0-[2..3]'], at: 6ms, reload: 1ms}]",
         6100},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_run *lab =
            create(hosts[0], cases[i].failover, cases[i].repairs);

        lab_run_all(lab, 0);
        check_messages(lab);
        assert_in_range(of_host(lab, 1, "repair.unload_us"), cases[i].unload_us,
                        cases[i].unload_us + 200);
        assert_int_equal(counter(lab, "failover.conversions"), 24);
        lab_run_destroy(lab);
    }
}

/* Other connections go back meanwhile, one in each period. */
static void
test_others_do_not_wait(void **state)
{
    struct lab_run *lab = create(
        hosts[0], "failover: {at: 1ms, back: 8ms, every: 300us, share: 1/12}",
        "repairs: [{hosts: h-0-1, at: 6ms, reload: 6ms, port: up}]");

    (void)state;
    assert_int_equal(run_until(lab->run, 10500 * US), RUN_RUNNING);
    assert_int_equal(counter(lab, "failover.connections_over_tcp"), 6);
    assert_int_equal(of_host(lab, 1, "repair.load_us"), 0);
    lab_run_all(lab, 0);
    check_messages(lab);
    assert_int_equal(counter(lab, "failover.connections_over_tcp"), 0);
    lab_run_destroy(lab);
}

/* Flows that have ended do not fail. */
static void
test_force_after_the_end(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 40G}}\n"
        "traffic:\n"
        "- {su_rdma: {pattern: pairs, from: h-0-0, to: h-0-1, size: 64KiB}}\n"
        "- {rc: {pattern: pairs, from: h-0-1, to: h-0-0, size: 1MB, "
        "repeat: 100}}\n"
        "repairs: [{hosts: h-0-1, at: 1ms, reload: 1ms, unload: forced}]\n"
        "stop: 50ms\n"
        "stop_when_done: false\n");

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_flows, 2);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->flows[1].state, SINK_FLOW_FAILED);
    lab_run_destroy(lab);
}

/* The traffic may not end the run before the driver is loaded again. */
static void
test_run_ends_too_early(void **state)
{
    struct lab_run *lab =
        lab_run_create("name: x\n"
                       "fabric: {star: {hosts: 3, rate: 40G}}\n"
                       "traffic: [{rc: {pattern: pairs, from: h-0-0, to: "
                       "h-0-1, size: 1KB}}]\n"
                       "repairs: [{hosts: h-0-2, at: 1ms, reload: 60ms}]\n"
                       "stop: 500ms\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 500 * MS), RUN_FAILED);
    assert_non_null(
        strstr(run_failure(lab->run)->reason, "before this repair is over"));
    lab_run_destroy(lab);
}

/* Some of many, which the seed draws. */
static void
test_share(void **state)
{
    static const struct {
        const char *share;
        uint64_t n;
    } cases[] = {{"50%", 2}, {"1%", 1}, {"100%", 4}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char text[TEXT_SIZE];
        struct lab_run *lab;
        uint64_t n = 0;

        (void)snprintf(
            text, sizeof text,
            "repairs: [{hosts: all, share: %s, at: 5ms, reload: 1ms}]",
            cases[i].share);
        lab = create(hosts[1], "failover: {every: 300us}", text);
        lab_run_all(lab, 0);
        for (uint32_t k = 0; k < N_HOSTS; k++) {
            n += of_host(lab, k, "repair.unloads");
        }
        assert_int_equal(n, cases[i].n);
        lab_run_destroy(lab);
    }
}

/* A queue pair that was given back is dead at both ends, no other one is. */
static void
test_given_back_is_dead(void **state)
{
    struct lab_run *lab =
        create(hosts[1], "failover: {every: 300us}",
               "repairs: [{hosts: h-0-1, at: 5ms, reload: 6ms}]");
    uint32_t n_dead = 0;

    (void)state;
    assert_int_equal(run_until(lab->run, 8 * MS), RUN_RUNNING);
    for (uint32_t i = 0; i < lab->run->n_flows; i++) {
        const struct run_flow *flow = &lab->run->flows[i];
        const bool is_there = flow->source == FIRST_HOST + 1 ||
                              flow->destination == FIRST_HOST + 1;

        for (int k = 0; k < 2; k++) {
            const struct rc *rc = nic_rc(run_flow_end(flow, !k)->nic,
                                         k ? flow->peer_qp : flow->qp);

            assert_int_equal(rc_state(rc) == RC_ERROR, is_there);
            n_dead += is_there;
        }
    }
    assert_int_equal(n_dead, 12);
    lab_run_all(lab, 0);
    check_messages(lab);
    lab_run_destroy(lab);
}

/* Nothing uses RDMA there. */
static void
test_nothing_to_close(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 40G}}\n"
        "hosts: {default: {tcp: {min_rto: 1ms, first_rto: 1ms, quick_acks: "
        "16}}}\n"
        "traffic: [{tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: "
        "100KB, repeat: 100}}]\n"
        "record: {messages: true}\n"
        "repairs: [{hosts: h-0-1, at: 1ms, reload: 1ms}]\n"
        "stop: 500ms\n");

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(of_host(lab, 0, "repair.unload_us"), 0);
    assert_int_equal(of_host(lab, 1, "repair.unload_us"), 1000);
    assert_int_equal(of_host(lab, 1, "repair.load_us"), 2000);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    assert_int_equal(lab->n_messages, 100);
    lab_run_destroy(lab);
}

#define SCENARIO                                                               \
    "name: x\n"                                                                \
    "fabric: {star: {hosts: 4, rate: 40G}}\n"                                  \
    "traffic: [{name: s, %s}]\n"                                               \
    "repairs: [%s]\n"                                                          \
    "stop: 50ms\n"
#define FAN_IN                                                                 \
    "su_rdma: {size: 1KiB, pattern: fan_in, to: h-0-1, n: 2, failover: {}}"

static void
test_refusals(void **state)
{
    static const struct {
        const char *traffic, *repairs, *reason;
    } cases[] = {
        {"rc: {size: 1KiB, pattern: pairs, from: h-0-0, to: h-0-1}",
         "{hosts: all, at: 1ms, reload: 1ms}",
         "the driver of h-0-0 could never be unloaded: 's' has queue pairs "
         "there and cannot go to TCP; use 'su_rdma' with 'failover', other "
         "'hosts', or 'unload: forced'"},
        {"srd: {size: 1KiB, pattern: pairs, from: h-0-0, to: h-0-1}",
         "{hosts: h-0-1, at: 1ms, reload: 1ms, unload: forced}",
         "the adapter of h-0-1 cannot be repaired: queue pairs of SRD ('s') "
         "cannot fail or close"},
        {"tcp: {size: 1KiB, pattern: pairs, from: h-0-0, to: h-0-1}",
         "{hosts: h-0-2, at: 1ms, reload: 1ms}, {hosts: all, at: 3ms, reload: "
         "1ms}",
         "h-0-2 may be repaired twice: it is one of the hosts of another "
         "repair (line 4)"},
        {FAN_IN, "{hosts: h-0-1, at: 20ms, every: 20ms, reload: 10ms}",
         "the driver of h-0-1 may not be loaded again when the run ends "
         "('stop'): its 2 connections are asked to close one after the other; "
         "with a 'reload' of 10 ms, 'every' can be 19999.999 us at most"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE];
        struct err err = {0};

        text_format(text, sizeof text, SCENARIO, cases[i].traffic,
                    cases[i].repairs);
        lab_run_refuse(text, &err);
        assert_non_null(strstr(err.reason, cases[i].reason));
    }
}

/* The interval that the refusal names. */
static void
test_asks_just_in_time(void **state)
{
    char text[TEXT_SIZE];

    (void)state;
    text_format(text, sizeof text, SCENARIO, FAN_IN,
                "{hosts: h-0-1, at: 20ms, every: 19999999ns, reload: 10ms}");
    lab_run_destroy(lab_run_create(text));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closes_first),
        cmocka_unit_test(test_asks_in_turn),
        cmocka_unit_test(test_both_ends),
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_force_does_not_reach_tcp),
        cmocka_unit_test(test_force_without_tcp),
        cmocka_unit_test(test_force_before_the_start),
        cmocka_unit_test(test_port_that_stays_up),
        cmocka_unit_test(test_planned_conversions),
        cmocka_unit_test(test_nobody_is_asked_late),
        cmocka_unit_test(test_others_do_not_wait),
        cmocka_unit_test(test_force_after_the_end),
        cmocka_unit_test(test_run_ends_too_early),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_given_back_is_dead),
        cmocka_unit_test(test_nothing_to_close),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_asks_just_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
