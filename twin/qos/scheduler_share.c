/* SPDX-License-Identifier: Apache-2.0 */

/* One tree for ports that are configured alike.
 *
 * While the contest is flat, all that changes is in the flat arrays, and the
 * tree is only kept for the next change of it.  Most ports of a switch, and of
 * all switches of a kind, have equal trees then, so one is enough.  A scheduler
 * that needs its own again gets a copy. */

#include <config.h>

#include "twin/qos/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/qos/scheduler_state.h"

/* Returns a copy of 'n' items of 'size', NULL if there are none. */
static void *
copy_of(const void *items, size_t n, size_t size)
{
    void *copy = n ? check_malloc(n * size) : NULL;

    return copy ? memcpy(copy, items, n * size) : NULL;
}

/* Returns the size of the array of the children of 'group': a power of two. */
static size_t
capacity(const struct group *group)
{
    size_t n = 1;

    while (n < group->n) {
        n *= 2;
    }
    return group->n ? n : 0;
}

static void
copy_children(struct group *group)
{
    group->children =
        copy_of(group->children, capacity(group), sizeof *group->children);
}

void
scheduler_unshare__(struct scheduler *s)
{
    const uint32_t n_groups = s->n_nodes - s->n_queues - 1;
    const struct group *old = s->groups;

    if (!s->n_sharers) {
        return;
    }
    if (--*s->n_sharers == 0) { /* The others have left. */
        free(s->n_sharers);
        s->n_sharers = NULL;
        return;
    }
    s->n_sharers = NULL;
    s->nodes = copy_of(s->nodes, s->n_nodes, sizeof *s->nodes);
    s->groups = copy_of(old, n_groups, sizeof *s->groups);
    copy_children(&s->root);
    for (uint32_t i = 0; i < n_groups; i++) {
        copy_children(&s->groups[i]);
    }
    if (s->contest != &s->root) {
        s->contest = &s->groups[s->contest - old];
    }
}

void
scheduler_free_tree__(struct scheduler *s)
{
    if (s->n_sharers && --*s->n_sharers > 0) {
        return;
    }
    free(s->n_sharers);
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        free(s->nodes[i].limits);
    }
    for (uint32_t i = s->n_queues; i < s->n_nodes; i++) {
        free(group_of(s, i)->children);
    }
    free(s->groups);
    free(s->nodes);
}

/* Returns whether the groups of nodes 'id' of two schedulers are alike, with
 * the state that is not in the flat arrays. */
static bool
groups_are_alike(struct scheduler *a, struct scheduler *b, uint32_t id)
{
    const struct group *x = group_of(a, id);
    const struct group *y = group_of(b, id);
    const bool is_contest = x == a->contest;

    if (x->n != y->n ||
        (!is_contest && (x->clock != y->clock || x->last != y->last))) {
        return false;
    }
    for (uint32_t i = is_contest ? FLAT_QUEUES : 0; i < x->n; i++) {
        if (x->children[i].tag != y->children[i].tag ||
            x->children[i].remainder != y->children[i].remainder) {
            return false;
        }
    }
    return true;
}

/* Returns whether the nodes with number 'id' of both are configured alike. */
static bool
are_alike(struct scheduler *a, struct scheduler *b, uint32_t id)
{
    const struct node *x = &a->nodes[id];
    const struct node *y = &b->nodes[id];

    if (x->limits || y->limits || x->exists != y->exists ||
        x->parent != y->parent || x->place != y->place ||
        x->weight != y->weight || x->type != y->type ||
        x->by_bytes != y->by_bytes) {
        return false;
    }
    return id < a->n_queues || groups_are_alike(a, b, id);
}

/* Returns the node whose group is the contest. */
static uint32_t
contest_node(const struct scheduler *s)
{
    return s->contest == &s->root
               ? s->n_queues
               : s->n_queues + 1 + (uint32_t)(s->contest - s->groups);
}

bool
scheduler_share(struct scheduler *s, struct scheduler *with)
{
    if (s == with || !s->flat.is_on || !with->flat.is_on ||
        s->n_nodes != with->n_nodes || s->n_queues != with->n_queues ||
        contest_node(s) != contest_node(with)) {
        return false;
    }
    if (s->nodes == with->nodes) {
        return true;
    }
    for (uint32_t id = 0; id < s->n_nodes; id++) {
        if (!are_alike(s, with, id)) {
            return false;
        }
    }
    if (!with->n_sharers) {
        with->n_sharers = check_malloc(sizeof *with->n_sharers);
        *with->n_sharers = 1;
    }
    scheduler_free_tree__(s);
    ++*with->n_sharers;
    s->n_sharers = with->n_sharers;
    s->nodes = with->nodes;
    s->groups = with->groups;
    s->contest = with->contest == &with->root ? &s->root : with->contest;
    s->root.children = with->root.children;
    return true;
}

size_t
scheduler_memory(const struct scheduler *s)
{
    const uint32_t n_groups = s->n_nodes - s->n_queues - 1;
    size_t bytes = s->n_nodes * sizeof *s->nodes +
                   n_groups * sizeof *s->groups +
                   capacity(&s->root) * sizeof *s->root.children;

    for (uint32_t i = 0; i < n_groups; i++) {
        bytes += capacity(&s->groups[i]) * sizeof *s->root.children;
    }
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        bytes += s->nodes[i].limits ? sizeof *s->nodes[i].limits : 0;
    }
    return sizeof *s + bytes / (s->n_sharers ? *s->n_sharers : 1);
}
