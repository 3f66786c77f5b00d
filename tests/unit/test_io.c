/* SPDX-License-Identifier: Apache-2.0 */

/* The steps of I/Os in random orders of their ends, and disks that are full. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/storage/io.h"
#include "lab/storage/ssd.h"

enum { N_ORDERS = 10000, RATE_BPS = 8000000 /* 1 us a byte. */ };

#define US INT64_C(1000000)

static struct io_plan
make(enum io_verb verb, uint32_t n_copies)
{
    struct io_plan plan;
    struct err err = {0};

    assert_int_equal(io_plan_make(&plan, verb, n_copies, &err), ST_OK);
    return plan;
}

static uint32_t
count(const struct io_plan *plan, enum io_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < plan->n_steps; i++) {
        n += plan->steps[i].kind == kind;
    }
    return n;
}

static void
test_plans(void **state)
{
    struct io_plan plan;
    struct err err = {0};

    (void)state;
    for (uint32_t n = 1; n <= IO_COPIES_MAX; n++) {
        plan = make(IO_WRITE, n);
        assert_int_equal(count(&plan, IO_DISK), n);
        assert_int_equal(count(&plan, IO_COPY), n - 1);
        assert_int_equal(count(&plan, IO_STORED), n - 1);
        assert_int_equal(count(&plan, IO_REPLY), 1);
    }
    plan = make(IO_READ, 3);
    assert_int_equal(count(&plan, IO_DISK), 1);
    assert_int_equal(count(&plan, IO_COPY), 0);
    assert_int_equal(io_plan_make(&plan, IO_WRITE, 0, &err), ST_INVALID);
    assert_int_equal(io_plan_make(&plan, IO_WRITE, IO_COPIES_MAX + 1, &err),
                     ST_INVALID);
    assert_true(io_carries_data(IO_WRITE, IO_COPY));
    assert_false(io_carries_data(IO_WRITE, IO_REPLY));
    assert_true(io_carries_data(IO_READ, IO_REPLY));
    assert_false(io_carries_data(IO_READ, IO_REQUEST));
}

/* Carries out an I/O whose steps end in a random order, and checks who waits
 * for whom by places alone: a place has what it passes on, and the server gets
 * its answer after all disks. */
static void
run(const struct io_plan *plan, struct random *random)
{
    uint32_t open[IO_STEPS_MAX], n_open = 0, n_disks = 0, number;
    bool has_reached[IO_PLACES_MAX] = {[IO_CLIENT] = true};
    struct io io;
    int64_t now_ps = 0;

    io_init(&io, plan);
    while (!io_is_over(&io)) {
        while (io_next(&io, now_ps, &number)) {
            const struct io_step *step = &plan->steps[number];

            assert_true(has_reached[step->from]);
            if (step->kind == IO_ANSWER || step->kind == IO_REPLY) {
                assert_int_equal(n_disks, plan->n_copies);
            }
            open[n_open++] = number;
        }
        assert_true(n_open > 0);
        const uint32_t k = (uint32_t)random_below(random, n_open);
        const struct io_step *step = &plan->steps[open[k]];

        now_ps++;
        io_end(&io, open[k], now_ps);
        has_reached[step->to] = true;
        n_disks += step->kind == IO_DISK;
        assert_true(io.start_ps[open[k]] < now_ps);
        open[k] = open[--n_open];
        if (step->kind == IO_REPLY) {
            assert_true(io_is_over(&io));
        }
    }
    assert_false(io_next(&io, now_ps, &number));
    assert_true(io_stored_ps(&io) < now_ps);
}

static void
test_orders(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 1);
    for (uint32_t i = 0; i < N_ORDERS; i++) {
        const struct io_plan plan =
            make(random_below(&random, 2) ? IO_WRITE : IO_READ,
                 1 + (uint32_t)random_below(&random, IO_COPIES_MAX));

        run(&plan, &random);
    }
}

static void
test_disk(void **state)
{
    struct ssd ssd;

    (void)state;
    ssd_init(&ssd, 2);
    /* Two at a time; the third waits for the one that ends first. */
    assert_int_equal(ssd_access(&ssd, 0, 100 * US), 100 * US);
    assert_int_equal(ssd_access(&ssd, 0, 50 * US), 50 * US);
    assert_int_equal(ssd_access(&ssd, 10 * US, 100 * US), 150 * US);
    assert_int_equal(ssd.longest_wait_ps, 40 * US);
    assert_int_equal(ssd.n_accesses, 3);
    /* The bus is one: a byte takes 1 us. */
    assert_int_equal(ssd_transfer(&ssd, 50 * US, 80, RATE_BPS), 130 * US);
    assert_int_equal(ssd_transfer(&ssd, 100 * US, 10, RATE_BPS), 140 * US);
    assert_int_equal(ssd_transfer(&ssd, 150 * US, 10, RATE_BPS), 160 * US);
    assert_int_equal(ssd_transfer(&ssd, 170 * US, 10, 0), 170 * US);
    assert_int_equal(ssd.bytes, 110);
    /* 256 MiB do not overflow. */
    assert_int_equal(ssd_transfer(&ssd, 170 * US, 256 << 20, RATE_BPS),
                     170 * US + (INT64_C(256) << 20) * US);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
