/* SPDX-License-Identifier: Apache-2.0 */

/* Time of one event: taken out as the earliest, and added again later.
 *
 * This is the hold model (Jones 1986): a number of events stays pending, and
 * their increments have a distribution.  Beside the posts of the engine are
 * measured
 *   - the timers of the engine, which can be cancelled;
 *   - a heap of 4-way nodes, which moves entries of 24 bytes and is stable;
 *   - a bare radix heap, the yardstick: 64 arrays of a time and a number, that
 *     are neither stable nor know how to cancel;
 *   - the same with one event per number, which it touches as it comes out, as
 *     any simulation has to that does something then.
 * They take turns (measure.h), and the program reports the ratios to both.
 * Prints one JSON object per line.  Usage: bench_event [EVENTS], the number per
 * turn. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/random.h"
#include "tests/bench/measure.h"
#include "twin/event/engine.h"

enum {
    PATTERN = 1 << 16,
    TURNS = 15,
    WARM_UP = 3, /* Turns that are not counted. */
    MEAN_PS = 1000000,
};

/* Increments ----------------------------------------------------------- */

static int64_t
exponential(struct random *random)
{
    return (int64_t)random_exponential(random, MEAN_PS);
}

static int64_t
uniform(struct random *random)
{
    return (int64_t)random_below(random, 2 * MEAN_PS);
}

/* Nine of ten within a fifth of the mean, the others far away. */
static int64_t
bimodal(struct random *random)
{
    return random_below(random, 10)
               ? (int64_t)random_below(random, MEAN_PS / 5)
               : (int64_t)random_below(random, 18 * (int64_t)MEAN_PS);
}

static int64_t
constant(struct random *random)
{
    (void)random;
    return MEAN_PS;
}

/* Ends of frames of 64, 512, 1500 and 9216 bytes at 100 Gb/s. */
static int64_t
frames(struct random *random)
{
    static const int64_t ps[] = {6720, 42880, 121920, 739200};

    return ps[random_below(random, 4)];
}

static const struct distribution {
    const char *name;
    int64_t (*draw)(struct random *random);
} distributions[] = {
    {"exponential", exponential}, {"uniform", uniform}, {"bimodal", bimodal},
    {"constant", constant},       {"frames", frames},
};

enum { N_DISTRIBUTIONS = sizeof distributions / sizeof distributions[0] };

/* The 4-ary heap ------------------------------------------------------- */

struct entry {
    int64_t when_ps;
    uint64_t sequence;
    struct event *event;
};

struct heap {
    struct entry *entries;
    size_t n;
    uint64_t sequence;
};

static bool
is_before(const struct entry *a, const struct entry *b)
{
    return a->when_ps != b->when_ps ? a->when_ps < b->when_ps
                                    : a->sequence < b->sequence;
}

static void
heap_add(struct heap *heap, struct event *event, int64_t when_ps)
{
    struct entry entry = {when_ps, heap->sequence++, event};
    size_t i = heap->n++;

    event->when_ps = when_ps;
    while (i && is_before(&entry, &heap->entries[(i - 1) / 4])) {
        heap->entries[i] = heap->entries[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    heap->entries[i] = entry;
}

static struct event *
heap_pop(struct heap *heap)
{
    struct event *event = heap->entries[0].event;
    struct entry entry = heap->entries[--heap->n];
    size_t i = 0;

    for (;;) {
        size_t child = 4 * i + 1;
        size_t first = child;

        for (size_t k = child + 1; k < child + 4 && k < heap->n; k++) {
            if (is_before(&heap->entries[k], &heap->entries[first])) {
                first = k;
            }
        }
        if (child >= heap->n || !is_before(&heap->entries[first], &entry)) {
            break;
        }
        heap->entries[i] = heap->entries[first];
        i = first;
    }
    heap->entries[i] = entry;
    return event;
}

/* The bare radix heap --------------------------------------------------- */

struct bare_entry {
    uint64_t when_ps;
    uint64_t number;
};

/* A time is in array n if bit n - 1 is the first in which it differs from
 * 'last_ps', in array 0 if it does not. */
struct bare {
    struct bare_array {
        struct bare_entry *entries;
        size_t n;
        size_t capacity;
    } arrays[65];
    uint64_t last_ps;
};

static inline void
bare_add(struct bare *bare, struct bare_entry entry)
{
    const uint64_t differs = entry.when_ps ^ bare->last_ps;
    struct bare_array *array =
        &bare->arrays[differs ? 64 - __builtin_clzll(differs) : 0];

    if (array->n == array->capacity) {
        array->capacity = array->capacity ? 2 * array->capacity : 4;
        array->entries = check_realloc(
            array->entries, array->capacity * sizeof *array->entries);
    }
    array->entries[array->n++] = entry;
}

static inline struct bare_entry
bare_pop(struct bare *bare)
{
    struct bare_array *first = &bare->arrays[0];

    if (first->n == 0) {
        struct bare_array *array = first + 1;
        uint64_t min = UINT64_MAX;

        while (array->n == 0) {
            array++;
        }
        for (size_t i = 0; i < array->n; i++) {
            if (array->entries[i].when_ps < min) {
                min = array->entries[i].when_ps;
            }
        }
        bare->last_ps = min;
        for (size_t i = 0; i < array->n; i++) {
            bare_add(bare, array->entries[i]);
        }
        array->n = 0;
    }
    return first->entries[--first->n];
}

/* The contenders -------------------------------------------------------- */

/* All of them hold as many events; each has its own. */
struct arena {
    const int64_t *increments;
    struct event *events; /* Of the timers, of the heap, of the radix heap. */
    uint64_t pending;
    struct engine *engine;
    struct engine *timers;
    struct heap heap;
    struct bare bare;
    struct bare touching;
};

enum contender { QUEUE, TIMERS, HEAP, BARE, TOUCHING, N_CONTENDERS };

static const char *const names[N_CONTENDERS] = {"posts", "timers", "4-ary heap",
                                                "bare radix heap",
                                                "bare radix heap with events"};

static void
hold_posts(struct arena *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        struct post post;

        if (engine_pop(a->engine, EVENT_NEVER, &post) != ENGINE_POST) {
            abort();
        }
        engine_post(a->engine, post.when_ps + a->increments[i & (PATTERN - 1)],
                    event_class(post.order), event_entity(post.order),
                    event_arg(post.order));
    }
}

static struct event *fired;

static void
on_fire(struct event *event, int64_t now_ps)
{
    (void)now_ps;
    fired = event;
}

static void
hold_timers(struct arena *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        engine_step(a->timers);
        engine_schedule(a->timers, fired,
                        fired->when_ps + a->increments[i & (PATTERN - 1)]);
    }
}

static void
hold_heap(struct arena *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        struct event *event = heap_pop(&a->heap);

        heap_add(&a->heap, event,
                 event->when_ps + a->increments[i & (PATTERN - 1)]);
    }
}

static void
hold_bare(struct arena *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        struct bare_entry entry = bare_pop(&a->bare);

        entry.when_ps += (uint64_t)a->increments[i & (PATTERN - 1)];
        bare_add(&a->bare, entry);
    }
}

static void
hold_touching(struct arena *a, uint64_t n)
{
    struct event *events = &a->events[2 * a->pending];

    for (uint64_t i = 0; i < n; i++) {
        struct bare_entry entry = bare_pop(&a->touching);

        entry.when_ps += (uint64_t)a->increments[i & (PATTERN - 1)];
        events[entry.number].when_ps = (int64_t)entry.when_ps;
        bare_add(&a->touching, entry);
    }
}

static void (*const holds[N_CONTENDERS])(struct arena *a, uint64_t n) = {
    hold_posts, hold_timers, hold_heap, hold_bare, hold_touching};

/* Makes all contenders hold 'pending' events of the same times. */
static struct arena
make_arena(const int64_t *increments, uint64_t pending)
{
    struct arena a = {
        .increments = increments,
        .pending = pending,
        .events = check_calloc(3 * pending, sizeof *a.events),
        .heap = {.entries = check_calloc(pending + 1, sizeof *a.heap.entries)},
    };
    struct random random;

    random_init(&random, 1);
    a.engine = engine_create();
    a.timers = engine_create();
    for (uint64_t i = 0; i < pending; i++) {
        const int64_t when_ps = increments[random_below(&random, PATTERN)];
        const struct bare_entry entry = {(uint64_t)when_ps, i};

        engine_post(a.engine, when_ps, EVENT_ARRIVE, (uint32_t)i, 0);
        a.events[i] = event_make(EVENT_TIMER_SEND, (uint32_t)i, 0, on_fire);
        engine_schedule(a.timers, &a.events[i], when_ps);
        heap_add(&a.heap, &a.events[pending + i], when_ps);
        bare_add(&a.bare, entry);
        bare_add(&a.touching, entry);
    }
    /* Until the pending ones are spread as they will be. */
    for (int c = 0; c < N_CONTENDERS; c++) {
        holds[c](&a, 2 * pending);
    }
    return a;
}

static void
free_arena(struct arena *a)
{
    engine_destroy(a->engine);
    engine_destroy(a->timers);
    free(a->heap.entries);
    for (int i = 0; i < 65; i++) {
        free(a->bare.arrays[i].entries);
        free(a->touching.arrays[i].entries);
    }
    free(a->events);
}

/* What is measured ------------------------------------------------------ */

static void
print(const char *bench, const char *queue, const char *increments,
      uint64_t pending, double value, const char *unit)
{
    printf("{\"bench\":\"%s\",\"params\":{\"queue\":\"%s\","
           "\"increments\":\"%s\",\"pending\":%llu},\"value\":%.2f,"
           "\"unit\":\"%s\"}\n",
           bench, queue, increments, (unsigned long long)pending, value, unit);
}

static void
draw(const struct distribution *distribution, int64_t increments[PATTERN])
{
    struct random random;

    random_init(&random, 1);
    for (size_t i = 0; i < PATTERN; i++) {
        increments[i] = distribution->draw(&random);
    }
}

/* Prints what memory it takes to have 'pending' events pending, without
 * themselves.  Comes first: memory that others have freed would not count. */
static void
bench_memory(uint64_t pending)
{
    static int64_t increments[PATTERN];
    struct arena a = {.increments = increments, .pending = pending};
    uint64_t resident;

    draw(&distributions[0], increments);
    resident = measure_resident_bytes();
    a.engine = engine_create();
    for (uint64_t i = 0; i < pending; i++) {
        engine_post(a.engine, increments[i & (PATTERN - 1)] + (int64_t)i % 997,
                    EVENT_ARRIVE, (uint32_t)i, 0);
    }
    hold_posts(&a, 2 * pending);
    print("event-memory-per-pending", names[QUEUE], distributions[0].name,
          pending,
          (double)(measure_resident_bytes() - resident) / (double)pending,
          "bytes");
    engine_destroy(a.engine);
}

static void
bench(const struct distribution *distribution, uint64_t pending, uint64_t n)
{
    static int64_t increments[PATTERN];
    double ns[N_CONTENDERS][TURNS];
    struct arena arena;

    draw(distribution, increments);
    arena = make_arena(increments, pending);
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
        for (int c = 0; c < N_CONTENDERS; c++) {
            const double start = measure_cpu_ns();

            holds[c](&arena, n);
            ns[c][turn < 0 ? 0 : turn] = (measure_cpu_ns() - start) / (double)n;
        }
    }
    free_arena(&arena);
    for (int c = BARE; c <= TOUCHING; c++) {
        print("event-hold-ratio", names[c], distribution->name, pending,
              measure_median_ratio(ns[QUEUE], ns[c], TURNS), "ratio");
    }
    for (int c = 0; c < N_CONTENDERS; c++) {
        print("event-hold", names[c], distribution->name, pending,
              measure_median(ns[c], TURNS), "ns");
    }
}

int
main(int argc, char **argv)
{
    static const uint64_t pending[] = {1000, 10000, 100000, 1000000};
    uint64_t n = 100000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_event [EVENTS]\n");
        return 2;
    }
    bench_memory(1000000);
    for (int d = 0; d < N_DISTRIBUTIONS; d++) {
        for (int p = 0; p < 4; p++) {
            bench(&distributions[d], pending[p], n);
        }
    }
    return 0;
}
