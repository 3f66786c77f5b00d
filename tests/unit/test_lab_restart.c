/* SPDX-License-Identifier: Apache-2.0 */

/* Switches of a run whose control plane starts again. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lab/builder/switch_image.h"
#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

#define MS INT64_C(1000000000)

/* Creates a run of two hosts that send to each other each 100 us, with
 * 'restarts'. */
static struct lab_run *
create(const char *restarts)
{
    char text[1024];

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2}, convergence: 1ms}\n"
                   "hosts: {default: {rc: {timeout: 8}}}\n"
                   "traffic:\n"
                   "  - {rc: {pattern: all_to_all, size: 8KB, every: 100us, "
                   "repeat: inf}}\n"
                   "restarts: [%s]\n"
                   "stop: 20ms\n",
                   restarts);
    return lab_run_create(text);
}

static struct switch_instance *
find(struct lab_run *lab)
{
    struct switch_instance *sw;
    struct err err = {0};

    assert_int_equal(run_find_switch(lab->run, "t0-0", &sw, &err), ST_OK);
    return sw;
}

static void
test_a_warm_restart_changes_nothing(void **state)
{
    struct lab_run *without = create(""), *lab;

    (void)state;
    lab_run_all(without, 0);
    lab = create("{switch: t0-0, kind: warm, at: 5ms, for: 10ms}");
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_drops, 0);
    assert_true(result_hash_get(&lab->hash) == result_hash_get(&without->hash));
    lab_run_destroy(lab);
    lab_run_destroy(without);
}

/* What a control plane finds after the same restart of the switch itself. */
static void
test_what_a_control_plane_finds(void **state)
{
    struct lab_run *lab = create("");
    struct switch_instance *sw = find(lab);
    struct switch_restart found;
    struct err err = {0};
    size_t n;

    (void)state;
    assert_int_equal(switch_instance_restart(sw, &found, &err), ST_OK);
    assert_true(found.n_adopted > 0);
    assert_int_equal(found.n_created + found.n_set + found.n_removed, 0);
    n = found.n_adopted;

    /* A switch that has lost everything gets everything. */
    assert_int_equal(switch_instance_reset(sw, &err), ST_OK);
    assert_int_equal(switch_instance_restart(sw, &found, &err), ST_OK);
    assert_int_equal(found.n_adopted, 0);
    assert_int_equal(found.n_created, n);
    assert_true(found.n_set > 0);

    /* And then keeps it. */
    assert_int_equal(switch_instance_restart(sw, &found, &err), ST_OK);
    assert_int_equal(found.n_adopted, n);
    assert_int_equal(found.n_created + found.n_set + found.n_removed, 0);
    lab_run_destroy(lab);
}

/* 5 ms without ports, then all goes on; every frame is accounted for, else
 * lab_run_finish() fails. */
static void
test_ports_blink_in_a_fast_restart(void **state)
{
    struct lab_run *lab =
        create("{switch: t0-0, kind: fast, at: 2ms, for: 10ms, blink: 5ms}");

    (void)state;
    assert_int_equal(run_until(lab->run, 7 * MS - 1), RUN_RUNNING);
    assert_int_equal(lab->n_drops, 0);
    assert_int_equal(run_until(lab->run, 8 * MS), RUN_RUNNING);
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    assert_int_equal(run_until(lab->run, 12 * MS), RUN_RUNNING);
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    lab->n_drops = 0;
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_drops, 0);
    for (uint32_t i = 0; i < lab->n_flows; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_RUNNING);
        assert_true(lab->flows[i].timeouts > 0);
    }
    lab_run_destroy(lab);
}

/* Until its control plane is back, a switch takes no change of a row. */
static void
test_a_switch_that_restarts_takes_no_rows(void **state)
{
    static const char change[] = "t0-0 PORT_QOS_MAP|Ethernet0 pfc_enable 3";
    struct lab_run *lab =
        create("{switch: t0-0, kind: warm, at: 5ms, for: 10ms}");
    struct err err = {0};

    (void)state;
    assert_int_equal(run_until(lab->run, 6 * MS), RUN_RUNNING);
    assert_int_equal(run_set(lab->run, change, &err), ST_BUSY);
    assert_non_null(strstr(err.reason, "t0-0 restarts"));
    assert_int_equal(run_changes(lab->run), 0);
    assert_int_equal(run_until(lab->run, 16 * MS), RUN_RUNNING);
    assert_int_equal(run_set(lab->run, change, &err), ST_OK);
    lab_run_destroy(lab);
}

static void
test_a_rollout_fails_at_a_switch_that_restarts(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\nfabric: {star: {hosts: 2}}\n"
        "traffic: [{name: p, ping: {pattern: all_to_all}}]\n"
        "restarts: [{switch: t0-0, kind: warm, at: 1ms, for: 10ms}]\n"
        "rollout: {start: 2ms, soak: 1ms,\n"
        "          set: {'PORT_QOS_MAP|*': {pfc_enable: '3'}},\n"
        "          steps: [{name: a, switches: t0-0}],\n"
        "          guard: {traffic: p, within: 1ms}}\n"
        "stop: 20ms\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 20 * MS), RUN_FAILED);
    assert_non_null(strstr(run_failure(lab->run)->reason, "t0-0 restarts"));
    lab_run_destroy(lab);
}

/* What control planes find adds up, over two restarts of a switch. */
static void
test_restarts_are_counted(void **state)
{
    struct lab_run *lab =
        create("{switch: t0-0, kind: cold, at: 2ms, for: 3ms}, "
               "{switch: t0-0, kind: warm, at: 10ms, for: 3ms}");
    uint64_t n;

    (void)state;
    assert_int_equal(run_until(lab->run, 4 * MS), RUN_RUNNING);
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    assert_int_equal(run_until(lab->run, 6 * MS), RUN_RUNNING);
    n = lab_run_counter(lab, 0, "restart_created");
    assert_true(n > 0);
    assert_int_equal(lab_run_counter(lab, 0, "restart_adopted"), 0);
    assert_true(lab_run_counter(lab, 0, "restart_set") > 0);
    lab_run_all(lab, 0);
    assert_int_equal(lab_run_counter(lab, 0, "restarts"), 2);
    assert_int_equal(lab_run_counter(lab, 0, "restart_created"), n);
    assert_int_equal(lab_run_counter(lab, 0, "restart_adopted"), n);
    lab_run_destroy(lab);
}

/* It begins up to 'jitter' later. */
static void
test_a_restart_begins_later(void **state)
{
    static const char change[] = "t0-0 PORT_QOS_MAP|Ethernet0 pfc_enable 3";
    struct lab_run *lab =
        create("{switch: t0-0, kind: warm, at: 1ms, for: 1us, jitter: 10ms}");
    struct err err = {0};

    (void)state;
    /* That it takes less than 1 % of the time has a chance of 1 %. */
    assert_int_equal(run_until(lab->run, 11 * MS / 10), RUN_RUNNING);
    assert_int_equal(lab_run_counter(lab, 0, "restarts"), 0);
    assert_int_equal(run_set(lab->run, change, &err), ST_OK);
    lab_run_all(lab, 0);
    assert_int_equal(lab_run_counter(lab, 0, "restarts"), 1);
    lab_run_destroy(lab);
}

/* Restarts one after the other, in any order, and of two switches at a time. */
static void
test_restarts_that_can_be(void **state)
{
    lab_run_destroy(create("{switch: t0-0, kind: warm, at: 1ms, for: 1ms}, "
                           "{switch: t0-0, kind: warm, at: 5ms, for: 1ms}"));
    lab_run_destroy(create("{switch: t0-0, kind: warm, at: 5ms, for: 1ms}, "
                           "{switch: t0-0, kind: warm, at: 1ms, for: 1ms}"));
    lab_run_destroy(lab_run_create(
        "name: x\nfabric: {clos: {t0: 2, t1: 1, hosts: 1}}\n"
        "restarts: [{switch: t0-0, kind: warm, at: 1ms, for: 1ms},\n"
        "           {switch: t0-1, kind: warm, at: 1ms, for: 1ms}]\n"
        "stop: 20ms\n"));
    (void)state;
}

/* Without a control plane a switch uses the routes that it had, over a link
 * that is down; then it catches up. */
static void
test_routes_stay_until_the_control_plane_is_back(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {clos: {t0: 2, t1: 2, hosts: 2}, convergence: 100us}\n"
        "hosts: {default: {rc: {timeout: 8}}}\n"
        "traffic:\n"
        "  - {rc: {pattern: pairs, from: ['h-0-0', 'h-0-1'], to: ['h-1-0', "
        "'h-1-1'], qps: 8, size: 1KB, every: 100us, repeat: inf}}\n"
        "restarts: [{switch: t0-0, kind: warm, at: 1ms, for: 4ms}]\n"
        "faults: [{down: true, link: t0-0.t1-0, at: 2ms}]\n"
        "stop: 20ms\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 3 * MS), RUN_RUNNING);
    lab->n_drops = 0;
    assert_int_equal(run_until(lab->run, 5 * MS - 1), RUN_RUNNING);
    assert_true(lab->n_drops > 0);
    assert_int_equal(run_until(lab->run, 6 * MS), RUN_RUNNING);
    lab->n_drops = 0;
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_drops, 0);
    for (uint32_t i = 0; i < lab->n_flows; i++) {
        assert_int_equal(lab->flows[i].state, SINK_FLOW_RUNNING);
    }
    lab_run_destroy(lab);
}

/* When the protocol has heard that a switch of a plane is down, nothing is sent
 * to that plane any more. */
static void
test_others_avoid_a_switch_that_is_down(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {podsets: {podsets: 2, t0: 1, t1: 2, t2: 2, hosts: 2}, "
        "convergence: 100us}\n"
        "hosts: {default: {rc: {timeout: 8}}}\n"
        "traffic:\n"
        "  - {rc: {pattern: pairs, from: ['h-1-0-0', 'h-1-0-1'], to: "
        "['h-0-0-0', 'h-0-0-1'], qps: 8, size: 1KB, every: 100us, repeat: "
        "inf}}\n"
        "restarts: [{switch: t1-0-0, kind: cold, at: 1ms, for: 15ms}]\n"
        "stop: 20ms\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 2 * MS), RUN_RUNNING);
    assert_true(lab->n_drops > 0);
    lab->n_drops = 0;
    assert_int_equal(run_until(lab->run, 15 * MS), RUN_RUNNING);
    assert_int_equal(lab->n_drops, 0);
    lab_run_all(lab, 0);
    lab_run_destroy(lab);
}

/* Nor does its watchdog look: it needs 200 ms for a storm, from its start on.
 */
static void
test_the_watchdog_stands_still(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\n"
        "fabric: {star: {hosts: 2}, switch: {t0: {watchdog: on}}}\n"
        "hosts: {default: {pcie: gen3x8, rx_fifo: {size: 256KiB, xoff: "
        "128KiB, xon: 64KiB}}}\n"
        "traffic:\n"
        "  - {raw: {pattern: pairs, from: h-0-0, to: h-0-1, frame: 1KB, rate: "
        "1G}}\n"
        "restarts: [{switch: t0-0, kind: warm, at: 50ms, for: 350ms}]\n"
        "faults: [{stall: true, link: h-0-1.t0-0, at: 1ms}]\n"
        "stop: 1s\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 590 * MS), RUN_RUNNING);
    assert_null(lab->run->storms);
    assert_int_equal(run_until(lab->run, 900 * MS), RUN_RUNNING);
    assert_non_null(lab->run->storms);
    lab_run_destroy(lab);
}

/* A link that a fault holds down stays so when the switch is back. */
static void
test_a_fault_outlasts_a_restart(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\nfabric: {star: {hosts: 2}, convergence: 100us}\n"
        "hosts: {default: {rc: {timeout: 8}}}\n"
        "traffic:\n"
        "  - {rc: {pattern: all_to_all, size: 8KB, every: 100us, repeat: "
        "inf}}\n"
        "restarts: [{switch: t0-0, kind: cold, at: 2ms, for: 3ms}]\n"
        "faults: [{down: true, link: h-0-0.t0-0, at: 1ms, for: 10ms}]\n"
        "stop: 20ms\n");

    (void)state;
    assert_int_equal(run_until(lab->run, 6 * MS), RUN_RUNNING);
    lab->n_drops = 0;
    assert_int_equal(run_until(lab->run, 10 * MS), RUN_RUNNING);
    assert_true(lab->drops[SINK_DROP_LINK_DOWN] > 0);
    assert_true(lab->n_drops > 0);
    assert_int_equal(run_until(lab->run, 15 * MS), RUN_RUNNING);
    lab->n_drops = 0;
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_drops, 0);
    lab_run_destroy(lab);
}

static void
test_restarts_that_cannot_be(void **state)
{
    static const struct {
        const char *restarts, *words;
    } rows[] = {
        {"{switch: t0-1, kind: warm, at: 1ms, for: 1ms}", "'t0-0'"},
        {"{switch: t0-0, kind: warm, at: 1ms, for: 19ms}",
         "may not be over when the run ends"},
        {"{switch: t0-0, kind: fast, at: 1ms, for: 2ms}", "needs it"},
        {"{switch: t0-0, kind: warm, at: 1ms, for: 2ms, blink: 1ms}",
         "others have none"},
        {"{switch: t0-0, kind: fast, at: 1ms, for: 2ms, blink: 2ms}",
         "so it is shorter"},
        {"{switch: t0-0, kind: warm, at: 1ms, for: 3ms}, "
         "{switch: t0-0, kind: cold, at: 2ms, for: 1ms}",
         "restarts at this time already"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        struct err err = {0};

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: {star: {hosts: 2}}\n"
                       "restarts: [%s]\nstop: 20ms\n",
                       rows[i].restarts);
        lab_run_refuse(text, &err);
        assert_non_null(strstr(err.reason, rows[i].words));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_warm_restart_changes_nothing),
        cmocka_unit_test(test_what_a_control_plane_finds),
        cmocka_unit_test(test_ports_blink_in_a_fast_restart),
        cmocka_unit_test(test_a_switch_that_restarts_takes_no_rows),
        cmocka_unit_test(test_a_rollout_fails_at_a_switch_that_restarts),
        cmocka_unit_test(test_restarts_are_counted),
        cmocka_unit_test(test_a_restart_begins_later),
        cmocka_unit_test(test_restarts_that_can_be),
        cmocka_unit_test(test_routes_stay_until_the_control_plane_is_back),
        cmocka_unit_test(test_others_avoid_a_switch_that_is_down),
        cmocka_unit_test(test_the_watchdog_stands_still),
        cmocka_unit_test(test_a_fault_outlasts_a_restart),
        cmocka_unit_test(test_restarts_that_cannot_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
