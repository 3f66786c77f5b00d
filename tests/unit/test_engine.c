/* SPDX-License-Identifier: Apache-2.0 */

/* Events in order, and the clock around them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/event/engine.h"

struct bell {
    char padding; /* So that event and owner differ. */
    struct event event;
    struct engine *engine;
    int64_t rung[8];
    size_t n_rung;
    int64_t again_ps; /* After which it rings again; negative: not. */
};

static void
on_ring(struct event *event, int64_t now_ps)
{
    struct bell *bell = EVENT_OWNER(event, struct bell, event);

    assert_false(event_is_pending(event));
    assert_true(engine_now_ps(bell->engine) == now_ps);
    assert_in_range(bell->n_rung, 0, 7);
    bell->rung[bell->n_rung++] = now_ps;
    if (bell->again_ps >= 0 && bell->n_rung < 5) {
        engine_schedule(bell->engine, event, now_ps + bell->again_ps);
    }
}

static struct bell
bell_of(struct engine *engine, int64_t again_ps)
{
    return (struct bell){.event = event_make(EVENT_TIMER_SEND, 1, 0, on_ring),
                         .engine = engine,
                         .again_ps = again_ps};
}

static void
test_clock_moves_to_events_then_to_the_limit(void **state)
{
    struct engine *engine = engine_create();
    struct bell bell = bell_of(engine, 10);

    (void)state;
    engine_schedule(engine, &bell.event, 5);
    assert_true(engine_next_ps(engine) == 5);
    assert_int_equal(engine_run_until(engine, 4), 0);
    assert_int_equal(engine_now_ps(engine), 4);
    assert_int_equal(engine_run_until(engine, 15), 2);
    assert_int_equal(bell.rung[0], 5);
    assert_int_equal(bell.rung[1], 15);
    assert_int_equal(engine_run_until(engine, 14), 0);
    assert_int_equal(engine_now_ps(engine), 15);
    assert_true(engine_step(engine));
    assert_int_equal(engine_now_ps(engine), 25);
    assert_int_equal(engine_run_until(engine, EVENT_NEVER), 2);
    assert_int_equal(engine_now_ps(engine), 45);
    assert_false(engine_step(engine));
    assert_int_equal(engine_now_ps(engine), 45);
    engine_destroy(engine);
    engine_destroy(NULL);
}

static void
test_event_for_now_fires_within_the_same_call(void **state)
{
    struct engine *engine = engine_create();
    struct bell bell = bell_of(engine, 0);
    struct bell other = bell_of(engine, -1);

    (void)state;
    engine_run_until(engine, 7);
    engine_schedule(engine, &bell.event, 7);
    engine_schedule(engine, &other.event, 7);
    assert_int_equal(engine_run_until(engine, 7), 6);
    assert_int_equal(bell.n_rung, 5);
    assert_int_equal(other.n_rung, 1);
    engine_destroy(engine);
}

/* After a limit that came before an event, what is scheduled may still be
 * earlier than that event. */
static void
test_scheduling_between_limit_and_next(void **state)
{
    struct engine *engine = engine_create();
    struct bell late[3];
    struct bell early = bell_of(engine, -1);

    (void)state;
    for (int i = 0; i < 3; i++) {
        late[i] = bell_of(engine, -1);
        engine_schedule(engine, &late[i].event, 70000 + i);
    }
    engine_run_until(engine, 66000);
    engine_schedule(engine, &early.event, 66001);
    assert_true(engine_next_ps(engine) == 66001);
    assert_true(engine_step(engine));
    assert_int_equal(early.n_rung, 1);
    engine_schedule(engine, &early.event, 70001);
    assert_int_equal(engine_run_until(engine, 70001), 3);
    engine_cancel(engine, &late[2].event);
    assert_true(engine_next_ps(engine) == EVENT_NEVER);
    engine_destroy(engine);
}

static void
test_scheduling_again_moves_an_event_to_the_end(void **state)
{
    struct engine *engine = engine_create();
    struct bell a = bell_of(engine, -1);
    struct bell b = bell_of(engine, -1);

    (void)state;
    engine_schedule(engine, &a.event, 10);
    engine_schedule(engine, &b.event, 10);
    engine_schedule(engine, &a.event, 10);
    assert_true(engine_step(engine));
    assert_int_equal(b.n_rung, 1);
    assert_int_equal(a.n_rung, 0);
    engine_schedule(engine, &a.event, 11);
    assert_int_equal(engine_run_until(engine, 10), 0);
    assert_int_equal(engine_run_until(engine, 11), 1);
    engine_destroy(engine);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_moves_to_events_then_to_the_limit),
        cmocka_unit_test(test_event_for_now_fires_within_the_same_call),
        cmocka_unit_test(test_scheduling_between_limit_and_next),
        cmocka_unit_test(test_scheduling_again_moves_an_event_to_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
