/* SPDX-License-Identifier: Apache-2.0 */

/* A radix heap with digits of 8 bits, or a hierarchical timing wheel without
 * ticks.
 *
 * Idea.  Write times as numbers of eight digits to the base 256, and let 'last'
 * be a time that has been reached.  An event belongs to the *level* of the
 * highest digit in which its time differs from 'last' (0 if it does not), and
 * there to the *slot* that is its digit.  All times share the digits above
 * with 'last', so whatever is in a lower level is earlier than what is in a
 * higher one, and within a level a lower slot is earlier.  In a slot of level
 * 0 all times are equal, and its first event is the earliest of all.  If level
 * 0 is empty, 'last' moves to the earliest time of the first slot that is not,
 * and the events of that slot, and no others, get new places: in lower levels,
 * for they now share one digit more.
 *
 * Stability.  Where an event belongs follows from its time and 'last'.  So
 * events of equal times are always in one list; they are appended, and moved
 * in order, and come out in the order in which they were added.
 *
 * Speed.  What costs with many events is waiting for memory.  The earliest time
 * of a slot is sought from both ends of its list at once, so that two reads
 * are under way at a time, and the moves that follow find all in the cache.
 * An event alone in its slot is taken out without a move.
 *
 * Figures: hold model (take the earliest, add it again later), ns per pop and
 * add, exponential increments, on a virtual machine with 32 MiB of cache and
 * other work on it, for 1e3 / 1e4 / 1e5 / 1e6 pending:
 *
 *     this, digits of 8 bits              15  24   27   70
 *     digits of 6 bits                    18  22   37   93
 *     digits of 10 bits                   29  32   34  135
 *     digits of 1 bit (a radix heap)      29  45  109  590
 *     digits of 8 bits, from one end      16  28   35  103
 *     a heap of 4-way nodes               28  43   67  330
 *
 * tests/bench/bench_event.c prints those of the day.
 *
 * Reference: Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the
 * shortest path problem" (1990), section 2; Varghese and Lauck, "Hashed and
 * hierarchical timing wheels" (1987), scheme 7; Jones, "An empirical
 * comparison of priority-queue and event-set implementations" (1986) for the
 * hold model. */

#include <config.h>

#include "twin/event/event_queue.h"

#include <stdlib.h>

#include "base/check.h"

enum {
    DIGIT_BITS = 8,
    LEVELS = 64 / DIGIT_BITS,
    SLOTS = 1 << DIGIT_BITS,
    WORD_BITS = 64,
    WORDS = SLOTS / WORD_BITS,
};

struct event_queue {
    uint64_t last_ps;
    int64_t next_ps; /* That of the earliest event; -1: not known. */
    size_t n_events;
    uint64_t levels;                        /* A bit per level with events. */
    uint64_t taken[LEVELS][WORDS];          /* A bit per slot with events. */
    struct event_link slots[LEVELS][SLOTS]; /* Heads of circular lists. */
};

/* Where an event belongs. */
struct place {
    unsigned int level;
    unsigned int slot;
};

/* Returns the digit of 'ps' that counts in 'level'. */
static unsigned int
digit(uint64_t ps, unsigned int level)
{
    return (ps >> level * DIGIT_BITS) & (SLOTS - 1);
}

static struct place
place_of(const struct event_queue *queue, int64_t when_ps)
{
    uint64_t differs = (uint64_t)when_ps ^ queue->last_ps;
    struct place place = {0};

    if (differs) {
        place.level =
            (63 - (unsigned int)__builtin_clzll(differs)) / DIGIT_BITS;
    }
    place.slot = digit((uint64_t)when_ps, place.level);
    return place;
}

/* Returns the place of the earliest events; there are some. */
static struct place
first_place(const struct event_queue *queue)
{
    struct place place = {.level =
                              (unsigned int)__builtin_ctzll(queue->levels)};
    unsigned int word = 0;

    while (!queue->taken[place.level][word]) {
        word++;
    }
    place.slot = word * WORD_BITS +
                 (unsigned int)__builtin_ctzll(queue->taken[place.level][word]);
    return place;
}

/* Returns the earliest time that belongs to 'place'. */
static int64_t
place_begin(const struct event_queue *queue, struct place place)
{
    unsigned int shift = place.level * DIGIT_BITS;
    uint64_t above = ~(uint64_t)(SLOTS - 1) << shift;

    return (int64_t)((queue->last_ps & above) | (uint64_t)place.slot << shift);
}

/* Notes that the list at 'place' is empty now. */
static void
place_emptied(struct event_queue *queue, struct place place)
{
    uint64_t *words = queue->taken[place.level];
    uint64_t any = 0;

    words[place.slot / WORD_BITS] &= ~(UINT64_C(1) << place.slot % WORD_BITS);
    for (int i = 0; i < WORDS; i++) {
        any |= words[i];
    }
    if (!any) {
        queue->levels &= ~(UINT64_C(1) << place.level);
    }
}

/* Appends 'event' to the list where it belongs. */
static void
append(struct event_queue *queue, struct event *event)
{
    struct place place = place_of(queue, event->when_ps);
    struct event_link *head = &queue->slots[place.level][place.slot];

    event->link.prev = head->prev;
    event->link.next = head;
    head->prev->next = &event->link;
    head->prev = &event->link;
    queue->levels |= UINT64_C(1) << place.level;
    queue->taken[place.level][place.slot / WORD_BITS] |=
        UINT64_C(1) << place.slot % WORD_BITS;
}

/* Takes 'event', which is at 'place', out of its list. */
static void
unlink_event(struct event_queue *queue, struct event *event, struct place place)
{
    struct event_link *next = event->link.next;
    struct event_link *prev = event->link.prev;

    next->prev = prev;
    prev->next = next;
    event->link = (struct event_link){0};
    queue->n_events--;
    if (next == prev && next == &queue->slots[place.level][place.slot]) {
        place_emptied(queue, place);
    }
}

/* Returns the earliest time in the list of 'head', which is not empty. */
static int64_t
earliest(const struct event_link *head)
{
    const struct event_link *front = head->next;
    const struct event_link *back = head->prev;
    int64_t min = INT64_MAX;

    for (;;) {
        int64_t a = ((const struct event *)front)->when_ps;
        int64_t b = ((const struct event *)back)->when_ps;

        min = a < min ? a : min;
        min = b < min ? b : min;
        if (front == back || front->next == back) {
            return min;
        }
        front = front->next;
        back = back->prev;
    }
}

/* Moves 'last' to 'to_ps', a time that belongs to 'place', the first with
 * events, and the events there to where they belong then. */
static void
advance(struct event_queue *queue, struct place place, int64_t to_ps)
{
    struct event_link *head = &queue->slots[place.level][place.slot];
    struct event_link *link = head->next;

    head->next = head;
    head->prev = head;
    place_emptied(queue, place);
    queue->last_ps = (uint64_t)to_ps;
    while (link != head) {
        struct event *event = (struct event *)link;

        link = link->next;
        append(queue, event);
    }
}

struct event_queue *
event_queue_create(void)
{
    struct event_queue *queue = check_calloc(1, sizeof *queue);

    for (int level = 0; level < LEVELS; level++) {
        for (int slot = 0; slot < SLOTS; slot++) {
            struct event_link *head = &queue->slots[level][slot];

            head->next = head;
            head->prev = head;
        }
    }
    queue->next_ps = EVENT_NEVER;
    return queue;
}

void
event_queue_destroy(struct event_queue *queue)
{
    if (!queue) {
        return;
    }
    while (queue->levels) {
        struct place place = first_place(queue);
        struct event_link *head = &queue->slots[place.level][place.slot];

        unlink_event(queue, (struct event *)head->next, place);
    }
    free(queue);
}

void
event_queue_add(struct event_queue *queue, struct event *event, int64_t when_ps)
{
    orch_assert(!event_is_pending(event));
    orch_assert(when_ps >= 0 && (uint64_t)when_ps >= queue->last_ps);
    event->when_ps = when_ps;
    append(queue, event);
    queue->n_events++;
    if (when_ps < queue->next_ps) {
        queue->next_ps = when_ps;
    }
}

void
event_queue_cancel(struct event_queue *queue, struct event *event)
{
    if (!event_is_pending(event)) {
        return;
    }
    unlink_event(queue, event, place_of(queue, event->when_ps));
    if (!queue->n_events) {
        queue->next_ps = EVENT_NEVER;
    } else if (event->when_ps == queue->next_ps) {
        queue->next_ps = -1;
    }
}

size_t
event_queue_count(const struct event_queue *queue)
{
    return queue->n_events;
}

int64_t
event_queue_next_ps(struct event_queue *queue)
{
    if (queue->next_ps < 0) {
        struct place place = first_place(queue);

        queue->next_ps = earliest(&queue->slots[place.level][place.slot]);
    }
    return queue->next_ps;
}

/* Takes 'event', the earliest, which is at 'place'. */
static struct event *
take(struct event_queue *queue, struct event *event, struct place place)
{
    unlink_event(queue, event, place);
    queue->last_ps = (uint64_t)event->when_ps;
    queue->next_ps = queue->n_events ? -1 : EVENT_NEVER;
    return event;
}

struct event *
event_queue_pop(struct event_queue *queue, int64_t limit_ps)
{
    /* next_ps, if known, is at most what is pending. */
    while (queue->n_events && queue->next_ps <= limit_ps) {
        struct place place = first_place(queue);
        struct event_link *head = &queue->slots[place.level][place.slot];
        struct event *event = (struct event *)head->next;
        int64_t when_ps;

        if (place_begin(queue, place) > limit_ps) {
            return NULL;
        }
        if (place.level == 0 || head->next == head->prev) {
            queue->next_ps = event->when_ps;
            return event->when_ps <= limit_ps ? take(queue, event, place)
                                              : NULL;
        }
        /* No further than the limit: what is added next may lie between. */
        when_ps = earliest(head);
        advance(queue, place, when_ps < limit_ps ? when_ps : limit_ps);
        queue->next_ps = when_ps;
    }
    return NULL;
}
