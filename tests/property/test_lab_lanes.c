/* SPDX-License-Identifier: Apache-2.0 */

/* A run whose fabric is divided into lanes has the results of one that is not:
 * the same reports, in the same order, whatever the number of lanes is and
 * however the run is driven. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lab/exec/run_state.h"
#include "tests/support/hasty_scenario.h"
#include "tests/support/lab_run.h"

/* Links of hosts are shorter than those of switches: a rack is an island. */
#define CLOS "clos: {t0: 6, hosts: 3, t1: 2, rate: 100G}"

/* Incast with marks, and a permutation; samples of all queues in between. */
#define MARKED                                                                 \
    "name: marked\n"                                                           \
    "seed: 7\n"                                                                \
    "fabric: {" CLOS ", links: {host: 10m, t0_t1: 300m}}\n"                    \
    "hosts: {default: {dcqcn: paper}}\n"                                       \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[1..5]-*', to: h-0-0, size: 60KB,\n"  \
    "          repeat: 2}, start: 5us}\n"                                      \
    "  - {rc: {pattern: permutation, size: 40KB, repeat: 5, depth: 2,\n"       \
    "          verb: send}}\n"                                                 \
    "record: {messages: true, histograms: [fct, message, pause],\n"            \
    "         series: [{of: queue.bytes, at: [t0-0.h-0-0],\n"                  \
    "                   every: 700ns}]}\n"                                     \
    "stop: 4ms\n"                                                              \
    "stop_when_done: true\n"

/* Pauses that spread from the receiver of an incast. */
#define PAUSED                                                                 \
    "name: paused\n"                                                           \
    "fabric:\n"                                                                \
    "  " CLOS "\n"                                                             \
    "  links: {host: 40m, t0_t1: 40m}\n"                                       \
    "  switch:\n"                                                              \
    "    t0:\n"                                                                \
    "      config: t0-32x100g\n"                                               \
    "      set: {'BUFFER_PROFILE|pg_lossless_100000_40m_profile':\n"           \
    "              {dynamic_th: '-7'}}\n"                                      \
    "hosts: {default: {pcie: gen3x8, rx_fifo: {size: 256KB, xoff: 128KB,\n"    \
    "                                         xon: 64KB}}}\n"                  \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[1..5]-*', to: h-0-0, size: 1MB}}\n"  \
    "  - {rc: {pattern: permutation, size: 40KB}}\n"                           \
    "record: {histograms: [pause]}\n"                                          \
    "stop: 150us\n"

/* Lossy classes: drops, retransmissions, timeouts, failed queue pairs. */
#define LOSSY                                                                  \
    "name: lossy\n"                                                            \
    "fabric:\n"                                                                \
    "  " CLOS "\n"                                                             \
    "  links: {host: 40m, t0_t1: 40m}\n"                                       \
    "  switch:\n"                                                              \
    "    t0:\n"                                                                \
    "      config: t0-32x100g\n"                                               \
    "      set: {'BUFFER_PROFILE|egress_lossy_profile': {dynamic_th: '-8'}}\n" \
    "hosts: {default: {rc: {timeout: 3, retries: 2}}}\n"                       \
    "traffic:\n"                                                               \
    "  - {rc: {pattern: incast, from: 'h-[0..4]-0', to: h-5-0, size: 2MB},\n"  \
    "     priority: 1}\n"                                                      \
    "  - {raw: {pattern: incast, from: 'h-0-*', to: h-5-0, frame: 1000,\n"     \
    "           rate: 80G}, priority: 1, start: 20us}\n"                       \
    "stop: 300us\n"

static const struct {
    const char *name, *text;
} scenarios[] = {{"marked", MARKED},
                 {"paused", PAUSED},
                 {"lossy", LOSSY},
                 {"hasty", HASTY_SCENARIO}};

/* What a run comes to. */
struct outcome {
    uint64_t hash, sequence;
    uint64_t n_samples, n_flows, n_messages, n_drops, n_pauses, n_marks;
    int64_t end_ps;
};

/* Drives 'lab' to its end, and destroys it. */
static struct outcome
finish(struct lab_run *lab, int64_t piece_ps)
{
    struct outcome outcome;

    lab_run_all(lab, piece_ps);
    outcome = (struct outcome){result_hash_get(&lab->hash),
                               lab->sequence,
                               lab->n_samples,
                               lab->n_flows,
                               lab->n_messages,
                               lab->n_drops,
                               lab->n_pauses,
                               lab->n_marks,
                               run_now(lab->run)};
    lab_run_destroy(lab);
    return outcome;
}

static void
assert_equal(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->n_flows, b->n_flows);
    assert_int_equal(a->n_messages, b->n_messages);
    assert_int_equal(a->n_drops, b->n_drops);
    assert_int_equal(a->n_pauses, b->n_pauses);
    assert_int_equal(a->n_marks, b->n_marks);
    assert_int_equal(a->end_ps, b->end_ps);
    assert_int_equal(a->n_samples, b->n_samples);
    assert_true(a->hash == b->hash);
    assert_true(a->sequence == b->sequence);
}

static void
test_lanes_change_nothing(void **state)
{
    static const uint32_t lanes[] = {2, 3, 6, 20};
    struct outcome sum = {0};

    (void)state;
    for (size_t s = 0; s < sizeof scenarios / sizeof scenarios[0]; s++) {
        const struct outcome whole =
            finish(lab_run_create(scenarios[s].text), 0);

        sum.n_samples += whole.n_samples;
        sum.n_messages += whole.n_messages;
        sum.n_drops += whole.n_drops;
        sum.n_pauses += whole.n_pauses;
        sum.n_marks += whole.n_marks;
        for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
            struct lab_run *lab =
                lab_run_create_lanes(scenarios[s].text, lanes[i]);
            struct outcome divided;

            print_message("%s, %u lanes\n", scenarios[s].name,
                          (unsigned int)lanes[i]);
            assert_non_null(lab->run->lanes);
            divided = finish(lab, i % 2 ? 3333333 : 0);
            assert_equal(&whole, &divided);
        }
    }
    /* There was something to disagree about. */
    assert_true(sum.n_samples > 50);
    assert_true(sum.n_messages > 50);
    assert_true(sum.n_drops > 50);
    assert_true(sum.n_pauses > 50);
    assert_true(sum.n_marks > 50);
}

/* One event at a time, and up to a break within a window. */
static void
test_steps_and_breaks(void **state)
{
    const struct run_break mark = {.kind = RUN_BREAK_MARK};
    struct lab_run *whole = lab_run_create(MARKED);
    struct lab_run *divided = lab_run_create_lanes(MARKED, 5);
    struct outcome a, b;

    (void)state;
    assert_non_null(divided->run->lanes);
    run_break(whole->run, &mark);
    run_break(divided->run, &mark);
    assert_int_equal(run_until(whole->run, INT64_MAX), RUN_BROKEN);
    assert_int_equal(run_until(divided->run, INT64_MAX), RUN_BROKEN);
    assert_int_equal(run_now(whole->run), run_now(divided->run));
    assert_string_equal(run_break_reason(whole->run),
                        run_break_reason(divided->run));
    for (int i = 0; i < 500; i++) {
        assert_int_equal(run_step(whole->run, 1), RUN_RUNNING);
        assert_int_equal(run_step(divided->run, 1), RUN_RUNNING);
        assert_int_equal(run_now(whole->run), run_now(divided->run));
    }
    a = finish(whole, 0);
    b = finish(divided, 0);
    assert_equal(&a, &b);
}

/* What looks at several nodes at one instant keeps a fabric in one piece. */
static void
test_what_is_not_divided(void **state)
{
    static const char *const parts[] = {
        "traffic: [{tcp: {pattern: permutation, size: 10KB}}]\n",
        "traffic: [{rc: {pattern: permutation, size: 10KB, verb: read}}]\n",
        "traffic: [{ping: {pattern: permutation, repeat: 8}}]\n",
        "record: {paths: true}\n",
        "record: {gaps: 1ms}\n",
        "faults: [{link: h-0-0.t0-0, loss: 1e-3}]\n",
        "hosts: {default: {cpu: {cores: 4}}}\n",
    };

    (void)state;
    for (size_t i = 0; i <= sizeof parts / sizeof parts[0]; i++) {
        const bool is_last = i == sizeof parts / sizeof parts[0];
        struct lab_run *lab;
        char text[512];

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: {" CLOS "}\nstop: 1ms\n%s",
                       is_last ? "" : parts[i]);
        lab = lab_run_create_lanes(text, 3);
        assert_true((lab->run->lanes != NULL) == is_last);
        lab_run_destroy(lab);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_change_nothing),
        cmocka_unit_test(test_steps_and_breaks),
        cmocka_unit_test(test_what_is_not_divided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
