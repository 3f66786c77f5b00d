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
 * which leaves no choice.  Then one group is the *contest* of all queues.
 *
 * The data that a packet needs is small and adjacent: the scheduler with its
 * root takes two cache lines, four children or four nodes take one. */

#include "twin/qos/scheduler.h"

#include "base/timeline.h"
#include "twin/qos/shaper.h"

enum {
    TAG_SHIFT = 16,  /* Tags count 1/65536 of a byte or packet. */
    NO_PLACE = 255,  /* No child. */
    LAST_PLACE = 63, /* The highest place of a child. */
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

struct scheduler {
    uint64_t ready;
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
};

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

/* scheduler_pick.c */

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
