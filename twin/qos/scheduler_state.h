/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_SCHEDULER_STATE_H
#define ORCHD_TWIN_QOS_SCHEDULER_STATE_H

/* The inside of a scheduler, shared by its own files only.
 *
 * A node may go (its bit in its parent's 'active' is set; the root, if one of
 * its children may), is *held* (it has something to send, but its maximum rate
 * forbids; a timer wakes it), or is idle.  A group has something exactly if one
 * of its children may go.  So a change of one queue climbs only until a node
 * whose state does not change by it.
 *
 * Most trees are as good as flat: switches have a group per queue, in which
 * there is nothing to choose.  Then one group is the *contest* of all queues.
 *
 * What a packet needs of a queue is small and lies together: the scheduler with
 * its root in two cache lines, four children or four nodes in one. */

#include "twin/qos/scheduler.h"

#include "base/timeline.h"
#include "twin/qos/shaper.h"

enum {
    TAG_SHIFT = 16,  /* Tags count 1/65536 of a byte or packet. */
    NO_PLACE = 255,  /* No child. */
    LAST_PLACE = 63, /* Of a child. */
};

/* The rates of a node that has some. */
struct limits {
    struct scheduler *scheduler;
    uint32_t node;
    struct shaper max;
    struct shaper min;
    struct timer release; /* Ends being held. */
    struct timer due;     /* The minimum is owed again. */
};

struct node {
    struct limits *limits; /* Owned; NULL: no rates. */
    uint16_t parent;
    uint8_t place;  /* Among the children of 'parent'. */
    uint8_t weight; /* 1..255 */
    uint8_t type;   /* enum scheduler_type */
    bool by_bytes;  /* Its share is to be of bytes. */
    bool is_held;
    bool exists;
};

/* What a node is to its parent. */
struct child {
    uint64_t tag; /* Valid while it may go; compared modulo 2^64. */
    uint16_t node;
    uint8_t weight;    /* That of the node. */
    uint8_t remainder; /* Of 'tag', in 1/weight. */
};

/* The side of a node that is towards its children; masks are by place. */
struct group {
    uint64_t active; /* May go. */
    uint64_t strict;
    uint64_t owed;  /* Have not had their minimum rate. */
    uint64_t clock; /* Tag of the child that was served last by weight. */
    struct child *children; /* By place, in ascending order of nodes.  Owned;
                             * NULL if there are none.  Most have one. */
    uint8_t n;
    uint8_t last;  /* Place of the child that was served last by weight. */
    uint8_t next;  /* Of the one who is next, or NO_PLACE: not known. */
    bool by_bytes; /* Shares are of bytes. */
};

struct scheduler {
    uint64_t ready;
    struct group root;
    /* The group in which all queues compete, as place n is, or leads to nobody
     * but, queue n, and on the way to it nobody else competes; and there are no
     * rates.  NULL if there is no such group.  If there is, only its state is
     * kept up to date with 'ready', that of other groups is not. */
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

/* Lets 'id', which was idle and has work, take part, or holds it. */
void scheduler_wake__(struct scheduler *scheduler, uint32_t id, int64_t now_ps);

/* Takes 'id' out; 'held': because of its rate. */
void scheduler_rest__(struct scheduler *scheduler, uint32_t id, bool held);

/* Notes whether a node has not had its minimum rate. */
void scheduler_set_owed__(struct scheduler *scheduler, uint32_t id, bool owed);

/* Brings what is owed to 'id', which has rates, in line with its bucket. */
void scheduler_judge_owed__(struct scheduler *scheduler, uint32_t id,
                            int64_t now_ps);

#endif /* twin/qos/scheduler_state.h */
