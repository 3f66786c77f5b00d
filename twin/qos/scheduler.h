/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_SCHEDULER_H
#define ORCHD_TWIN_QOS_SCHEDULER_H

/* Which queue of a port sends next.
 *
 * A port has a tree: the root is the port, its leaves are the queues, between
 * them there may be groups.  Whenever the wire is free the scheduler walks the
 * tree from the root down. At each node it chooses one child among those that
 * *may go*: a child that is a ready queue, or a group with a child that may go,
 * and that its maximum rate does not hold.
 *
 *   1. If some of them have not had their minimum rate, only these count.
 *   2. If some of them are STRICT, the one with the highest number wins: queue
 *      7 before queue 6, and groups before queues, in the order of their
 *      creation.
 *   3. Else the shares are by weight: of bytes (DWRR) or of packets (WRR, or
 *      DWRR that is metered in packets).  If both kinds are siblings, all
 *      shares are in bytes.
 *
 * Weights.  Deficit rounds would let a queue of weight 100 send 100 frames in a
 * row, and would visit all children without a result when a frame is larger
 * than the quantum.  We use start-time fair queueing: every child has a *tag*,
 * the work done for it divided by its weight; the least tag wins, in turn if
 * several are equal.  That is deficit round robin with an infinitely small
 * quantum: frames are interleaved as finely as possible.  A child that could
 * not go gets at least the tag of the next child, so it cannot accumulate
 * credit.  Divisions carry their remainder, so shares are exact in the long
 * run.  At any time, two children that may always go differ by at most one
 * frame each:
 *
 *   | sent(i) / weight(i) - sent(j) / weight(j) | <=
 *                             frame(i) / weight(i) + frame(j) / weight(j)
 *
 * Frames that a child sends by its minimum rate do not count to its share.
 *
 * Rates are token buckets (shaper.h): a node that has used up its maximum is
 * held, at its place in the tree, until its bucket releases it.
 *
 * Cost: a pick visits one node per level.  At each it reads bit masks and, if
 * weights decide, the tags of the children that may go, at most
 * SCHEDULER_CHILDREN.  A change of ready queues costs one step per level for
 * each queue that changed.  Held nodes wait in a heap.  Only changes of the
 * tree allocate memory, picks do not.
 *
 * Reference: Goyal, Vin and Cheng, "Start-time fair queuing" (1996); Shreedhar
 * and Varghese, "Efficient fair queuing using deficit round robin" (1995);
 * IEEE 802.1Q-2018 clause 8.6.8. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct line_pool;
struct scheduler;

enum {
    SCHEDULER_QUEUES = 64,   /* Of one port, at most. */
    SCHEDULER_CHILDREN = 64, /* Of one node, at most. */
    SCHEDULER_LINE = 64,     /* Of a cache. */
};

/* No queue, no node. */
#define SCHEDULER_NONE UINT32_MAX

enum scheduler_type { SCHEDULER_STRICT, SCHEDULER_WRR, SCHEDULER_DWRR };

/* The scheduling parameters of a node among its siblings.  Rates are bytes (or
 * packets, 'by_packets') per second, 0: none; bursts are in the same unit, 0: a
 * default. */
struct scheduler_config {
    enum scheduler_type type;
    uint8_t weight; /* 1..255 */
    bool by_packets;
    uint64_t min_rate;
    uint64_t min_burst;
    uint64_t max_rate;
    uint64_t max_burst;
};

/* The default of a node: siblings take turns, one frame each. */
#define SCHEDULER_DEFAULT                                                      \
    ((struct scheduler_config){.type = SCHEDULER_WRR, .weight = 1})

/* Returns the scheduler of a port with 'n_queues' queues (1..SCHEDULER_QUEUES),
 * which are nodes 0..n_queues-1, all directly below the root.  What it needs
 * for each frame comes from 'memory' unless that is NULL.  End with
 * scheduler_destroy(). */
struct scheduler *scheduler_create(struct line_pool *memory, uint32_t n_queues);

/* Frees 'scheduler'.  Accepts NULL. */
void scheduler_destroy(struct scheduler *scheduler);

/* Returns the root node, which stands for the port. */
uint32_t scheduler_root(const struct scheduler *scheduler);

/* The tree ------------------------------------------------------------ */

/* Adds a group without children below 'parent'.  ST_INVALID if 'parent' is not
 * a group, ST_NO_RESOURCE if it is full or there are 65,535 nodes. */
enum st scheduler_add(struct scheduler *scheduler, uint32_t parent,
                      uint32_t *group) ST_WARN_UNUSED;

/* Adds a group that takes over all children of the root and becomes its only
 * child.  Works even if the root is full. */
enum st scheduler_wrap(struct scheduler *scheduler,
                       uint32_t *group) ST_WARN_UNUSED;

/* Removes 'group'.  ST_INVALID if it is not a group or is the root, ST_BUSY if
 * it has children. */
enum st scheduler_remove(struct scheduler *scheduler,
                         uint32_t group) ST_WARN_UNUSED;

/* Moves 'node', a queue or a group, below 'parent'.  ST_INVALID if either is
 * not allowed or 'parent' is below 'node', ST_NO_RESOURCE if 'parent' is
 * full. */
enum st scheduler_move(struct scheduler *scheduler, uint32_t node,
                       uint32_t parent, int64_t now_ps) ST_WARN_UNUSED;

/* Returns the parent of 'node', SCHEDULER_NONE for the root and if there is no
 * such node. */
uint32_t scheduler_parent(const struct scheduler *scheduler, uint32_t node);

/* Changes the parameters of 'node' from 'now_ps' on.  For the root only the
 * maximum applies.  A changed rate starts with an empty bucket.  ST_INVALID (no
 * such node, weight 0, type). */
enum st scheduler_set(struct scheduler *scheduler, uint32_t node,
                      const struct scheduler_config *config,
                      int64_t now_ps) ST_WARN_UNUSED;

/* Transmission -------------------------------------------------------- */

/* Brings what the next pick needs into the cache, for a port for which a frame
 * has just arrived. */
static inline void
scheduler_prefetch(const struct scheduler *scheduler)
{
    __builtin_prefetch(scheduler);
    __builtin_prefetch((const char *)scheduler + SCHEDULER_LINE);
}

/* Chooses the queue that sends next; 'ready' has a bit per queue that has
 * frames and is not paused.  Returns SCHEDULER_NONE if none may go; then
 * '*again_ps' is when to ask again even if nothing else changes, INT64_MAX if
 * never.  Times must not go back. */
uint32_t scheduler_pick(struct scheduler *scheduler, uint64_t ready,
                        int64_t now_ps, int64_t *again_ps);

/* Returns whether scheduler_pick() would certainly choose 'queue' if it alone
 * were ready, because nothing has rates; false: it may or may not. */
bool scheduler_is_open(const struct scheduler *scheduler, uint32_t queue);

/* Does what scheduler_pick() does if 'queue' alone is ready;
 * scheduler_is_open() must be true. */
void scheduler_pick_only(struct scheduler *scheduler, uint32_t queue);

/* Charges a frame of 'length_bytes', started at 'now_ps', to the queue that was
 * picked last; 'now_ps' must be the time of that pick. */
void scheduler_sent(struct scheduler *scheduler, uint32_t queue,
                    uint32_t length_bytes, int64_t now_ps);

#endif /* twin/qos/scheduler.h */
