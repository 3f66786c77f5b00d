/* SPDX-License-Identifier: Apache-2.0 */

/* A radix heap with digits of 6 bits, or a hierarchical timing wheel without
 * ticks.
 *
 * Idea.  Write times as numbers of eleven digits to the base 64, and let
 * 'last' be a time that has been reached.  An event belongs to the *level* of
 * the highest digit in which its time differs from 'last' (0 if it does not),
 * and there to the *slot* that is its digit.  All times share the digits above
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
 * Speed.  What costs with many events is waiting for memory.  A list is an
 * array, whose entries carry the times, so that no event is touched before it
 * is due; it is fetched ahead when the list it is in is settled, if that is a
 * short one or the last time.  An event alone in its slot is taken out without
 * a move.  An array that is full is exchanged for one of twice its
 * size; it, and a large one whose list has ended, serve the next list.
 *
 * Cancelling.  An event does not know where its entry is.  It has a handle, and
 * a bit per handle says that the entry which carries it is void, for its event
 * may be gone; it is left out when it comes to the front or is to be moved.
 * Void entries that outnumber the others are purged, which costs no more
 * than it took to make them.
 *
 * tests/bench/bench_event.c measures it, with the hold model: take the earliest
 * out, add it again later.
 *
 * Reference: Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the
 * shortest path problem" (1990), section 2; Varghese and Lauck, "Hashed and
 * hierarchical timing wheels" (1987), scheme 7; Jones, "An empirical
 * comparison of priority-queue and event-set implementations" (1986) for the
 * hold model. */

#include <config.h>

#include "twin/event/event_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum {
    DIGIT_BITS = 6,
    LEVELS = (63 + DIGIT_BITS - 1) / DIGIT_BITS,
    SLOTS = 1 << DIGIT_BITS,
    WORD_BITS = 64,
    /* Of the smallest arrays; each further kind has twice as many. */
    FIRST_ENTRIES = 4,
    KINDS = 32,
    /* A list that has ended keeps an array of so many. */
    KEPT_ENTRIES = 256,
    /* To begin with; they double. */
    FIRST_HANDLES = 64,
    /* The events of a list of so many that is to be settled stay in the cache
     * until they are taken. */
    FEW_SOON = 512,
    /* So many void entries are left alone. */
    FEW_VOID = 256,
};

_Static_assert(SLOTS <= WORD_BITS, "a level has a word of slots");

/* An event in a list. */
struct entry {
    int64_t when_ps;
    struct event *event; /* Not to be touched if 'handle' is void. */
    uint64_t handle;
};

/* A list: its entries 'begin' to 'end' - 1. */
struct slot {
    struct entry *entries;
    uint32_t capacity; /* A power of 2; 0: no array. */
    uint32_t begin;
    uint32_t end;
    int64_t min_ps; /* The earliest time; that of a void entry perhaps. */
};

/* An array that no list uses. */
struct spare {
    struct spare *next;
};

struct event_queue {
    uint64_t last_ps;
    int64_t next_ps; /* That of the earliest event; -1: not known. */
    size_t n_events;
    size_t n_void;          /* Entries of cancelled events. */
    uint64_t levels;        /* A bit per level with entries. */
    uint64_t taken[LEVELS]; /* A bit per slot with entries. */
    struct slot slots[LEVELS * SLOTS];
    struct spare *spares[KINDS]; /* Of 1 << i entries. */

    /* Handles are 1 to 'n_handles' - 1. */
    uint64_t *voids; /* A bit per handle of a cancelled event. */
    uint32_t *free_handles;
    uint32_t n_free_handles;
    uint32_t n_handles;
};

/* Places --------------------------------------------------------------- */

/* A place is a level and a slot in one number: level * SLOTS + slot. */

static unsigned int
place_of(const struct event_queue *queue, int64_t when_ps)
{
    uint64_t differs = (uint64_t)when_ps ^ queue->last_ps;
    unsigned int level =
        (63 - (unsigned int)__builtin_clzll(differs | 1)) / DIGIT_BITS;
    unsigned int slot =
        (unsigned int)((uint64_t)when_ps >> level * DIGIT_BITS) % SLOTS;

    return level * SLOTS + slot;
}

/* Returns the place of the earliest entries; there are some. */
static unsigned int
first_place(const struct event_queue *queue)
{
    unsigned int level = (unsigned int)__builtin_ctzll(queue->levels);

    return level * SLOTS + (unsigned int)__builtin_ctzll(queue->taken[level]);
}

/* Returns the earliest time that belongs to 'place'. */
static int64_t
place_begin(const struct event_queue *queue, unsigned int place)
{
    unsigned int shift = place / SLOTS * DIGIT_BITS;
    uint64_t above = ~(uint64_t)(SLOTS - 1) << shift;

    return (int64_t)((queue->last_ps & above) | (uint64_t)(place % SLOTS)
                                                    << shift);
}

/* Arrays --------------------------------------------------------------- */

static struct entry *
array_take(struct event_queue *queue, uint32_t capacity)
{
    struct spare **spares = &queue->spares[__builtin_ctz(capacity)];
    struct spare *spare = *spares;

    if (!spare) {
        return check_malloc(capacity * sizeof(struct entry));
    }
    *spares = spare->next;
    return (struct entry *)spare;
}

static void
array_give(struct event_queue *queue, struct entry *array, uint32_t capacity)
{
    struct spare **spares = &queue->spares[__builtin_ctz(capacity)];
    struct spare *spare = (struct spare *)array;

    spare->next = *spares;
    *spares = spare;
}

/* Makes room at the end of 'slot', which has none. */
static void
make_room(struct event_queue *queue, struct slot *slot)
{
    uint32_t n = slot->end - slot->begin;
    uint32_t old_capacity = slot->capacity;
    struct entry *old = slot->entries;

    if (old_capacity == 0) {
        slot->capacity = FIRST_ENTRIES;
        slot->entries = array_take(queue, slot->capacity);
    } else if (n > old_capacity / 2) {
        slot->capacity = 2 * old_capacity;
        orch_assert(slot->capacity > old_capacity);
        slot->entries = array_take(queue, slot->capacity);
        memcpy(slot->entries, &old[slot->begin], n * sizeof *old);
        array_give(queue, old, old_capacity);
    } else {
        memmove(old, &old[slot->begin], n * sizeof *old);
    }
    slot->begin = 0;
    slot->end = n;
}

/* Handles -------------------------------------------------------------- */

static void
more_handles(struct event_queue *queue)
{
    uint32_t old = queue->n_handles;
    uint32_t n = old ? 2 * old : FIRST_HANDLES;

    orch_assert(n > old);
    queue->voids =
        check_realloc(queue->voids, n / WORD_BITS * sizeof *queue->voids);
    memset(&queue->voids[old / WORD_BITS], 0,
           (n - old) / WORD_BITS * sizeof *queue->voids);
    queue->free_handles =
        check_realloc(queue->free_handles, n * sizeof *queue->free_handles);
    for (uint32_t i = n - 1; i > 0 && i >= old; i--) {
        queue->free_handles[queue->n_free_handles++] = i;
    }
    queue->n_handles = n;
}

static uint32_t
handle_take(struct event_queue *queue)
{
    if (!queue->n_free_handles) {
        more_handles(queue);
    }
    return queue->free_handles[--queue->n_free_handles];
}

static bool
is_void(const struct event_queue *queue, uint64_t handle)
{
    return queue->n_void &&
           (queue->voids[handle / WORD_BITS] >> handle % WORD_BITS & 1);
}

/* Frees the handle of a void entry that leaves its list. */
static void
drop_void(struct event_queue *queue, uint64_t handle)
{
    queue->voids[handle / WORD_BITS] &= ~(UINT64_C(1) << handle % WORD_BITS);
    queue->free_handles[queue->n_free_handles++] = (uint32_t)handle;
    queue->n_void--;
}

/* Lists ---------------------------------------------------------------- */

/* Gives the array of 'slot', an empty list, away if it is large. */
static void
trim(struct event_queue *queue, struct slot *slot)
{
    if (slot->capacity > KEPT_ENTRIES) {
        array_give(queue, slot->entries, slot->capacity);
        slot->entries = NULL;
        slot->capacity = 0;
    }
}

/* Makes the list at 'place' empty, without a look at its entries. */
static void
clear(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];

    slot->begin = 0;
    slot->end = 0;
    queue->taken[place / SLOTS] &= ~(UINT64_C(1) << place % SLOTS);
    if (!queue->taken[place / SLOTS]) {
        queue->levels &= ~(UINT64_C(1) << place / SLOTS);
    }
}

/* Appends 'event' to the list where it belongs. */
static inline void
append(struct event_queue *queue, int64_t when_ps, struct event *event,
       uint64_t handle)
{
    unsigned int place = place_of(queue, when_ps);
    struct slot *slot = &queue->slots[place];
    struct entry *entry;

    if (slot->end == slot->capacity) {
        make_room(queue, slot);
    }
    queue->taken[place / SLOTS] |= UINT64_C(1) << place % SLOTS;
    queue->levels |= UINT64_C(1) << place / SLOTS;
    if (slot->end == 0 || when_ps < slot->min_ps) {
        slot->min_ps = when_ps;
    }
    entry = &slot->entries[slot->end++];
    entry->when_ps = when_ps;
    entry->event = event;
    entry->handle = handle;
}

/* Takes the first entry of the list at 'place' out of it. */
static void
drop_front(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];

    if (++slot->begin == slot->end) {
        clear(queue, place);
        trim(queue, slot);
    }
}

/* Returns the first place whose first entry is not void, and drops those that
 * are before it.  There is an event. */
static unsigned int
front_place(struct event_queue *queue)
{
    for (;;) {
        unsigned int place = first_place(queue);
        const struct slot *slot = &queue->slots[place];
        uint64_t handle = slot->entries[slot->begin].handle;

        if (!is_void(queue, handle)) {
            return place;
        }
        drop_front(queue, place);
        drop_void(queue, handle);
    }
}

/* Moves the entries at 'place' to where they belong now that 'last' is a time
 * of this place: to lower levels.  Drops those that are void. */
static void
settle(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];
    uint32_t begin = slot->begin;
    uint32_t end = slot->end;
    bool soon = place < 2 * SLOTS || end - begin <= FEW_SOON;

    clear(queue, place);
    for (uint32_t i = begin; i < end; i++) {
        const struct entry *entry = &slot->entries[i];

        if (is_void(queue, entry->handle)) {
            drop_void(queue, entry->handle);
        } else {
            if (soon) {
                __builtin_prefetch(entry->event, 1);
            }
            append(queue, entry->when_ps, entry->event, entry->handle);
        }
    }
    trim(queue, slot);
}

/* Drops the void entries at 'place'. */
static void
purge(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];
    uint32_t n = 0;

    for (uint32_t i = slot->begin; i < slot->end; i++) {
        if (is_void(queue, slot->entries[i].handle)) {
            drop_void(queue, slot->entries[i].handle);
        } else {
            slot->entries[n++] = slot->entries[i];
        }
    }
    slot->begin = 0;
    slot->end = n;
    if (n == 0) {
        clear(queue, place);
        trim(queue, slot);
    }
}

/* Drops all void entries. */
static void
purge_all(struct event_queue *queue)
{
    for (unsigned int place = 0; place < LEVELS * SLOTS; place++) {
        purge(queue, place);
    }
}

/* The queue ------------------------------------------------------------ */

struct event_queue *
event_queue_create(void)
{
    struct event_queue *queue = check_calloc(1, sizeof *queue);

    queue->next_ps = EVENT_NEVER;
    return queue;
}

/* Frees the spare arrays, and those that empty slots kept. */
static void
free_arrays(struct event_queue *queue)
{
    for (unsigned int place = 0; place < LEVELS * SLOTS; place++) {
        free(queue->slots[place].entries);
    }
    for (unsigned int kind = 0; kind < KINDS; kind++) {
        while (queue->spares[kind]) {
            struct spare *spare = queue->spares[kind];

            queue->spares[kind] = spare->next;
            free(spare);
        }
    }
}

void
event_queue_destroy(struct event_queue *queue)
{
    if (!queue) {
        return;
    }
    while (queue->n_events) {
        unsigned int place = front_place(queue);
        const struct slot *slot = &queue->slots[place];

        slot->entries[slot->begin].event->handle = 0;
        drop_front(queue, place);
        queue->n_events--;
    }
    free_arrays(queue);
    free(queue->free_handles);
    free(queue->voids);
    free(queue);
}

void
event_queue_add(struct event_queue *queue, struct event *event, int64_t when_ps)
{
    orch_assert(!event_is_pending(event));
    orch_assert(when_ps >= 0 && (uint64_t)when_ps >= queue->last_ps);
    event->when_ps = when_ps;
    event->handle = handle_take(queue);
    append(queue, when_ps, event, event->handle);
    queue->n_events++;
    if (when_ps < queue->next_ps) {
        queue->next_ps = when_ps;
    }
}

void
event_queue_cancel(struct event_queue *queue, struct event *event)
{
    uint32_t handle = event->handle;

    if (!handle) {
        return;
    }
    queue->voids[handle / WORD_BITS] |= UINT64_C(1) << handle % WORD_BITS;
    queue->n_void++;
    queue->n_events--;
    event->handle = 0;
    if (!queue->n_events) {
        queue->next_ps = EVENT_NEVER;
    } else if (event->when_ps == queue->next_ps) {
        queue->next_ps = -1;
    }
    if (queue->n_void > FEW_VOID && queue->n_void > queue->n_events) {
        purge_all(queue);
    }
}

size_t
event_queue_count(const struct event_queue *queue)
{
    return queue->n_events;
}

/* Returns the earliest time in the list at 'place', whose front is not void. */
static int64_t
earliest(const struct event_queue *queue, unsigned int place)
{
    const struct slot *slot = &queue->slots[place];
    int64_t min = slot->entries[slot->begin].when_ps;

    for (uint32_t i = slot->begin + 1; i < slot->end; i++) {
        const struct entry *entry = &slot->entries[i];

        if (entry->when_ps < min && !is_void(queue, entry->handle)) {
            min = entry->when_ps;
        }
    }
    return min;
}

int64_t
event_queue_next_ps(struct event_queue *queue)
{
    if (queue->next_ps < 0) {
        queue->next_ps = earliest(queue, front_place(queue));
    }
    return queue->next_ps;
}

/* Takes the event at the front of 'place', where no entry has another time. */
static struct event *
take(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];
    const struct entry *entry = &slot->entries[slot->begin];
    struct event *event = entry->event;

    queue->last_ps = (uint64_t)entry->when_ps;
    queue->free_handles[queue->n_free_handles++] = (uint32_t)entry->handle;
    event->handle = 0;
    drop_front(queue, place);
    queue->n_events--;
    queue->next_ps = queue->n_events ? -1 : EVENT_NEVER;
    return event;
}

struct event *
event_queue_pop(struct event_queue *queue, int64_t limit_ps)
{
    /* next_ps, if known, is at most what is pending. */
    while (queue->n_events && queue->next_ps <= limit_ps) {
        unsigned int place = front_place(queue);
        struct slot *slot = &queue->slots[place];

        if (place_begin(queue, place) > limit_ps) {
            return NULL;
        }
        if (place < SLOTS || slot->end - slot->begin == 1) {
            queue->next_ps = slot->entries[slot->begin].when_ps;
            return queue->next_ps <= limit_ps ? take(queue, place) : NULL;
        }
        /* No further than the limit: what is added next may lie between. */
        queue->last_ps =
            (uint64_t)(slot->min_ps < limit_ps ? slot->min_ps : limit_ps);
        queue->next_ps = -1;
        settle(queue, place);
    }
    return NULL;
}
