/* SPDX-License-Identifier: Apache-2.0 */

/* The engine against a sorted array.
 *
 * Random posts and timers, moves, cancellations, and runs with and without
 * limit, at distances from 0 to beyond the calendar, with few places, so that
 * many events are equal in time and class.  The reference is an array in the
 * order of event.h.
 *
 * Usage: test_event_order [SEED [STEPS]].  A failure prints the seed. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/random.h"
#include "twin/event/engine.h"

enum {
    TIMERS = 300,
    ROOM = 4096,
    FEW = 1500, /* From so many pending events on, more are taken than added. */
};

/* A pending event of the reference. */
struct expected {
    int64_t when_ps;
    uint64_t order;
    uint64_t sequence;   /* Of a timer. */
    struct event *timer; /* NULL: a post. */
};

static struct {
    struct engine *engine;
    struct random random;
    struct event timers[TIMERS];
    struct expected sorted[ROOM];
    int n;
    int64_t now_ps;
    uint64_t sequence;
    uint64_t steps;
    bool failed;
    const struct event *fired;
} m;

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("line %d: %s\n", __LINE__, #condition);                     \
            m.failed = true;                                                   \
            return;                                                            \
        }                                                                      \
    } while (0)

static bool
is_after(const struct expected *a, const struct expected *b)
{
    if (a->when_ps != b->when_ps) {
        return a->when_ps > b->when_ps;
    }
    if (a->order != b->order) {
        return a->order > b->order;
    }
    return a->sequence > b->sequence;
}

static void
reference_add(struct expected expected)
{
    int at = m.n++;

    while (at > 0 && is_after(&m.sorted[at - 1], &expected)) {
        m.sorted[at] = m.sorted[at - 1];
        at--;
    }
    m.sorted[at] = expected;
}

static void
reference_remove(int at)
{
    m.n--;
    memmove(&m.sorted[at], &m.sorted[at + 1],
            (size_t)(m.n - at) * sizeof m.sorted[0]);
}

static void
reference_forget(const struct event *timer)
{
    for (int i = 0; i < m.n; i++) {
        if (m.sorted[i].timer == timer) {
            reference_remove(i);
            return;
        }
    }
}

/* Returns a distance in time of up to 'scale' bits, small ones often, with bits
 * missing so that equal times come about. */
static int64_t
distance(unsigned int scale)
{
    const uint64_t bits = random_below(&m.random, scale + 1);
    uint64_t ps = random_u64(&m.random) & ((UINT64_C(1) << bits) - 1);

    if (random_below(&m.random, 2)) {
        ps &= UINT64_C(0xf000f0ff00ff0f0f);
    }
    return (int64_t)ps;
}

static void
on_timer(struct event *event, int64_t now_ps)
{
    EXPECT(now_ps == event->when_ps);
    EXPECT(!event_is_pending(event));
    m.fired = event;
}

/* Posts have the even classes, timers the odd ones. */
static void
post_at(int64_t when_ps)
{
    const enum event_class class =
        (enum event_class)(2 * random_below(&m.random, 7));
    const uint32_t entity =
        random_below(&m.random, 2)
            ? (uint32_t)random_below(&m.random, 4)
            : (uint32_t)EVENT_MAX_ENTITY - (uint32_t)random_below(&m.random, 4);
    const uint32_t arg = (uint32_t)random_u64(&m.random);

    engine_post(m.engine, when_ps, class, entity, arg);
    reference_add((struct expected){.when_ps = when_ps,
                                    .order = event_order(class, entity, arg)});
}

static void
post(unsigned int scale)
{
    post_at(m.now_ps + distance(scale));
}

/* Posts many events for one time, or for one bucket of the calendar. */
static void
post_many(unsigned int scale)
{
    const int64_t when_ps = m.now_ps + distance(scale);
    const uint64_t spread =
        random_below(&m.random, 2) ? UINT64_C(1) << WHEEL_BUCKET_BITS : 1;

    for (uint64_t i = random_below(&m.random, 400); i > 0; i--) {
        post_at(when_ps + (int64_t)random_below(&m.random, spread));
    }
}

static void
schedule(unsigned int scale)
{
    struct event *timer = &m.timers[random_below(&m.random, TIMERS)];
    const int64_t when_ps = m.now_ps + distance(scale);

    if (event_is_pending(timer)) {
        reference_forget(timer);
    } else {
        *timer =
            event_make((enum event_class)(2 * random_below(&m.random, 7) + 1),
                       (uint32_t)random_below(&m.random, 4),
                       (uint32_t)random_below(&m.random, 2), on_timer);
    }
    engine_schedule(m.engine, timer, when_ps);
    EXPECT(event_is_pending(timer));
    reference_add((struct expected){.when_ps = when_ps,
                                    .order = timer->order,
                                    .sequence = ++m.sequence,
                                    .timer = timer});
}

static void
cancel(void)
{
    struct event *timer = &m.timers[random_below(&m.random, TIMERS)];

    reference_forget(timer);
    engine_cancel(m.engine, timer);
    EXPECT(!event_is_pending(timer));
}

/* An engine_loop_fn that compares with the reference. */
static uint64_t
run_checked(void *context, struct engine *engine, int64_t until_ps,
            uint64_t most)
{
    uint64_t n = 0;
    struct post taken;
    enum engine_next next;

    (void)context;
    while (n < most && !m.failed &&
           (next = engine_pop(engine, until_ps, &taken)) != ENGINE_IDLE) {
        const struct expected first = m.sorted[0];

        m.fired = NULL;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
        }
        m.failed |= m.n == 0 || first.timer != m.fired ||
                    engine_now_ps(engine) != first.when_ps ||
                    (next == ENGINE_POST && (taken.order != first.order ||
                                             taken.when_ps != first.when_ps));
        if (m.failed) {
            printf("the first of %d events differs\n", m.n);
            break;
        }
        reference_remove(0);
        n++;
    }
    return n;
}

static void
run_some(unsigned int scale)
{
    if (random_below(&m.random, 2)) {
        const bool some = m.n > 0;

        EXPECT(engine_step(m.engine) == some);
        m.now_ps = engine_now_ps(m.engine);
        return;
    }
    m.now_ps += distance(scale) >> random_below(&m.random, 12);
    engine_run_until(m.engine, m.now_ps);
    EXPECT(m.n == 0 || m.sorted[0].when_ps > m.now_ps);
}

static void
step(unsigned int scale, unsigned int adds)
{
    const uint64_t dice = random_below(&m.random, 100);
    const unsigned int limit = m.n < FEW ? adds : 10;

    if (dice == 0 && m.n < FEW && random_below(&m.random, 20) == 0) {
        post_many(scale);
    } else if (dice < limit) {
        post(scale);
    } else if (dice < limit + 8) {
        schedule(scale);
    } else if (dice < limit + 14) {
        cancel();
    } else {
        run_some(scale);
    }
    EXPECT(engine_now_ps(m.engine) == m.now_ps);
    if (random_below(&m.random, 3) == 0) {
        EXPECT(engine_next_ps(m.engine) ==
               (m.n ? m.sorted[0].when_ps : EVENT_NEVER));
    }
}

static bool
run(uint64_t seed, uint64_t steps)
{
    unsigned int scale = 8;
    unsigned int adds = 40;

    memset(&m, 0, sizeof m);
    m.engine = engine_create();
    engine_set_loop(m.engine, run_checked, NULL);
    random_init(&m.random, seed);
    for (uint64_t i = 0; i < steps && !m.failed; i++) {
        if (random_below(&m.random, 2000) == 0) {
            scale = (unsigned int)random_below(&m.random, 40);
            adds = 30 + (unsigned int)random_below(&m.random, 50);
        }
        step(scale, adds);
    }
    if (!m.failed) {
        engine_run_until(m.engine, EVENT_NEVER);
    }
    engine_destroy(m.engine);
    return !m.failed && m.n == 0;
}

int
main(int argc, char **argv)
{
    uint64_t seed = 1;
    uint64_t steps = 1000000;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT64_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT64_MAX, &steps) != ST_OK)) {
        fprintf(stderr, "usage: test_event_order [SEED [STEPS]]\n");
        return 2;
    }
    if (!run(seed, steps)) {
        printf("seed %llu\n", (unsigned long long)seed);
        return 1;
    }
    return 0;
}
