/* SPDX-License-Identifier: Apache-2.0 */

/* Rings and delay lines of connections of storage. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "lab/exec/run_ring.h"
#include "twin/event/engine.h"

enum { ROOM = 3 };

static void
test_ring_keeps_the_order_over_its_end(void **state)
{
    struct arena *arena = arena_create(4096);
    struct run_ring ring;
    uint32_t next = 0;

    (void)state;
    run_ring_create(&ring, arena, ROOM, sizeof(uint32_t));
    for (uint32_t i = 0; i < 10 * ROOM; i++) {
        run_ring_put(&ring, &i);
        if (run_ring_n(&ring) == ROOM) {
            uint32_t item = UINT32_MAX;

            run_ring_take(&ring, &item);
            assert_int_equal(item, next++);
        }
    }
    assert_int_equal(run_ring_n(&ring), ROOM - 1);
    arena_destroy(arena);
}

struct seen {
    struct run_delay line;
    uint32_t n;
    uint32_t items[4];
    int64_t at_ps[4];
};

static void
on_time(struct event *event, int64_t now_ps)
{
    struct seen *seen =
        (struct seen *)(void *)((char *)event - offsetof(struct seen, line) -
                                offsetof(struct run_delay, event));

    run_delay_leave(&seen->line, &seen->items[seen->n]);
    seen->at_ps[seen->n++] = now_ps;
}

/* An item waits behind those that entered before it, even for a time that is
 * earlier than theirs. */
static void
test_items_leave_in_order(void **state)
{
    static const int64_t times[] = {100, 50, 300};
    static const int64_t left[] = {100, 100, 300};
    struct arena *arena = arena_create(4096);
    struct engine *engine = engine_create();
    struct seen seen = {0};

    (void)state;
    run_delay_create(&seen.line, arena, engine, ROOM, sizeof(uint32_t),
                     event_make(EVENT_TIMER_SEND, 1, 0, on_time));
    for (uint32_t i = 0; i < ROOM; i++) {
        run_delay_enter(&seen.line, times[i], &i);
    }
    engine_run_until(engine, 200);
    assert_int_equal(seen.n, 2);
    engine_run_until(engine, 1000);
    assert_int_equal(seen.n, ROOM);
    for (uint32_t i = 0; i < ROOM; i++) {
        assert_int_equal(seen.items[i], i);
        assert_int_equal(seen.at_ps[i], left[i]);
    }
    /* What stops does not leave. */
    run_delay_enter(&seen.line, 2000, &(uint32_t){7});
    run_delay_stop(&seen.line);
    engine_run_until(engine, 3000);
    assert_int_equal(seen.n, ROOM);
    engine_destroy(engine);
    arena_destroy(arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring_keeps_the_order_over_its_end),
        cmocka_unit_test(test_items_leave_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
