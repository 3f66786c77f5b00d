/* SPDX-License-Identifier: Apache-2.0 */

/* Transmission from a flat contest: the same choices as in scheduler_pick.c, on
 * arrays.  The fast path of nearly all ports.
 *
 * The state moves to the arrays after each change of the tree, and back before
 * the next one, or when a queue that does not fit becomes ready. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include "twin/qos/scheduler_state.h"

enum {
    KEY_BITS = 4,           /* Of the queue in a key, and of a turn. */
    TURN_BIT = FLAT_QUEUES, /* Set for the queues after the last one. */
    HALF_QUEUES = FLAT_QUEUES / 2,
    MAX_KEY_BITS = 44, /* Clocks that become larger are reduced. */
};

static_assert(FLAT_QUEUES * 2 == 1 << KEY_BITS, "a queue and its turn");

/* Added to the key of a queue that may not go. */
#define FLAT_IDLE (UINT64_C(1) << 63)

#define FITTING    ((UINT64_C(1) << FLAT_QUEUES) - 1)
#define QUEUE_MASK ((UINT64_C(1) << KEY_BITS) - 1)

static uint32_t
n_flat(const struct group *contest)
{
    return contest->n < FLAT_QUEUES ? contest->n : FLAT_QUEUES;
}

/* Records that 'queue', or a place beyond the flat queues, was chosen by weight
 * last. */
static inline void
set_last(struct flat *flat, uint32_t queue)
{
    flat->last = (uint8_t)queue;
    flat->turn = (uint8_t)(queue < FLAT_QUEUES ? FLAT_QUEUES - 1 - queue : 0);
}

/* Returns by what 'key' competes, the less the better.  The turn makes the last
 * bits of the queues after the last one at least TURN_BIT, so inverting that
 * bit puts them first, and then the others, each in their order. */
static inline uint64_t
rank(const struct flat *flat, uint64_t key)
{
    return (key + flat->turn) ^ TURN_BIT;
}

/* Returns the queue of 'rank'. */
static inline uint8_t
queue_of(const struct flat *flat, uint64_t rank)
{
    return (uint8_t)(((rank ^ TURN_BIT) - flat->turn) % FLAT_QUEUES);
}

static inline uint64_t
lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the least rank of four queues from 'keys' on. */
static inline uint64_t
least_of_half(const struct flat *flat, const uint64_t *keys)
{
    return lesser(lesser(rank(flat, keys[0]), rank(flat, keys[1])),
                  lesser(rank(flat, keys[2]), rank(flat, keys[3])));
}

/* Returns the least rank, FLAT_IDLE or more if no queue may go by weight.  The
 * only branch depends on which queues were ever active.  That is predictable,
 * unlike which of them are now, and how their tags compare. */
static inline uint64_t
least(const struct flat *flat)
{
    uint64_t best = least_of_half(flat, flat->keys);

    if (flat->used >> HALF_QUEUES) {
        best = lesser(best, least_of_half(flat, flat->keys + HALF_QUEUES));
    }
    return best;
}

/* Returns the key of 'queue' with 'tag' of 'struct group'.  A tag behind the
 * clock counts as much as the clock. */
static uint64_t
key_of(const struct flat *flat, uint32_t queue, uint64_t tag)
{
    const uint64_t ahead = tag - flat->base;
    const uint64_t bounded = ahead >> (MAX_KEY_BITS - KEY_BITS) ? 0 : ahead;

    return bounded << KEY_BITS | queue;
}

void
scheduler_flatten__(struct scheduler *s)
{
    const struct group *contest = s->contest;
    struct flat *flat = &s->flat;
    uint64_t by_weight;

    *flat = (struct flat){.is_on = false};
    if (!contest || (s->ready & ~contest->strict & ~FITTING)) {
        return;
    }
    by_weight = s->ready & ~contest->strict;
    flat->strict = contest->strict;
    flat->base = contest->clock;
    flat->by_bytes = contest->by_bytes;
    flat->ready = s->ready;
    flat->used = (uint8_t)by_weight;
    flat->is_on = true;
    set_last(flat, contest->last);
    for (uint32_t i = 0; i < FLAT_QUEUES; i++) {
        flat->keys[i] = by_weight >> i & 1 ? 0 : FLAT_IDLE;
        if (i < n_flat(contest)) {
            const struct child *child = &contest->children[i];

            flat->weights[i] = child->weight;
            flat->remainders[i] = child->remainder;
            flat->keys[i] |= key_of(flat, i, child->tag);
        }
    }
    flat->next = queue_of(flat, least(flat));
}

void
scheduler_unflatten__(struct scheduler *s)
{
    struct group *contest = s->contest;
    struct flat *flat = &s->flat;

    if (!flat->is_on) {
        return;
    }
    flat->is_on = false;
    s->ready = flat->ready;
    contest->active = flat->ready;
    contest->clock = flat->base + (flat->clock >> KEY_BITS);
    contest->last = flat->last;
    contest->next = NO_PLACE;
    for (uint32_t i = 0; i < n_flat(contest); i++) {
        struct child *child = &contest->children[i];

        child->remainder = flat->remainders[i];
        child->tag = flat->base + ((flat->keys[i] & ~FLAT_IDLE) >> KEY_BITS);
    }
}

/* Reduces all keys by the clock, before they become too large.  Those behind it
 * become equal to it, which makes no difference: such a queue starts with a tag
 * that is at least the clock. */
static __attribute__((noinline)) void
reduce(struct flat *flat)
{
    const uint64_t clock = flat->clock;

    for (uint32_t i = 0; i < FLAT_QUEUES; i++) {
        const uint64_t idle = flat->keys[i] & FLAT_IDLE;
        const uint64_t tag = flat->keys[i] & ~FLAT_IDLE & ~QUEUE_MASK;

        flat->keys[i] = (tag > clock ? tag - clock : 0) | i | idle;
    }
    flat->base += clock >> KEY_BITS;
    flat->clock = 0;
}

/* Returns the lowest of 'queues', or the last one if there are none. */
static inline uint32_t
lowest(uint64_t queues)
{
    return (uint32_t)__builtin_ctzll(queues | UINT64_C(1) << (FLAT_QUEUES - 1));
}

/* Ends the queues that share by weight and are not in 'ready' any more, starts
 * those that became ready, as start() of scheduler_pick.c does, and chooses the
 * next one of all.  Mostly one queue ends or starts, so the first of each is
 * done without a branch. */
static inline void
update(struct flat *flat, uint64_t ready)
{
    const uint64_t changed = (ready ^ flat->ready) & ~flat->strict;
    uint64_t gone = changed & ~ready;
    uint64_t fresh = changed & ready;
    uint64_t best;

    do {
        flat->keys[lowest(gone)] |= gone ? FLAT_IDLE : 0;
        gone &= gone - 1;
    } while (gone);
    flat->used |= (uint8_t)fresh;
    best = least(flat);
    do {
        const uint64_t none = -(uint64_t)(fresh == 0); /* All bits. */
        const uint32_t queue = lowest(fresh);
        const uint64_t present =
            best & FLAT_IDLE ? flat->clock : best & ~QUEUE_MASK;
        const uint64_t old = flat->keys[queue] & ~FLAT_IDLE & ~QUEUE_MASK;
        const uint64_t tag =
            old - present > MAX_LEAD << KEY_BITS ? present : old;

        flat->keys[queue] =
            (flat->keys[queue] & none) | ((tag | queue) & ~none);
        best = lesser(best, rank(flat, tag | queue) | none);
        fresh &= fresh - 1;
    } while (fresh);
    flat->next = queue_of(flat, best);
}

/* scheduler_pick() without a flat contest that has room for all of 'ready'. */
static __attribute__((noinline)) uint32_t
pick_in_groups(struct scheduler *s, uint64_t ready, int64_t now_ps,
               int64_t *again_ps)
{
    scheduler_unflatten__(s);
    return scheduler_pick_in_groups__(s, ready, now_ps, again_ps);
}

/* Returns the queue that sends next if 'ready' is not 0 and 'flat' knows it,
 * without a branch: whether a strict queue is ready is unpredictable. */
static inline uint32_t
chosen(const struct flat *flat, uint64_t ready)
{
    const uint64_t strict = ready & flat->strict;
    const uint32_t none = -(uint32_t)(strict == 0); /* All bits if none is. */

    return (flat->next & none) |
           ((uint32_t)(LAST_PLACE - __builtin_clzll(strict | 1)) & ~none);
}

/* scheduler_pick() if the queues that share by weight have changed, or no queue
 * is ready. */
static __attribute__((noinline)) uint32_t
pick_changed(struct flat *flat, uint64_t ready, int64_t *again_ps)
{
    update(flat, ready);
    flat->ready = ready;
    if (!ready) {
        *again_ps = INT64_MAX;
        return SCHEDULER_NONE;
    }
    return chosen(flat, ready);
}

uint32_t
scheduler_pick(struct scheduler *s, uint64_t ready, int64_t now_ps,
               int64_t *again_ps)
{
    struct flat *flat = &s->flat;

    if (!flat->is_on || (ready & ~flat->strict & ~FITTING)) {
        return pick_in_groups(s, ready, now_ps, again_ps);
    }
    if (((ready ^ flat->ready) & ~flat->strict) || !ready) {
        return pick_changed(flat, ready, again_ps);
    }
    flat->ready = ready;
    return chosen(flat, ready);
}

bool
scheduler_is_open(const struct scheduler *s, uint32_t queue)
{
    /* With a flat contest there are no rates in the tree. */
    return s->flat.is_on && (s->flat.strict | FITTING) >> queue & 1;
}

void
scheduler_pick_only(struct scheduler *s, uint32_t queue)
{
    struct flat *flat = &s->flat;
    const uint64_t ready = UINT64_C(1) << queue;

    if ((ready ^ flat->ready) & ~flat->strict) {
        update(flat, ready);
    }
    flat->ready = ready;
}

void
scheduler_sent(struct scheduler *s, uint32_t queue, uint32_t length_bytes,
               int64_t now_ps)
{
    struct flat *flat = &s->flat;
    uint64_t work;

    if (!flat->is_on) {
        scheduler_sent_in_groups__(s, queue, length_bytes, now_ps);
        return;
    }
    if (flat->strict >> queue & 1) {
        return;
    }
    work = ((uint64_t)(flat->by_bytes ? length_bytes : 1) << TAG_SHIFT) +
           flat->remainders[queue];
    flat->clock = flat->keys[queue] & ~QUEUE_MASK;
    flat->keys[queue] += work / flat->weights[queue] << KEY_BITS;
    flat->remainders[queue] = (uint8_t)(work % flat->weights[queue]);
    flat->last = (uint8_t)queue;
    flat->turn = (uint8_t)(FLAT_QUEUES - 1 - queue);
    if (flat->clock >> MAX_KEY_BITS) {
        reduce(flat);
    }
    /* Chosen now, so that the next pick does not have to wait for it. */
    flat->next = queue_of(flat, least(flat));
}
