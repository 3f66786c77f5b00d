/* SPDX-License-Identifier: Apache-2.0 */

/* The tree of a port: start-time fair queueing, strict priority, rates.
 *
 * A node is IDLE (nothing to send), ACTIVE (it may go; its bit in its parent's
 * 'active' is set) or HELD (it has something, but its maximum rate forbids; a
 * timer wakes it).  A group has something exactly if one of its children is
 * active.  So a change of one queue climbs only until a node whose state does
 * not change by it. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "twin/qos/shaper.h"

enum {
    TAG_SHIFT = 16, /* Tags count 1/65536 of a byte or packet. */
    MAX_NODES = UINT16_MAX,
};

/* The most that a tag can be ahead: the largest frame at weight 1. */
#define MAX_LEAD ((uint64_t)SHAPER_MAX_FRAME_BYTES << TAG_SHIFT)

enum state { IDLE, ACTIVE, HELD };

/* The rates of a node that has some. */
struct limits {
    struct scheduler *scheduler;
    uint32_t node;
    struct shaper max;
    struct shaper min;
    struct timer release; /* Ends HELD. */
    struct timer due;     /* The minimum is owed again. */
};

struct node {
    struct limits *limits; /* Owned; NULL: no rates. */
    uint64_t tag;          /* Valid while active, and compared modulo 2^64. */
    uint16_t parent;
    uint8_t place;     /* Among the children of 'parent'. */
    uint8_t weight;    /* 1..255 */
    uint8_t remainder; /* Of 'tag', in 1/weight. */
    uint8_t type;      /* enum scheduler_type */
    uint8_t state;     /* enum state */
    bool by_bytes;     /* Its share is to be of bytes. */
    bool is_owed;
    bool exists;
};

/* The side of a node that is towards its children; masks are by place. */
struct group {
    uint64_t active;
    uint64_t strict;
    uint64_t owed;
    uint64_t clock;     /* Tag of the child that was served last by weight. */
    uint16_t *children; /* By place, in ascending order.  Owned; NULL if there
                         * are none.  Most groups have one. */
    uint8_t n;
    uint8_t last;  /* Place of that child. */
    bool by_bytes; /* Shares are of bytes. */
};

struct scheduler {
    uint64_t ready;
    uint32_t n_queues;
    uint32_t n_nodes; /* Queues and groups; node n_queues is the root. */
    struct node *nodes;
    struct group *groups;      /* Of node n_queues + index. */
    struct timeline *releases; /* NULL until a node has rates. */
    struct timeline *dues;
};

static struct group *
group_of(const struct scheduler *s, uint32_t node)
{
    return &s->groups[node - s->n_queues];
}

static bool
is_group(const struct scheduler *s, uint32_t node)
{
    return node >= s->n_queues && node < s->n_nodes && s->nodes[node].exists;
}

static bool
is_node(const struct scheduler *s, uint32_t node)
{
    return node < s->n_queues || is_group(s, node);
}

static uint64_t
bit_of(const struct node *node)
{
    return UINT64_C(1) << node->place;
}

/* State --------------------------------------------------------------- */

static bool
has_work(const struct scheduler *s, uint32_t node)
{
    return node < s->n_queues ? (s->ready >> node & 1) != 0
                              : group_of(s, node)->active != 0;
}

/* Returns the place with the least tag among 'places', of which there is at
 * least one; of several the one whose turn it is. */
static uint32_t
least(const struct scheduler *s, const struct group *group, uint64_t places)
{
    const uint64_t later =
        group->last < 63 ? places & ~((UINT64_C(2) << group->last) - 1) : 0;
    uint64_t left = later ? later : places;
    uint32_t best = (uint32_t)__builtin_ctzll(left);
    uint64_t best_tag = s->nodes[group->children[best]].tag;

    /* From the one in turn to the end, then from the beginning. */
    for (int lap = 0; lap < 2; lap++) {
        for (; left; left &= left - 1) {
            const uint32_t place = (uint32_t)__builtin_ctzll(left);
            const uint64_t tag = s->nodes[group->children[place]].tag;

            if ((int64_t)(tag - best_tag) < 0) {
                best = place;
                best_tag = tag;
            }
        }
        left = places & ~later;
    }
    return best;
}

/* Returns the tag with which 'node' starts: that of its last frame's end, but
 * not less than that of the sibling who is next.  One that is too far ahead has
 * been away for so long that the numbers have wrapped. */
static uint64_t
start_tag(const struct scheduler *s, const struct group *group,
          const struct node *node)
{
    const uint64_t others = group->active & ~group->strict;
    const uint64_t present =
        others ? s->nodes[group->children[least(s, group, others)]].tag
               : group->clock;

    return node->tag - present <= MAX_LEAD ? node->tag : present;
}

/* Lets 'id', which was idle and has work, take part, or be held. */
static void
wake(struct scheduler *s, uint32_t id, int64_t now_ps)
{
    const uint32_t root = s->n_queues;

    for (;;) {
        struct node *node = &s->nodes[id];
        struct group *group;
        uint64_t before;

        if (node->state != IDLE) {
            return;
        }
        if (node->limits && shaper_ready_ps(&node->limits->max) > now_ps) {
            node->state = HELD;
            timeline_set(s->releases, &node->limits->release,
                         shaper_ready_ps(&node->limits->max));
            return;
        }
        node->state = ACTIVE;
        if (id == root) {
            return;
        }
        group = group_of(s, node->parent);
        before = group->active;
        if (node->type != SCHEDULER_STRICT) {
            node->tag = start_tag(s, group, node);
        }
        group->active |= bit_of(node);
        if (before) {
            return;
        }
        id = node->parent;
    }
}

/* Takes 'id' out: it becomes 'state', IDLE or HELD. */
static void
rest(struct scheduler *s, uint32_t id, enum state state)
{
    const uint32_t root = s->n_queues;

    for (;;) {
        struct node *node = &s->nodes[id];
        struct group *group;
        const bool was_active = node->state == ACTIVE;

        if (node->state == HELD) {
            timeline_cancel(s->releases, &node->limits->release);
        }
        node->state = (uint8_t)state;
        if (!was_active || id == root) {
            return;
        }
        group = group_of(s, node->parent);
        group->active &= ~bit_of(node);
        if (group->active) {
            return;
        }
        id = node->parent;
        state = IDLE; /* What is above has nothing left. */
    }
}

/* A timer_fn: the maximum rate of a node lets it go on. */
static void
on_release(struct timer *timer, int64_t when)
{
    struct limits *limits = timer->owner;
    struct scheduler *s = limits->scheduler;

    s->nodes[limits->node].state = IDLE;
    wake(s, limits->node, when);
}

static void
set_owed(struct scheduler *s, uint32_t id, bool owed)
{
    struct node *node = &s->nodes[id];

    node->is_owed = owed;
    if (id == s->n_queues) {
        return;
    }
    if (owed) {
        group_of(s, node->parent)->owed |= bit_of(node);
    } else {
        group_of(s, node->parent)->owed &= ~bit_of(node);
    }
}

/* A timer_fn: a node has a right to its minimum rate again. */
static void
on_due(struct timer *timer, int64_t when)
{
    struct limits *limits = timer->owner;

    (void)when;
    set_owed(limits->scheduler, limits->node, true);
}

/* Brings what is owed to 'id', which has rates, in line with its bucket. */
static void
judge_owed(struct scheduler *s, uint32_t id, int64_t now_ps)
{
    struct limits *limits = s->nodes[id].limits;
    const int64_t due_ps = shaper_ready_ps(&limits->min);
    const bool on = shaper_is_on(&limits->min);

    set_owed(s, id, on && due_ps <= now_ps);
    if (on && due_ps > now_ps) {
        timeline_set(s->dues, &limits->due, due_ps);
    } else {
        timeline_cancel(s->dues, &limits->due);
    }
}

/* Tree ---------------------------------------------------------------- */

static struct node
new_node(uint32_t parent)
{
    return (struct node){
        .parent = (uint16_t)parent,
        .weight = SCHEDULER_DEFAULT.weight,
        .type = (uint8_t)SCHEDULER_DEFAULT.type,
        .exists = true,
    };
}

/* Makes the masks of 'group' what its children are. */
static void
rebuild(struct scheduler *s, struct group *group)
{
    bool by_bytes = false;

    group->active = group->strict = group->owed = 0;
    for (uint8_t i = 0; i < group->n; i++) {
        struct node *child = &s->nodes[group->children[i]];
        const uint64_t bit = UINT64_C(1) << i;

        child->place = i;
        group->active |= child->state == ACTIVE ? bit : 0;
        group->strict |= child->type == SCHEDULER_STRICT ? bit : 0;
        group->owed |= child->is_owed ? bit : 0;
        by_bytes |= child->by_bytes;
    }
    /* Tags of another unit mean nothing. */
    for (uint8_t i = 0; i < group->n && by_bytes != group->by_bytes; i++) {
        s->nodes[group->children[i]].tag = group->clock;
        s->nodes[group->children[i]].remainder = 0;
    }
    group->by_bytes = by_bytes;
    if (group->last >= group->n) {
        group->last = group->n ? (uint8_t)(group->n - 1) : 0;
    }
}

/* Puts 'id' among the children of its parent, which has room. */
static void
attach(struct scheduler *s, uint32_t id)
{
    struct node *node = &s->nodes[id];
    struct group *group = group_of(s, node->parent);
    uint8_t at = group->n++;

    if ((at & (at - 1)) == 0) { /* There is room for a power of two. */
        group->children = check_realloc(
            group->children, (at ? 2u * at : 1u) * sizeof *group->children);
    }
    while (at > 0 && group->children[at - 1] > id) {
        group->children[at] = group->children[at - 1];
        at--;
    }
    group->children[at] = (uint16_t)id;
    node->tag = group->clock;
    node->remainder = 0;
    rebuild(s, group);
    group->last = (uint8_t)(group->n - 1); /* The first is the next. */
}

/* Takes 'id', which is idle, out of the children of its parent. */
static void
detach(struct scheduler *s, uint32_t id)
{
    const struct node *node = &s->nodes[id];
    struct group *group = group_of(s, node->parent);

    group->n--;
    memmove(&group->children[node->place], &group->children[node->place + 1],
            (size_t)(group->n - node->place) * sizeof group->children[0]);
    if (group->n == 0) {
        free(group->children);
        group->children = NULL;
    }
    rebuild(s, group);
}

struct scheduler *
scheduler_create(uint32_t n_queues)
{
    struct scheduler *s = check_calloc(1, sizeof *s);

    orch_assert(n_queues >= 1 && n_queues <= SCHEDULER_QUEUES);
    s->n_queues = n_queues;
    s->n_nodes = n_queues + 1;
    s->nodes = check_calloc(s->n_nodes, sizeof *s->nodes);
    s->groups = check_calloc(1, sizeof *s->groups);
    s->nodes[n_queues] = new_node(n_queues);
    for (uint32_t i = 0; i < n_queues; i++) {
        s->nodes[i] = new_node(n_queues);
        attach(s, i);
    }
    return s;
}

void
scheduler_destroy(struct scheduler *s)
{
    if (!s) {
        return;
    }
    timeline_destroy(s->releases);
    timeline_destroy(s->dues);
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        free(s->nodes[i].limits);
    }
    for (uint32_t i = s->n_queues; i < s->n_nodes; i++) {
        free(group_of(s, i)->children);
    }
    free(s->groups);
    free(s->nodes);
    free(s);
}

uint32_t
scheduler_root(const struct scheduler *s)
{
    return s->n_queues;
}

/* Returns the first node that does not exist, which may be a new one. */
static uint32_t
free_node(struct scheduler *s)
{
    uint32_t id = s->n_queues;

    while (id < s->n_nodes && s->nodes[id].exists) {
        id++;
    }
    if (id == s->n_nodes) {
        s->n_nodes++;
        s->nodes = check_realloc(s->nodes, s->n_nodes * sizeof *s->nodes);
        s->groups = check_realloc(s->groups, (s->n_nodes - s->n_queues) *
                                                 sizeof *s->groups);
    }
    return id;
}

enum st
scheduler_add(struct scheduler *s, uint32_t parent, uint32_t *group)
{
    uint32_t id;

    if (!is_group(s, parent)) {
        return ST_INVALID;
    }
    if (group_of(s, parent)->n == SCHEDULER_CHILDREN ||
        s->n_nodes == MAX_NODES) {
        return ST_NO_RESOURCE;
    }
    id = free_node(s);
    s->nodes[id] = new_node(parent);
    *group_of(s, id) = (struct group){0};
    attach(s, id);
    *group = id;
    return ST_OK;
}

enum st
scheduler_remove(struct scheduler *s, uint32_t id)
{
    struct limits *limits;

    if (!is_group(s, id) || id == s->n_queues) {
        return ST_INVALID;
    }
    if (group_of(s, id)->n) {
        return ST_BUSY;
    }
    detach(s, id); /* Without children it is idle. */
    limits = s->nodes[id].limits;
    if (limits) {
        timeline_cancel(s->dues, &limits->due);
        free(limits);
    }
    s->nodes[id] = (struct node){0};
    return ST_OK;
}

/* Returns whether 'node' is 'above' or below it. */
static bool
is_below(const struct scheduler *s, uint32_t node, uint32_t above)
{
    while (node != above && node != s->n_queues) {
        node = s->nodes[node].parent;
    }
    return node == above;
}

enum st
scheduler_move(struct scheduler *s, uint32_t id, uint32_t parent,
               int64_t now_ps)
{
    if (!is_node(s, id) || id == s->n_queues || !is_group(s, parent) ||
        is_below(s, parent, id)) {
        return ST_INVALID;
    }
    if (s->nodes[id].parent == parent) {
        return ST_OK;
    }
    if (group_of(s, parent)->n == SCHEDULER_CHILDREN) {
        return ST_NO_RESOURCE;
    }
    rest(s, id, IDLE);
    detach(s, id);
    s->nodes[id].parent = (uint16_t)parent;
    attach(s, id);
    if (has_work(s, id)) {
        wake(s, id, now_ps);
    }
    return ST_OK;
}

uint32_t
scheduler_parent(const struct scheduler *s, uint32_t id)
{
    return is_node(s, id) && id != s->n_queues ? s->nodes[id].parent
                                               : SCHEDULER_NONE;
}

/* Returns the rates of 'id', which are made if there are none. */
static struct limits *
need_limits(struct scheduler *s, uint32_t id)
{
    struct limits *limits = s->nodes[id].limits;

    if (!limits) {
        limits = s->nodes[id].limits = check_calloc(1, sizeof *limits);
        limits->scheduler = s;
        limits->node = id;
        limits->release = (struct timer){.fire = on_release, .owner = limits};
        limits->due = (struct timer){.fire = on_due, .owner = limits};
    }
    if (!s->releases) {
        s->releases = timeline_create();
        s->dues = timeline_create();
    }
    return limits;
}

enum st
scheduler_set(struct scheduler *s, uint32_t id,
              const struct scheduler_config *config, int64_t now_ps)
{
    struct node *node;

    if (!is_node(s, id) || config->weight == 0 ||
        (unsigned int)config->type > SCHEDULER_DWRR) {
        return ST_INVALID;
    }
    node = &s->nodes[id];
    rest(s, id, IDLE);
    if (node->limits || config->min_rate || config->max_rate) {
        struct limits *limits = need_limits(s, id);

        shaper_set(&limits->max, config->max_rate, config->max_burst,
                   config->by_packets, now_ps);
        shaper_set(&limits->min, config->min_rate, config->min_burst,
                   config->by_packets, now_ps);
        judge_owed(s, id, now_ps);
    }
    if (node->weight != config->weight) {
        node->weight = config->weight;
        node->remainder = 0;
    }
    node->type = (uint8_t)config->type;
    node->by_bytes = config->type == SCHEDULER_DWRR && !config->by_packets;
    if (id != s->n_queues) {
        rebuild(s, group_of(s, node->parent));
    }
    if (has_work(s, id)) {
        wake(s, id, now_ps);
    }
    return ST_OK;
}

/* Transmission -------------------------------------------------------- */

/* Tells the tree which queues became ready, or no longer are. */
static void
update_ready(struct scheduler *s, uint64_t ready, int64_t now_ps)
{
    uint64_t changed = s->ready ^ ready;

    s->ready = ready;
    while (changed) {
        const uint32_t queue = (uint32_t)__builtin_ctzll(changed);

        changed &= changed - 1;
        if (ready >> queue & 1) {
            wake(s, queue, now_ps);
        } else {
            rest(s, queue, IDLE);
        }
    }
}

/* Chooses among the children of 'group', of which one is active. */
static uint32_t
choose(const struct scheduler *s, const struct group *group)
{
    uint64_t places = group->active;

    if (places & group->owed) {
        places &= group->owed;
    }
    if (places & group->strict) {
        places &= group->strict;
        return group->children[63 - __builtin_clzll(places)];
    }
    if ((places & (places - 1)) == 0) {
        return group->children[__builtin_ctzll(places)];
    }
    return group->children[least(s, group, places)];
}

uint32_t
scheduler_pick(struct scheduler *s, uint64_t ready, int64_t now_ps,
               int64_t *again_ps)
{
    uint32_t id = s->n_queues;

    update_ready(s, ready, now_ps);
    if (s->releases) {
        timeline_run(s->releases, now_ps);
        timeline_run(s->dues, now_ps);
    }
    if (s->nodes[id].state != ACTIVE) {
        *again_ps = s->releases ? timeline_next(s->releases) : INT64_MAX;
        return SCHEDULER_NONE;
    }
    while (id >= s->n_queues) {
        id = choose(s, group_of(s, id));
    }
    return id;
}

/* Counts a frame to the share of 'node', and to its turn. */
static void
charge_share(struct scheduler *s, struct node *node, uint32_t length_bytes)
{
    struct group *group = group_of(s, node->parent);
    uint64_t work;

    if (node->type == SCHEDULER_STRICT || node->is_owed) {
        return;
    }
    group->last = node->place;
    group->clock = node->tag;
    work = ((uint64_t)(group->by_bytes ? length_bytes : 1) << TAG_SHIFT) +
           node->remainder;
    node->tag += work / node->weight;
    node->remainder = (uint8_t)(work % node->weight);
}

/* Takes a frame out of the buckets of 'id', which has rates. */
static void
charge_limits(struct scheduler *s, uint32_t id, uint32_t length_bytes,
              int64_t now_ps)
{
    struct node *node = &s->nodes[id];
    struct limits *limits = node->limits;

    if (shaper_is_on(&limits->min)) {
        if (node->is_owed) {
            shaper_charge(&limits->min, length_bytes, now_ps);
        } else {
            shaper_drain(&limits->min, length_bytes, now_ps);
        }
        judge_owed(s, id, now_ps);
    }
    shaper_charge(&limits->max, length_bytes, now_ps);
    if (node->state == ACTIVE && shaper_ready_ps(&limits->max) > now_ps) {
        rest(s, id, HELD);
        timeline_set(s->releases, &limits->release,
                     shaper_ready_ps(&limits->max));
    }
}

void
scheduler_sent(struct scheduler *s, uint32_t queue, uint32_t length_bytes,
               int64_t now_ps)
{
    const uint32_t root = s->n_queues;

    for (uint32_t id = queue;; id = s->nodes[id].parent) {
        if (id != root) {
            charge_share(s, &s->nodes[id], length_bytes);
        }
        if (s->nodes[id].limits) {
            charge_limits(s, id, length_bytes, now_ps);
        }
        if (id == root) {
            return;
        }
    }
}
