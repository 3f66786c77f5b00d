/* SPDX-License-Identifier: Apache-2.0 */

/* I/Os of disks in a fabric: their steps, what each takes, failures. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048, SIZE = 64 * 1024, N_COPIES = 3 };

#define US INT64_C(1000000)

/* Of the disk: 100 us, then 64 KiB at 24 Gb/s. */
#define ACCESS_PS (100 * US + INT64_C(21845333))

#define SSD "ssd: {spread: 0}, "

/* Host h-0-0 is a client, h-0-1 a server, and the others are nodes. */
static struct lab_run *
run_sized(const char *size, const char *keys, const char *disk,
          const char *rest)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 5, rate: 100G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{name: d, priority: 4, disk: {clients: h-0-0, "
                   "servers: h-0-1, nodes: 'h-0-[2..4]', size: %s, %s}}]\n"
                   "record: {spans: true}\n"
                   "%s\n",
                   keys, size, disk, rest);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    return lab;
}

static struct lab_run *
run(const char *keys, const char *disk, const char *rest)
{
    return run_sized("64KiB", keys, disk, rest);
}

static uint64_t
count(const struct lab_run *lab, const char *name)
{
    return lab_run_counter(lab, SINK_NONE, name);
}

static uint32_t
host(const struct lab_run *lab, uint32_t number)
{
    return lab->experiment.topology.n_switches + number;
}

/* Expects the spans 'names', with spaces between them. */
static void
expect_spans(const struct lab_run *lab, const char *names)
{
    char all[TEXT_SIZE] = "";

    for (size_t i = 0; i < lab->n_spans; i++) {
        const size_t n = strlen(all);

        assert_true(lab->spans[i].end_ps >= lab->spans[i].start_ps);
        (void)snprintf(all + n, sizeof all - n, "%s%s", i ? " " : "",
                       lab->spans[i].name);
    }
    assert_string_equal(all, names);
}

/* Step 'number' begins when step 'before' has ended. */
static void
expect_follows(const struct lab_run *lab, size_t number, size_t before)
{
    assert_int_equal(lab->spans[number].start_ps, lab->spans[before].end_ps);
}

static void
test_a_write_has_three_copies(void **state)
{
    /* Its own access, and what the other nodes have answered. */
    static const size_t needed[] = {5, 9, 13}, accesses[] = {5, 8, 12};
    struct lab_run *lab = run(SSD "cpu: off", "verb: write", "stop: 10ms");
    int64_t answered_ps = 0, stored_ps = 0;

    (void)state;
    assert_int_equal(lab->n_ios, 1);
    assert_string_equal(lab->ios[0].verb, "write");
    assert_int_equal(lab->ios[0].client, host(lab, 0));
    assert_int_equal(lab->ios[0].server, host(lab, 1));
    assert_int_equal(lab->ios[0].copies, N_COPIES);
    assert_int_equal(lab->ios[0].front_bytes, SIZE);
    assert_int_equal(lab->ios[0].back_bytes, N_COPIES * SIZE);
    expect_spans(lab, "work request work command work disk copy work disk "
                      "stored copy work disk stored answer reply");
    for (size_t i = 1; i <= 5; i++) {
        expect_follows(lab, i, i - 1);
    }
    expect_follows(lab, 6, 4);
    expect_follows(lab, 10, 4);
    for (size_t i = 0; i < N_COPIES; i++) {
        const struct sink_span *access = &lab->spans[accesses[i]];
        const int64_t end_ps = lab->spans[needed[i]].end_ps;

        assert_int_equal(access->end_ps - access->start_ps, ACCESS_PS);
        assert_int_equal(lab_run_counter(lab, access->from, "ssd.accesses"), 1);
        assert_int_equal(lab_run_counter(lab, access->from, "ssd.bytes"), SIZE);
        stored_ps = access->end_ps > stored_ps ? access->end_ps : stored_ps;
        answered_ps = end_ps > answered_ps ? end_ps : answered_ps;
    }
    assert_int_equal(lab->spans[14].start_ps, answered_ps);
    expect_follows(lab, 15, 14);
    assert_int_equal(lab->ios[0].stored_ps, stored_ps);
    assert_int_equal(lab->ios[0].end_ps, lab->spans[15].end_ps);
    assert_int_equal(count(lab, "d.started"), 1);
    assert_int_equal(count(lab, "d.ended"), 1);
    assert_int_equal(count(lab, "d.failed"), 0);
    lab_run_destroy(lab);
}

static void
test_a_read_is_from_one_node(void **state)
{
    struct lab_run *lab = run(SSD "cpu: off", "verb: read", "stop: 10ms");

    (void)state;
    assert_int_equal(lab->n_ios, 1);
    assert_string_equal(lab->ios[0].verb, "read");
    assert_int_equal(lab->ios[0].copies, 1);
    assert_int_equal(lab->ios[0].front_bytes, SIZE);
    assert_int_equal(lab->ios[0].back_bytes, SIZE);
    expect_spans(lab, "work request work command work disk answer reply");
    for (size_t i = 1; i < lab->n_spans; i++) {
        expect_follows(lab, i, i - 1);
    }
    assert_int_equal(lab->spans[5].end_ps - lab->spans[5].start_ps, ACCESS_PS);
    assert_int_equal(lab->ios[0].end_ps, lab->spans[7].end_ps);
    lab_run_destroy(lab);
}

/* Front end and back end have transports, and priorities, of their own. */
static void
test_front_and_back_end(void **state)
{
    static const char *const words[] = {"rdma", "tcp"};

    (void)state;
    for (int front = 0; front < 2; front++) {
        for (int back = 0; back < 2; back++) {
            char disk[256];
            struct lab_run *lab;

            (void)snprintf(disk, sizeof disk,
                           "verb: write, front: %s, back: %s, "
                           "back_priority: 2, tcp_priority: 1",
                           words[front], words[back]);
            lab = run(SSD "cpu: off", disk, "stop: 20ms");
            assert_int_equal(lab->n_ios, 1);
            assert_true(lab->n_flows > 0);
            for (uint32_t i = 0; i < lab->n_flows; i++) {
                const struct sink_flow *flow = &lab->flows[i];
                const bool is_front = flow->source == host(lab, 0) ||
                                      flow->destination == host(lab, 0);
                const bool is_tcp = is_front ? front : back;

                assert_int_equal(flow->priority, is_tcp ? 1 : is_front ? 4 : 2);
            }
            lab_run_destroy(lab);
        }
    }
}

/* Returns how long a read takes. */
static int64_t
measure(const char *works)
{
    char disk[256];
    struct lab_run *lab;
    int64_t time_ps;

    (void)snprintf(disk, sizeof disk, "verb: read%s", works);
    lab = run(SSD "cpu: {cores: 4, rdma_op: 0, rdma_delay: 0, rdma_spread: 0}",
              disk, "stop: 10ms");
    assert_int_equal(lab->n_ios, 1);
    time_ps = lab->ios[0].end_ps - lab->ios[0].start_ps;
    lab_run_destroy(lab);
    return time_ps;
}

static void
test_work_takes_time_of_cores(void **state)
{
    const int64_t least_ps = measure("");

    (void)state;
    assert_int_equal(measure(", client_work: 40us") - least_ps, 40 * US);
    /* Without work the command waits behind the acknowledgement of the request,
     * of 86 bytes on the wire. */
    assert_int_equal(measure(", server_work: 50us") - least_ps,
                     50 * US - INT64_C(80) * 86);
    assert_int_equal(measure(", node_work: 60us") - least_ps, 60 * US);
}

/* What the cores of a client work for I/Os of 8 KiB (A33): that of its messages
 * by the table of costs, and 'io_op' and 'client_work' for each. */
static void
test_work_of_a_client(void **state)
{
    enum { N = 34 };
    /* Over TCP a message and its one piece cost 1 us each, and 512 and 8,704
     * bytes 0.5 ns each.  Over RDMA a request costs 0.3 us, and a completion: a
     * read posts a SEND, and gets one that says what was written; a write posts
     * WRITE and SEND, and gets one.  Updates return 4 of 8 slots, or 32 of 64
     * credits: a read sends one for each 4 replies, and gets one for 32
     * requests; a write gets and sends them the other way round.  What the last
     * I/O leaves to do is not counted. */
    static const struct {
        const char *verb, *front;
        int64_t messages_ps;
    } cases[] = {
        {"read", "tcp", N * (4 * US + INT64_C(500) * (512 + 8704))},
        {"write", "tcp", N * (4 * US + INT64_C(500) * (512 + 8704))},
        {"read", "rdma", INT64_C(300000) * (3 * N + 2 * (N / 4) + N / 32)},
        {"write", "rdma", INT64_C(300000) * (4 * N + N / 4 + 2 * (N / 32))},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int64_t io_us = 0; io_us <= 13; io_us += 13) {
            char keys[128], disk[128];
            struct lab_run *lab;

            (void)snprintf(keys, sizeof keys,
                           SSD "cpu: {cores: 8, background: 5%%, io_op: %dus}",
                           (int)io_us);
            (void)snprintf(disk, sizeof disk,
                           "verb: %s, front: %s, client_work: 2us, repeat: %d",
                           cases[i].verb, cases[i].front, (int)N);
            lab = run_sized("8KiB", keys, disk, "stop: 1s");
            assert_int_equal(lab->n_ios, N);
            assert_int_equal(
                lab_run_counter(lab, host(lab, 0), "cpu_messages_ps"),
                cases[i].messages_ps + N * (io_us + 2) * US);
            lab_run_destroy(lab);
        }
    }
}

/* Latency and rate are those of the verb. */
static void
test_reads_and_writes_have_disks_of_their_own(void **state)
{
    static const char ssd[] =
        "ssd: {spread: 0, read_latency: 10us, write_latency: 30us, "
        "read_rate: 64G, write_rate: 16G}";
    static const char *const verbs[] = {"verb: read", "verb: write"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct lab_run *lab = run(ssd, verbs[i], "stop: 10ms");

        assert_int_equal(lab->spans[5].end_ps - lab->spans[5].start_ps,
                         i ? 30 * US + INT64_C(500) * SIZE
                           : 10 * US + INT64_C(125) * SIZE);
        lab_run_destroy(lab);
    }
}

/* I/Os by time start whether earlier ones have ended or not, and each has three
 * nodes. */
static void
test_ios_by_time(void **state)
{
    struct lab_run *lab = run(
        SSD "cpu: off", "verb: write, every: 30us, repeat: inf", "stop: 995us");

    (void)state;
    assert_int_equal(count(lab, "d.started"), 34);
    assert_in_range(count(lab, "d.ended"), 20, 33);
    assert_int_equal(lab->n_ios, count(lab, "d.ended"));
    assert_int_equal(count(lab, "d.skipped"), 0);
    for (size_t i = 0; i < lab->n_ios; i++) {
        assert_int_equal(lab->ios[i].back_bytes, N_COPIES * SIZE);
    }
    lab_run_destroy(lab);
    /* Without a way to its server no I/O ends, and 1,024 are outstanding. */
    lab = run(
        SSD "rc: {timeout: 20}", "verb: read, every: 1us, repeat: inf",
        "faults: [{down: true, link: t0-0.h-0-1, at: 0s}]\nstop: 1999500ns");
    assert_int_equal(count(lab, "d.started"), 1024);
    assert_int_equal(count(lab, "d.skipped"), 2000 - 1024);
    lab_run_destroy(lab);
}

/* A queue pair that fails leaves its I/O open. */
static void
test_failures_are_counted(void **state)
{
    struct lab_run *lab =
        run(SSD "rc: {timeout: 5, retries: 2}", "verb: read",
            "faults: [{down: true, link: t0-0.h-0-1, at: 0s}]\nstop: 100ms");

    (void)state;
    assert_int_equal(lab->n_ios, 0);
    assert_int_equal(lab->n_spans, 0);
    assert_int_equal(count(lab, "d.started"), 1);
    assert_int_equal(count(lab, "d.ended"), 0);
    assert_int_equal(count(lab, "d.failed"), 1);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_write_has_three_copies),
        cmocka_unit_test(test_a_read_is_from_one_node),
        cmocka_unit_test(test_front_and_back_end),
        cmocka_unit_test(test_work_takes_time_of_cores),
        cmocka_unit_test(test_work_of_a_client),
        cmocka_unit_test(test_reads_and_writes_have_disks_of_their_own),
        cmocka_unit_test(test_ios_by_time),
        cmocka_unit_test(test_failures_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
