/* SPDX-License-Identifier: Apache-2.0 */

/* The fluid model of DCQCN beside packets: row A27 at three speeds of links. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/picoseconds.h"
#include "base/text.h"
#include "lab/exec/run.h"
#include "lab/fluid/dcqcn_fluid.h"
#include "tests/support/lab_run.h"

#define TOLERANCE 0.15
#define KMIN      5000
#define KMAX      200000

static struct lab_run *
create(const char *rate, const char *config, unsigned int n, unsigned int ms)
{
    struct lab_run *lab;
    struct text text = {0};

    text_addf(
        &text,
        "name: fluid\n"
        "fabric:\n"
        "  star: {hosts: 32, rate: %s}\n"
        "  switch: {t0: {config: %s, set: {'WRED_PROFILE|AZURE_LOSSLESS': "
        "{green_min_threshold: '%d', green_max_threshold: '%d', "
        "green_drop_probability: '1'}}}}\n"
        "hosts: {default: {dcqcn: paper}}\n"
        "traffic: [{rc: {pattern: incast, from: all, n: %u, to: h-0-0, "
        "size: inf}}]\n"
        "record: {series: {every: 10us, of: queue.depth, at: t0-0.h-0-0, "
        "priorities: 3}}\n"
        "stop: %ums\n",
        rate, config, KMIN, KMAX, n, ms);
    lab = lab_run_create(text_string(&text));
    text_fini(&text);
    return lab;
}

/* The second half of the packets' time is compared with what the model settles
 * at. */
static void
test_queue_is_that_of_packets(void **state)
{
    static const struct {
        const char *rate, *config;
        unsigned int n, ms;
    } cases[] = {
        {"40G", "t0-32x40g", 2, 100},     {"40G", "t0-32x40g", 4, 100},
        {"40G", "t0-32x40g", 10, 100},    {"100G", "star-32x100g", 4, 50},
        {"100G", "star-32x100g", 10, 50}, {"100G", "star-32x100g", 16, 50},
        {"400G", "t1-64x400g", 16, 80},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lab_run *lab =
            create(cases[i].rate, cases[i].config, cases[i].n, cases[i].ms);
        struct dcqcn_course course;
        struct dcqcn_loop loop;
        struct err err;
        double packets;

        assert_int_equal(run_describe_loop(lab->run, &loop, &err), ST_OK);
        assert_int_equal(loop.link.n, cases[i].n);
        loop.link.kmin_bytes = KMIN;
        loop.link.kmax_bytes = KMAX;
        loop.link.pmax = 0.01;
        loop.size_bytes = 1e6;
        assert_int_equal(
            dcqcn_fluid_run(&loop, cases[i].ms * 1e-3, &course, &err), ST_OK);
        lab->late_ps = (int64_t)cases[i].ms * PS_PER_S / 2000;
        lab_run_all(lab, 0);
        packets = lab->late_sum / (double)lab->n_late;
        print_message("%s, %u flows: %.0f bytes, the model %.0f (%+.1f %%)\n",
                      cases[i].rate, cases[i].n, packets, course.settled_bytes,
                      100 * (course.settled_bytes / packets - 1));
        assert_true(course.is_stable);
        assert_true(fabs(course.settled_bytes - packets) < TOLERANCE * packets);
        lab_run_destroy(lab);
    }
}

/* What the model takes from the fabric: two links of 10 and 1,000 m. */
static void
test_loop_of_a_fabric(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: loop\n"
        "fabric: {star: {hosts: 4, rate: 100G}, links: {host: 1km}}\n"
        "hosts: {default: {dcqcn: {profile: paper, np_gap: 20us}}}\n"
        "traffic:\n"
        "  - {name: a, rc: {pattern: incast, from: 'h-0-[1..3]', to: h-0-0,"
        " size: 1MB}}\n"
        "  - {name: b, rc: {pattern: incast, from: h-0-2, to: h-0-1,"
        " size: 4MB}}\n"
        "  - {name: c, rc: {pattern: incast, from: h-0-1, to: h-0-0,"
        " verb: read, size: 2MB}}\n"
        "stop: 1us\n");
    struct dcqcn_loop loop;
    struct err err;

    (void)state;
    assert_int_equal(run_describe_loop(lab->run, &loop, &err), ST_OK);
    /* READs are sent by the other side, and h-0-1 has one flow only. */
    assert_int_equal(loop.link.n, 3);
    assert_true(loop.link.rate_bps == 100e9);
    assert_true(fabs(loop.cnp_gap_s - 20e-6) < 1e-12);
    /* There and back: four links of 5 us, and a frame on each. */
    assert_true(fabs(loop.delay_s - 20e-6 -
                     4 * loop.link.packet_bytes * 8 / 100e9) < 1e-12);
    assert_true(loop.size_bytes > 1e6 && loop.size_bytes < 1.2e6);
    lab_run_destroy(lab);
    lab = lab_run_create("name: none\n"
                         "fabric: {star: {hosts: 4}}\n"
                         "traffic: [{rc: {pattern: incast, from: all,"
                         " to: h-0-0, size: 1MB}}]\n"
                         "stop: 1us\n");
    assert_int_equal(run_describe_loop(lab->run, &loop, &err), ST_NOT_FOUND);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_is_that_of_packets),
        cmocka_unit_test(test_loop_of_a_fabric),
    };
    const struct CMUnitTest without[] = {
        cmocka_unit_test(test_loop_of_a_fabric),
    };

    return dcqcn_fluid_is_built() ? cmocka_run_group_tests(tests, NULL, NULL)
                                  : cmocka_run_group_tests(without, NULL, NULL);
}
