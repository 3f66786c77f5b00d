/* SPDX-License-Identifier: Apache-2.0 */

/* Packets in the buffer: admission, charging, XOFF, departure.
 *
 * This is the hot path: a simulated fabric spends most of its time here.  Three
 * things keep it short.  A packet needs one cache line per account and
 * partition.  Limits that depend only on the configuration are computed in
 * advance; only free * alpha is computed per packet.  Cases that are equally
 * common (a packet within its guarantee, or beyond it) use arithmetic; only
 * rare cases (headroom, drops, XOFF) use branches.
 *
 * Nothing is charged before both sides have admitted the packet, so a drop has
 * nothing to undo. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <stdlib.h>

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_fast_path.h"
#include "twin/mmu/mmu_state.h"

enum {
    /* The largest values of the bit-fields of 'struct desc'. */
    MAX_ABSORBED = (1 << 18) - 1,
    MAX_COPIES = (1 << 13) - 1,
};

static inline void
raise_to(uint64_t *watermark, uint64_t level)
{
    if (level > *watermark) {
        *watermark = level;
    }
}

/* Returns the rest of an ingress account; only these have headroom and XOFF. */
static inline struct account_more *
ingress_more(const struct mmu *mmu, const struct account *account)
{
    return account_more(&mmu->accounts[MMU_INGRESS], account);
}

/* Charges a packet of 'cells' to 'account' by 'split'. */
MMU_INLINE void
account_charge(struct mmu *mmu, enum mmu_direction direction,
               struct account *account, uint64_t cells,
               const struct split *split)
{
    const struct account_table *table = &mmu->accounts[direction];
    struct part *part = &mmu->parts[account->part];

    account->packets++;
    account->reserved += cells - split->rest;
    part->held += cells;
    if (split->to_headroom) {
        struct account_more *more = ingress_more(mmu, account);

        account_add_headroom(mmu, table, account, split->rest);
        raise_to(&more->headroom_watermark, account->headroom);
        raise_to(&part->headroom_watermark, part->headroom);
    } else {
        account_add_shared(mmu, table, account, split->rest);
    }
    raise_to(&account->shared_watermark,
             account_watermark_level(mmu, direction, account));
    raise_to(&part->shared_watermark, part_watermark_level(mmu, part));
    account_note_total(account);
}

/* Returns 'cells' of 'account': first headroom, then shared, then reserved
 * cells. */
MMU_INLINE void
account_discharge(struct mmu *mmu, enum mmu_direction direction,
                  struct account *account, uint64_t cells)
{
    const struct account_table *table = &mmu->accounts[direction];
    uint64_t n;

    account->packets--;
    mmu->parts[account->part].held -= cells;
    if (account->headroom) {
        n = min_u64(cells, account->headroom);
        account_add_headroom(mmu, table, account, -n);
        cells -= n;
    }
    n = min_u64(cells, account->shared);
    account_add_shared(mmu, table, account, -n);
    account->reserved -= cells - n;
}

/* Asserts XOFF if needed, after a packet of 'cells' was charged, or one was
 * refused; it 'overflowed' if it needed more than the shared part.  An empty PG
 * never asserts XOFF, because no departure would release it. */
static inline void
account_judge(struct mmu *mmu, struct account *account, uint64_t cells,
              bool overflowed)
{
    if (account->is_xoff) {
        return;
    }
    if (mmu->chip->threshold == CHIP_THRESHOLD_CHARGE_THEN_CHECK) {
        overflowed |= account->shared >= limit_now(mmu, MMU_INGRESS, account);
    } else if (mmu->chip->xoff == CHIP_XOFF_BEFORE_HEADROOM) {
        overflowed |= !shared_fits(mmu, MMU_INGRESS, account, cells);
    }
    if (overflowed && account->packets &&
        account->reserved == account->guarantee &&
        account->rule != ACCOUNT_UNCLAIMED) {
        mmu_account_assert__(mmu, account);
    }
}

/* Asserts XOFF of other PGs if needed, after a packet was charged to 'account'
 * by 'split'. */
static inline void
judge_others(struct mmu *mmu, const struct account *account,
             const struct split *split)
{
    if (mmu->chip->xoff_by_others && !split->to_headroom) {
        mmu_xoff_others__(mmu, account, split->rest);
    }
}

/* Returns chip_packet_cells() without a division where that is exact. */
static inline uint32_t
packet_cells(const struct mmu *mmu, uint32_t length_bytes)
{
    uint64_t cells =
        ((length_bytes + mmu->cell_bias) * mmu->cell_inverse) >> CELL_SHIFT;

    return mmu->cell_inverse && length_bytes - 1u < CELL_MAX_BYTES
               ? (uint32_t)cells
               : chip_packet_cells(mmu->chip, length_bytes);
}

/* Takes a free descriptor; MMU_NONE if there is none. */
static inline uint32_t
desc_take(struct mmu *mmu)
{
    uint32_t n = mmu->free_desc;

    if (n != MMU_NONE) {
        mmu->free_desc = mmu->descs[n].next;
    } else if (mmu->fresh_desc < mmu->n_descs) {
        n = mmu->fresh_desc++;
    }
    return n;
}

static inline void
desc_give(struct mmu *mmu, uint32_t n)
{
    mmu->descs[n].next = mmu->free_desc;
    mmu->free_desc = n;
}

/* Appends descriptor 'n' to 'queue', without a branch: whether a queue is empty
 * is unpredictable. */
static inline void
queue_append(struct mmu *mmu, struct queue *queue, uint32_t n)
{
    const uint32_t none = -(uint32_t)(queue->n == 0); /* All bits if empty. */
    const uint32_t before = (n & none) | (queue->tail & ~none);

    queue->head = (n & none) | (queue->head & ~none);
    mmu->descs[before].next = n; /* Writes to itself if it is the first. */
    mmu->descs[n].next = MMU_NONE;
    queue->tail = n;
    queue->n++;
    queue->cells += mmu->descs[n].cells;
    mmu->ports[queue->port].backlog |= UINT64_C(1) << queue->index;
}

/* Counts a packet that ingress did not admit, and updates XOFF of its PG. */
static enum mmu_drop
ingress_dropped(struct mmu *mmu, uint32_t pg, enum mmu_drop why)
{
    struct account *account =
        &mmu->accounts[MMU_INGRESS].items[mmu->pgs[pg].account];

    mmu->pgs[pg].dropped_packets++;
    mmu->pools[account->pool].dropped_packets++;
    mmu->ports[pg / mmu->chip->pgs_per_port].drops[why]++;
    if (why != MMU_NO_BUFFER) {
        account_judge(mmu, account, 0, true);
    }
    return why;
}

/* Counts a packet, or copy, that 'queue' did not admit. */
static enum mmu_drop
egress_dropped(struct mmu *mmu, uint32_t queue, uint32_t length_bytes,
               enum mmu_drop why)
{
    struct queue *q = &mmu->queues[queue];
    uint32_t pool = mmu->accounts[MMU_EGRESS].items[q->account].pool;

    q->dropped_packets++;
    q->dropped_bytes += length_bytes;
    mmu->pools[pool].dropped_packets++;
    mmu->ports[q->port].drops[why]++;
    return why;
}

/* Counts a packet that arrived for 'pg'. */
static inline void
count_arrival(struct pg *pg, uint32_t length_bytes)
{
    pg->packets++;
    pg->bytes += length_bytes;
}

void
mmu_refuse(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
           enum mmu_drop why)
{
    count_arrival(&mmu->pgs[pg], length_bytes);
    egress_dropped(mmu, queue, length_bytes, why);
}

/* Returns whether the traffic of 'account' is lossy, on chips where that
 * matters. */
static inline bool
is_lossy(const struct mmu *mmu, const struct account *account)
{
    return mmu->tells_lossy && ingress_more(mmu, account)->headroom_max == 0;
}

/* Returns how many of 'cells' are not charged to 'in', because the guarantee of
 * the queue has room for them. */
static inline uint32_t
absorbed_cells(const struct mmu *mmu, const struct account *out, bool lossy,
               uint32_t cells)
{
    return lossy && mmu->chip->egress_pg_absorbs_queue_min
               ? (uint32_t)min_u64(cells, out->guarantee - out->reserved)
               : 0;
}

/* Decides for the ingress side of a packet of 'cells', of which 'charged' are
 * to be charged there. */
static inline enum mmu_drop
arrive(const struct mmu *mmu, const struct account *in, uint64_t cells,
       uint64_t charged, struct split *split)
{
    return cells > mmu->memory - mmu->used
               ? MMU_NO_BUFFER
               : ingress_admit(mmu, in, charged, split);
}

/* mmu_enqueue() by the slow path, which handles all cases. */
static __attribute__((noinline)) enum mmu_drop
enqueue_any(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
            uint32_t user, uint32_t *packet)
{
    struct pg *g = &mmu->pgs[pg];
    struct queue *q = &mmu->queues[queue];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[g->account];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[q->account];
    uint32_t cells = packet_cells(mmu, length_bytes);
    bool lossy = is_lossy(mmu, in);
    uint32_t absorbed = absorbed_cells(mmu, out, lossy, cells);
    struct split in_split;
    struct split out_split;
    struct desc *desc;
    enum mmu_drop drop;
    uint32_t n;

    count_arrival(g, length_bytes);
    drop = arrive(mmu, in, cells, cells - absorbed, &in_split);
    if (drop != MMU_ADMITTED) {
        return ingress_dropped(mmu, pg, drop);
    }
    drop = egress_admit(mmu, out, cells, lossy, &out_split);
    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == MMU_NONE) {
        return ingress_dropped(mmu, pg, MMU_NO_BUFFER);
    }
    /* Copied member by member: copying the structure would stall on its recent
     * stores. */
    desc = &mmu->descs[n];
    desc->user = user;
    desc->is_copy = 0;
    desc->ingress = g->account;
    desc->egress = q->account;
    desc->cells = cells;
    desc->length_bytes = length_bytes;
    desc->copies = 1;
    desc->absorbed = absorbed & MAX_ABSORBED;
    desc->pg = pg;
    mmu->used += cells;
    account_charge(mmu, MMU_INGRESS, in, cells - absorbed, &in_split);
    account_charge(mmu, MMU_EGRESS, out, cells, &out_split);
    queue_append(mmu, q, n);
    *packet = n;
    account_judge(mmu, in, cells - absorbed, in_split.to_headroom);
    judge_others(mmu, in, &in_split);
    return MMU_ADMITTED;
}

/* mmu_enqueue() and mmu_admit(). */
MMU_INLINE enum mmu_drop
enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
        uint32_t user, uint32_t *packet)
{
    struct queue *q = &mmu->queues[queue];
    const uint32_t n = mmu_fast_enqueue(mmu, pg, q, length_bytes, user);

    if (n == MMU_NONE) {
        return enqueue_any(mmu, pg, queue, length_bytes, user, packet);
    }
    queue_append(mmu, q, n);
    *packet = n;
    return MMU_ADMITTED;
}

enum mmu_drop
mmu_enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
            uint32_t *packet)
{
    return enqueue(mmu, pg, queue, length_bytes, 0, packet);
}

enum mmu_drop
mmu_admit(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
          uint32_t user)
{
    uint32_t packet;

    return enqueue(mmu, pg, queue, length_bytes, user, &packet);
}

void
mmu_set_user(struct mmu *mmu, uint32_t packet, uint32_t user)
{
    mmu->descs[packet].user = user;
}

uint32_t
mmu_user(const struct mmu *mmu, uint32_t packet)
{
    return mmu->descs[packet].user;
}

/* Offers one copy to 'queue'.  '*master' is MMU_NONE until there is one. */
static enum mmu_drop
offer_copy(struct mmu *mmu, uint32_t queue, const struct desc *content,
           uint32_t *master)
{
    struct queue *q = &mmu->queues[queue];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[q->account];
    bool lossy =
        is_lossy(mmu, &mmu->accounts[MMU_INGRESS].items[content->ingress]);
    struct desc *copy;
    struct split split;
    enum mmu_drop drop;
    uint32_t n;

    drop = egress_admit(mmu, out, content->cells, lossy, &split);
    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, content->length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == MMU_NONE) {
        return egress_dropped(mmu, queue, content->length_bytes,
                              MMU_EGRESS_QUEUE);
    }
    copy = &mmu->descs[n];
    *copy = *content;
    if (*master == MMU_NONE) {
        *master = n;
    } else {
        copy->is_copy = 1;
        copy->user = *master;
    }
    copy->egress = q->account;
    account_charge(mmu, MMU_EGRESS, out, content->cells, &split);
    queue_append(mmu, q, n);
    return MMU_ADMITTED;
}

uint32_t
mmu_enqueue_copies(struct mmu *mmu, uint32_t pg, const uint32_t *queues,
                   uint32_t n, uint32_t length_bytes, uint32_t *packet,
                   enum mmu_drop *drops)
{
    struct pg *g = &mmu->pgs[pg];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[g->account];
    struct desc content = {.cells = packet_cells(mmu, length_bytes),
                           .length_bytes = length_bytes,
                           .ingress = g->account,
                           .pg = pg};
    struct split split;
    uint32_t master = MMU_NONE;
    uint32_t copies = 0;
    enum mmu_drop drop;

    count_arrival(g, length_bytes);
    drop = arrive(mmu, in, content.cells, content.cells, &split);
    if (drop != MMU_ADMITTED) {
        ingress_dropped(mmu, pg, drop);
        for (uint32_t i = 0; i < n; i++) {
            drops[i] = drop;
        }
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        drops[i] = offer_copy(mmu, queues[i], &content, &master);
        copies += drops[i] == MMU_ADMITTED;
    }
    if (copies) {
        mmu->descs[master].copies = copies & MAX_COPIES;
        mmu->used += content.cells;
        account_charge(mmu, MMU_INGRESS, in, content.cells, &split);
        *packet = master;
        account_judge(mmu, in, content.cells, split.to_headroom);
        judge_others(mmu, in, &split);
    }
    return copies;
}

/* Frees a packet whose last copy has left. */
static inline void
depart(struct mmu *mmu, const struct desc *master)
{
    struct account *in = &mmu->accounts[MMU_INGRESS].items[master->ingress];

    account_discharge(mmu, MMU_INGRESS, in, master->cells - master->absorbed);
    mmu->used -= master->cells;
    if (in->is_xoff) {
        mmu_account_try_release__(mmu, in);
    }
    if (in->packets == 0 && !in->is_live) {
        mmu_account_free__(mmu, MMU_INGRESS, master->ingress);
    }
}

/* Returns the cells of packet 'n', the oldest of 'q', and removes it from the
 * queue. */
static __attribute__((noinline)) void
take_any(struct mmu *mmu, struct queue *q, uint32_t n,
         struct mmu_departure *departure)
{
    const uint32_t packet = mmu_master(mmu, n);
    struct desc *desc = &mmu->descs[n];
    struct desc *master = &mmu->descs[packet];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[desc->egress];

    q->head = desc->next;
    q->cells -= desc->cells;
    account_discharge(mmu, MMU_EGRESS, out, desc->cells);
    if (out->packets == 0 && !out->is_live) {
        mmu_account_free__(mmu, MMU_EGRESS, desc->egress);
    }
    departure->packet = packet;
    departure->user = master->user;
    departure->is_last = --master->copies == 0;
    if (desc != master) {
        desc_give(mmu, n);
    }
    if (departure->is_last) {
        desc_give(mmu, departure->packet);
        depart(mmu, master);
    }
}

/* Takes the oldest packet out of 'queue', which is not empty. */
MMU_INLINE void
queue_take(struct mmu *mmu, struct queue *q, struct mmu_departure *departure)
{
    const uint32_t n = q->head;
    const struct desc *desc = &mmu->descs[n];

    departure->pg = desc->pg;
    departure->length_bytes = desc->length_bytes;
    departure->packet = n;
    departure->user = desc->user;
    departure->is_last = true;
    if (!mmu_fast_take(mmu, q, n)) {
        take_any(mmu, q, n, departure);
    }
    q->n--;
    mmu->ports[q->port].backlog &= ~((uint64_t)(q->n == 0) << q->index);
    /* Prefetches the next descriptor, which is needed when this packet has been
     * sent. */
    __builtin_prefetch(&mmu->descs[q->head & -(uint32_t)(q->n != 0)]);
}

bool
mmu_dequeue(struct mmu *mmu, uint32_t queue, struct mmu_departure *departure)
{
    struct queue *q = &mmu->queues[queue];

    if (q->n == 0) {
        return false;
    }
    queue_take(mmu, q, departure);
    q->packets++;
    q->bytes += departure->length_bytes;
    return true;
}

bool
mmu_discard(struct mmu *mmu, uint32_t queue, enum mmu_drop why,
            struct mmu_departure *departure)
{
    struct queue *q = &mmu->queues[queue];

    if (q->n == 0) {
        return false;
    }
    queue_take(mmu, q, departure);
    q->dropped_packets++;
    q->dropped_bytes += departure->length_bytes;
    mmu->ports[q->port].drops[why]++;
    return true;
}

uint32_t
mmu_queue_head(const struct mmu *mmu, uint32_t queue)
{
    const struct queue *q = &mmu->queues[queue];

    return q->n ? mmu_master(mmu, q->head) : MMU_NONE;
}

uint64_t
mmu_queue_flush(struct mmu *mmu, uint32_t queue, enum mmu_drop why)
{
    struct mmu_departure departure;
    uint64_t n = 0;

    while (mmu_discard(mmu, queue, why, &departure)) {
        n++;
    }
    return n;
}

uint64_t
mmu_port_flush(struct mmu *mmu, uint32_t port, enum mmu_drop why)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        n += mmu_queue_flush(mmu, mmu_queue_id(mmu, port, i), why);
    }
    return n;
}
