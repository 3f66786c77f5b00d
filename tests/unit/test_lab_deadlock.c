/* SPDX-License-Identifier: Apache-2.0 */

/* Deadlocks of PFC in a run: found where packets wait for each other in a
 * cycle, and not where they only wait. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

/* A ring of five switches, on which the shortest way to the next but one is by
 * the next. */
#define RING                                                                   \
    "name: x\n"                                                                \
    "fabric:\n"                                                                \
    "  graph:\n"                                                               \
    "    switches: [a, b, c, d, e]\n"                                          \
    "    hosts: [ha, hb, hc, hd, he]\n"                                        \
    "    rate: 40G\n"                                                          \
    "    links:\n"                                                             \
    "      - {ends: [ha, a]}\n"                                                \
    "      - {ends: [hb, b]}\n"                                                \
    "      - {ends: [hc, c]}\n"                                                \
    "      - {ends: [hd, d]}\n"                                                \
    "      - {ends: [he, e]}\n"                                                \
    "      - {ends: [a, b]}\n"                                                 \
    "      - {ends: [b, c]}\n"                                                 \
    "      - {ends: [c, d]}\n"                                                 \
    "      - {ends: [d, e]}\n"                                                 \
    "      - {ends: [e, a]}\n"                                                 \
    "  routing: shortest\n"                                                    \
    "record: {deadlocks: 1ms}\n"

/* Each host sends to the one after the next: all links that way round carry
 * two flows. */
#define AROUND                                                                 \
    "traffic:\n"                                                               \
    "  - {raw: {pattern: pairs, from: ha, to: hc, frame: 1086}}\n"             \
    "  - {raw: {pattern: pairs, from: hb, to: hd, frame: 1086}}\n"             \
    "  - {raw: {pattern: pairs, from: hc, to: he, frame: 1086}}\n"             \
    "  - {raw: {pattern: pairs, from: hd, to: ha, frame: 1086}}\n"             \
    "  - {raw: {pattern: pairs, from: he, to: hb, frame: 1086}}\n"

enum { QUEUES_MAX = 16 };

/* The queues that were reported. */
struct reports {
    struct sink_deadlock queues[QUEUES_MAX];
    uint32_t n;
};

static void
take(void *context, const struct sink_deadlock *queue)
{
    struct reports *reports = context;

    assert_true(reports->n < QUEUES_MAX);
    reports->queues[reports->n++] = *queue;
}

/* Runs 'text' and stores the queues of its deadlocks in '*reports'. */
static void
run_all(const char *text, struct reports *reports)
{
    struct lab_run *lab = lab_run_create(text);

    *reports = (struct reports){.n = 0};
    /* The test needs nothing else of the run. */
    lab->sink = (struct sink){.deadlock_ended = take, .context = reports};
    lab_run_all(lab, 0);
    lab_run_destroy(lab);
}

static void
test_a_ring_waits_for_itself(void **state)
{
    struct reports reports;

    (void)state;
    run_all(RING AROUND "stop: 12ms\n", &reports);
    assert_int_equal(reports.n, 5);
    for (uint32_t i = 0; i < reports.n; i++) {
        const struct sink_deadlock *queue = &reports.queues[i];

        assert_int_equal(queue->number, 0);
        assert_int_equal(queue->step, i);
        assert_int_equal(queue->priority, 3);
        assert_true(queue->packets > 0);
        assert_int_equal(queue->bytes, queue->packets * (1086 - 4));
        assert_true(queue->start_ps > 0);
        assert_true(queue->found_ps > queue->start_ps);
        assert_int_equal(queue->end_ps, -1);
    }
}

static void
test_it_is_over_when_a_link_goes_down(void **state)
{
    struct reports reports;

    (void)state;
    run_all(RING AROUND "faults: [{down: true, link: a.b, at: 10ms}]\n"
                        "stop: 12ms\n",
            &reports);
    assert_true(reports.n >= 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(reports.queues[i].end_ps, INT64_C(11000000000));
    }
}

static void
test_a_line_only_waits(void **state)
{
    struct reports reports;

    (void)state;
    /* No flow from e to b: nothing closes the cycle, though three flows are
     * longer than their share. */
    run_all(RING "traffic:\n"
                 "  - {raw: {pattern: pairs, from: ha, to: hc, frame: 1086}}\n"
                 "  - {raw: {pattern: pairs, from: hb, to: hd, frame: 1086}}\n"
                 "  - {raw: {pattern: pairs, from: hc, to: he, frame: 1086}}\n"
                 "  - {raw: {pattern: pairs, from: hd, to: ha, frame: 1086}}\n"
                 "stop: 12ms\n",
            &reports);
    assert_int_equal(reports.n, 0);
}

static void
test_a_stalled_host_is_none(void **state)
{
    struct reports reports;

    (void)state;
    /* Its T0 waits for it permanently, and others for the T0. */
    run_all("name: x\n"
            "fabric: {clos: {t0: 3, t1: 2, hosts: 2, rate: 40G}}\n"
            "hosts:\n"
            "  default:\n"
            "    pcie: gen3x8\n"
            "    rx_fifo: {size: 1MB, xoff: 512KB, xon: 256KB}\n"
            "traffic:\n"
            "  - {rc: {pattern: all_to_all, size: 1MB, repeat: inf}}\n"
            "faults: [{stall: true, link: h-0-0.t0-0, at: 1ms}]\n"
            "record: {deadlocks: 1ms}\n"
            "stop: 12ms\n",
            &reports);
    assert_int_equal(reports.n, 0);
}

/* What the switches could wait for ------------------------------------------
 */

/* A dependency_forward_fn: as the routes say. */
static void
forward(void *context, const struct dependency_packet *packet,
        dependency_leave_fn *leave, void *visitor)
{
    const struct run *run = context;
    const struct next_hops ways =
        fabric_routes_towards(run->routes, packet->node, packet->host);

    for (uint32_t i = 0; i < ways.n; i++) {
        leave(visitor, ways.ports[i], false);
    }
}

/* Asserts that the switches of 'run' do what its routes say, and returns the
 * length of their cycle. */
static size_t
compare(struct run *run)
{
    enum { LOSSLESS = 3 << 3 };
    const struct topology *topology = run->topology;
    const struct dependency_channel *cycle, *expected_cycle;
    struct dependency *graph = run_dependency(run), *expected;
    uint32_t hosts[64];
    size_t n = 0;

    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        hosts[n++] = topology->n_switches + i;
    }
    expected = dependency_create(topology, hosts, n, LOSSLESS, forward, run);
    assert_int_equal(dependency_n_channels(graph),
                     dependency_n_channels(expected));
    assert_int_equal(dependency_n_edges(graph), dependency_n_edges(expected));
    n = dependency_find_cycle(graph, &cycle);
    assert_int_equal(n, dependency_find_cycle(expected, &expected_cycle));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(cycle[i].node, expected_cycle[i].node);
        assert_int_equal(cycle[i].port, expected_cycle[i].port);
        assert_int_equal(cycle[i].priority, 3);
    }
    dependency_destroy(expected);
    dependency_destroy(graph);
    return n;
}

static void
test_switches_forward_as_their_routes_say(void **state)
{
    static const struct {
        const char *fabric;
        size_t before, after; /* Channels of the cycle. */
    } cases[] = {
        {"{clos: {t0: 4, t1: 2, hosts: 2}, routing: shortest}", 0, 4},
        {"{clos: {t0: 4, t1: 2, hosts: 2}}", 0, 0},
        {"{podsets: {podsets: 2, t0: 2, t1: 2, t2: 4, hosts: 2},"
         " links: {t1_t2: {parallel: 2}}}",
         0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct lab_run *lab;
        struct err err = {0};
        bool changes;

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: %s\ntraffic:\n"
                       "  - {rc: {pattern: permutation, size: 1MB}}\n"
                       "faults:\n"
                       "  - {down: true, link: %s, at: 1ms}\n"
                       "  - {down: true, link: %s, at: 1ms}\n"
                       "stop: 2ms\n",
                       cases[i].fabric, i < 2 ? "t0-0.t1-1" : "t0-0-0.t1-0-1",
                       i < 2 ? "t0-1.t1-0" : "t1-0-0.t2-1.1");
        lab = lab_run_create(text);
        assert_int_equal(compare(lab->run), cases[i].before);
        assert_int_equal(
            run_imagine(lab->run, RUN_CONDITION_FAILED, &changes, &err), ST_OK);
        assert_true(changes);
        assert_int_equal(compare(lab->run), cases[i].after);
        assert_int_equal(
            run_imagine(lab->run, RUN_CONDITION_SILENT, &changes, &err), ST_OK);
        assert_false(changes);
        lab_run_destroy(lab);
    }
}

/* Returns the length of the cycle when hosts are silent in VLANs with 'keys'.
 */
static size_t
cycle_of_silence(const char *keys)
{
    const struct dependency_channel *cycle;
    struct dependency *graph;
    struct err err = {0};
    struct lab_run *lab;
    char text[512];
    bool changes;
    size_t n;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric:\n"
                   "  clos: {t0: 2, t1: 2, hosts: 2}\n"
                   "  switch: {t0: {vlan: {uplinks: true%s}}}\n"
                   "traffic:\n"
                   "  - {rc: {pattern: permutation, size: 1MB}}\n"
                   "stop: 2ms\n",
                   keys);
    lab = lab_run_create(text);
    graph = run_dependency(lab->run);
    assert_int_equal(dependency_find_cycle(graph, &cycle), 0);
    dependency_destroy(graph);
    assert_int_equal(
        run_imagine(lab->run, RUN_CONDITION_SILENT, &changes, &err), ST_OK);
    assert_true(changes);
    graph = run_dependency(lab->run);
    n = dependency_find_cycle(graph, &cycle);
    dependency_destroy(graph);
    lab_run_destroy(lab);
    return n;
}

static void
test_floods_close_a_circle(void **state)
{
    (void)state;
    assert_int_equal(cycle_of_silence(""), 4);
    assert_int_equal(cycle_of_silence(", unknown: drop_lossless"), 0);
    assert_int_equal(cycle_of_silence(", arp_ageing: 300s"), 0);
    assert_int_equal(
        cycle_of_silence(", unknown: drop_lossless, priorities: 4"), 4);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ring_waits_for_itself),
        cmocka_unit_test(test_it_is_over_when_a_link_goes_down),
        cmocka_unit_test(test_a_line_only_waits),
        cmocka_unit_test(test_a_stalled_host_is_none),
        cmocka_unit_test(test_switches_forward_as_their_routes_say),
        cmocka_unit_test(test_floods_close_a_circle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
