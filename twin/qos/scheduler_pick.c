/* SPDX-License-Identifier: Apache-2.0 */

/* Transmission: start-time fair queueing, strict priority, rates.
 *
 * This runs for every packet.  The next child by weight is found once and kept
 * until a tag of the group changes, because finding it compares tags, with
 * unpredictable branches. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include "twin/qos/scheduler_state.h"

/* State --------------------------------------------------------------- */

/* Returns the place with the least tag among 'places', which is not empty; of
 * several, the one whose turn it is. */
static uint32_t
least(const struct group *group, uint64_t places)
{
    /* Rotated so that the place whose turn it is comes first. */
    const unsigned int turn = (group->last + 1u) & LAST_PLACE;
    uint64_t left = turn ? places >> turn | places << (64 - turn) : places;
    uint32_t best = (uint32_t)(__builtin_ctzll(left) + (int)turn) & LAST_PLACE;
    uint64_t best_tag = group->children[best].tag;

    for (left &= left - 1; left; left &= left - 1) {
        const uint32_t place =
            (uint32_t)(__builtin_ctzll(left) + (int)turn) & LAST_PLACE;
        const uint64_t tag = group->children[place].tag;
        const bool is_less = (int64_t)(tag - best_tag) < 0;

        best = is_less ? place : best;
        best_tag = is_less ? tag : best_tag;
    }
    return best;
}

/* Returns the place of the next child of 'group' by weight; at least one child
 * may go. */
static uint32_t
next_by_weight(struct group *group)
{
    if (group->next == NO_PLACE) {
        group->next = (uint8_t)least(group, group->active & ~group->strict);
    }
    return group->next;
}

/* Sets the tag with which 'child', at 'place' of 'group', starts: that of the
 * end of its last frame, but not less than that of the next sibling.  A tag
 * that is too far ahead belongs to a child that was away for so long that the
 * numbers have wrapped. */
static void
start(struct group *group, uint8_t place)
{
    struct child *child = &group->children[place];
    uint64_t present;

    if ((group->active & ~group->strict) == 0) {
        present = group->clock;
        group->next = place;
    } else {
        present = group->children[next_by_weight(group)].tag;
    }
    if (child->tag - present > MAX_LEAD) {
        child->tag = present;
    }
    /* A child with the same tag as the next one may come before it. */
    if (child->tag == present && group->next != place) {
        group->next = NO_PLACE;
    }
}

/* Returns whether the root may go, and has a child that may. */
static inline bool
port_may_go(const struct scheduler *s)
{
    /* Without rates nothing is held. */
    return s->root.active != 0 &&
           !(s->releases && s->nodes[s->n_queues].is_held);
}

static bool
may_go(struct scheduler *s, uint32_t id)
{
    const struct node *node = &s->nodes[id];

    return id == s->n_queues
               ? port_may_go(s)
               : (group_of(s, node->parent)->active & bit_of(node)) != 0;
}

/* Holds 'id', which has frames, if its maximum rate requires it. */
static bool
hold(struct scheduler *s, uint32_t id, int64_t now_ps)
{
    struct node *node = &s->nodes[id];

    if (node->limits && shaper_ready_ps(&node->limits->max) > now_ps) {
        node->is_held = true;
        timeline_set(s->releases, &node->limits->release,
                     shaper_ready_ps(&node->limits->max));
    }
    return node->is_held;
}

void
scheduler_wake__(struct scheduler *s, uint32_t id, int64_t now_ps)
{
    while (!s->nodes[id].is_held && !hold(s, id, now_ps) && id != s->n_queues) {
        const struct node *node = &s->nodes[id];
        struct group *group = group_of(s, node->parent);
        const uint64_t before = group->active;

        if (node->type != SCHEDULER_STRICT) {
            start(group, node->place);
        }
        group->active |= bit_of(node);
        if (before) {
            return;
        }
        id = node->parent;
    }
}

void
scheduler_rest__(struct scheduler *s, uint32_t id, bool held)
{
    for (;;) {
        struct node *node = &s->nodes[id];
        const bool was_active = may_go(s, id);
        struct group *group;

        if (node->is_held) {
            timeline_cancel(s->releases, &node->limits->release);
        }
        node->is_held = held;
        if (!was_active || id == s->n_queues) {
            return;
        }
        group = group_of(s, node->parent);
        group->active &= ~bit_of(node);
        if (group->next == node->place) {
            group->next = NO_PLACE;
        }
        if (group->active) {
            return;
        }
        id = node->parent;
        held = false; /* The parent has no active child left. */
    }
}

void
scheduler_set_owed__(struct scheduler *s, uint32_t id, bool owed)
{
    const struct node *node = &s->nodes[id];

    if (id == s->n_queues) {
        return;
    }
    if (owed) {
        group_of(s, node->parent)->owed |= bit_of(node);
    } else {
        group_of(s, node->parent)->owed &= ~bit_of(node);
    }
}

void
scheduler_judge_owed__(struct scheduler *s, uint32_t id, int64_t now_ps)
{
    struct limits *limits = s->nodes[id].limits;
    const int64_t due_ps = shaper_ready_ps(&limits->min);
    const bool on = shaper_is_on(&limits->min);

    scheduler_set_owed__(s, id, on && due_ps <= now_ps);
    if (on && due_ps > now_ps) {
        timeline_set(s->dues, &limits->due, due_ps);
    } else {
        timeline_cancel(s->dues, &limits->due);
    }
}

/* Transmission -------------------------------------------------------- */

/* Sets which queues of the contest may go: those that are ready.  Only queues
 * that start by weight need further work. */
static inline void
update_contest(struct scheduler *s, uint64_t ready)
{
    struct group *contest = s->contest;
    uint64_t fresh = ready & ~s->ready & ~contest->strict;

    contest->active &= ready;
    if (contest->next != NO_PLACE && !(ready >> contest->next & 1)) {
        contest->next = NO_PLACE;
    }
    for (; fresh; fresh &= fresh - 1) {
        start(contest, (uint8_t)__builtin_ctzll(fresh));
        contest->active |= fresh & -fresh;
    }
    contest->active = ready;
    s->ready = ready;
}

/* Updates the tree with the queues that became ready, or no longer are. */
static void
update_tree(struct scheduler *s, uint64_t ready, int64_t now_ps)
{
    uint64_t gone = s->ready & ~ready;
    uint64_t fresh = ready & ~s->ready;

    s->ready = ready;
    for (; gone; gone &= gone - 1) {
        scheduler_rest__(s, (uint32_t)__builtin_ctzll(gone), false);
    }
    for (; fresh; fresh &= fresh - 1) {
        scheduler_wake__(s, (uint32_t)__builtin_ctzll(fresh), now_ps);
    }
}

/* Chooses among the children of 'group', of which at least one may go. */
static uint32_t
choose(struct group *group)
{
    uint64_t places = group->active;

    if (places & group->owed) {
        places &= group->owed;
        if (!(places & group->strict)) {
            return group->children[least(group, places)].node;
        }
    }
    if (places & group->strict) {
        places &= group->strict;
        return group->children[LAST_PLACE - __builtin_clzll(places)].node;
    }
    return group->children[next_by_weight(group)].node;
}

/* Chooses among the queues of a contest, of which at least one may go. */
static uint32_t
choose_in_contest(struct group *contest)
{
    const uint64_t strict = contest->active & contest->strict;
    const uint32_t none = -(uint32_t)(strict == 0); /* All bits if none is. */

    if (contest->next == NO_PLACE && (contest->active & ~contest->strict)) {
        next_by_weight(contest);
    }
    return (contest->next & none) |
           ((uint32_t)(LAST_PLACE - __builtin_clzll(strict | 1)) & ~none);
}

/* scheduler_pick() without a contest. */
static __attribute__((noinline)) uint32_t
pick_in_tree(struct scheduler *s, uint64_t ready, int64_t now_ps,
             int64_t *again_ps)
{
    uint32_t id = s->n_queues;

    update_tree(s, ready, now_ps);
    if (s->releases) {
        timeline_run(s->releases, now_ps);
        timeline_run(s->dues, now_ps);
    }
    if (!port_may_go(s)) {
        *again_ps = s->releases ? timeline_next(s->releases) : INT64_MAX;
        return SCHEDULER_NONE;
    }
    while (id >= s->n_queues) {
        id = choose(group_of(s, id));
    }
    return id;
}

uint32_t
scheduler_pick_in_groups__(struct scheduler *s, uint64_t ready, int64_t now_ps,
                           int64_t *again_ps)
{
    if (!s->contest) {
        return pick_in_tree(s, ready, now_ps, again_ps);
    }
    update_contest(s, ready);
    if (!ready) {
        *again_ps = INT64_MAX;
        return SCHEDULER_NONE;
    }
    return choose_in_contest(s->contest);
}

/* Counts a frame to the share of the child at 'place' of 'group', and to its
 * turn. */
static inline void
charge_share(struct group *group, uint8_t place, uint32_t length_bytes)
{
    struct child *child = &group->children[place];
    uint64_t work;

    if ((group->strict | group->owed) >> place & 1) {
        return;
    }
    group->last = place;
    group->clock = child->tag;
    group->next = NO_PLACE;
    work = ((uint64_t)(group->by_bytes ? length_bytes : 1) << TAG_SHIFT) +
           child->remainder;
    child->tag += work / child->weight;
    child->remainder = (uint8_t)(work % child->weight);
}

/* Charges a frame to the buckets of 'id', which has rates. */
static void
charge_limits(struct scheduler *s, uint32_t id, uint32_t length_bytes,
              int64_t now_ps)
{
    struct limits *limits = s->nodes[id].limits;

    if (shaper_is_on(&limits->min)) {
        const struct node *node = &s->nodes[id];

        if (id != s->n_queues &&
            (group_of(s, node->parent)->owed & bit_of(node))) {
            shaper_charge(&limits->min, length_bytes, now_ps);
        } else {
            shaper_drain(&limits->min, length_bytes, now_ps);
        }
        scheduler_judge_owed__(s, id, now_ps);
    }
    shaper_charge(&limits->max, length_bytes, now_ps);
    if (may_go(s, id) && shaper_ready_ps(&limits->max) > now_ps) {
        scheduler_rest__(s, id, true);
        timeline_set(s->releases, &limits->release,
                     shaper_ready_ps(&limits->max));
    }
}

/* scheduler_sent() without a contest. */
static __attribute__((noinline)) void
sent_in_tree(struct scheduler *s, uint32_t queue, uint32_t length_bytes,
             int64_t now_ps)
{
    const uint32_t root = s->n_queues;

    for (uint32_t id = queue;; id = s->nodes[id].parent) {
        const struct node *node = &s->nodes[id];

        if (id != root) {
            charge_share(group_of(s, node->parent), node->place, length_bytes);
        }
        if (node->limits) {
            charge_limits(s, id, length_bytes, now_ps);
        }
        if (id == root) {
            return;
        }
    }
}

void
scheduler_sent_in_groups__(struct scheduler *s, uint32_t queue,
                           uint32_t length_bytes, int64_t now_ps)
{
    struct group *contest = s->contest;

    if (!contest) {
        sent_in_tree(s, queue, length_bytes, now_ps);
        return;
    }
    charge_share(contest, (uint8_t)queue, length_bytes);
    /* Compute it now, so that the next pick does not have to wait for it. */
    if (contest->next == NO_PLACE && (contest->active & ~contest->strict)) {
        next_by_weight(contest);
    }
}
