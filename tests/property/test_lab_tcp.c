/* SPDX-License-Identifier: Apache-2.0 */

/* TCP in scenarios: what its keys do to a run. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

/* An incast of four hosts with 'tcp' settings beside RDMA. */
static struct lab_run *
run_incast(const char *tcp)
{
    char text[1024];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 6, rate: 100G}}\n"
                   "hosts: {default: {tcp: {min_rto: 5ms, %s}}}\n"
                   "traffic:\n"
                   "  - {tcp: {pattern: incast, from: 'h-0-[1..4]', to: h-0-0,"
                   " size: 4MB, repeat: 2}}\n"
                   "  - {rc: {pattern: incast, from: 'h-0-[1..2]', to: h-0-0,"
                   " size: 2MB}}\n"
                   "stop: 1s\n"
                   "stop_when_done: true\n",
                   tcp);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[i].bytes, i < 4 ? 8000000 : 2000000);
    }
    return lab;
}

/* Losses are those of TCP alone, all are repaired, and each drop is of the
 * priority of TCP. */
static void
test_beside_rdma(void **state)
{
    static const char *const settings[] = {
        "control: reno, loss: newreno",
        "control: reno, loss: sack, tso: 0",
        "control: cubic, loss: rack",
    };

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct lab_run *lab = run_incast(settings[i]);
        uint64_t again = 0;

        for (uint32_t n = 0; n < 4; n++) {
            again += lab->flows[n].retransmitted;
            assert_true(lab->flows[n].cwnd_bytes >= 1460);
        }
        assert_true(lab->n_drops > 0);
        assert_true(again >= lab->n_drops);
        assert_int_equal(lab->flows[4].retransmitted, 0);
        assert_int_equal(lab->flows[5].retransmitted, 0);
        assert_int_equal(lab->flows[5].cwnd_bytes, 0);
        lab_run_destroy(lab);
    }
}

/* A message of one segment ends when it has arrived: two links of 5 m, and a
 * frame of 1,460 + 54 bytes and 24 more on each.  A ping over TCP takes two
 * such ways, since its echo needs no acknowledgement first. */
static void
test_times(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 3, rate: 100G}, links: {host: 5m}}\n"
        "traffic:\n"
        "  - {tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1460B}}\n"
        "  - {start: 100ms, ping: {pattern: pairs, from: h-0-2, to: h-0-1,\n"
        "     transport: tcp, size: 512B, repeat: 3}}\n"
        "record: {messages: true}\n"
        "stop: 1s\n");
    const int64_t way_ps = 2 * ((1460 + 54 + 24) * 80 + 25000);
    const int64_t ping_ps = 4 * ((512 + 54 + 24) * 80 + 25000);

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].end_ps - lab->flows[0].start_ps, way_ps);
    assert_int_equal(lab->n_messages, 4);
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(lab->messages[i].end_ps - lab->messages[i].start_ps,
                         ping_ps);
    }
    assert_int_equal(lab->flows[1].timeouts, 0);
    lab_run_destroy(lab);
}

/* A lost segment at the end of a message waits for the timeout, or for a probe
 * if there is one. */
static void
test_tail_loss(void **state)
{
    static const struct {
        const char *loss;
        int64_t least_ps, most_ps;
    } cases[] = {
        {"sack", 50 * MS, 51 * MS},
        {"rack", 1 * US, 1 * MS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct lab_run *lab;
        int64_t fct_ps;

        /* The 20th packet of the link is the last segment of the second
         * message. */
        (void)snprintf(text, sizeof text,
                       "name: x\n"
                       "fabric: {star: {hosts: 2, rate: 100G}}\n"
                       "hosts: {default: {tcp: {loss: %s, min_rto: 50ms,"
                       " first_rto: 50ms, ack_delay: 0}}}\n"
                       "traffic: [{tcp: {pattern: pairs, from: h-0-0,"
                       " to: h-0-1, size: 14600B, repeat: 2}}]\n"
                       "faults: [{drop_every: 20, link: h-0-0.t0-0,"
                       " direction: forward}]\n"
                       "stop: 1s\n",
                       cases[i].loss);
        lab = lab_run_create(text);
        lab_run_all(lab, 0);
        assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[0].retransmitted, 1);
        fct_ps = lab->flows[0].end_ps - lab->flows[0].start_ps;
        assert_true(fct_ps > cases[i].least_ps && fct_ps < cases[i].most_ps);
        lab_run_destroy(lab);
    }
}

/* A timeout that is shorter than any round trip repeats every segment, so that
 * there is never a sample of the round-trip time, and each ACK is a D-SACK. */
static void
test_timeout_below_the_round_trip(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {clos: {t0: 2, t1: 2, hosts: 2, rate: 40G}}\n"
        "hosts: {default: {tcp: {loss: rack, min_rto: 1us, first_rto: 1us,\n"
        "  max_rto: 1us, ack_delay: 0, initial_window: 4}}}\n"
        "traffic: [{priority: 1, tcp: {pattern: all_to_all, size: 1KB,\n"
        "  repeat: 30}}]\n"
        "stop: 10ms\n");

    (void)state;
    lab_run_all(lab, 0);
    for (uint32_t i = 0; i < lab->n_flows; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_DONE);
        assert_int_equal(lab->flows[i].bytes, 30000);
        assert_true(lab->flows[i].timeouts > 0);
    }
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_rdma),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_tail_loss),
        cmocka_unit_test(test_timeout_below_the_round_trip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
