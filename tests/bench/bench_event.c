/* SPDX-License-Identifier: Apache-2.0 */

/* Time of one event: taken out as the earliest, and added again later.
 *
 * This is the hold model (Jones 1986): a number of events stays pending, and
 * their increments have a distribution.  A heap of 4-way nodes, which moves
 * entries of 24 bytes and is stable as well, is measured beside the queue.
 * Prints one JSON object per line.  Usage: bench_event [EVENTS], the number
 * per run. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/random.h"
#include "twin/event/event_queue.h"

enum {
    PATTERN = 1 << 16,
    RUNS = 5,
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

/* The heap ------------------------------------------------------------- */

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
heap_add(void *context, struct event *event, int64_t when_ps)
{
    struct heap *heap = context;
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
heap_pop(void *context)
{
    struct heap *heap = context;
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

/* The queue ------------------------------------------------------------ */

static void
queue_add(void *context, struct event *event, int64_t when_ps)
{
    event_queue_add(context, event, when_ps);
}

static struct event *
queue_pop(void *context)
{
    return event_queue_pop(context, EVENT_NEVER);
}

/* What is measured ----------------------------------------------------- */

static double
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

struct contender {
    const char *name;
    void *context;
    void (*add)(void *context, struct event *event, int64_t when_ps);
    struct event *(*pop)(void *context);
};

/* Takes out and adds again 'n' times.  Returns nanoseconds for one. */
static double
hold(const struct contender *contender, const int64_t *increments, uint64_t n)
{
    double start = cpu_ns();

    for (uint64_t i = 0; i < n; i++) {
        struct event *event = contender->pop(contender->context);

        contender->add(contender->context, event,
                       event->when_ps + increments[i & (PATTERN - 1)]);
    }
    return (cpu_ns() - start) / (double)n;
}

static void
bench(const struct contender *contender,
      const struct distribution *distribution, uint64_t pending, uint64_t n)
{
    struct event *events = check_calloc(pending, sizeof *events);
    int64_t *increments = check_calloc(PATTERN, sizeof *increments);
    double results[RUNS];
    struct random random;

    random_init(&random, 1);
    for (size_t i = 0; i < PATTERN; i++) {
        increments[i] = distribution->draw(&random);
    }
    for (uint64_t i = 0; i < pending; i++) {
        contender->add(contender->context, &events[i],
                       increments[random_below(&random, PATTERN)]);
    }
    /* Until the pending ones are spread as they will be. */
    hold(contender, increments, 2 * pending);
    for (int i = 0; i < RUNS; i++) {
        results[i] = hold(contender, increments, n);
    }
    qsort(results, RUNS, sizeof results[0], compare);
    printf("{\"bench\":\"event-hold\",\"params\":{\"queue\":\"%s\","
           "\"increments\":\"%s\",\"pending\":%llu},\"value\":%.1f,"
           "\"unit\":\"ns\"}\n",
           contender->name, distribution->name, (unsigned long long)pending,
           results[RUNS / 2]);
    while (pending--) {
        contender->pop(contender->context);
    }
    free(increments);
    free(events);
}

int
main(int argc, char **argv)
{
    static const uint64_t pending[] = {1000, 10000, 100000, 1000000};
    uint64_t n = 1000000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_event [EVENTS]\n");
        return 2;
    }
    for (int d = 0; d < N_DISTRIBUTIONS; d++) {
        for (int p = 0; p < 4; p++) {
            struct event_queue *queue = event_queue_create();
            struct heap heap = {
                .entries = check_calloc(pending[p] + 1, sizeof *heap.entries)};

            bench(&(struct contender){"queue", queue, queue_add, queue_pop},
                  &distributions[d], pending[p], n);
            bench(&(struct contender){"4-ary heap", &heap, heap_add, heap_pop},
                  &distributions[d], pending[p], n);
            event_queue_destroy(queue);
            free(heap.entries);
        }
    }
    return 0;
}
