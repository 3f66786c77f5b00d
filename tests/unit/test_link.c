/* SPDX-License-Identifier: Apache-2.0 */

/* Cables. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/link/link.h"

enum { MAX_FRAMES = 64 };

struct fixture {
    struct engine *engine;
    struct link *link;
    bool refuses;
    struct {
        uint32_t port;
        uint64_t id;
        int64_t now_ps;
    } got[MAX_FRAMES];
    size_t n_got;
    struct {
        unsigned int end;
        enum link_loss why;
        uint64_t id;
    } lost[MAX_FRAMES];
    size_t n_lost;
};

static void
on_lost(void *context, unsigned int end, enum link_loss why,
        const struct sim_frame *frame)
{
    struct fixture *f = context;

    assert_true(f->n_lost < MAX_FRAMES);
    f->lost[f->n_lost].end = end;
    f->lost[f->n_lost].why = why;
    f->lost[f->n_lost++].id = frame->id;
}

static void
assert_lost(const struct fixture *f, size_t i, unsigned int end,
            enum link_loss why, uint64_t id)
{
    assert_true(i < f->n_lost);
    assert_int_equal(f->lost[i].end, end);
    assert_int_equal(f->lost[i].why, why);
    assert_int_equal(f->lost[i].id, id);
}

static bool
deliver(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct fixture *f = context;

    assert_true(f->n_got < MAX_FRAMES);
    f->got[f->n_got].port = port;
    f->got[f->n_got].id = frame->id;
    f->got[f->n_got++].now_ps = engine_now_ps(f->engine);
    return !f->refuses;
}

/* 20 m: 100 ns. */
static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    f->engine = engine_create();
    f->link = link_create(
        f->engine,
        &(struct link_config){.length_m = 20,
                              .mtu_bytes = 1500,
                              .ends = {{deliver, f, 10, 10, EVENT_ARRIVE},
                                       {deliver, f, 11, 11, EVENT_ARRIVE}}});
    link_set_listener(f->link, on_lost, f);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    link_destroy(f->link);
    engine_destroy(f->engine);
    test_free(f);
    return 0;
}

static void
send(struct fixture *f, unsigned int end, uint32_t id)
{
    link_transmit(link_sender(f->link, end),
                  &(struct sim_frame){.id = id, .length_bytes = 100});
}

static struct link_stats
stats(struct fixture *f, unsigned int end)
{
    struct link_stats s;

    link_get_stats(f->link, end, &s);
    assert_int_equal(s.sent, s.delivered + s.lost + s.in_flight);
    return s;
}

static void
test_frames_take_five_nanoseconds_per_metre(void **state)
{
    struct fixture *f = *state;

    send(f, 0, 1);
    engine_run_until(f->engine, 99999);
    assert_int_equal(f->n_got, 0);
    assert_int_equal(stats(f, 0).in_flight, 1);
    engine_run_until(f->engine, 100000);
    assert_int_equal(f->n_got, 1);
    assert_int_equal(f->got[0].port, 11);
    assert_int_equal(stats(f, 0).delivered, 1);
    assert_int_equal(stats(f, 0).in_flight, 0);
    send(f, 1, 2);
    engine_run_until(f->engine, 200000);
    assert_int_equal(f->got[1].port, 10);
    assert_int_equal(stats(f, 1).delivered, 1);
}

/* More in flight than the ring began with; the first leave while others
 * enter. */
static void
test_frames_stay_in_order(void **state)
{
    struct fixture *f = *state;

    for (uint32_t i = 0; i < 50; i++) {
        send(f, 0, i);
        engine_run_until(f->engine, (int64_t)(i + 1) * 3000);
    }
    assert_int_equal(stats(f, 0).most_in_flight, 34);
    assert_true(engine_step(f->engine));
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(f->n_got, 50);
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(f->got[i].id, i);
        assert_int_equal(f->got[i].now_ps, 100000 + (int64_t)i * 3000);
    }
}

static void
test_only_the_first_in_flight_is_an_event(void **state)
{
    struct fixture *f = *state;
    uint64_t fired;

    for (uint32_t i = 0; i < 10; i++) {
        send(f, 0, i);
    }
    assert_true(engine_next_ps(f->engine) == 100000);
    fired = engine_run_until(f->engine, 100000);
    assert_int_equal(fired, 10);
    assert_int_equal(f->n_got, 10);
}

static void
test_link_that_goes_down_loses_what_is_on_it(void **state)
{
    struct fixture *f = *state;

    send(f, 0, 1);
    send(f, 1, 2);
    engine_run_until(f->engine, 50000);
    link_set_up(f->link, false);
    send(f, 0, 3);
    assert_true(engine_next_ps(f->engine) == EVENT_NEVER);
    assert_int_equal(stats(f, 0).lost, 2);
    assert_int_equal(stats(f, 1).lost, 1);
    link_set_up(f->link, true);
    send(f, 0, 4);
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(f->n_got, 1);
    assert_int_equal(f->got[0].id, 4);
    assert_int_equal(f->got[0].now_ps, 150000);
    assert_int_equal(f->n_lost, 3);
    assert_lost(f, 0, 0, LINK_LOSS_DOWN, 1);
    assert_lost(f, 1, 1, LINK_LOSS_DOWN, 2);
    assert_lost(f, 2, 0, LINK_LOSS_DOWN, 3);
}

static void
test_what_is_too_long_or_refused_is_lost(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = {.length_bytes = 1500};

    link_transmit(link_sender(f->link, 0), &frame);
    frame.length_bytes = 1501;
    link_transmit(link_sender(f->link, 0), &frame);
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(f->n_got, 1);
    assert_int_equal(stats(f, 0).lost, 1);
    f->refuses = true;
    send(f, 0, 1);
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(stats(f, 0).lost, 2);
    assert_int_equal(f->n_lost, 2);
    assert_lost(f, 0, 0, LINK_LOSS_MTU, 0);
    assert_lost(f, 1, 0, LINK_LOSS_DOWN, 1);
}

/* Sanitizers see a payload that is freed too early, or never. */
static void
test_bytes_travel_and_are_let_go(void **state)
{
    struct fixture *f = *state;
    static const uint8_t bytes[60];
    struct sim_frame frame = {.length_bytes = 60,
                              .payload = sim_payload_create(60, bytes)};

    link_transmit(link_sender(f->link, 0), &frame);
    link_transmit(link_sender(f->link, 1), &frame);
    assert_int_equal(frame.payload->references, 3);
    sim_payload_unref(frame.payload);
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(f->n_got, 2);
}

#define LINK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        LINK_TEST(test_frames_take_five_nanoseconds_per_metre),
        LINK_TEST(test_frames_stay_in_order),
        LINK_TEST(test_only_the_first_in_flight_is_an_event),
        LINK_TEST(test_link_that_goes_down_loses_what_is_on_it),
        LINK_TEST(test_what_is_too_long_or_refused_is_lost),
        LINK_TEST(test_bytes_travel_and_are_let_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
