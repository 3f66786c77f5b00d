/* SPDX-License-Identifier: Apache-2.0 */

/* The same scenario gives the same results: again, in pieces of any length, and
 * with the nodes of a graph in any order. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

/* A Clos network with an incast, pauses, marks, losses and a link that fails;
 * the finite flows end before the endless one. */
static const char clos[] =
    "name: x\n"
    "fabric: {clos: {t0: 3, t1: 2, hosts: 4}, convergence: 20us}\n"
    "hosts: {default: {nic: gen2, rc: {timeout: 6}}}\n"
    "traffic:\n"
    "  - {name: load, jitter: 3us, rc: {pattern: incast, "
    "from: 'h-[1..2]-*', to: h-0-0, size: 300KB, qps: 4}}\n"
    "  - {name: back, rc: {pattern: pairs, from: h-0-1, to: h-1-1, "
    "size: inf}}\n"
    "faults:\n"
    "  - {loss: 1e-3, link: t0-1.t1-0}\n"
    "  - {down: true, link: t0-2.t1-1, at: 50us, for: 60us}\n"
    "record: {messages: true}\n"
    "stop: 20ms\n";

static void
test_pieces(void **state)
{
    static const int64_t pieces_ps[] = {0, 777777, 10000000, 123456789,
                                        1000000000};
    const uint64_t hash = lab_run_hash(clos, 0);
    struct lab_run *lab = lab_run_create(clos);

    (void)state;
    for (size_t i = 0; i < sizeof pieces_ps / sizeof *pieces_ps; i++) {
        assert_int_equal(lab_run_hash(clos, pieces_ps[i]), hash);
    }
    /* The scenario has everything that is to be compared. */
    lab_run_all(lab, 0);
    assert_true(lab->n_pauses > 0);
    assert_true(lab->n_marks > 0);
    assert_true(lab->drops[SINK_DROP_FAULT] > 0);
    assert_int_equal(lab->flows[lab->n_flows - 1].state, SINK_FLOW_RUNNING);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    lab_run_destroy(lab);
}

/* One event at a time. */
static void
test_steps(void **state)
{
    struct lab_run *lab = lab_run_create(clos);

    (void)state;
    while (run_step(lab->run, 1) == RUN_RUNNING) {
    }
    lab_run_finish(lab);
    assert_int_equal(result_hash_get(&lab->hash), lab_run_hash(clos, 0));
    lab_run_destroy(lab);
}

/* A flow that ends, microseconds after the event before, at a time at which a
 * run may end. */
static void
test_end(void **state)
{
    static const char format[] =
        "name: x\n"
        "fabric: {star: {hosts: 2}, links: {host: 1km}}\n"
        "traffic: [{start: %" PRId64 "ps, rc: {pattern: pairs, "
        "from: h-0-0, to: h-0-1, size: 1KB}}]\n"
        "stop: 1ms\n";
    const int64_t grid_ps = 1000000;
    char text[512];
    int64_t end_ps;
    struct lab_run *lab;

    (void)state;
    (void)snprintf(text, sizeof text, format, INT64_C(0));
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    end_ps = lab->flows[0].end_ps;
    lab_run_destroy(lab);
    (void)snprintf(text, sizeof text, format, grid_ps - end_ps % grid_ps);
    end_ps = (end_ps / grid_ps + 1) * grid_ps;
    for (int64_t piece_ps = 0; piece_ps <= grid_ps; piece_ps += grid_ps / 2) {
        lab = lab_run_create(text);
        lab_run_all(lab, piece_ps);
        assert_int_equal(lab->flows[0].end_ps, end_ps);
        assert_int_equal(run_now(lab->run), end_ps);
        lab_run_destroy(lab);
    }
    lab = lab_run_create(text);
    while (run_step(lab->run, 1) == RUN_RUNNING) {
    }
    assert_int_equal(run_now(lab->run), end_ps);
    lab_run_finish(lab);
    lab_run_destroy(lab);
}

/* A different seed loses other frames. */
static void
test_seed(void **state)
{
    char text[2048];

    (void)state;
    (void)snprintf(text, sizeof text, "seed: 2\n%s", clos);
    assert_int_not_equal(lab_run_hash(text, 0), lab_run_hash(clos, 0));
}

/* Nodes and links of a graph in an order of the test. */
static void
test_order(void **state)
{
    static const char *const nodes[] = {
        "switches: [s-0, s-1, s-2], hosts: [a, b, c, d]",
        "switches: [s-2, s-0, s-1], hosts: [d, b, a, c]",
        "hosts: [c, d, a, b], switches: [s-1, s-2, s-0]"};
    static const char *const links[] = {
        "{ends: [s-0, s-1], parallel: 2}, {ends: [s-1, s-2], length: 1500mm}, "
        "{ends: [a, s-0]}, {ends: [b, s-0]}, {ends: [c, s-2]}, {ends: [d, "
        "s-2]}",
        "{ends: [d, s-2]}, {ends: [s-2, s-1], length: 1500mm}, "
        "{ends: [s-0, b]}, {ends: [s-1, s-0], parallel: 2}, {ends: [s-0, a]}, "
        "{ends: [c, s-2]}",
        "{ends: [s-0, b]}, {ends: [c, s-2]}, {ends: [a, s-0]}, "
        "{ends: [s-2, d]}, {ends: [s-1, s-2], length: 1500mm}, "
        "{ends: [s-0, s-1], parallel: 2}"};
    uint64_t first = 0;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[2048];
        uint64_t hash;

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {graph: {%s, links: [%s]}}\n"
            "hosts: {default: {nic: gen1}}\n"
            "traffic: [{rc: {pattern: pairs, from: [a, b], to: [c, d], "
            "size: 100KB, qps: 3, both_ways: true}}, {jitter: 1us, rc: "
            "{pattern: permutation, size: 9KB}}]\n"
            "faults: [{loss: 1%%, link: s-2.s-1}]\n"
            "record: {messages: true}\n"
            "stop: 50ms\n",
            nodes[i], links[i]);
        hash = lab_run_hash(text, 0);
        first = i ? first : hash;
        assert_int_equal(hash, first);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
