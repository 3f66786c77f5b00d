/* SPDX-License-Identifier: Apache-2.0 */

/* What messages cost at hosts: latencies to the picosecond, cores that limit
 * connections, windows that close. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 1024 };

#define NS INT64_C(1000)
#define US (1000 * NS)

/* Runs 'traffic' between two hosts with these keys. */
static struct lab_run *
run(const char *keys, const char *traffic)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2, rate: 100G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{%s}]\n"
                   "stop: 5ms\n"
                   "record: {messages: true}\n",
                   keys, traffic);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    return lab;
}

/* Returns the latency of the one message of such a run. */
static int64_t
measure(const char *keys, const char *traffic)
{
    return lab_run_end_latency(run(keys, traffic));
}

static void
test_a_ping_costs_work_and_a_delay_each_way(void **state)
{
    static const char tcp[] =
        "ping: {pattern: pairs, transport: tcp, from: h-0-0, to: h-0-1, "
        "size: 500B, repeat: 1, timeout: inf}";
    static const char rdma[] =
        "ping: {pattern: pairs, from: h-0-0, to: h-0-1, size: 500B, "
        "repeat: 1, timeout: inf}";

    (void)state;
    /* Sent and received, twice: (2 + 1) us + 500 * 1 ns; then 7 us. */
    assert_int_equal(measure("cpu: {tcp_op: 2us, tcp_batch: 1us, tcp_byte: "
                             "1ns, tcp_delay: 7us, tcp_spread: 0}",
                             tcp) -
                         measure("cpu: off", tcp),
                     4 * (3 * US + 500 * NS) + 2 * 7 * US);
    /* Nothing of TCP counts.  Without work the echo waits behind the
     * acknowledgement, of 86 bytes on the wire. */
    assert_int_equal(measure("cpu: {tcp_op: 2us, rdma_op: 400ns, rdma_delay: "
                             "3us, rdma_spread: 0}",
                             rdma) -
                         measure("cpu: off", rdma),
                     4 * 400 * NS + 2 * 3 * US - INT64_C(86) * 80);
}

static void
test_rdma_costs_the_same_for_any_size(void **state)
{
    static const char keys[] =
        "cpu: {rdma_op: 1us, rdma_delay: 2us, rdma_spread: 0}";
    static const char *const sizes[] = {
        "rc: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1KB}",
        "rc: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1MB}",
        "rc: {pattern: pairs, verb: read, from: h-0-0, to: h-0-1, size: 1MB}"};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_int_equal(measure(keys, sizes[i]) -
                             measure("cpu: off", sizes[i]),
                         2 * US + 2 * US);
    }
}

/* A message of three pieces: the core works on the next one while the adapter
 * sends the last, and the receiver likewise. */
static void
test_pieces_overlap(void **state)
{
    static const char load[] =
        "tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: 160KiB}";
    static const char keys[] =
        "tcp: {initial_window: 1000}, cpu: {tcp_op: 10us, tcp_batch: 20us, "
        "tcp_byte: 1ns, tcp_delay: 0, tcp_spread: 0}";
    const int64_t first_ps = 10 * US + 20 * US + INT64_C(65536) * NS;
    const int64_t last_ps = 20 * US + INT64_C(32768) * NS;
    const int64_t latency_ps = measure(keys, load);

    (void)state;
    /* The sender's work on all three, then what the last one needs: some 3 us
     * in the network, and the receiver's work, which has to end with the second
     * one first. */
    const int64_t work_ps = 2 * first_ps - 10 * US + last_ps;

    assert_true(latency_ps > work_ps + last_ps);
    assert_true(latency_ps < work_ps + first_ps + last_ps);
}

/* A datagram of SRD is a work request: it costs what one of RDMA does, at both
 * ends, and its copy. */
static void
test_datagrams_of_srd_cost_work(void **state)
{
    static const char one[] =
        "srd: {pattern: pairs, from: h-0-0, to: h-0-1, size: 8KB}";
    static const char three[] =
        "srd: {pattern: pairs, from: h-0-0, to: h-0-1, size: 20KB}";
    static const char repeated[] =
        "srd: {pattern: pairs, from: h-0-0, to: h-0-1, size: 20KB, "
        "repeat: inf, depth: 4}";
    static const char keys[] =
        "cpu: {rdma_op: 100ns, rdma_delay: 2us, rdma_spread: 0}";
    struct lab_run *lab;

    (void)state;
    assert_int_equal(measure(keys, one) - measure("cpu: off", one),
                     2 * 100 * NS + 2 * US);
    /* The others are posted while the first is sent, and the core is done with
     * each before the next arrives. */
    assert_int_equal(measure(keys, three) - measure("cpu: off", three),
                     2 * 100 * NS + 2 * US);
    /* 8,000 bytes at 16 Gb/s: 4 us, of the core or of the adapter. */
    assert_int_equal(measure("srd: {copy: 16G}, cpu: {rdma_op: 100ns, "
                             "rdma_delay: 2us, rdma_spread: 0}",
                             one) -
                         measure("srd: {copy: 16G}, cpu: off", one),
                     2 * 100 * NS + 2 * US);
    /* Three posts and three completions: 60 us of the sender's core for each
     * message, so 83 in 5 ms. */
    lab = run("cpu: {rdma_op: 10us}", repeated);
    assert_in_range(lab->n_messages, 78, 84);
    lab_run_destroy(lab);
}

/* TSO sends segments back to back; it does not make a connection wait after a
 * burst, so that one alone has the speed of the line. */
static void
test_bursts_of_a_connection_leave_no_gap(void **state)
{
    static const char load[] =
        "tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: 1MB}";

    (void)state;
    assert_int_equal(measure("tcp: {initial_window: 1000, tso: 64KiB}", load),
                     measure("tcp: {initial_window: 1000, tso: 0}", load));
}

/* Returns the bytes that the program at the end of each of the four connections
 * of 'lab' has got. */
static uint64_t
sum_bytes(const struct lab_run *lab)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < lab->n_messages; i++) {
        sum += lab->messages[i].bytes;
    }
    return sum;
}

/* Runs 'n' connections for 5 ms with 64 KB messages at hosts of 'cores', and
 * returns their rate in Gb/s. */
static double
measure_rate(int n, int cores)
{
    char keys[TEXT_SIZE / 4], traffic[TEXT_SIZE / 4];
    struct lab_run *lab;
    double rate;

    (void)snprintf(keys, sizeof keys,
                   "tcp: {initial_window: 100}, cpu: {cores: %d, tcp_op: 0, "
                   "tcp_batch: 0, tcp_byte: 800ps}",
                   cores);
    (void)snprintf(traffic, sizeof traffic,
                   "tcp: {pattern: pairs, from: h-0-0, to: h-0-1, "
                   "connections: %d, size: 64KiB, repeat: inf, depth: 8}",
                   n);
    lab = run(keys, traffic);
    rate = (double)sum_bytes(lab) * 8 / 5e6;
    lab_run_destroy(lab);
    return rate;
}

/* 800 ps a byte are 10 Gb/s for a core. */
static void
test_cores_limit_connections(void **state)
{
    (void)state;
    assert_in_range((uint64_t)(measure_rate(1, 4) * 100), 900, 1000);
    assert_in_range((uint64_t)(measure_rate(4, 4) * 100), 3600, 4000);
    /* Two connections for each core. */
    assert_in_range((uint64_t)(measure_rate(4, 2) * 100), 1800, 2000);
}

/* The receiver has one core, the sender enough: its cores are busy half of the
 * time, since windows close. */
static void
test_a_slow_receiver_stops_the_sender(void **state)
{
    static const char text[] =
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 100G}}\n"
        "hosts: {default: {tcp: {window: 256KiB, initial_window: 100}, "
        "cpu: {cores: 2, tcp_op: 0, tcp_batch: 0, tcp_byte: 800ps}}, "
        "groups: {slow: {of: h-0-1, cpu: {cores: 1}}}}\n"
        "traffic: [{tcp: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "connections: 2, size: 64KiB, repeat: inf, depth: 16}}]\n"
        "stop: 20ms\n"
        "record: {messages: true}\n";
    struct lab_run *lab = lab_run_create(text);
    uint64_t sent = 0;

    (void)state;
    lab_run_all(lab, 0);
    for (uint32_t i = 0; i < lab->n_flows; i++) {
        sent += lab->flows[i].bytes;
    }
    assert_int_equal(lab->n_drops, 0);
    assert_true(sent > 20 * 1000 * 1000);
    /* What has been read, and at most a window of each connection more. */
    assert_in_range(sent, sum_bytes(lab), sum_bytes(lab) + 2 * 256 * 1024);
    lab_run_destroy(lab);
}

/* The same seed gives the same bits, another one others. */
static void
test_runs_repeat(void **state)
{
    static const char text[] =
        "name: x\n"
        "seed: %d\n"
        "fabric: {star: {hosts: 4, rate: 100G}}\n"
        "hosts: {default: {cpu: {cores: 2, background: 30%%, tcp_stall: 1/10, "
        "tcp_stall_time: 50us, rdma_stall: 1/10, rdma_stall_time: 10us}}}\n"
        "traffic:\n"
        "  - {ping: {pattern: permutation, every: 20us}}\n"
        "  - {ping: {pattern: permutation, transport: tcp, every: 30us}}\n"
        "  - {tcp: {pattern: permutation, size: 300KB, repeat: inf}}\n"
        "stop: 2ms\n"
        "record: {messages: true}\n";
    char first[TEXT_SIZE], second[TEXT_SIZE];

    (void)state;
    (void)snprintf(first, sizeof first, text, 1);
    (void)snprintf(second, sizeof second, text, 2);
    assert_true(lab_run_hash(first, 0) == lab_run_hash(first, 7 * US));
    assert_true(lab_run_hash(first, 0) != lab_run_hash(second, 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ping_costs_work_and_a_delay_each_way),
        cmocka_unit_test(test_rdma_costs_the_same_for_any_size),
        cmocka_unit_test(test_pieces_overlap),
        cmocka_unit_test(test_datagrams_of_srd_cost_work),
        cmocka_unit_test(test_bursts_of_a_connection_leave_no_gap),
        cmocka_unit_test(test_cores_limit_connections),
        cmocka_unit_test(test_a_slow_receiver_stops_the_sender),
        cmocka_unit_test(test_runs_repeat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
