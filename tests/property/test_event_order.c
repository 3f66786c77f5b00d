/* SPDX-License-Identifier: Apache-2.0 */

/* The event queue against a sorted list.
 *
 * Random additions, cancellations, and pops with and without limit, at times
 * that are dense or sparse by turns, so that digits of all levels carry.  The
 * reference is an array in order of time, then of insertion.  After each step
 * the count and the earliest time agree, after each pop the event.
 *
 * Usage: test_event_order [SEED [RUNS]].  A failure prints the seed of the run
 * that failed. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/random.h"
#include "twin/event/event_queue.h"

enum {
    EVENTS = 700,
    STEPS = 20000,
};

struct dynamic_state {
    struct event_queue *queue;
    struct random random;
    struct event events[EVENTS];
    int64_t now_ps;

    /* Pending ones, sorted. */
    struct event *sorted[EVENTS];
    int n;
};

static struct dynamic_state m;

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("line %d: %s\n", __LINE__, #condition);                     \
            return false;                                                      \
        }                                                                      \
    } while (0)

/* Returns a distance in time: of 0 to 'scale' bits, small ones often, with
 * bits missing so that equal times come about. */
static int64_t
distance(unsigned int scale)
{
    uint64_t bits = random_below(&m.random, scale + 1);
    uint64_t ps = random_u64(&m.random) & ((UINT64_C(1) << bits) - 1);

    if (random_below(&m.random, 2)) {
        ps &= UINT64_C(0xf000f0ff00ff0f0f);
    }
    return (int64_t)ps;
}

static void
reference_add(struct event *event)
{
    int at = m.n++;

    while (at > 0 && m.sorted[at - 1]->when_ps > event->when_ps) {
        m.sorted[at] = m.sorted[at - 1];
        at--;
    }
    m.sorted[at] = event;
}

static void
reference_remove(int at)
{
    m.n--;
    memmove(&m.sorted[at], &m.sorted[at + 1],
            (size_t)(m.n - at) * sizeof m.sorted[0]);
}

static bool
step_add(unsigned int scale)
{
    struct event *event = &m.events[random_below(&m.random, EVENTS)];

    if (!event_is_pending(event)) {
        event_queue_add(m.queue, event, m.now_ps + distance(scale));
        EXPECT(event_is_pending(event));
        reference_add(event);
    }
    return true;
}

static bool
step_cancel(void)
{
    struct event *event = &m.events[random_below(&m.random, EVENTS)];
    int at = 0;

    /* The earliest more often than by chance. */
    if (m.n && random_below(&m.random, 4) == 0) {
        event = m.sorted[0];
    }
    while (at < m.n && m.sorted[at] != event) {
        at++;
    }
    EXPECT(event_is_pending(event) == (at < m.n));
    event_queue_cancel(m.queue, event);
    EXPECT(!event_is_pending(event));
    if (at < m.n) {
        reference_remove(at);
    }
    return true;
}

/* Takes an event back and adds it again for the same time, again and again: it
 * goes to the end of those of this time each time. */
static bool
step_again(void)
{
    int at = m.n ? (int)random_below(&m.random, (uint64_t)m.n) : 0;

    for (uint64_t i = random_below(&m.random, 5); m.n && i > 0; i--) {
        struct event *event = m.sorted[at];
        const int64_t when_ps = event->when_ps;

        event_queue_cancel(m.queue, event);
        event_queue_add(m.queue, event, when_ps);
        reference_remove(at);
        reference_add(event);
        EXPECT(event_is_pending(event));
        while (m.sorted[at] != event) {
            at++;
        }
    }
    return true;
}

/* Cancels nine of ten: what is left must outlast the cleaning up. */
static bool
step_cancel_most(void)
{
    for (int at = m.n - 1; at >= 0; at--) {
        if (random_below(&m.random, 10)) {
            event_queue_cancel(m.queue, m.sorted[at]);
            EXPECT(!event_is_pending(m.sorted[at]));
            reference_remove(at);
        }
    }
    return true;
}

static bool
step_pop(int64_t limit_ps)
{
    struct event *event = event_queue_pop(m.queue, limit_ps);

    if (m.n && m.sorted[0]->when_ps <= limit_ps) {
        EXPECT(event == m.sorted[0]);
        EXPECT(!event_is_pending(event));
        m.now_ps = event->when_ps;
        reference_remove(0);
    } else {
        EXPECT(event == NULL);
        if (limit_ps != EVENT_NEVER) {
            m.now_ps = limit_ps;
        }
    }
    return true;
}

static bool
step(unsigned int scale, unsigned int adds)
{
    uint64_t dice = random_below(&m.random, 100);
    bool ok;

    if (dice < adds) {
        ok = step_add(scale);
    } else if (dice < adds + 10) {
        ok = random_below(&m.random, 3) ? step_cancel() : step_again();
    } else if (dice < 80) {
        ok = step_pop(EVENT_NEVER);
    } else {
        ok = step_pop(m.now_ps + distance(scale));
    }
    EXPECT(ok);
    EXPECT(event_queue_count(m.queue) == (size_t)m.n);
    /* Not asked each time: the queue then has to find it out by itself. */
    if (random_below(&m.random, 3) == 0) {
        EXPECT(event_queue_next_ps(m.queue) ==
               (m.n ? m.sorted[0]->when_ps : EVENT_NEVER));
    }
    return true;
}

static bool
run(uint64_t seed)
{
    bool ok = true;
    unsigned int scale = 8;
    unsigned int adds = 40;

    memset(&m, 0, sizeof m);
    m.queue = event_queue_create();
    random_init(&m.random, seed);
    for (int i = 0; i < STEPS && ok; i++) {
        if (random_below(&m.random, 200) == 0) {
            scale = (unsigned int)random_below(&m.random, 48);
            adds = 30 + (unsigned int)random_below(&m.random, 40);
        }
        ok = step(scale, adds);
        if (ok && m.n > EVENTS / 2 && random_below(&m.random, 300) == 0) {
            ok = step_cancel_most();
        }
    }
    while (ok && m.n) {
        ok = step_pop(EVENT_NEVER);
    }
    event_queue_destroy(m.queue);
    return ok;
}

int
main(int argc, char **argv)
{
    uint64_t seed = 1;
    uint64_t runs = 40;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT64_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT64_MAX, &runs) != ST_OK)) {
        fprintf(stderr, "usage: test_event_order [SEED [RUNS]]\n");
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        if (!run(seed + i)) {
            printf("seed %llu\n", (unsigned long long)(seed + i));
            return 1;
        }
    }
    return 0;
}
