/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_SCHEDULER_STATE_H
#define ORCHD_TWIN_QOS_SCHEDULER_STATE_H

/* The internals of a scheduler, for its own files only.
 *
 * A node may go (its bit in its parent's 'active' is set; the root, if one of
 * its children may), is *held* (it has frames to send, but its maximum rate
 * forbids it; a timer releases it), or is idle.  A group has frames to send
 * exactly if one of its children may go.  So a change of one queue propagates
 * upwards only until a node whose state does not change.
 *
 * Most trees are effectively flat: many switches have one group per queue,
 * which leaves no choice.  Then one group is the *contest* of all queues.  If
 * besides only the first queues share by weight, the state of the contest is
 * kept as *flat* arrays, in two cache lines at the start of the scheduler: the
 * first is all that a strict queue needs. */

#include <assert.h>

#include "twin/qos/scheduler.h"

#include "base/timeline.h"
#include "twin/qos/shaper.h"

enum {
    TAG_SHIFT = 16,  /* Tags count 1/65536 of a byte or packet. */
    NO_PLACE = 255,  /* No child. */
    LAST_PLACE = 63, /* The highest place of a child. */
    FLAT_QUEUES = 8, /* Queues that may share by weight in a flat contest. */
};

/* The rates of a node that has any. */
struct limits {
    struct scheduler *scheduler;
    uint32_t node;
    struct shaper max;
    struct shaper min;
    struct timer release; /* Releases a held node. */
    struct timer due;     /* The minimum rate is owed again. */
};

struct node {
    struct limits *limits; /* Owned; NULL: no rates. */
    uint16_t parent;
    uint8_t place;  /* Among the children of 'parent'. */
    uint8_t weight; /* 1..255 */
    uint8_t type;   /* enum scheduler_type */
    bool by_bytes;  /* Its share counts bytes. */
    bool is_held;
    bool exists;
};

/* The data of a node in its parent. */
struct child {
    uint64_t tag; /* Valid while it may go; compared modulo 2^64. */
    uint16_t node;
    uint8_t weight;    /* The weight of the node. */
    uint8_t remainder; /* Of 'tag', in 1/weight. */
};

/* The data of a node about its children; masks are by place. */
struct group {
    uint64_t active; /* Children that may go. */
    uint64_t strict;
    uint64_t owed;  /* Children that have not had their minimum rate. */
    uint64_t clock; /* Tag of the child that was last chosen by weight. */
    struct child *children; /* By place, in ascending order of nodes.  Owned;
                             * NULL if there are none.  Most groups have one. */
    uint8_t n;
    uint8_t last;  /* Place of the child that was last chosen by weight. */
    uint8_t next;  /* Place of the next child by weight; NO_PLACE: not known. */
    bool by_bytes; /* Shares count bytes. */
};

/* A contest as arrays; by queue, which is the place, too.
 *
 * A *key* is a tag less 'base', times 16, plus the queue; FLAT_IDLE is added
 * while the queue may not go.  So the least key is found without branches. */
struct flat {
    _Alignas(64) uint64_t strict;
    uint64_t ready;
    uint64_t clock; /* That of 'struct group', as a key of queue 0. */
    uint64_t base;  /* What tags of 0 here are in 'struct group'. */
    uint8_t weights[FLAT_QUEUES];
    uint8_t remainders[FLAT_QUEUES];
    uint8_t next; /* The queue with the least key; valid while one may go. */
    uint8_t last; /* As in 'struct group'. */
    uint8_t turn; /* Added to keys so that of equal tags the one whose turn it
                   * is wins; see rank(). */
    uint8_t used; /* Queues that may have been active by weight since the tree
                   * changed. */
    bool by_bytes;
    bool is_on; /* It is used. */
    _Alignas(64) uint64_t keys[FLAT_QUEUES];
};

static_assert(sizeof(struct flat) == 128, "two cache lines");

struct scheduler {
    struct flat flat;
    uint64_t ready; /* If the contest is flat it is there. */
    struct group root;
    /* The contest: a group whose child at place n is queue n or leads only to
     * queue n, without competition above the group, in a tree without rates.
     * NULL if there is no such group.  If there is, only its state follows
     * 'ready'; the state of other groups does not. */
    struct group *contest;
    struct node *nodes;
    uint32_t n_queues;
    uint32_t n_nodes;     /* Queues and groups; node n_queues is the root. */
    struct group *groups; /* Of node n_queues + 1 + index. */
    struct timeline *releases; /* NULL until a node has rates. */
    struct timeline *dues;
    struct line_pool *memory; /* Borrowed; NULL: none. */
};

/* The most that a tag can be ahead: the largest frame at weight 1. */
#define MAX_LEAD ((uint64_t)SHAPER_MAX_FRAME_BYTES << TAG_SHIFT)

static inline struct group *
group_of(struct scheduler *s, uint32_t node)
{
    return node == s->n_queues ? &s->root : &s->groups[node - s->n_queues - 1];
}

static inline uint64_t
bit_of(const struct node *node)
{
    return UINT64_C(1) << node->place;
}

/* scheduler_flat.c */

/* Moves the state of the contest to the flat arrays, if it fits there. */
void scheduler_flatten__(struct scheduler *scheduler);

/* Moves it back, if it is there. */
void scheduler_unflatten__(struct scheduler *scheduler);

/* scheduler_pick.c */

/* scheduler_pick() and scheduler_sent() if there is no flat contest. */
uint32_t scheduler_pick_in_groups__(struct scheduler *scheduler, uint64_t ready,
                                    int64_t now_ps, int64_t *again_ps);
void scheduler_sent_in_groups__(struct scheduler *scheduler, uint32_t queue,
                                uint32_t length_bytes, int64_t now_ps);

/* Makes 'id', which was idle and has frames now, active or held. */
void scheduler_wake__(struct scheduler *scheduler, uint32_t id, int64_t now_ps);

/* Makes 'id' held or idle. */
void scheduler_rest__(struct scheduler *scheduler, uint32_t id, bool held);

/* Records whether a node has not had its minimum rate. */
void scheduler_set_owed__(struct scheduler *scheduler, uint32_t id, bool owed);

/* Updates whether 'id', which has rates, is owed its minimum rate, by its
 * bucket. */
void scheduler_judge_owed__(struct scheduler *scheduler, uint32_t id,
                            int64_t now_ps);

#endif /* twin/qos/scheduler_state.h */
