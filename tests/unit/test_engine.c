/* SPDX-License-Identifier: Apache-2.0 */

/* Events in order, and the clock around them.  tests/property/test_event_order
 * compares with a sorted array. */

#include <config.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
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

/* Posts ---------------------------------------------------------------- */

enum { MAX_LOG = 2000 };

/* What happened, in order. */
struct log {
    struct post posts[MAX_LOG];
    size_t n;
};

/* An engine_loop_fn. */
static uint64_t
log_events(void *context, struct engine *engine, int64_t until_ps,
           uint64_t most)
{
    struct log *log = context;
    uint64_t n = 0;
    struct post post;
    enum engine_next next;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        assert_in_range(log->n, 0, MAX_LOG - 1);
        if (next == ENGINE_TIMER) {
            post = (struct post){engine->due->when_ps, engine->due->order};
            engine_fire(engine);
        }
        assert_true(engine_now_ps(engine) == post.when_ps);
        log->posts[log->n++] = post;
        n++;
    }
    return n;
}

static void
do_nothing(struct event *event, int64_t now_ps)
{
    (void)event;
    (void)now_ps;
}

/* The classes, then the entities, then the arguments decide; posts and timers
 * mix. */
static void
test_equal_times_come_in_order_of_class_and_entity(void **state)
{
    struct engine *engine = engine_create();
    struct log log = {.n = 0};
    struct event early =
        event_make(EVENT_TIMER_PAUSE, EVENT_MAX_ENTITY, 0, do_nothing);
    struct event late = event_make(EVENT_TIMER_SEND, 0, 0, do_nothing);
    const uint64_t orders[] = {
        event_order(EVENT_TIMER_PAUSE, EVENT_MAX_ENTITY, 0),
        event_order(EVENT_TX_END, 2, 9),
        event_order(EVENT_TX_END, 3, 1),
        event_order(EVENT_ARRIVE, 0, 7),
        event_order(EVENT_ARRIVE, 0, UINT32_MAX),
        event_order(EVENT_ARRIVE, EVENT_MAX_ENTITY, 0),
        event_order(EVENT_TIMER_SEND, 0, 0),
    };

    (void)state;
    engine_set_loop(engine, log_events, &log);
    engine_schedule(engine, &late, 50);
    engine_post(engine, 50, EVENT_ARRIVE, EVENT_MAX_ENTITY, 0);
    engine_post(engine, 50, EVENT_ARRIVE, 0, UINT32_MAX);
    engine_post(engine, 50, EVENT_TX_END, 3, 1);
    engine_post(engine, 50, EVENT_ARRIVE, 0, 7);
    engine_schedule(engine, &early, 50);
    engine_post(engine, 50, EVENT_TX_END, 2, 9);
    assert_true(engine_next_ps(engine) == 50);
    assert_int_equal(engine_run_until(engine, 49), 0);
    assert_int_equal(engine_run_until(engine, 50), 7);
    for (size_t i = 0; i < 7; i++) {
        assert_true(log.posts[i].order == orders[i]);
    }
    engine_destroy(engine);
}

/* What wheel_visit() has shown. */
struct seen {
    size_t n;
    int64_t sum_ps;
    uint64_t args; /* Added. */
};

static void
on_visit(void *context, const struct post *post)
{
    struct seen *seen = context;

    seen->n++;
    seen->sum_ps += post->when_ps;
    seen->args += event_arg(post->order);
}

/* Asserts that 'n' posts are pending, those of 'posts'. */
static void
assert_visits(const struct engine *engine, const struct post *posts, size_t n)
{
    struct seen seen = {0}, wanted = {0};

    for (size_t i = 0; i < n; i++) {
        on_visit(&wanted, &posts[i]);
    }
    engine_visit(engine, on_visit, &seen);
    assert_int_equal(seen.n, wanted.n);
    assert_true(seen.sum_ps == wanted.sum_ps);
    assert_true(seen.args == wanted.args);
}

/* What engine_is_past() said while an event was handled: of the event before
 * it in the order of its time, of itself and of the one behind it. */
struct past {
    bool before, same, after, earlier, later;
};

/* An engine_loop_fn. */
static uint64_t
look_at_past(void *past_, struct engine *engine, int64_t until_ps,
             uint64_t most)
{
    struct past *past = past_;
    struct post post;
    uint64_t n = 0;

    while (n < most && engine_pop(engine, until_ps, &post) == ENGINE_POST) {
        const uint64_t order = post.order;

        *past = (struct past){
            .before = engine_is_past(engine, post.when_ps, order - 1),
            .same = engine_is_past(engine, post.when_ps, order),
            .after = engine_is_past(engine, post.when_ps, order + 1),
            .earlier = engine_is_past(engine, post.when_ps - 1, UINT64_MAX),
            .later = engine_is_past(engine, post.when_ps + 1, 0),
        };
        n++;
    }
    return n;
}

static void
test_what_is_past(void **state)
{
    struct engine *engine = engine_create();
    const uint64_t order = event_order(EVENT_ARRIVE, 1, 2);
    struct past past;

    (void)state;
    engine_set_loop(engine, look_at_past, &past);
    engine_post(engine, 50, EVENT_ARRIVE, 1, 2);
    assert_int_equal(engine_run_until(engine, 50), 1);
    assert_true(past.before && past.earlier);
    assert_false(past.same || past.after || past.later);
    /* Between runs all events of the present are handled. */
    assert_true(engine_is_past(engine, 50, order));
    assert_true(engine_is_past(engine, 50, order + 1));
    assert_false(engine_is_past(engine, 51, 0));
    engine_destroy(engine);
}

/* The same events, posted in many orders, near and far. */
static void
test_order_of_posting_does_not_matter(void **state)
{
    enum { N = 1500 };
    static struct post posts[N];
    static struct log first;
    static struct log other;
    struct random random;

    (void)state;
    random_init(&random, 5);
    for (size_t i = 0; i < N; i++) {
        posts[i].when_ps =
            (int64_t)random_below(&random, UINT64_C(1) << (i % 3 == 0   ? 4
                                                           : i % 3 == 1 ? 16
                                                                        : 27));
        posts[i].order = event_order(
            (enum event_class)random_below(&random, EVENT_N_CLASSES),
            (uint32_t)random_below(&random, 3), (uint32_t)i);
    }
    for (int round = 0; round < 20; round++) {
        struct log *log = round ? &other : &first;
        struct engine *engine = engine_create();

        log->n = 0;
        engine_set_loop(engine, log_events, log);
        for (size_t i = 0; i < N; i++) {
            const size_t k = i + random_below(&random, N - i);
            const struct post post = posts[k];

            posts[k] = posts[i];
            posts[i] = post;
            engine_post(engine, post.when_ps, event_class(post.order),
                        event_entity(post.order), event_arg(post.order));
        }
        assert_int_equal(wheel_count(&engine->queue->wheel), N);
        assert_visits(engine, posts, N);
        assert_int_equal(engine_run_until(engine, EVENT_NEVER), N);
        assert_int_equal(wheel_count(&engine->queue->wheel), 0);
        assert_memory_equal(log->posts, first.posts, sizeof log->posts[0] * N);
        engine_destroy(engine);
    }
}

/* The time advances without events, so that the calendar is far behind. */
static void
test_calendar_follows_the_clock(void **state)
{
    struct engine *engine = engine_create();
    struct log log = {.n = 0};
    int64_t now_ps = 0;

    (void)state;
    engine_set_loop(engine, log_events, &log);
    engine_post(engine, INT64_C(1) << 50, EVENT_ARRIVE, 1, 0);
    for (int i = 0; i < 100; i++) {
        struct seen seen = {0};

        now_ps += INT64_C(123456789) * (i + 1);
        engine_run_until(engine, now_ps);
        engine_post(engine, now_ps + 5000, EVENT_ARRIVE, 1, 1);
        engine_post(engine, now_ps, EVENT_ARRIVE, 1, 2);
        engine_post(engine, now_ps + 100000000, EVENT_ARRIVE, 1, 3);
        /* The one at the end, and the last one. */
        assert_int_equal(engine->queue->wheel.n_far, 2);
        engine_visit(engine, on_visit, &seen);
        assert_int_equal(seen.n, 4);
        assert_int_equal(seen.args, 6);
        assert_true(engine_next_ps(engine) == now_ps);
        assert_int_equal(engine_run_until(engine, now_ps + 200000000), 3);
        now_ps += 200000000;
        assert_int_equal(log.n, 3 * (i + 1));
        assert_int_equal(event_arg(log.posts[3 * i].order), 2);
        assert_int_equal(event_arg(log.posts[3 * i + 1].order), 1);
        assert_int_equal(event_arg(log.posts[3 * i + 2].order), 3);
    }
    assert_true(engine_step(engine));
    assert_true(engine_now_ps(engine) == INT64_C(1) << 50);
    assert_false(engine_step(engine));
    engine_destroy(engine);
}

static void
test_loop_sees_ahead(void **state)
{
    struct engine *engine = engine_create();
    struct post post;

    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        engine_post(engine, 10 + (int64_t)i, EVENT_ARRIVE, i, 0);
    }
    assert_int_equal(engine_pop(engine, 9, &post), ENGINE_IDLE);
    assert_int_equal(engine_pop(engine, 10, &post), ENGINE_POST);
    for (unsigned int i = 0; i < WHEEL_AHEAD; i++) {
        assert_true(engine_ahead(engine, i)->when_ps ==
                    (i < 4 ? 11 + (int64_t)i : EVENT_NEVER));
    }
    engine_destroy(engine);
}

/* Returns whether posting that event aborts the program. */
static bool
is_refused(int64_t when_ps, uint32_t entity)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        struct engine *engine = engine_create();

        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        assert_non_null(freopen("/dev/null", "w", stderr));
        signal(SIGABRT, SIG_DFL);
        engine_run_until(engine, 100);
        engine_post(engine, when_ps, EVENT_ARRIVE, entity, 0);
        engine_destroy(engine);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
test_limits_are_asserted(void **state)
{
    (void)state;
    assert_false(is_refused(100, EVENT_MAX_ENTITY));
    assert_true(is_refused(100, EVENT_MAX_ENTITY + 1));
    assert_true(is_refused(99, 0));
    assert_false(is_refused(EVENT_NEVER - 1, 0));
    assert_true(is_refused(EVENT_NEVER, 0));
}

static void
note_end(void *pool)
{
    *(int *)pool += 1;
}

static void
test_pool_lives_as_long_as_the_engine(void **state)
{
    struct engine *engine = engine_create();
    int ended = 0;

    (void)state;
    assert_null(engine_pool(engine));
    engine_set_pool(engine, &ended, note_end);
    assert_ptr_equal(engine_pool(engine), &ended);
    assert_int_equal(ended, 0);
    engine_destroy(engine);
    assert_int_equal(ended, 1);
}

static void
test_destroying_leaves_timers_not_pending(void **state)
{
    struct engine *engine = engine_create();
    struct event events[50];

    (void)state;
    for (int i = 0; i < 50; i++) {
        events[i] = event_make(EVENT_TIMER_AGE, 1, 0, do_nothing);
        engine_schedule(engine, &events[i], (int64_t)i * i * i * i);
    }
    engine_destroy(engine);
    for (int i = 0; i < 50; i++) {
        assert_false(event_is_pending(&events[i]));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_times_come_in_order_of_class_and_entity),
        cmocka_unit_test(test_what_is_past),
        cmocka_unit_test(test_order_of_posting_does_not_matter),
        cmocka_unit_test(test_calendar_follows_the_clock),
        cmocka_unit_test(test_loop_sees_ahead),
        cmocka_unit_test(test_limits_are_asserted),
        cmocka_unit_test(test_pool_lives_as_long_as_the_engine),
        cmocka_unit_test(test_destroying_leaves_timers_not_pending),
        cmocka_unit_test(test_clock_moves_to_events_then_to_the_limit),
        cmocka_unit_test(test_event_for_now_fires_within_the_same_call),
        cmocka_unit_test(test_scheduling_between_limit_and_next),
        cmocka_unit_test(test_scheduling_again_moves_an_event_to_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
