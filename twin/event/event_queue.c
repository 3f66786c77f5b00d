/* SPDX-License-Identifier: Apache-2.0 */

/* A radix heap with digits of 6 bits, in other words a hierarchical timing
 * wheel without ticks.
 *
 * Idea.  Write each time as a number of eleven digits to the base 64, and let
 * 'last' be a time that has been reached.  An event belongs to the *level* of
 * the highest digit in which its time differs from 'last' (0 if it does not),
 * and within that level to the *slot* of that digit.  Above the level all
 * digits equal those of 'last', so every event of a lower level is earlier than
 * any of a higher level, and within a level a lower slot is earlier.  In a slot
 * of level 0 all times are equal, so the first event of the first slot there is
 * the earliest of all. If level 0 is empty, 'last' moves to the earliest time
 * of the first slot that is not, and only the events of that slot move, to
 * lower levels, because they now share one more digit with 'last'.
 *
 * Stability.  The place of an event follows from its time and 'last', so events
 * of equal times are always in one list.  They are appended, and moved in
 * order, so they come out in the order in which they were added.
 *
 * Speed.  With many events the cost is waiting for memory.  A list is a chain
 * of chunks of entries, each a time and a pointer, so the queue does not touch
 * an event before it is due and copies nothing when a list grows.  An empty
 * chunk is reused at once, while it is still in the cache.  Settling a list
 * prefetches its events, unless the list is so long that the cache would evict
 * them again.  An event that is alone in its slot is taken out without a move.
 *
 * Cancelling.  An event does not know where its entry is, and its owner may
 * free it soon after.  So a copy of the entry is put into a hash table of void
 * entries, which is empty most of the time.  Both are dropped when the entry
 * reaches the front or is about to be moved.  An event that is added again for
 * the same time has two equal entries in one list; the first one found is the
 * void one. When void entries outnumber the others they are purged, which costs
 * no more than creating them did.
 *
 * tests/bench/bench_event.c measures the queue with the hold method: take the
 * earliest event out, add it again later.
 *
 * Reference: Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the
 * shortest path problem" (1990), section 2; Varghese and Lauck, "Hashed and
 * hierarchical timing wheels" (1987), scheme 7; Jones, "An empirical comparison
 * of priority-queue and event-set implementations" (1986) for the hold
 * method. */

#include <config.h>

#include "twin/event/event_queue.h"

#include <stdlib.h>

#include "base/check.h"

enum {
    DIGIT_BITS = 6,
    LEVELS = (63 + DIGIT_BITS - 1) / DIGIT_BITS,
    SLOTS = 1 << DIGIT_BITS,
    /* The length of a chunk is not a power of two, because then the first
     * entries of many chunks would compete for few places in the cache. */
    CHUNK_ENTRIES = 62,
    LINE_BYTES = 64, /* A cache line. */
    /* Chunks that are allocated together. */
    SLAB_CHUNKS = 16,
    /* The initial size of the table of void entries; it doubles. */
    FIRST_VOIDS = 64,
    /* The events of a list of this length stay in the cache until they are
     * taken. */
    FEW_EVENTS = 8192,
    /* How far ahead events of a longer list are prefetched. */
    AHEAD = 12,
    /* Up to this number void entries are not purged. */
    FEW_VOID = 256,
};

_Static_assert(SLOTS <= 64, "the slots of a level fit into one word");

/* An event in a list. */
struct entry {
    int64_t when_ps;
    struct event *event; /* Not to be touched if the entry is void. */
};

struct chunk {
    struct chunk *next; /* In its list, or in the list of free chunks. */
    _Alignas(16) struct entry entries[CHUNK_ENTRIES];
};

/* A list: from 'begin' of its first chunk to 'end' of its last.  An empty list
 * has no chunk, and its 'end' is CHUNK_ENTRIES. */
struct slot {
    struct chunk *first;
    struct chunk *last;
    uint16_t begin;
    uint16_t end;
    uint32_t n;
    int64_t min_ps; /* The earliest time; may be that of a void entry. */
};

/* Chunks that were allocated together. */
struct slab {
    struct slab *next;
    struct chunk chunks[SLAB_CHUNKS];
};

struct event_queue {
    uint64_t last_ps;
    int64_t next_ps; /* The time of the earliest event; -1: not known. */
    size_t n_events;
    uint64_t levels;        /* A bit per level with entries. */
    uint64_t taken[LEVELS]; /* A bit per slot with entries. */
    struct slot slots[LEVELS * SLOTS];
    struct chunk *free_chunks;
    struct slab *slabs;

    /* Copies of the entries of cancelled events: a hash table with linear
     * probing.  An entry whose event is NULL is empty. */
    struct entry *voids;
    size_t n_void;
    size_t void_capacity; /* A power of 2, at least twice 'n_void'; or 0. */
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

/* Returns the place of the earliest entries.  The queue must not be empty. */
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

/* Chunks --------------------------------------------------------------- */

static void
chunk_give(struct event_queue *queue, struct chunk *chunk)
{
    chunk->next = queue->free_chunks;
    queue->free_chunks = chunk;
}

static void
more_chunks(struct event_queue *queue)
{
    struct slab *slab = check_malloc(sizeof *slab);

    slab->next = queue->slabs;
    queue->slabs = slab;
    for (int i = SLAB_CHUNKS - 1; i >= 0; i--) {
        chunk_give(queue, &slab->chunks[i]);
    }
}

/* Appends an empty chunk to the list of 'slot'. */
static void
lengthen(struct event_queue *queue, struct slot *slot)
{
    struct chunk *chunk;

    if (!queue->free_chunks) {
        more_chunks(queue);
    }
    chunk = queue->free_chunks;
    queue->free_chunks = chunk->next;
    chunk->next = NULL;
    if (slot->last) {
        slot->last->next = chunk;
    } else {
        slot->first = chunk;
    }
    slot->last = chunk;
    slot->end = 0;
}

/* Void entries --------------------------------------------------------- */

/* Returns the preferred position of 'entry' in the table of void entries. */
static size_t
void_place(const struct event_queue *queue, const struct entry *entry)
{
    uint64_t mixed = ((uint64_t)(uintptr_t)entry->event >> 4) ^
                     (uint64_t)entry->when_ps * UINT64_C(0x9e3779b97f4a7c15);

    mixed *= UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(mixed >> 32) & (queue->void_capacity - 1);
}

static void
void_put(struct event_queue *queue, const struct entry *entry)
{
    size_t i = void_place(queue, entry);

    while (queue->voids[i].event) {
        i = (i + 1) & (queue->void_capacity - 1);
    }
    queue->voids[i] = *entry;
}

static void
void_add(struct event_queue *queue, const struct entry *entry)
{
    if (2 * (queue->n_void + 1) > queue->void_capacity) {
        struct entry *old = queue->voids;
        size_t n = queue->void_capacity;

        queue->void_capacity = n ? 2 * n : FIRST_VOIDS;
        queue->voids = check_calloc(queue->void_capacity, sizeof *old);
        for (size_t i = 0; i < n; i++) {
            if (old[i].event) {
                void_put(queue, &old[i]);
            }
        }
        free(old);
    }
    void_put(queue, entry);
    queue->n_void++;
}

/* Removes the entry at 'hole' from the table, and moves back the entries that
 * could not be found otherwise. */
static void
void_remove(struct event_queue *queue, size_t hole)
{
    const size_t mask = queue->void_capacity - 1;

    for (size_t i = (hole + 1) & mask; queue->voids[i].event;
         i = (i + 1) & mask) {
        const size_t distance =
            (i - void_place(queue, &queue->voids[i])) & mask;

        if (distance >= ((i - hole) & mask)) {
            queue->voids[hole] = queue->voids[i];
            hole = i;
        }
    }
    queue->voids[hole].event = NULL;
    queue->n_void--;
}

/* Removes 'entry' from the table of void entries.  Returns false if it is not
 * in the table. */
static bool
void_find(struct event_queue *queue, const struct entry *entry)
{
    for (size_t i = void_place(queue, entry); queue->voids[i].event;
         i = (i + 1) & (queue->void_capacity - 1)) {
        if (queue->voids[i].event == entry->event &&
            queue->voids[i].when_ps == entry->when_ps) {
            void_remove(queue, i);
            return true;
        }
    }
    return false;
}

/* Returns whether 'entry', which is leaving its list, is void, and if so
 * removes it from the table. */
static inline bool
void_take(struct event_queue *queue, const struct entry *entry)
{
    return queue->n_void && void_find(queue, entry);
}

/* Lists ---------------------------------------------------------------- */

/* Makes the list at 'place' empty.  Leaves its chunks to the caller. */
static void
clear(struct event_queue *queue, unsigned int place)
{
    queue->slots[place] = (struct slot){.end = CHUNK_ENTRIES};
    queue->taken[place / SLOTS] &= ~(UINT64_C(1) << place % SLOTS);
    if (!queue->taken[place / SLOTS]) {
        queue->levels &= ~(UINT64_C(1) << place / SLOTS);
    }
}

/* Appends 'event' to the list that it belongs to. */
static inline void
append(struct event_queue *queue, int64_t when_ps, struct event *event)
{
    unsigned int place = place_of(queue, when_ps);
    struct slot *slot = &queue->slots[place];
    struct entry *entry;

    if (slot->end == CHUNK_ENTRIES) {
        lengthen(queue, slot);
    }
    queue->taken[place / SLOTS] |= UINT64_C(1) << place % SLOTS;
    queue->levels |= UINT64_C(1) << place / SLOTS;
    if (slot->n++ == 0 || when_ps < slot->min_ps) {
        slot->min_ps = when_ps;
    }
    entry = &slot->last->entries[slot->end++];
    entry->when_ps = when_ps;
    entry->event = event;
}

/* Returns the first entry of 'slot', which must not be empty. */
static const struct entry *
front(const struct slot *slot)
{
    return &slot->first->entries[slot->begin];
}

/* Removes the first entry of the list at 'place'. */
static void
drop_front(struct event_queue *queue, unsigned int place)
{
    struct slot *slot = &queue->slots[place];
    struct chunk *chunk = slot->first;

    if (--slot->n == 0) {
        clear(queue, place);
        chunk_give(queue, chunk);
    } else if (++slot->begin == CHUNK_ENTRIES) {
        slot->first = chunk->next;
        slot->begin = 0;
        chunk_give(queue, chunk);
    }
}

/* Drops void entries from the front.  Returns the place of the first entry that
 * is not void.  At least one event must be pending. */
static unsigned int
front_place(struct event_queue *queue)
{
    for (;;) {
        unsigned int place = first_place(queue);

        if (!void_take(queue, front(&queue->slots[place]))) {
            return place;
        }
        drop_front(queue, place);
    }
}

/* Prefetches 'chunk'. */
static inline void
fetch(const struct chunk *chunk)
{
    for (size_t i = 0; i < sizeof *chunk; i += LINE_BYTES) {
        __builtin_prefetch((const char *)chunk + i);
    }
}

/* Moves the entries at 'place' to where they belong now: to lower levels, if
 * 'last' has become a time of this place.  Drops void entries. */
static void
settle(struct event_queue *queue, unsigned int place)
{
    const struct slot slot = queue->slots[place];
    const bool is_soon = slot.n <= FEW_EVENTS;
    struct chunk *chunk = slot.first;
    uint32_t i = slot.begin;

    clear(queue, place);
    while (chunk) {
        struct chunk *next = chunk->next;
        const uint32_t end = next ? CHUNK_ENTRIES : slot.end;

        if (next) {
            fetch(next);
        }
        for (; i < end; i++) {
            const struct entry *entry = &chunk->entries[i];

            if (!void_take(queue, entry)) {
                if (is_soon) {
                    __builtin_prefetch(entry->event, 1);
                }
                append(queue, entry->when_ps, entry->event);
            }
        }
        chunk_give(queue, chunk);
        chunk = next;
        i = 0;
    }
}

/* Drops all void entries. */
static void
purge(struct event_queue *queue)
{
    for (unsigned int place = 0; place < LEVELS * SLOTS; place++) {
        settle(queue, place);
    }
}

/* The queue ------------------------------------------------------------ */

struct event_queue *
event_queue_create(void)
{
    struct event_queue *queue = check_calloc(1, sizeof *queue);

    queue->next_ps = EVENT_NEVER;
    for (unsigned int place = 0; place < LEVELS * SLOTS; place++) {
        clear(queue, place);
    }
    return queue;
}

void
event_queue_destroy(struct event_queue *queue)
{
    if (!queue) {
        return;
    }
    while (queue->n_events) {
        unsigned int place = front_place(queue);

        front(&queue->slots[place])->event->is_pending = false;
        drop_front(queue, place);
        queue->n_events--;
    }
    while (queue->slabs) {
        struct slab *slab = queue->slabs;

        queue->slabs = slab->next;
        free(slab);
    }
    free(queue->voids);
    free(queue);
}

void
event_queue_add(struct event_queue *queue, struct event *event, int64_t when_ps)
{
    orch_assert(!event_is_pending(event));
    orch_assert(when_ps >= 0 && (uint64_t)when_ps >= queue->last_ps);
    event->when_ps = when_ps;
    event->is_pending = true;
    append(queue, when_ps, event);
    queue->n_events++;
    if (when_ps < queue->next_ps) {
        queue->next_ps = when_ps;
    }
}

void
event_queue_cancel(struct event_queue *queue, struct event *event)
{
    const struct entry entry = {event->when_ps, event};

    if (!event->is_pending) {
        return;
    }
    void_add(queue, &entry);
    queue->n_events--;
    event->is_pending = false;
    if (!queue->n_events) {
        queue->next_ps = EVENT_NEVER;
    } else if (event->when_ps == queue->next_ps) {
        queue->next_ps = -1;
    }
    if (queue->n_void > FEW_VOID && queue->n_void > queue->n_events) {
        purge(queue);
    }
}

size_t
event_queue_count(const struct event_queue *queue)
{
    return queue->n_events;
}

/* Returns the earliest time in the list at 'place', whose first entry is not
 * void. */
static int64_t
earliest(struct event_queue *queue, unsigned int place)
{
    const struct slot *slot = &queue->slots[place];
    const struct chunk *chunk;
    uint32_t i;
    int64_t min;

    if (queue->n_void) {
        settle(queue, place); /* Keeps the place; drops the void entries. */
    }
    chunk = slot->first;
    i = slot->begin;
    min = chunk->entries[i].when_ps;
    for (; chunk; chunk = chunk->next, i = 0) {
        const uint32_t end = chunk->next ? CHUNK_ENTRIES : slot->end;

        for (; i < end; i++) {
            if (chunk->entries[i].when_ps < min) {
                min = chunk->entries[i].when_ps;
            }
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

/* Takes the event at the front of 'place', where all entries have the same
 * time. */
static struct event *
take(struct event_queue *queue, unsigned int place)
{
    const struct slot *slot = &queue->slots[place];
    const struct entry *entry = front(slot);
    struct event *event = entry->event;

    if (slot->n > FEW_EVENTS && slot->begin + AHEAD < CHUNK_ENTRIES) {
        __builtin_prefetch(entry[AHEAD].event, 1); /* settle() has not done
                                                    * so. */
    }
    queue->last_ps = (uint64_t)entry->when_ps;
    event->is_pending = false;
    drop_front(queue, place);
    queue->n_events--;
    queue->next_ps = queue->n_events ? -1 : EVENT_NEVER;
    return event;
}

struct event *
event_queue_pop(struct event_queue *queue, int64_t limit_ps)
{
    /* next_ps, if known, is not after any pending event. */
    while (queue->n_events && queue->next_ps <= limit_ps) {
        unsigned int place = front_place(queue);
        const struct slot *slot = &queue->slots[place];

        if (place_begin(queue, place) > limit_ps) {
            return NULL;
        }
        if (place < SLOTS || slot->n == 1) {
            queue->next_ps = front(slot)->when_ps;
            return queue->next_ps <= limit_ps ? take(queue, place) : NULL;
        }
        /* No further than the limit: the next event added may lie between. */
        queue->last_ps =
            (uint64_t)(slot->min_ps < limit_ps ? slot->min_ps : limit_ps);
        queue->next_ps = -1;
        settle(queue, place);
    }
    return NULL;
}
