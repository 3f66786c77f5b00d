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

#define FITTING ((UINT64_C(1) << FLAT_QUEUES) - 1)

static uint32_t
n_flat(const struct group *contest)
{
    return contest->n < FLAT_QUEUES ? contest->n : FLAT_QUEUES;
}

/* Returns the queue with the least tag among 'queues'; of several, the one
 * whose turn it is; NO_PLACE if there are none.
 *
 * The only branch depends on how many queues were ever active.  That is
 * predictable, unlike which of them are now, and how their tags compare.  A key
 * is a tag, less the clock, which no tag of an active queue is below, with the
 * order of turns in its last bits. */
static inline uint8_t
least(struct flat *flat, uint64_t queues)
{
    /* The queue whose turn it is comes first. */
    const unsigned int turn =
        flat->last + 1u < FLAT_QUEUES ? flat->last + 1u : 0;
    uint64_t best = UINT64_MAX;
    unsigned int left = flat->used | (unsigned int)queues;

    flat->used = (uint8_t)left;
    for (; left; left &= left - 1) {
        const unsigned int queue = (unsigned int)__builtin_ctz(left);
        const uint64_t idle = (queues >> queue & 1) - 1; /* All bits. */
        const uint64_t key = ((flat->tags[queue] - flat->clock) << TURN_BITS |
                              ((queue - turn) % FLAT_QUEUES)) |
                             idle;

        best = key < best ? key : best;
    }
    return best == UINT64_MAX ? NO_PLACE
                              : (uint8_t)((best + turn) % FLAT_QUEUES);
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
    flat->next = contest->next;
    flat->by_bytes = contest->by_bytes;
    flat->ready = s->ready;
    flat->is_on = true;
    for (uint32_t i = 0; i < n_flat(contest); i++) {
        const struct child *child = &contest->children[i];

        flat->weights[i] = child->weight;
        flat->remainders[i] = child->remainder;
        flat->tags[i] = child->tag;
    }
    if (flat->next == NO_PLACE) {
        flat->next = least(flat, flat->ready & ~flat->strict);
    }
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
    contest->clock = flat->clock;
    contest->last = flat->last;
    contest->next = flat->next;
    for (uint32_t i = 0; i < n_flat(contest); i++) {
        struct child *child = &contest->children[i];

        child->remainder = flat->remainders[i];
        child->tag = flat->tags[i];
    }
}

/* Sets the tag with which 'queue' starts while those of 'active' may go, as
 * start() of scheduler_pick.c does. */
static void
start(struct flat *flat, uint32_t queue, uint64_t active)
{
    const uint64_t others = active & ~flat->strict;
    uint64_t present;

    if (others == 0) {
        present = flat->clock;
        flat->next = (uint8_t)queue;
    } else {
        if (flat->next == NO_PLACE) {
            flat->next = least(flat, others);
        }
        present = flat->tags[flat->next];
    }
    if (flat->tags[queue] - present > MAX_LEAD) {
        flat->tags[queue] = present;
    }
    /* A queue with the same tag as the next one may come before it. */
    if (flat->tags[queue] == present && flat->next != queue) {
        flat->next = NO_PLACE;
    }
}

/* Starts the queues of 'fresh', while those of 'active' may still go, and
 * chooses the next one. */
static __attribute__((noinline)) void
update(struct flat *flat, uint64_t fresh, uint64_t active)
{
    if (flat->next != NO_PLACE && !(active >> flat->next & 1)) {
        flat->next = NO_PLACE;
    }
    for (; fresh; fresh &= fresh - 1) {
        start(flat, (uint32_t)__builtin_ctzll(fresh), active);
        active |= fresh & -fresh;
    }
    if (flat->next == NO_PLACE) {
        flat->next = least(flat, active & ~flat->strict);
    }
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
    const uint64_t was_ready = flat->ready;

    if (!flat->is_on || (by_weight & ~FITTING)) {
        return pick_in_groups(s, ready, now_ps, again_ps);
    }
    flat->ready = ready;
    /* Strict queues come and go; the others change rarely under load. */
    if ((ready ^ was_ready) & ~flat->strict) {
        update(flat, by_weight & ~was_ready, ready & was_ready);
    }
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
    flat->next = least(flat, flat->ready & ~flat->strict);
}
