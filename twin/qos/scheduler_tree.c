/* SPDX-License-Identifier: Apache-2.0 */

/* Builds and changes the scheduler tree of a port. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/qos/scheduler_state.h"

enum { MAX_NODES = UINT16_MAX };

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

static bool
has_work(struct scheduler *s, uint32_t node)
{
    return node < s->n_queues ? (s->ready >> node & 1) != 0
                              : group_of(s, node)->active != 0;
}

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

/* Updates the data of 'group' about its children from their nodes. */
static void
rebuild(struct scheduler *s, struct group *group)
{
    bool by_bytes = false;

    group->strict = 0;
    group->next = NO_PLACE;
    for (uint8_t i = 0; i < group->n; i++) {
        struct child *child = &group->children[i];
        struct node *node = &s->nodes[child->node];

        node->place = i;
        child->weight = node->weight;
        group->strict |= node->type == SCHEDULER_STRICT ? bit_of(node) : 0;
        by_bytes |= node->by_bytes;
    }
    /* Tags of another unit are not comparable. */
    for (uint8_t i = 0; i < group->n && by_bytes != group->by_bytes; i++) {
        group->children[i].tag = group->clock;
        group->children[i].remainder = 0;
    }
    group->by_bytes = by_bytes;
    if (group->last >= group->n) {
        group->last = group->n ? (uint8_t)(group->n - 1) : 0;
    }
}

/* Return 'mask' with a bit inserted at 'place', or with that bit removed. */
static uint64_t
mask_open(uint64_t mask, uint8_t place)
{
    const uint64_t below = (UINT64_C(1) << place) - 1;

    return (mask & below) | (mask & ~below) << 1;
}

static uint64_t
mask_close(uint64_t mask, uint8_t place)
{
    const uint64_t below = (UINT64_C(1) << place) - 1;

    return (mask & below) | (mask >> 1 & ~below);
}

/* Inserts 'id' into the children of its parent, which has room. */
static void
attach(struct scheduler *s, uint32_t id)
{
    struct group *group = group_of(s, s->nodes[id].parent);
    uint8_t at = group->n++;

    if ((at & (at - 1)) == 0) { /* The array grows at powers of two. */
        group->children = check_realloc(
            group->children, (at ? 2u * at : 1u) * sizeof *group->children);
    }
    while (at > 0 && group->children[at - 1].node > id) {
        group->children[at] = group->children[at - 1];
        at--;
    }
    group->children[at] =
        (struct child){.tag = group->clock, .node = (uint16_t)id};
    group->active = mask_open(group->active, at);
    group->owed = mask_open(group->owed, at);
    rebuild(s, group);
    group->last = (uint8_t)(group->n - 1); /* The first child is next. */
}

/* Removes 'id', which is idle, from the children of its parent. */
static void
detach(struct scheduler *s, uint32_t id)
{
    const uint8_t place = s->nodes[id].place;
    struct group *group = group_of(s, s->nodes[id].parent);

    group->n--;
    memmove(&group->children[place], &group->children[place + 1],
            (size_t)(group->n - place) * sizeof group->children[0]);
    if (group->n == 0) {
        free(group->children);
        group->children = NULL;
    }
    group->active = mask_close(group->active, place);
    group->owed = mask_close(group->owed, place);
    rebuild(s, group);
}

/* Returns an empty group. */
static struct group
new_group(void)
{
    return (struct group){.next = NO_PLACE};
}

/* The contest --------------------------------------------------------- */

/* Returns the only queue that 'node' is or leads to, SCHEDULER_NONE if it leads
 * to none.  Sets '*alone' to false if it leads to several. */
static uint32_t
sole_queue(struct scheduler *s, uint32_t node, bool *alone)
{
    while (node >= s->n_queues) {
        const struct group *group = group_of(s, node);

        *alone &= group->n <= 1;
        if (group->n == 0) {
            return SCHEDULER_NONE;
        }
        node = group->children[0].node;
    }
    return node;
}

static bool
has_rates(const struct scheduler *s)
{
    for (uint32_t id = 0; s->releases && id < s->n_nodes; id++) {
        const struct limits *limits = s->nodes[id].limits;

        if (limits &&
            (shaper_is_on(&limits->max) || shaper_is_on(&limits->min))) {
            return true;
        }
    }
    return false;
}

/* Finds the contest, if there is one.  Must be called after each change of the
 * tree. */
static void
find_contest(struct scheduler *s)
{
    struct group *group = &s->root;
    bool fits = !has_rates(s);

    while (group->n == 1 && group->children[0].node >= s->n_queues) {
        group = group_of(s, group->children[0].node);
    }
    for (uint32_t place = 0; place < group->n; place++) {
        const uint32_t queue =
            sole_queue(s, group->children[place].node, &fits);

        fits &= queue == SCHEDULER_NONE || queue == place;
    }
    s->contest = fits ? group : NULL;
    scheduler_flatten__(s);
}

/* Updates the state of all groups from the contest, because a tree needs all of
 * it.  Must be called before each change. */
static void
end_contest(struct scheduler *s)
{
    const struct group *contest;

    if (!s->contest) {
        return;
    }
    scheduler_unflatten__(s);
    contest = s->contest;
    s->contest = NULL;
    for (uint32_t id = s->n_queues; id < s->n_nodes; id++) {
        struct group *group = group_of(s, id);

        if (group != contest && s->nodes[id].exists) {
            bool alone = true;
            const uint32_t queue = sole_queue(s, id, &alone);

            /* Groups above the contest lead to several queues. */
            group->active =
                !alone ? s->ready != 0
                       : queue != SCHEDULER_NONE && (s->ready >> queue & 1);
            group->next = NO_PLACE;
        }
    }
}

struct scheduler *
scheduler_create(struct line_pool *memory, uint32_t n_queues)
{
    struct scheduler *s =
        memory ? line_pool_take(memory, sizeof *s)
               : aligned_alloc(_Alignof(struct scheduler), sizeof *s);

    orch_assert(s && n_queues >= 1 && n_queues <= SCHEDULER_QUEUES);
    memset(s, 0, sizeof *s);
    s->memory = memory;
    s->n_queues = n_queues;
    s->n_nodes = n_queues + 1;
    s->nodes = check_calloc(s->n_nodes, sizeof *s->nodes);
    s->root = new_group();
    s->nodes[n_queues] = new_node(n_queues);
    for (uint32_t i = 0; i < n_queues; i++) {
        s->nodes[i] = new_node(n_queues);
        attach(s, i);
    }
    find_contest(s);
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
    if (s->memory) {
        line_pool_give(s->memory, s, sizeof *s);
    } else {
        free(s);
    }
}

uint32_t
scheduler_root(const struct scheduler *s)
{
    return s->n_queues;
}

/* Returns the first free node; extends the table if there is none. */
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
        s->groups = check_realloc(s->groups, (s->n_nodes - s->n_queues - 1) *
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
    end_contest(s);
    id = free_node(s);
    s->nodes[id] = new_node(parent);
    *group_of(s, id) = new_group();
    attach(s, id);
    find_contest(s);
    *group = id;
    return ST_OK;
}

enum st
scheduler_wrap(struct scheduler *s, uint32_t *group)
{
    uint32_t id;
    struct group *inner;

    if (s->n_nodes == MAX_NODES) {
        return ST_NO_RESOURCE;
    }
    end_contest(s);
    id = free_node(s);
    inner = group_of(s, id);
    *inner = s->root;
    for (uint8_t i = 0; i < inner->n; i++) {
        s->nodes[inner->children[i].node].parent = (uint16_t)id;
    }
    s->root = new_group();
    s->nodes[id] = new_node(s->n_queues);
    attach(s, id);
    s->root.active = inner->active != 0;
    find_contest(s);
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
    end_contest(s);
    detach(s, id); /* It has no children, so it is idle. */
    limits = s->nodes[id].limits;
    if (limits) {
        timeline_cancel(s->dues, &limits->due);
        free(limits);
    }
    s->nodes[id] = (struct node){0};
    find_contest(s);
    return ST_OK;
}

/* Returns whether 'node' is 'above' itself or below it. */
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
    end_contest(s);
    scheduler_rest__(s, id, false);
    detach(s, id);
    s->nodes[id].parent = (uint16_t)parent;
    attach(s, id);
    if (s->nodes[id].limits) {
        scheduler_judge_owed__(s, id, now_ps);
    }
    if (has_work(s, id)) {
        scheduler_wake__(s, id, now_ps);
    }
    find_contest(s);
    return ST_OK;
}

uint32_t
scheduler_parent(const struct scheduler *s, uint32_t id)
{
    return is_node(s, id) && id != s->n_queues ? s->nodes[id].parent
                                               : SCHEDULER_NONE;
}

/* A timer_fn: the maximum rate of a node releases it. */
static void
on_release(struct timer *timer, int64_t when)
{
    struct limits *limits = timer->owner;
    struct scheduler *s = limits->scheduler;

    s->nodes[limits->node].is_held = false;
    scheduler_wake__(s, limits->node, when);
}

/* A timer_fn: a node is owed its minimum rate again. */
static void
on_due(struct timer *timer, int64_t when)
{
    struct limits *limits = timer->owner;

    (void)when;
    scheduler_set_owed__(limits->scheduler, limits->node, true);
}

/* Returns the rates of 'id'.  Allocates them if there are none. */
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
    end_contest(s); /* May move the tree. */
    node = &s->nodes[id];
    scheduler_rest__(s, id, false);
    if (node->limits || config->min_rate || config->max_rate) {
        struct limits *limits = need_limits(s, id);

        shaper_set(&limits->max, config->max_rate, config->max_burst,
                   config->by_packets, now_ps);
        shaper_set(&limits->min, config->min_rate, config->min_burst,
                   config->by_packets, now_ps);
        scheduler_judge_owed__(s, id, now_ps);
    }
    if (node->weight != config->weight && id != s->n_queues) {
        group_of(s, node->parent)->children[node->place].remainder = 0;
    }
    node->weight = config->weight;
    node->type = (uint8_t)config->type;
    node->by_bytes = config->type == SCHEDULER_DWRR && !config->by_packets;
    if (id != s->n_queues) {
        rebuild(s, group_of(s, node->parent));
    }
    if (has_work(s, id)) {
        scheduler_wake__(s, id, now_ps);
    }
    find_contest(s);
    return ST_OK;
}
