/* SPDX-License-Identifier: Apache-2.0 */

/* The pool of frames, wires, and the table of known flows. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/line_pool.h"
#include "twin/forwarding/frame_pool.h"
#include "twin/forwarding/wire.h"
#include "twin/switch/flow_table.h"

enum { RECEIVER = 7 };

static uint32_t
make(struct frame_pool *pool, uint32_t length)
{
    return frame_copy(pool, &(struct sim_frame){.length_bytes = length});
}

static void
test_frames_keep_their_place(void **state)
{
    struct engine *engine = engine_create();
    struct frame_pool *pool = frame_pool_of(engine);
    const uint32_t n = 3 * FRAME_POOL_BLOCK;
    struct sim_frame *first;

    (void)state;
    assert_ptr_equal(frame_pool_of(engine), pool);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(make(pool, i), i);
    }
    first = frame_at(pool, 0);
    assert_int_equal((uintptr_t)first % sizeof *first, 0);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(frame_at(pool, i)->length_bytes, i);
    }
    frame_give(pool, 5);
    frame_give(pool, 9);
    assert_int_equal(frame_pool_in_use(pool), n - 2);
    assert_int_equal(frame_take(pool), 9);
    assert_int_equal(frame_take(pool), 5);
    assert_int_equal(frame_take(pool), n);
    frame_at(pool, 5)->payload = frame_at(pool, 9)->payload = NULL;
    frame_at(pool, n)->payload = NULL;
    engine_destroy(engine);
}

static void
test_payloads_are_shared_or_borrowed(void **state)
{
    struct engine *engine = engine_create();
    struct frame_pool *pool = frame_pool_of(engine);
    struct sim_frame frame = {
        .payload = sim_payload_describe(&(struct packet){.ttl = 3})};
    uint32_t index = frame_copy(pool, &frame);

    (void)state;
    assert_int_equal(frame.payload->references, 2);
    frame_give(pool, index);
    assert_int_equal(frame.payload->references, 1);
    frame.borrows = true;
    index = frame_copy(pool, &frame);
    assert_int_equal(frame.payload->references, 1);
    frame_give(pool, index);
    frame.borrows = false;
    /* What is still in use gives its reference back in the end. */
    (void)frame_copy(pool, &frame);
    sim_payload_unref(frame.payload);
    engine_destroy(engine);
}

/* Returns a wire of 'delay_ps' for frames up to 1,000 bytes. */
static struct wire
make_wire(struct frame_pool *pool, int64_t delay_ps)
{
    struct wire wire;

    wire_init(&wire, pool, EVENT_ARRIVE, RECEIVER);
    wire.delay_ps = delay_ps;
    wire.mtu_bytes = 1000;
    return wire;
}

static void
assert_books(const struct wire *wire, uint64_t sent, uint64_t delivered,
             uint64_t lost)
{
    assert_int_equal(wire->sent, sent);
    assert_int_equal(wire->delivered, delivered);
    assert_int_equal(wire->lost, lost);
    assert_int_equal(wire->in_flight, sent - delivered - lost);
}

static void
test_wire_posts_the_arrival(void **state)
{
    struct engine *engine = engine_create();
    struct frame_pool *pool = frame_pool_of(engine);
    struct wire wire = make_wire(pool, 500);
    const uint32_t frame = make(pool, 1000);
    const uint32_t large = make(pool, 1001);
    struct post post;

    (void)state;
    assert_int_equal(wire_send(&wire, engine, pool, frame, 80), 80);
    assert_int_equal(wire_send(&wire, engine, pool, large, 160), WIRE_LOST);
    assert_books(&wire, 2, 0, 1);
    assert_int_equal(engine_pop(engine, 10000, &post), ENGINE_POST);
    assert_int_equal(post.when_ps, 580);
    assert_true(post.order == event_order(EVENT_ARRIVE, RECEIVER, frame));
    assert_int_equal(engine_pop(engine, 10000, &post), ENGINE_IDLE);
    assert_true(wire_lands(&wire, frame_at(pool, frame)));
    wire.delivered++;
    assert_books(&wire, 2, 1, 1);
    engine_destroy(engine);
}

static void
test_wire_loses_what_it_owns(void **state)
{
    struct engine *engine = engine_create();
    struct frame_pool *pool = frame_pool_of(engine);
    struct wire wire = make_wire(pool, 500);
    uint32_t frames[4];

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        frames[i] = make(pool, 100);
        assert_int_equal(wire_send(&wire, engine, pool, frames[i], i + 1),
                         i + 1);
    }
    assert_int_equal(wire.most_in_flight, 3);
    wire_recall(&wire, frame_at(pool, frames[2]));
    wire_recall(&wire, frame_at(pool, frames[2]));
    assert_books(&wire, 3, 0, 1);
    wire_clear(&wire, pool);
    assert_books(&wire, 3, 0, 3);
    /* It is up again, and nobody gets the old ones. */
    frames[3] = make(pool, 100);
    assert_int_equal(wire_send(&wire, engine, pool, frames[3], 50), 50);
    for (uint32_t i = 0; i < 3; i++) {
        assert_false(wire_lands(&wire, frame_at(pool, frames[i])));
    }
    assert_true(wire_lands(&wire, frame_at(pool, frames[3])));
    assert_false(wire_lands(NULL, frame_at(pool, frames[3])));
    wire.is_up = false;
    assert_int_equal(wire_send(&wire, engine, pool, frames[3], 60), WIRE_LOST);
    engine_destroy(engine);
}

static void
test_places_have_numbers(void **state)
{
    struct engine *engine = engine_create();
    struct frame_pool *pool = frame_pool_of(engine);
    int a, b;

    (void)state;
    assert_null(frame_pool_place(pool, 0));
    frame_pool_settle(pool, 3, &a);
    frame_pool_settle(pool, 100000, &b);
    assert_ptr_equal(frame_pool_place(pool, 3), &a);
    assert_ptr_equal(frame_pool_place(pool, 100000), &b);
    assert_null(frame_pool_place(pool, 99999));
    assert_null(frame_pool_place(pool, EVENT_MAX_ENTITY));
    frame_pool_settle(pool, 3, NULL);
    assert_null(frame_pool_place(pool, 3));
    engine_destroy(engine);
}

/* Adds flow 'number' from port 'in'. */
static void
add(struct flow_table *table, uint32_t number, uint32_t in)
{
    uint32_t at;
    struct flow_entry *entry = flow_table_add(table, number, in, &at);

    *entry = (struct flow_entry){.number = number,
                                 .src_and_in = (uint64_t)in << 48,
                                 .interface = number + in};
}

static void
test_table_of_flows_grows(void **state)
{
    struct line_pool *memory = line_pool_create(NULL);
    struct flow_table table = {.memory = memory};
    uint32_t known = 0;

    (void)state;
    assert_null(flow_table_find(&table, 1, 0));
    for (uint32_t i = 1; i <= 1000; i++) {
        add(&table, i, i % 3);
        assert_int_equal(flow_table_find(&table, i, i % 3)->interface,
                         i + i % 3);
        assert_null(flow_table_find(&table, i, 3));
    }
    for (uint32_t i = 1; i <= 1000; i++) {
        known += flow_table_find(&table, i, i % 3) != NULL;
    }
    assert_true(known > 700);
    flow_table_clear(&table, 5);
    assert_int_equal(table.changes, 5);
    assert_null(flow_table_find(&table, 1000, 1));
    flow_table_fini(&table);
    line_pool_destroy(memory);
}

/* Beyond its limit it forgets, but does not grow. */
static void
test_table_of_flows_is_bounded(void **state)
{
    struct line_pool *memory = line_pool_create(NULL);
    struct flow_table table = {.memory = memory};

    (void)state;
    for (uint32_t i = 1; i <= 100000; i++) {
        add(&table, i, 0);
    }
    assert_int_equal(table.bits, FLOW_TABLE_MAX_BITS);
    assert_non_null(flow_table_find(&table, 100000, 0));
    flow_table_fini(&table);
    line_pool_destroy(memory);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_keep_their_place),
        cmocka_unit_test(test_payloads_are_shared_or_borrowed),
        cmocka_unit_test(test_wire_posts_the_arrival),
        cmocka_unit_test(test_wire_loses_what_it_owns),
        cmocka_unit_test(test_places_have_numbers),
        cmocka_unit_test(test_table_of_flows_grows),
        cmocka_unit_test(test_table_of_flows_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
