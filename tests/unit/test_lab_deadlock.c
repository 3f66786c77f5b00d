/* SPDX-License-Identifier: Apache-2.0 */

/* Deadlocks of PFC in a run: found where packets wait for each other in a
 * circle, and not where they only wait. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
    /* No flow from e to b: nothing closes the circle, though three flows are
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

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ring_waits_for_itself),
        cmocka_unit_test(test_it_is_over_when_a_link_goes_down),
        cmocka_unit_test(test_a_line_only_waits),
        cmocka_unit_test(test_a_stalled_host_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
