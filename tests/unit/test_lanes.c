/* SPDX-License-Identifier: Apache-2.0 */

/* An engine that is divided into lanes does at each place what it does
 * undivided, at the same times and in the same order. */

#include <config.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/random.h"
#include "twin/event/engine.h"
#include "twin/event/random_stream.h"

enum {
    PLACES = 40,
    LOOKAHEAD_PS = 10000,
    WATCHES = 200,
    END_PS = 3000000,
};

/* Something at one entity that posts and schedules, at random. */
struct place {
    struct world *world;
    struct random_stream random;
    struct event timer;
    uint64_t digest; /* Of all its events, and what it drew. */
    uint64_t n;
};

struct world {
    struct engine *engine;
    struct place places[PLACES + 1]; /* From 1 on; 0 is nobody. */
    struct event watch;              /* Looks at all places. */
    struct event command;            /* Changes something everywhere. */
    uint64_t seen[WATCHES];
    uint32_t n_seen;
    uint64_t n_events;
};

/* What happens at 'place' with each of its events. */
static void
happen(struct place *place, uint64_t order)
{
    struct world *world = place->world;
    struct engine *engine = world->engine;
    const int64_t now_ps = engine_now_ps(engine);
    const uint32_t self = place->random.entity;
    const uint32_t draw = random_stream_u32(&place->random);
    const uint32_t other =
        1 + (uint32_t)random_stream_below(&place->random, PLACES);

    assert_true(engine_order(engine) == order);
    place->digest = digest_bytes(place->digest, &now_ps, sizeof now_ps);
    place->digest = digest_bytes(place->digest, &order, sizeof order);
    place->digest = digest_bytes(place->digest, &draw, sizeof draw);
    place->n++;
    if (now_ps > END_PS) {
        return;
    }
    /* As many as there were, on average. */
    switch (draw % 8) {
    case 0: /* Now, or within the window. */
        engine_post(engine, now_ps + draw % 3, EVENT_TX_END, self, draw);
        break;
    case 1:
        engine_post(engine, now_ps + draw / 8 % 5000, EVENT_ARRIVE, self, draw);
        break;
    case 2: /* Beyond the calendar. */
        engine_post(engine, now_ps + 50000000, EVENT_TX_END, self, draw);
        engine_post(engine, now_ps + 1, EVENT_TX_END, self, draw);
        break;
    case 3:
        engine_schedule(engine, &place->timer, now_ps + draw / 8 % 20000);
        engine_post(engine, now_ps + 7, EVENT_TX_END, self, draw);
        break;
    case 4:
        engine_cancel(engine, &place->timer);
        engine_post(engine, now_ps + 9, EVENT_TX_END, self, draw);
        break;
    default: /* As soon as it may. */
        engine_post(engine, now_ps + LOOKAHEAD_PS + draw / 8 % 2000,
                    EVENT_ARRIVE, other, self);
    }
}

static uint64_t
run_posts(void *context, struct engine *engine, int64_t until_ps, uint64_t most)
{
    struct world *world = context;
    enum engine_next next;
    struct post post;
    uint64_t n = 0;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
        } else {
            happen(&world->places[event_entity(post.order)], post.order);
        }
    }
    return n;
}

static void
on_timer(struct event *event, int64_t now_ps)
{
    (void)now_ps;
    happen(EVENT_OWNER(event, struct place, timer), event->order);
}

/* Remembers what all places have done. */
static void
on_watch(struct event *event, int64_t now_ps)
{
    struct world *world = EVENT_OWNER(event, struct world, watch);
    uint64_t digest = DIGEST_START;

    assert_true(engine_now_ps(world->engine) == now_ps);
    for (uint32_t i = 1; i <= PLACES; i++) {
        digest = digest_bytes(digest, &world->places[i].digest, sizeof digest);
    }
    world->seen[world->n_seen++] = digest;
    if (world->n_seen < WATCHES) {
        engine_schedule(world->engine, event,
                        now_ps + 1000 + world->n_seen * 377 % 40000);
    }
}

/* Has an effect at all places at once. */
static void
on_command(struct event *event, int64_t now_ps)
{
    struct world *world = EVENT_OWNER(event, struct world, command);

    for (uint32_t i = 1; i <= PLACES; i++) {
        engine_post(world->engine, now_ps + i % 2, EVENT_TX_END, i, 0);
    }
    if (now_ps < END_PS) {
        engine_schedule(world->engine, event, now_ps + 123456);
    }
}

/* Makes a world with 'n_lanes' lanes, 0: undivided, that depends on 'seed' in
 * nothing else. */
static struct world *
make_world(uint32_t n_lanes, uint64_t seed)
{
    struct world *world = check_calloc(1, sizeof *world);
    uint8_t lane_of[PLACES + 1] = {ENGINE_COMMON};
    struct random random;

    world->engine = engine_create();
    engine_set_loop(world->engine, run_posts, world);
    world->watch = event_make(EVENT_TIMER_OBSERVE, 3, 0, on_watch);
    world->command = event_make(EVENT_TIMER_COMMAND, 0, 0, on_command);
    random_init(&random, seed);
    for (uint32_t i = 1; i <= PLACES; i++) {
        struct place *place = &world->places[i];

        *place = (struct place){
            .world = world,
            .timer = event_make(EVENT_TIMER_SEND, i, 0, on_timer),
            .digest = DIGEST_START};
        random_stream_init(&place->random, 1, i, RANDOM_TEST);
        engine_post(world->engine, i % 5, EVENT_ARRIVE, i, 0);
        engine_schedule(world->engine, &place->timer, 100 + i % 3);
        lane_of[i] = n_lanes ? (uint8_t)(1 + random_below(&random, n_lanes))
                             : (uint8_t)ENGINE_COMMON;
    }
    engine_schedule(world->engine, &world->watch, 77);
    engine_schedule(world->engine, &world->command, 50000);
    if (n_lanes) {
        engine_divide(world->engine, lane_of, PLACES + 1, n_lanes,
                      LOOKAHEAD_PS);
    }
    return world;
}

static void
end_world(struct world *world)
{
    engine_destroy(world->engine);
    free(world);
}

static void
assert_same(const struct world *a, const struct world *b)
{
    assert_int_equal(a->n_seen, b->n_seen);
    assert_memory_equal(a->seen, b->seen, sizeof a->seen);
    for (uint32_t i = 1; i <= PLACES; i++) {
        assert_int_equal(a->places[i].n, b->places[i].n);
        assert_true(a->places[i].digest == b->places[i].digest);
    }
    assert_int_equal(a->n_events, b->n_events);
}

static void
test_each_place_does_the_same(void **state)
{
    static const uint32_t lanes[] = {1, 2, 3, 7, 40, ENGINE_MAX_LANES};
    struct world *undivided = make_world(0, 0);

    (void)state;
    undivided->n_events = engine_run_until(undivided->engine, EVENT_NEVER);
    assert_int_equal(undivided->n_seen, WATCHES);
    assert_true(undivided->n_events > 20000);
    for (size_t i = 0; i < 4 * sizeof lanes / sizeof lanes[0]; i++) {
        struct world *world = make_world(lanes[i / 4], i);

        assert_int_equal(engine_lookahead_ps(world->engine), LOOKAHEAD_PS);
        world->n_events = engine_run_until(world->engine, EVENT_NEVER);
        assert_same(undivided, world);
        assert_int_equal(engine_now_ps(world->engine),
                         engine_now_ps(undivided->engine));
        end_world(world);
    }
    end_world(undivided);
}

/* In steps, in parts that end within windows, and in a number of events. */
static void
test_it_does_not_matter_how_the_clock_is_driven(void **state)
{
    struct world *undivided = make_world(0, 0);
    struct world *steps = make_world(5, 1);
    struct world *parts = make_world(5, 1);
    struct world *some = make_world(5, 1);
    uint64_t n;

    (void)state;
    undivided->n_events = engine_run_until(undivided->engine, EVENT_NEVER);
    for (int64_t now_ps = 1; parts->n_seen < WATCHES ||
                             engine_next_ps(parts->engine) != EVENT_NEVER;
         now_ps += 3331) {
        parts->n_events += engine_run_until(parts->engine, now_ps);
        assert_true(engine_now_ps(parts->engine) == now_ps);
        now_ps = now_ps > 2 * END_PS ? engine_next_ps(parts->engine) : now_ps;
        now_ps = now_ps == EVENT_NEVER ? END_PS * INT64_C(100) : now_ps;
    }
    assert_same(undivided, parts);
    while (engine_step(steps->engine)) {
        steps->n_events++;
    }
    assert_same(undivided, steps);
    while ((n = engine_run_some(some->engine, EVENT_NEVER, 100)) > 0) {
        some->n_events += n;
    }
    assert_same(undivided, some);
    end_world(undivided);
    end_world(steps);
    end_world(parts);
    end_world(some);
}

static void
count_post(void *context, const struct post *post)
{
    (void)post;
    ++*(uint64_t *)context;
}

static void
test_pending_posts_are_found(void **state)
{
    struct world *world = make_world(3, 1);
    uint64_t n = 0;

    (void)state;
    engine_visit(world->engine, count_post, &n);
    assert_int_equal(n, PLACES);
    assert_int_equal(engine_next_ps(world->engine), 0);
    end_world(world);
}

/* An event that reaches another lane within the window. */
static uint64_t
run_too_soon(void *context, struct engine *engine, int64_t until_ps,
             uint64_t most)
{
    struct post post;

    (void)context;
    if (most > 1 && engine_pop(engine, until_ps, &post) != ENGINE_IDLE) {
        engine_post(engine, post.when_ps + LOOKAHEAD_PS - 1, EVENT_ARRIVE, 2,
                    0);
        return 1;
    }
    return 0;
}

static void
test_an_effect_that_is_too_soon_stops_the_process(void **state)
{
    const uint8_t lane_of[] = {ENGINE_COMMON, 1, 2};
    const pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        struct engine *engine = engine_create();

        (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        (void)signal(SIGABRT, SIG_DFL);
        (void)close(STDERR_FILENO);
        engine_set_loop(engine, run_too_soon, NULL);
        engine_divide(engine, lane_of, 3, 2, LOOKAHEAD_PS);
        engine_post(engine, 0, EVENT_ARRIVE, 1, 0);
        engine_run_until(engine, LOOKAHEAD_PS);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_place_does_the_same),
        cmocka_unit_test(test_it_does_not_matter_how_the_clock_is_driven),
        cmocka_unit_test(test_pending_posts_are_found),
        cmocka_unit_test(test_an_effect_that_is_too_soon_stops_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
