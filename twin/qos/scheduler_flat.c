/* SPDX-License-Identifier: Apache-2.0 */

/* Transmission from a flat contest: the same choices as in scheduler_pick.c, on
 * arrays.  The fast path of nearly all ports.
 *
 * The state moves to the arrays after each change of the tree, and back before
 * the next one, or when a queue that does not fit becomes ready. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include "twin/qos/scheduler_state.h"

enum { TURN_BITS = 3 };

static_assert(FLAT_QUEUES == 1 << TURN_BITS, "a turn is a queue");

/* More than the key of any queue. */
#define NO_KEY UINT64_MAX

#define FITTING ((UINT64_C(1) << FLAT_QUEUES) - 1)

static uint32_t
n_flat(const struct group *contest)
{
    return contest->n < FLAT_QUEUES ? contest->n : FLAT_QUEUES;
}

/* Returns the key by which 'queue' competes with 'tag': the tag, less the
 * clock, which no tag of an active queue is below, with the order of turns in
 * its last bits. */
static inline uint64_t
key_of(const struct flat *flat, uint32_t queue, uint64_t tag)
{
    const uint32_t first = flat->last + 1u < FLAT_QUEUES ? flat->last + 1u : 0;

    return (tag - flat->clock) << TURN_BITS | (queue - first) % FLAT_QUEUES;
}

/* Returns the queue of 'key', NO_PLACE for NO_KEY. */
static inline uint8_t
queue_of(const struct flat *flat, uint64_t key)
{
    const uint32_t first = flat->last + 1u < FLAT_QUEUES ? flat->last + 1u : 0;

    return key == NO_KEY ? NO_PLACE : (uint8_t)((key + first) % FLAT_QUEUES);
}

/* Returns the least key of 'queues', NO_KEY if there are none.  The only branch
 * depends on how many queues were ever active.  That is predictable, unlike
 * which of them are now, and how their tags compare. */
static inline uint64_t
least(struct flat *flat, uint64_t queues)
{
    uint64_t best = NO_KEY;
    unsigned int left = flat->used | (unsigned int)queues;

    flat->used = (uint8_t)left;
    for (; left; left &= left - 1) {
        const uint32_t queue = (uint32_t)__builtin_ctz(left);
        const uint64_t idle = (queues >> queue & 1) - 1; /* All bits. */
        const uint64_t key = key_of(flat, queue, flat->tags[queue]) | idle;

        best = key < best ? key : best;
    }
    return best;
}

void
scheduler_flatten__(struct scheduler *s)
{
    const struct group *contest = s->contest;
    struct flat *flat = &s->flat;

    *flat = (struct flat){.is_on = false};
    if (!contest || (s->ready & ~contest->strict & ~FITTING)) {
        return;
    }
    flat->strict = contest->strict;
    flat->clock = contest->clock;
    flat->last = contest->last;
    flat->by_bytes = contest->by_bytes;
    flat->ready = s->ready;
    flat->is_on = true;
    for (uint32_t i = 0; i < n_flat(contest); i++) {
        const struct child *child = &contest->children[i];

        flat->weights[i] = child->weight;
        flat->remainders[i] = child->remainder;
        flat->tags[i] = child->tag;
    }
    flat->next = queue_of(flat, least(flat, flat->ready & ~flat->strict));
}

void
scheduler_unflatten__(struct scheduler *s)
{
    struct group *contest;
    struct flat *flat = &s->flat;

    if (!flat->is_on) {
        return;
    }
    scheduler_unshare__(s);
    contest = s->contest;
    flat->is_on = false;
    s->ready = flat->ready;
    contest->active = flat->ready;
    contest->clock = flat->clock;
    contest->last = flat->last;
    contest->next = flat->next;
    for (uint32_t i = 0; i < n_flat(contest); i++) {
        struct child *child = &contest->children[i];

        child->remainder = flat->remainders[i];
        child->tag = flat->tags[i];
    }
}

/* Starts the queues that share by weight and became ready by 'ready', as
 * start() of scheduler_pick.c does, and chooses the next one of all.  Mostly it
 * is one that became ready, or none, so the first is done without a branch. */
static __attribute__((noinline)) void
update(struct flat *flat, uint64_t ready)
{
    uint64_t fresh = ready & ~flat->ready & ~flat->strict;
    uint64_t best = least(flat, flat->ready & ready & ~flat->strict);

    do {
        const uint64_t none = -(uint64_t)(fresh == 0); /* All bits. */
        const uint32_t queue =
            (uint32_t)__builtin_ctzll(fresh | UINT64_C(1) << (FLAT_QUEUES - 1));
        const uint64_t present =
            flat->clock + (best == NO_KEY ? 0 : best >> TURN_BITS);
        const uint64_t old = flat->tags[queue];
        const uint64_t tag = old - present > MAX_LEAD ? present : old;
        const uint64_t key = key_of(flat, queue, tag) | none;

        flat->tags[queue] = (old & none) | (tag & ~none);
        best = key < best ? key : best;
        flat->used |= (uint8_t)fresh;
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

uint32_t
scheduler_pick(struct scheduler *s, uint64_t ready, int64_t now_ps,
               int64_t *again_ps)
{
    struct flat *flat = &s->flat;
    const uint64_t by_weight = ready & ~flat->strict;
    const uint64_t strict = ready & flat->strict;
    /* All bits if no strict queue is ready, which is unpredictable. */
    const uint32_t none = -(uint32_t)(strict == 0);

    if (!flat->is_on || (by_weight & ~FITTING)) {
        return pick_in_groups(s, ready, now_ps, again_ps);
    }
    if ((ready ^ flat->ready) & ~flat->strict) {
        update(flat, ready);
    }
    flat->ready = ready;
    if (!ready) {
        *again_ps = INT64_MAX;
        return SCHEDULER_NONE;
    }
    return (flat->next & none) |
           ((uint32_t)(LAST_PLACE - __builtin_clzll(strict | 1)) & ~none);
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
    flat->last = (uint8_t)queue;
    flat->clock = flat->tags[queue];
    flat->tags[queue] += work / flat->weights[queue];
    flat->remainders[queue] = (uint8_t)(work % flat->weights[queue]);
    /* Chosen now, so that the next pick does not have to wait for it. */
    flat->next = queue_of(flat, least(flat, flat->ready & ~flat->strict));
}
