/* SPDX-License-Identifier: Apache-2.0 */

/* RDMA Estats of runs: times that are those of the simulation, and runs that
 * are the same with and without it. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/histogram.h"
#include "lab/exec/run_estats_state.h"
#include "lab/measure/results.h"
#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 2048, GROUPS_MAX = 64, SIDES_MAX = 32 };

#define NS INT64_C(1000)
#define US (1000 * NS)
#define MS (1000 * US)

/* What was reported about groups, for the whole run or in sum. */
struct seen {
    uint32_t n_groups, n_intervals;
    struct {
        uint32_t flow;
        bool by_source;
        char operation[16], status[24];
        uint64_t n, total_sum, nic_sum, nic_max, poll_sum, poll_max;
        int64_t parts[SINK_N_PARTS];
    } groups[GROUPS_MAX];
    uint64_t n_in_intervals;
    uint32_t n_sides; /* Of flow 0: by interval, and the run. */
    struct {
        char side[16], reason[80];
        uint64_t n, bytes;
        int64_t sender_ps, receiver_ps, asked_ps, obeyed_ps;
    } sides[SIDES_MAX];
    int64_t asked_ps, obeyed_ps; /* As pauses were reported. */
    uint64_t error_ps, bound_ps, n_beyond;
};

/* The context of the sink is the run, whose reports are for 'lab_run'. */
static struct seen *current;

static void
on_operations(void *context, const struct sink_operations *of)
{
    struct seen *seen = current;
    const uint32_t i = seen->n_groups;

    (void)context;
    if (of->interval != SINK_NONE) {
        seen->n_in_intervals += of->total->n;
        seen->n_intervals = of->interval + 1;
        return;
    }
    assert_true(i < GROUPS_MAX);
    seen->groups[i].flow = of->flow;
    seen->groups[i].by_source = of->by_source;
    (void)snprintf(seen->groups[i].operation, sizeof seen->groups[i].operation,
                   "%s", of->operation);
    (void)snprintf(seen->groups[i].status, sizeof seen->groups[i].status, "%s",
                   of->status);
    seen->groups[i].n = of->total->n;
    seen->groups[i].total_sum = of->total->sum;
    seen->groups[i].nic_sum = of->nic->sum;
    seen->groups[i].nic_max = of->nic->max;
    seen->groups[i].poll_sum = of->poll->sum;
    seen->groups[i].poll_max = of->poll->max;
    memcpy(seen->groups[i].parts, of->parts_ps, sizeof seen->groups[i].parts);
    seen->n_groups++;
}

static void
on_side(void *context, const struct sink_side *side)
{
    struct seen *seen = current;
    const uint32_t i = seen->n_sides;

    (void)context;
    if (side->flow != 0) {
        return;
    }
    assert_true(i < SIDES_MAX);
    (void)snprintf(seen->sides[i].side, sizeof seen->sides[i].side, "%s",
                   side->side);
    (void)snprintf(seen->sides[i].reason, sizeof seen->sides[i].reason, "%s",
                   side->reason);
    seen->sides[i].n = side->n;
    seen->sides[i].bytes = side->bytes;
    seen->sides[i].sender_ps = side->sender_ps;
    seen->sides[i].receiver_ps = side->receiver_ps;
    seen->sides[i].asked_ps = side->asked_ps;
    seen->sides[i].obeyed_ps = side->obeyed_ps;
    seen->n_sides++;
}

static void
on_counter(void *context, uint32_t node, uint32_t port, uint32_t priority,
           const char *name, uint64_t value)
{
    struct seen *seen = context;

    (void)node;
    (void)port;
    (void)priority;
    if (!strcmp(name, "clock_error_ps") && value > seen->error_ps) {
        seen->error_ps = value;
    } else if (!strcmp(name, "clock_bound_ps") && value > seen->bound_ps) {
        seen->bound_ps = value;
    } else if (!strcmp(name, "clock_beyond")) {
        seen->n_beyond += value;
    }
}

/* Runs 'text' and stores what was reported in '*seen'. */
static struct lab_run *
run_text(const char *text, struct seen *seen)
{
    struct lab_run *lab = lab_run_create(text);
    struct results *results = results_create_forward(
        &(struct results_forward){.counter = on_counter, .context = seen});

    memset(seen, 0, sizeof *seen);
    current = seen;
    lab->sink.operations_ended = on_operations;
    lab->sink.side_found = on_side;
    lab_run_all(lab, 0);
    run_estats_report(lab->run, results);
    results_abandon(results);
    return lab;
}

/* Runs 'traffic' between two hosts with these keys, and stores what was
 * reported in '*seen'. */
static struct lab_run *
run(const char *keys, const char *traffic, const char *estats,
    struct seen *seen)
{
    char text[TEXT_SIZE];

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2, rate: 100G}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic: [{%s}]\n"
                   "stop: 5ms\n"
                   "record: {messages: true, estats: %s}\n",
                   keys, traffic, estats);
    return run_text(text, seen);
}

/* Operations of a run of one interval. */
#define ONE "{interval: 10ms, sync: 1ms, drift: 100}"

#define LOAD "rc: {pattern: pairs, from: h-0-0, to: h-0-1, "

/* T6 - T1 is the latency of the messages, which the run records by itself. */
static void
test_the_sum_of_latencies_is_that_of_messages(void **state)
{
    static const char *const keys[] = {
        "cpu: off", "cpu: {cores: 1, rdma_op: 1us, rdma_delay: 3us}",
        ("cpu: {cores: 1, background: 50%, background_job: 20us}, "
         "pcie: {generation: 3, lanes: 4}")};
    static const char *const loads[] = {
        LOAD "size: 64KB, depth: 4, repeat: 100}",
        LOAD "size: 1KB, depth: 1, repeat: 300, verb: send}",
        LOAD "size: 100KB, depth: 3, repeat: 50, verb: read}"};
    static const char *const names[] = {"write", "send", "read"};

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < 3; i++) {
            struct seen seen;
            struct lab_run *lab = run(keys[k], loads[i], ONE, &seen);
            uint64_t sum = 0;
            int64_t parts = 0;

            for (size_t m = 0; m < lab->n_messages; m++) {
                sum += (uint64_t)(lab->messages[m].end_ps -
                                  lab->messages[m].start_ps);
            }
            assert_true(lab->n_messages > 10);
            assert_int_equal(seen.n_groups, 1);
            assert_string_equal(seen.groups[0].operation, names[i]);
            assert_string_equal(seen.groups[0].status, "ok");
            assert_int_equal(seen.groups[0].n, lab->n_messages);
            assert_int_equal(seen.groups[0].total_sum, sum);
            for (int p = 0; p < SINK_N_PARTS; p++) {
                assert_true(seen.groups[0].parts[p] >= 0);
                parts += seen.groups[0].parts[p];
            }
            assert_int_equal(parts, sum);
            lab_run_destroy(lab);
        }
    }
}

/* T5 - T1 of a lone message is T6 - T1 without work and delay at its end, but
 * for the clock of the adapter, whose error is never beyond its bound. */
static void
test_t5_is_within_the_bound_of_the_clock(void **state)
{
    struct seen seen;
    struct lab_run *lab =
        run("cpu: {cores: 1, rdma_op: 1us, rdma_delay: 3us, rdma_spread: 0}",
            LOAD "size: 1KB, depth: 1, repeat: 300}", ONE, &seen);
    const uint64_t n = seen.groups[0].n;
    const uint64_t exact = seen.groups[0].total_sum - n * 4 * US;

    (void)state;
    assert_int_equal(n, 300);
    assert_int_equal(seen.n_beyond, 0);
    assert_true(seen.error_ps > 10 * NS);
    assert_true(seen.error_ps <= seen.bound_ps);
    assert_true(seen.bound_ps < 2 * US);
    assert_in_range(seen.groups[0].nic_sum, exact - n * seen.bound_ps,
                    exact + n * seen.bound_ps);
    assert_true(seen.groups[0].nic_sum != exact);
    /* The parts of the model are exact. */
    assert_int_equal(seen.groups[0].parts[ESTATS_PART_POST], n * 1 * US);
    assert_int_equal(seen.groups[0].parts[ESTATS_PART_POLL], n * 4 * US);
    lab_run_destroy(lab);
    /* With a perfect clock. */
    lab = run("cpu: {cores: 1, rdma_op: 1us, rdma_delay: 3us, rdma_spread: 0}",
              LOAD "size: 1KB, depth: 1, repeat: 300}",
              "{interval: 10ms, drift: 0, read: 0, tick: 1ps}", &seen);
    assert_int_equal(seen.groups[0].nic_sum, exact);
    assert_int_equal(seen.groups[0].poll_sum, n * 4 * US);
    lab_run_destroy(lab);
}

/* A message of 16 packets of 1,024 bytes: its last one leaves when 15 have been
 * sent, of 1,106 bytes on the wire. */
static void
test_parts_are_where_the_time_is(void **state)
{
    struct seen seen;
    struct lab_run *lab =
        run("cpu: off", LOAD "size: 16KiB, repeat: 1, verb: send}", ONE, &seen);
    const int64_t *parts = seen.groups[0].parts;

    (void)state;
    assert_int_equal(parts[ESTATS_PART_POST], 0);
    assert_int_equal(parts[ESTATS_PART_SEND], 15 * 1106 * 80);
    assert_true(parts[ESTATS_PART_NETWORK] > US / 4);
    assert_int_equal(parts[ESTATS_PART_FINISH], 0);
    assert_int_equal(parts[ESTATS_PART_POLL], 0);
    lab_run_destroy(lab);
    /* The acknowledgement passes a FIFO and a bus. */
    lab = run("pcie: {generation: 3, lanes: 8}",
              LOAD "size: 16KiB, repeat: 1, verb: read}", ONE, &seen);
    assert_int_equal(parts[ESTATS_PART_SEND], 0); /* The request. */
    assert_true(parts[ESTATS_PART_FINISH] > 100 * NS);
    lab_run_destroy(lab);
}

static void
test_pings_have_operations_at_both_ends(void **state)
{
    struct seen seen;
    struct lab_run *lab =
        run("cpu: {cores: 1, rdma_op: 1us, rdma_delay: 3us, rdma_spread: 0}",
            "ping: {pattern: pairs, from: h-0-0, to: h-0-1, size: 500B, "
            "every: 100us, repeat: 20}",
            ONE, &seen);

    (void)state;
    assert_int_equal(seen.n_groups, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(seen.groups[i].by_source, i < 2);
        assert_int_equal(seen.groups[i].n, 20);
        assert_string_equal(seen.groups[i].operation,
                            i % 2 ? "receive" : "send");
    }
    /* A receive waits for work and delay of the system. */
    assert_in_range(seen.groups[1].poll_sum, 20 * (4 * US - 2 * US),
                    20 * (4 * US + 2 * US));
    lab_run_destroy(lab);
}

static void
test_a_failed_operation_has_its_status(void **state)
{
    struct seen seen;
    struct lab_run *lab =
        run("cpu: {cores: 1}, rc: {receives: 1, rnr_retries: 0, rnr_timer: 1}",
            LOAD "size: 1KB, depth: 8, repeat: 100, verb: send}", ONE, &seen);
    uint64_t n_exceeded = 0, n_flushed = 0;

    (void)state;
    for (uint32_t i = 0; i < seen.n_groups; i++) {
        n_exceeded += strcmp(seen.groups[i].status, "rnr-exceeded")
                          ? 0
                          : seen.groups[i].n;
        n_flushed +=
            strcmp(seen.groups[i].status, "flushed") ? 0 : seen.groups[i].n;
    }
    assert_int_equal(n_exceeded, 1);
    assert_true(n_flushed >= 1);
    lab_run_destroy(lab);
}

/* Operations are in the interval in which they end, and in all together. */
static void
test_intervals_divide_the_run(void **state)
{
    struct seen seen;
    struct lab_run *lab =
        run("cpu: off", LOAD "size: 64KB, every: 100us, repeat: 45}",
            "{interval: 1500us, sync: 1ms}", &seen);
    uint64_t n = 0, bytes = 0;

    (void)state;
    assert_int_equal(seen.groups[0].n, 45);
    assert_int_equal(seen.n_in_intervals, 45);
    assert_int_equal(seen.n_intervals, 3);
    assert_int_equal(seen.n_sides, 4);
    for (int i = 0; i < 3; i++) {
        n += seen.sides[i].n;
        bytes += seen.sides[i].bytes;
        assert_string_equal(seen.sides[i].side, "none");
    }
    assert_int_equal(n, 45);
    assert_int_equal(bytes, UINT64_C(45) * 64000);
    assert_int_equal(seen.sides[3].n, 45);
    assert_int_equal(seen.sides[3].bytes, bytes);
    assert_in_range(seen.sides[0].n, 14, 16);
    lab_run_destroy(lab);
}

/* Sides -------------------------------------------------------------------- */

static void
add_pause(void *context, const struct sink_pause *pause)
{
    const struct lab_run *lab = context;
    const uint32_t first = lab->experiment.topology.n_switches;
    const int64_t ps = pause->end_ps - pause->start_ps;

    current->asked_ps += pause->by_node == first + 1 ? ps : 0;
    current->obeyed_ps += pause->node == first ? ps : 0;
}

/* A receiver whose PCIe has a fifth of the speed, without DCQCN: its pauses
 * fill the switch, which pauses the sender. */
static void
test_pauses_are_counted_for_both_ends(void **state)
{
    static const char text[] =
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 40G}, switch: {t0: {config: "
        "t0-32x40g}}}\n"
        "hosts: {default: {dcqcn: off}, groups: {slow: {of: h-0-1, pcie: "
        "{generation: 3, lanes: 1}, rx_fifo: {size: 1MB, xoff: 128KB, xon: "
        "64KB}}}}\n"
        "traffic:\n"
        "  - {name: load, priority: 3, start: 20us, rc: {pattern: pairs, from: "
        "h-0-0, to: h-0-1, size: 256KB, qps: 16, depth: 8, repeat: "
        "inf}}\n"
        "  - {name: probe, priority: 3, rc: {pattern: pairs, from: h-0-1, to: "
        "h-0-0, size: 64, every: 100us, repeat: inf}}\n"
        "stop: 5ms\n"
        "record: {estats: {interval: 1ms}}\n";
    struct seen seen;
    struct lab_run *lab = lab_run_create(text);
    struct results *results = results_create_forward(
        &(struct results_forward){.counter = on_counter, .context = &seen});
    int64_t asked_ps = 0;

    (void)state;
    memset(&seen, 0, sizeof seen);
    current = &seen;
    lab->sink.side_found = on_side;
    lab->sink.pause_ended = add_pause;
    lab_run_all(lab, 0);
    run_estats_report(lab->run, results);
    assert_int_equal(seen.n_sides, 6);
    for (int i = 0; i < 5; i++) {
        asked_ps += seen.sides[i].asked_ps;
        assert_true(seen.sides[i].asked_ps <= 1 * MS);
        assert_string_equal(seen.sides[i].side, "receiver");
    }
    assert_true(seen.asked_ps > 2 * MS);
    assert_true(seen.obeyed_ps > 1 * MS);
    assert_int_equal(asked_ps, seen.asked_ps);
    assert_int_equal(seen.sides[5].asked_ps, seen.asked_ps);
    assert_int_equal(seen.sides[5].obeyed_ps, seen.obeyed_ps);
    results_abandon(results);
    lab_run_destroy(lab);
}

/* A READ of a host whose core does much else: what its posts wait is its own,
 * not that of the sender of the payload. */
static void
test_posts_wait_at_the_requester(void **state)
{
    static const char text[] =
        "name: x\n"
        "fabric: {star: {hosts: 2, rate: 40G}}\n"
        "hosts: {groups: {busy: {of: h-0-0, cpu: {cores: 1, background: 90%, "
        "background_job: 100us}}}}\n"
        "traffic: [{rc: {pattern: pairs, from: h-0-0, to: h-0-1, verb: read, "
        "size: 4KB, repeat: inf}}]\n"
        "stop: 400ms\n"
        "record: {estats: {interval: 1s}}\n";
    struct seen seen;
    struct lab_run *lab = run_text(text, &seen);

    (void)state;
    assert_int_equal(seen.n_sides, 2);
    assert_string_equal(seen.sides[0].side, "receiver");
    assert_true(seen.sides[0].receiver_ps > 30 * US);
    assert_true(seen.sides[0].sender_ps < seen.sides[0].receiver_ps / 5);
    lab_run_destroy(lab);
}

/* A sender that does not recover from congestion.  Without probes nothing is
 * known of the path: its own messages say nothing.  Its first message after
 * that takes longer than an interval, of which it is the only one. */
static void
test_large_messages_are_no_probes(void **state)
{
    static const char text[] =
        "name: x\n"
        "fabric: {star: {hosts: 6, rate: 40G}, switch: {t0: {config: "
        "t0-32x40g}}}\n"
        "hosts: {default: {dcqcn: paper}, groups: {slow: {of: h-0-0, dcqcn: "
        "{profile: paper, timer: 1s, byte_reset: 0, ai: 1Mbps}}}}\n"
        "traffic:\n"
        "  - {name: load, priority: 3, rc: {pattern: pairs, from: h-0-0, to: "
        "h-0-1, size: 100KB, repeat: inf}}\n"
        "  - {name: other, priority: 3, start: 1ms, rc: {pattern: incast, "
        "from: 'h-0-[2..5]', to: h-0-1, size: 200KB, qps: 2}}\n"
        "stop: 20ms\n"
        "stop_when_done: false\n"
        "record: {estats: {interval: 1ms}}\n";
    struct seen seen;
    struct lab_run *lab = run_text(text, &seen);

    (void)state;
    assert_int_equal(seen.n_sides, 21);
    assert_string_equal(seen.sides[1].side, "network");
    for (int i = 12; i < 21; i++) {
        assert_string_equal(seen.sides[i].side, "sender");
        assert_non_null(strstr(seen.sides[i].reason, "did not send"));
        assert_true(seen.sides[i].n >= 1);
    }
    lab_run_destroy(lab);
}

/* Hashes ------------------------------------------------------------------- */

/* Runs 'text' with 'record', and stores the hash of its results and that of the
 * order of all that was reported. */
static void
hash(const char *text, const char *record, uint64_t hashes[2])
{
    char whole[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(whole, sizeof whole, "%srecord: {messages: true%s}\n", text,
                   record);
    lab = lab_run_create(whole);
    lab_run_all(lab, 0);
    hashes[0] = result_hash_get(&lab->hash);
    hashes[1] = lab->sequence;
    lab_run_destroy(lab);
}

/* With congestion, pauses, marks, losses, and cores with other work. */
static void
test_runs_are_the_same_without_it(void **state)
{
    static const char *const texts[] = {
        "name: x\nseed: 3\n"
        "fabric: {star: {hosts: 5, rate: 40G}, switch: {t0: {config: "
        "t0-32x40g}}}\n"
        "hosts: {default: {dcqcn: paper, cpu: {cores: 2, background: 60%, "
        "rdma_stall: 10%, rdma_stall_time: 50us}}, groups: {slow: {of: h-0-1, "
        "pcie: {generation: 3, lanes: 2}, rx_fifo: {size: 1MB, xoff: 128KB, "
        "xon: 64KB}}}}\n"
        "traffic:\n"
        "  - {name: a, rc: {pattern: incast, from: 'h-0-[2..4]', to: h-0-1, "
        "size: 100KB, qps: 4, repeat: inf}}\n"
        "  - {name: b, rc: {pattern: pairs, from: h-0-0, to: h-0-2, verb: "
        "read, size: 30KB, repeat: inf}}\n"
        "  - {name: c, ping: {pattern: pairs, from: h-0-3, to: h-0-0, every: "
        "20us, repeat: inf}}\n"
        "faults: [{link: h-0-0.t0-0, loss: 1/300}]\n"
        "stop: 4ms\n",
        "name: x\nseed: 4\n"
        "fabric: {star: {hosts: 3, rate: 40G}}\n"
        "traffic:\n"
        "  - {name: a, rc: {pattern: incast, from: 'h-0-[1..2]', to: h-0-0, "
        "size: 1MB, repeat: 4}}\n"
        "  - {name: b, tcp: {pattern: pairs, from: h-0-1, to: h-0-2, size: "
        "1MB}}\n"
        "stop: 4ms\n"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint64_t without[2], with[2];

        hash(texts[i], "", without);
        hash(texts[i], ", estats: {interval: 100us, sync: 100us}", with);
        assert_int_equal(without[0], with[0]);
        assert_int_equal(without[1], with[1]);
    }
}

static void
test_wrong_keys_are_refused_with_their_place(void **state)
{
    struct err err = {0};

    (void)state;
    lab_run_refuse("name: x\nfabric: {star: {hosts: 2, rate: 40G}}\n"
                   "traffic: []\nstop: 1ms\n"
                   "record: {estats: {span: 1ms}}\n",
                   &err);
    assert_non_null(strstr(err.reason, "test.yaml:5:19:"));
    assert_non_null(strstr(err.reason, "'span'"));
    assert_non_null(strstr(err.reason, "interval, sync, read, tick, drift"));
    lab_run_refuse("name: x\nfabric: {star: {hosts: 2, rate: 40G}}\n"
                   "traffic: []\nstop: 1ms\n"
                   "record: {estats: {drift: 2000}}\n",
                   &err);
    assert_non_null(strstr(err.reason, "0..1000"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_sum_of_latencies_is_that_of_messages),
        cmocka_unit_test(test_t5_is_within_the_bound_of_the_clock),
        cmocka_unit_test(test_parts_are_where_the_time_is),
        cmocka_unit_test(test_pings_have_operations_at_both_ends),
        cmocka_unit_test(test_a_failed_operation_has_its_status),
        cmocka_unit_test(test_intervals_divide_the_run),
        cmocka_unit_test(test_pauses_are_counted_for_both_ends),
        cmocka_unit_test(test_posts_wait_at_the_requester),
        cmocka_unit_test(test_large_messages_are_no_probes),
        cmocka_unit_test(test_runs_are_the_same_without_it),
        cmocka_unit_test(test_wrong_keys_are_refused_with_their_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
