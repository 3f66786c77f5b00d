/* SPDX-License-Identifier: Apache-2.0 */

/* The fluid model of DCQCN: where its queue settles, when it does not, and what
 * the first microseconds cost. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/fluid/dcqcn_fluid.h"

#define TIME_S 0.1

/* The constants of the paper on 40G, as in lab/scenarios/a27. */
static const struct dcqcn_loop paper = {
    .link = {.rate_bps = 40e9,
             .packet_bytes = 1106,
             .n = 2,
             .additive_bps = 40e6,
             .alpha_period_s = 55e-6,
             .timer_s = 55e-6,
             .byte_counter = 10e6,
             .kmin_bytes = 5000,
             .kmax_bytes = 200000,
             .pmax = 0.01},
    .g = 1.0 / 256,
    .cnp_gap_s = 50e-6,
    .fast_stages = 5,
    .delay_s = 2e-6,
    .limit_bytes = INFINITY,
    .line_bps = 40e9,
    .min_bps = 40e6,
    .size_bytes = 1e6,
};

static struct dcqcn_course
follow(const struct dcqcn_loop *loop, double time_s)
{
    struct dcqcn_course course;
    struct err err;

    assert_int_equal(dcqcn_fluid_run(loop, time_s, &course, &err), ST_OK);
    return course;
}

static void
assert_near(double value, double wanted, double tolerance)
{
    if (fabs(value - wanted) > tolerance * fabs(wanted)) {
        fail_msg("%g is not within %g of %g", value, tolerance, wanted);
    }
}

/* The fixed point of the literature ignores that a receiver is silent for tau
 * after a CNP, so it is lower, and not by much. */
static void
test_queue_is_near_the_fixed_point(void **state)
{
    struct dcqcn_loop loop = paper;
    struct dcqcn_point point;
    struct dcqcn_course course;

    (void)state;
    loop.link.n = 4;
    dcqcn_point_solve(&loop.link, &point);
    course = follow(&loop, TIME_S);
    assert_true(course.settled_bytes > point.queue_bytes);
    assert_near(course.settled_bytes, point.queue_bytes, 0.15);
    assert_near(course.utilization, 1, 0.01);
}

/* A long loop makes 16 flows swing, whose queue is at Kmax. */
static void
test_long_loop_is_unstable(void **state)
{
    struct dcqcn_loop loop = paper;

    (void)state;
    loop.link.n = 16;
    assert_true(follow(&loop, TIME_S).is_stable);
    loop.delay_s = 30e-6;
    assert_false(follow(&loop, TIME_S).is_stable);
}

/* Without marks, senders at full speed fill the queue by all that is above the
 * speed of the link, until PFC stops them. */
static void
test_full_queue_pauses(void **state)
{
    struct dcqcn_loop loop = paper;
    struct dcqcn_course course;

    (void)state;
    loop.link.kmin_bytes = 1e9;
    loop.link.kmax_bytes = 2e9;
    loop.limit_bytes = 500000;
    course = follow(&loop, 1e-3);
    assert_near(course.peak_bytes, 500000, 1e-9);
    /* It takes 100 us to fill. */
    assert_near(course.paused_s, 0.9e-3, 0.01);
    assert_near(course.utilization, 1, 1e-9);
    /* Each of 2 flows has sent 1 MB after 400 us, less the 250 KB that it had
     * in the queue before; those still have to leave. */
    assert_near(course.done_s, 400e-6, 0.01);
}

/* A flow that is alone with its link is never marked. */
static void
test_flow_alone_has_the_link(void **state)
{
    struct dcqcn_loop loop = paper;
    struct dcqcn_course course;

    (void)state;
    loop.link.n = 1;
    course = follow(&loop, 1e-3);
    assert_true(course.peak_bytes < 100);
    assert_near(course.done_s, 200e-6, 0.02);
}

/* Denser marking costs time: the same message ends later. */
static void
test_dense_marking_is_slower(void **state)
{
    struct dcqcn_loop loop = paper;
    double sparse_s, dense_s;

    (void)state;
    loop.link.n = 8;
    loop.size_bytes = 1e6;
    loop.link.kmin_bytes = 1000000;
    loop.link.kmax_bytes = 4000000;
    loop.link.pmax = 0.1;
    sparse_s = follow(&loop, 10e-3).done_s;
    loop.link.kmin_bytes = 5000;
    loop.link.kmax_bytes = 20000;
    loop.link.pmax = 1;
    dense_s = follow(&loop, 10e-3).done_s;
    assert_true(dense_s > 1.2 * sparse_s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_is_near_the_fixed_point),
        cmocka_unit_test(test_long_loop_is_unstable),
        cmocka_unit_test(test_full_queue_pauses),
        cmocka_unit_test(test_flow_alone_has_the_link),
        cmocka_unit_test(test_dense_marking_is_slower),
    };

    if (!dcqcn_fluid_is_built()) {
        return 77; /* Skipped. */
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
