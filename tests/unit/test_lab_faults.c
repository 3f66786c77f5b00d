/* SPDX-License-Identifier: Apache-2.0 */

/* Faults of links in a run: what they do to frames, and which counter shows
 * them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lab/builder/switch_image.h"
#include "tests/support/lab_run.h"
#include "twin/switch/sim.h"

#define US INT64_C(1000000)

/* Runs 1 MB from h-0-0 to h-0-1 at 100 Gb/s with the fault 'fault' of one
 * link. */
static struct lab_run *
run_transfer(const char *fault)
{
    char text[1024];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 2}}\n"
                   "hosts: {default: {rc: {timeout: 5}}}\n"
                   "traffic:\n"
                   "  - {rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
                   "size: 1MB}}\n"
                   "faults: [{%s}]\n"
                   "stop: 100ms\n",
                   fault);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    assert_int_equal(lab->flows[0].state, SINK_FLOW_DONE);
    return lab;
}

/* Returns how many frames with a wrong FCS port 'slot' of the switch has
 * counted. */
static uint64_t
errors_at(struct lab_run *lab, uint32_t slot)
{
    struct switch_instance *sw;
    struct sim_port_stats stats;
    struct err err = {0};

    assert_int_equal(run_find_switch(lab->run, "t0-0", &sw, &err), ST_OK);
    assert_int_equal(sim_port_get_stats(switch_instance_sim(sw), slot, &stats),
                     ST_OK);
    return stats.rx_errors;
}

static void
test_a_wrong_fcs_is_an_error_of_the_receiver(void **state)
{
    struct lab_run *lab =
        run_transfer("corrupt: 1/50, link: h-0-0.t0-0, direction: forward");

    (void)state;
    assert_true(lab->n_drops > 5);
    assert_int_equal(lab->drops[SINK_DROP_FCS], lab->n_drops);
    assert_int_equal(errors_at(lab, 0), lab->n_drops);
    assert_int_equal(errors_at(lab, 1), 0);
    assert_true(lab->flows[0].retransmitted >= lab->n_drops);
    lab_run_destroy(lab);

    /* The same link and direction. */
    lab = run_transfer("corrupt: 1/50, link: t0-0.h-0-0, direction: backward");
    assert_true(lab->n_drops > 5);
    assert_int_equal(errors_at(lab, 0), lab->n_drops);
    lab_run_destroy(lab);

    /* A loss leaves no trace there. */
    lab = run_transfer("loss: 1/50, link: h-0-0.t0-0, direction: forward");
    assert_true(lab->n_drops > 5);
    assert_int_equal(lab->drops[SINK_DROP_FAULT], lab->n_drops);
    assert_int_equal(errors_at(lab, 0), 0);
    lab_run_destroy(lab);
}

/* 1 MB take 85 us.  A delay from 20 to 50 us ends while frames are late: those
 * after it may neither overtake them nor arrive faster than the link is. */
static void
test_a_delay_keeps_the_order(void **state)
{
    struct lab_run *lab =
        run_transfer("loss: 0, link: h-0-0.t0-0");
    const int64_t usual_ps = lab->flows[0].end_ps;

    (void)state;
    lab_run_destroy(lab);
    lab = run_transfer("delay: 10us, link: h-0-0.t0-0, direction: forward");
    assert_in_range(lab->flows[0].end_ps - usual_ps, 10 * US - 1, 10 * US);
    lab_run_destroy(lab);

    lab = run_transfer("delay: 10us, link: h-0-0.t0-0, at: 20us, for: 30us");
    assert_int_equal(lab->flows[0].retransmitted, 0);
    assert_int_equal(lab->n_drops, 0);
    /* The link is busy, so it catches up with next to nothing. */
    assert_in_range(lab->flows[0].end_ps - usual_ps, 10 * US * 99 / 100,
                    10 * US);
    lab_run_destroy(lab);
}

/* Down for 30 us and up for 30 us, twice: what is on the link is lost. */
static void
test_a_link_flaps(void **state)
{
    struct lab_run *lab =
        run_transfer("flap: 30us, link: h-0-0.t0-0, at: 10us, for: 100us");

    (void)state;
    assert_int_equal(lab->drops[SINK_DROP_LINK_DOWN], lab->n_drops);
    assert_true(lab->n_drops > 0);
    assert_true(lab->flows[0].retransmitted > 0);
    lab_run_destroy(lab);

    /* It ends while the link is down, which is up again then. */
    lab = run_transfer("flap: 30us, link: h-0-0.t0-0, at: 10us, for: 80us");
    assert_true(lab->n_drops > 0);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wrong_fcs_is_an_error_of_the_receiver),
        cmocka_unit_test(test_a_delay_keeps_the_order),
        cmocka_unit_test(test_a_link_flaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
