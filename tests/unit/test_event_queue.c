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

enum { MAX_EVENTS = 600 };

/* The times at which digits of the queue's numbers carry. */
static const int64_t edges[] = {
    0,
    1,
    254,
    255,
    256,
    257,
    65535,
    65536,
    16777215,
    16777216,
    INT64_C(0xffffffff),
    INT64_C(0x100000000),
    INT64_C(0xffffffffff),
    INT64_C(0x10000000000),
    INT64_C(0xffffffffffffff),
    INT64_C(0x100000000000000),
    INT64_MAX - 1,
};

enum { N_EDGES = sizeof edges / sizeof edges[0] };

static void
test_empty_queue_has_nothing(void **state)
{
    struct event_queue *queue = event_queue_create();

    (void)state;
    assert_null(event_queue_pop(queue, EVENT_NEVER));
    assert_true(event_queue_next_ps(queue) == EVENT_NEVER);
    assert_int_equal(event_queue_count(queue), 0);
    event_queue_destroy(queue);
    event_queue_destroy(NULL);
}

/* Added in each order, with each limit. */
static void
test_times_at_all_scales_come_in_order(void **state)
{
    (void)state;
    for (size_t stride = 1; stride < N_EDGES; stride++) {
        struct event_queue *queue = event_queue_create();
        struct event events[N_EDGES] = {0};

        /* N_EDGES is prime, so each stride visits all. */
        for (size_t i = 0; i < N_EDGES; i++) {
            size_t at = i * stride % N_EDGES;

            event_queue_add(queue, &events[at], edges[at]);
        }
        assert_int_equal(event_queue_count(queue), N_EDGES);
        for (size_t i = 0; i < N_EDGES; i++) {
            assert_true(event_queue_next_ps(queue) == edges[i]);
            if (edges[i] > 0) {
                assert_null(event_queue_pop(queue, edges[i] - 1));
            }
            assert_true(event_queue_next_ps(queue) == edges[i]);
            assert_ptr_equal(event_queue_pop(queue, edges[i]), &events[i]);
            assert_false(event_is_pending(&events[i]));
            assert_true(events[i].when_ps == edges[i]);
        }
        assert_int_equal(event_queue_count(queue), 0);
        event_queue_destroy(queue);
    }
}

/* Some are added when the time is still far, some when it is near, and one
 * moves to the end by being added again. */
static void
test_equal_times_come_in_order_of_insertion(void **state)
{
    struct event_queue *queue = event_queue_create();
    struct event events[5] = {0};
    struct event early[3] = {0};
    const int64_t when = INT64_C(0x12345678);

    (void)state;
    event_queue_add(queue, &early[0], INT64_C(0x12000000));
    event_queue_add(queue, &early[1], INT64_C(0x12340000));
    event_queue_add(queue, &early[2], INT64_C(0x12345600));
    event_queue_add(queue, &events[0], when);
    event_queue_add(queue, &events[1], when);
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(event_queue_pop(queue, when), &early[i]);
        event_queue_add(queue, &events[2 + i], when);
    }
    event_queue_cancel(queue, &events[1]);
    event_queue_add(queue, &events[1], when);
    for (size_t i = 0; i < 5; i++) {
        static const size_t order[] = {0, 2, 3, 4, 1};

        assert_ptr_equal(event_queue_pop(queue, when), &events[order[i]]);
    }
    event_queue_destroy(queue);
}

static void
test_cancelled_events_do_not_come(void **state)
{
    struct event_queue *queue = event_queue_create();
    struct event events[MAX_EVENTS] = {0};

    (void)state;
    for (int i = 0; i < MAX_EVENTS; i++) {
        event_queue_add(queue, &events[i], i * 100);
    }
    for (int i = 0; i < MAX_EVENTS; i++) {
        if (i % 3 != 1) {
            event_queue_cancel(queue, &events[i]);
            event_queue_cancel(queue, &events[i]);
            assert_false(event_is_pending(&events[i]));
        }
    }
    assert_int_equal(event_queue_count(queue), MAX_EVENTS / 3);
    for (int i = 1; i < MAX_EVENTS; i += 3) {
        assert_true(event_queue_next_ps(queue) == i * 100);
        assert_ptr_equal(event_queue_pop(queue, EVENT_NEVER), &events[i]);
    }
    assert_null(event_queue_pop(queue, EVENT_NEVER));
    event_queue_destroy(queue);
}

/* More are cancelled than are left, several times over, and their memory is
 * used for something else. */
static void
test_cancelled_events_may_be_freed(void **state)
{
    struct event_queue *queue = event_queue_create();
    struct event kept[3] = {0};

    (void)state;
    for (int i = 0; i < 3; i++) {
        event_queue_add(queue, &kept[i], 5000 + 70000 * i);
    }
    for (int64_t round = 0; round < 5; round++) {
        struct event *gone = calloc(MAX_EVENTS, sizeof *gone);

        assert_non_null(gone);
        for (int i = 0; i < MAX_EVENTS; i++) {
            event_queue_add(queue, &gone[i], 4000 + 100 * round + 7 * i);
        }
        for (int i = 0; i < MAX_EVENTS; i++) {
            event_queue_cancel(queue, &gone[i]);
        }
        memset(gone, 0xff, MAX_EVENTS * sizeof *gone);
        free(gone);
        assert_int_equal(event_queue_count(queue), 3);
        assert_true(event_queue_next_ps(queue) == 5000);
        assert_null(event_queue_pop(queue, 4000 + 100 * round));
    }
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(event_queue_pop(queue, EVENT_NEVER), &kept[i]);
    }
    assert_int_equal(event_queue_count(queue), 0);
    event_queue_destroy(queue);
}

static void
test_destroying_leaves_events_not_pending(void **state)
{
    struct event_queue *queue = event_queue_create();
    struct event events[MAX_EVENTS] = {0};

    (void)state;
    for (int i = 0; i < MAX_EVENTS; i++) {
        event_queue_add(queue, &events[i], (int64_t)i * i * i * i);
    }
    event_queue_destroy(queue);
    for (int i = 0; i < MAX_EVENTS; i++) {
        assert_false(event_is_pending(&events[i]));
    }
}

/* The engine ----------------------------------------------------------- */

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
    return (struct bell){
        .event = {.fire = on_ring}, .engine = engine, .again_ps = again_ps};
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
        cmocka_unit_test(test_empty_queue_has_nothing),
        cmocka_unit_test(test_times_at_all_scales_come_in_order),
        cmocka_unit_test(test_equal_times_come_in_order_of_insertion),
        cmocka_unit_test(test_cancelled_events_do_not_come),
        cmocka_unit_test(test_cancelled_events_may_be_freed),
        cmocka_unit_test(test_destroying_leaves_events_not_pending),
        cmocka_unit_test(test_clock_moves_to_events_then_to_the_limit),
        cmocka_unit_test(test_event_for_now_fires_within_the_same_call),
        cmocka_unit_test(test_scheduling_between_limit_and_next),
        cmocka_unit_test(test_scheduling_again_moves_an_event_to_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
