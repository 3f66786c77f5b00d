/* SPDX-License-Identifier: Apache-2.0 */

/* Settings of hosts and switches in a run: what they do to others. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

/* Runs h-0-0, which sends to h-0-7 (as three others do) in priority 3 and to
 * h-0-6 in 'priority', with these keys of all hosts; stores how many bytes have
 * arrived there. */
static void
run_leak(const char *keys, unsigned int priority, uint64_t *slow,
         uint64_t *fast)
{
    char text[1024];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 8}, switch: {t0: {set: "
                   "{'WRED_PROFILE|*': {wred_green_enable: 'false'}}}}}\n"
                   "hosts: {default: {%s}}\n"
                   "traffic:\n"
                   "  - {rc: {pattern: incast, from: 'h-0-[0..3]', to: h-0-7, "
                   "size: inf}}\n"
                   "  - {priority: %u, rc: {pattern: pairs, from: h-0-0, "
                   "to: h-0-6, size: inf}}\n"
                   "stop: 2ms\n",
                   keys, priority);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_flows, 5);
    *slow = lab->flows[0].bytes;
    *fast = lab->flows[4].bytes;
    lab_run_destroy(lab);
}

/* Row A38: all queue pairs get the rate of the slowest. */
static void
test_congestion_leaks_through_a_shared_fifo(void **state)
{
    uint64_t slow, fast;

    (void)state;
    run_leak("shared_fifo: false", 4, &slow, &fast);
    assert_true(fast > 2 * slow);
    run_leak("shared_fifo: true", 4, &slow, &fast);
    assert_in_range(fast, slow * 9 / 10, slow * 11 / 10);
    /* So it does with rates of their own, that of DCQCN for each. */
    run_leak("dcqcn: paper", 3, &slow, &fast);
    assert_true(fast > 2 * slow);
    run_leak("dcqcn: paper, shared_fifo: true", 3, &slow, &fast);
    assert_in_range(fast, slow * 9 / 10, slow * 11 / 10);
}

/* Returns how many frames are lost at a host behind a slow bus, whose FIFO has
 * room for 150 KB above its mark, if the switch takes 'response' to obey. */
static uint64_t
run_response(const char *response)
{
    char text[1024];
    struct lab_run *lab;
    uint64_t lost;

    (void)snprintf(
        text, sizeof text,
        "name: x\n"
        "fabric: {star: {hosts: 2}, switch: {t0: {pfc_response: %s, "
        "set: {'WRED_PROFILE|*': {wred_green_enable: 'false'}}}}}\n"
        "hosts: {groups: {slow: {of: h-0-1, pcie: gen3x4, "
        "rx_fifo: {size: 200KB, xoff: 50KB, xon: 20KB}}}}\n"
        "traffic: [{raw: {pattern: pairs, from: h-0-0, to: h-0-1}}]\n"
        "stop: 1ms\n",
        response);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    assert_true(lab->n_pauses_by_hosts > 0);
    lost = lab->drops[SINK_DROP_RX_FIFO];
    assert_int_equal(lost, lab->n_drops);
    lab_run_destroy(lab);
    return lost;
}

/* 100 Gb/s arrive and 28.6 leave: 8.9 KB more for each microsecond. */
static void
test_response_of_a_switch_needs_room(void **state)
{
    (void)state;
    assert_int_equal(run_response("0"), 0);
    assert_int_equal(run_response("16us"), 0);
    assert_true(run_response("18us") > 0);
}

/* Runs an incast of 'priority' with this policy, and stores how long it and a
 * flow beside it took. */
static void
run_admission(const char *policy, unsigned int priority, int64_t times_ps[2])
{
    char text[1024];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 8}, switch: {t0: {admission: %s}}}\n"
                   "hosts: {default: {rc: {recovery: selective}}}\n"
                   "traffic:\n"
                   "  - {priority: %u, rc: {pattern: incast, from: "
                   "'h-0-[0..5]', to: h-0-7, size: 1MB}}\n"
                   "stop: 20ms\n",
                   policy, priority);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    times_ps[0] = lab->flows[0].end_ps;
    times_ps[1] = lab->flows[5].end_ps;
    lab_run_destroy(lab);
}

/* Row A43: a policy of the same rule changes nothing, others do. */
static void
test_admission_policies(void **state)
{
    (void)state;
    for (unsigned int priority = 2; priority <= 3; priority++) {
        int64_t built_in[2];
        int64_t dt[2];
        int64_t abm[2];

        run_admission("built_in", priority, built_in);
        run_admission("dt", priority, dt);
        run_admission("abm", priority, abm);
        assert_memory_equal(dt, built_in, sizeof dt);
        assert_memory_not_equal(abm, built_in, sizeof abm);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_congestion_leaks_through_a_shared_fifo),
        cmocka_unit_test(test_response_of_a_switch_needs_room),
        cmocka_unit_test(test_admission_policies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
