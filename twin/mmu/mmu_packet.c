/* SPDX-License-Identifier: Apache-2.0 */

/* The life of packets in the buffer: admission, charging, XOFF, departure.
 *
 * This is the hot path: a simulated fabric spends most of its time here.  Three
 * things keep it short.  What a packet needs lies in one cache line per account
 * and partition.  All limits that configuration determines are derived
 * beforehand; only free * alpha is computed per packet.  And what is common
 * both ways (a packet within its guarantee, or beyond) is arithmetic, while
 * branches are left to the rare (headroom, drops, XOFF).
 *
 * Nothing is charged before both sides have admitted the packet, so a drop
 * needs no undoing. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <stdlib.h>

#include "twin/mmu/mmu_state.h"

/* How the cells of one packet are charged: what 'rest' leaves over is within
 * the guarantee. */
struct split {
    uint64_t rest;
    bool to_headroom; /* Where 'rest' goes; else to the shared part. */
};

static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline void
raise_to(uint64_t *watermark, uint64_t level)
{
    if (level > *watermark) {
        *watermark = level;
    }
}

const char *
mmu_drop_name(enum mmu_drop drop)
{
    static const char *const names[] = {
#define X(member, slug) slug,
        MMU_DROPS(X)
#undef X
    };

    orch_assert(drop < MMU_N_DROPS);
    return names[drop];
}

/* Returns the rest of an ingress account: the only ones with headroom and
 * XOFF. */
static inline struct account_more *
ingress_more(const struct mmu *mmu, const struct account *account)
{
    return account_more(&mmu->accounts[MMU_INGRESS], account);
}

/* Returns whether 'account' may take 'cells' more out of the shared part.
 * CHARGE_THEN_CHECK admits a packet while the threshold is not reached, and
 * so may overshoot it by all but one cell of the packet; CHECK_THEN_CHARGE
 * looks at the state that charging would lead to. */
static inline bool
shared_fits(const struct account *account, const struct part *part,
            enum model_threshold threshold, uint64_t lag, uint64_t cells)
{
    uint64_t size = part->limit + lag;

    if (account->rule == ACCOUNT_UNCLAIMED) {
        return part->shared + cells <= part->limit;
    }
    if (threshold == MODEL_THRESHOLD_CHARGE_THEN_CHECK) {
        return account->shared <
               account_limit(account, sat_sub(size, part->shared));
    }
    return account->shared + cells <=
           account_limit(account, sat_sub(size, part->shared + cells));
}

/* Returns the cells of 'cells' that do not fit the guarantee of 'account'. */
static inline uint64_t
beyond_guarantee(const struct account *account, uint64_t cells)
{
    return cells - min_u64(cells, account->guarantee - account->reserved);
}

/* Decides for the ingress side in the order guarantee, shared, headroom. */
static inline enum mmu_drop
ingress_admit(const struct mmu *mmu, const struct account *account,
              uint64_t cells, struct split *split)
{
    const struct part *part = &mmu->parts[account->part];
    uint64_t rest = beyond_guarantee(account, cells);
    uint64_t headroom_max;

    split->rest = rest;
    split->to_headroom = false;
    /* That a packet fits its guarantee is as common as not; that there is
     * neither room nor need is rare, and so predicted well. */
    if (shared_fits(account, part, mmu->chip->threshold, 0, rest) ||
        rest == 0) {
        return MMU_ADMITTED;
    }
    headroom_max = ingress_more(mmu, account)->headroom_max;
    if (account->headroom + rest <= headroom_max &&
        rest <= sat_sub(part->headroom_limit, part->headroom)) {
        split->to_headroom = true;
        return MMU_ADMITTED;
    }
    if (account->rule == ACCOUNT_UNCLAIMED) {
        return MMU_NO_BUFFER;
    }
    return headroom_max ? MMU_HEADROOM : MMU_INGRESS_PG;
}

/* Decides for the egress side, which has no headroom. */
static inline enum mmu_drop
egress_admit(const struct mmu *mmu, const struct account *account,
             uint64_t cells, struct split *split)
{
    const struct chip *chip = mmu->chip;
    uint64_t rest = beyond_guarantee(account, cells);

    split->rest = rest;
    split->to_headroom = false;
    return shared_fits(account, &mmu->parts[account->part],
                       chip->egress_threshold, chip->egress_lag_cells, rest) ||
                   rest == 0
               ? MMU_ADMITTED
               : MMU_EGRESS_QUEUE;
}

/* Charges a packet of 'cells' to 'account' as 'split' says. */
static inline void
account_charge(struct mmu *mmu, struct account *account, uint64_t cells,
               const struct split *split)
{
    struct part *part = &mmu->parts[account->part];

    account->packets++;
    account->reserved += cells - split->rest;
    part->held += cells;
    raise_to(&part->held_watermark, part->held);
    if (split->to_headroom) {
        struct account_more *more = ingress_more(mmu, account);

        account->headroom += split->rest;
        part->headroom += split->rest;
        raise_to(&more->headroom_watermark, account->headroom);
        raise_to(&part->headroom_watermark, part->headroom);
    } else {
        account->shared += split->rest;
        part->shared += split->rest;
        raise_to(&account->shared_watermark, account->shared);
        raise_to(&part->shared_watermark, part->shared);
    }
}

/* Gives 'cells' back: headroom first, then shared, then reserved ones. */
static inline void
account_discharge(struct mmu *mmu, struct account *account, uint64_t cells)
{
    struct part *part = &mmu->parts[account->part];
    uint64_t n;

    account->packets--;
    part->held -= cells;
    if (account->headroom) {
        n = min_u64(cells, account->headroom);
        account->headroom -= n;
        part->headroom -= n;
        cells -= n;
    }
    n = min_u64(cells, account->shared);
    account->shared -= n;
    part->shared -= n;
    account->reserved -= cells - n;
}

/* Returns the threshold on the shared cells of ingress account 'account' as
 * things stand. */
static inline uint64_t
ingress_limit(const struct mmu *mmu, const struct account *account)
{
    const struct part *part = &mmu->parts[account->part];

    return account_limit(account, sat_sub(part->limit, part->shared));
}

/* Computes where XOFF of 'account' ends if its threshold is 'limit'.  The
 * fixed floor (XON) keeps a PG whose threshold is below the offset from
 * waiting for the impossible. */
static uint64_t
account_resume(const struct mmu *mmu, const struct account *account,
               uint64_t limit)
{
    const struct pg *pg = &mmu->pgs[ingress_more(mmu, account)->owner];
    const struct profile *profile = &mmu->profiles[pg->profile];
    uint64_t level = 0;

    if (mmu->chip->xon == MODEL_XON_RELATIVE_LATCHED) {
        if (limit == UINT64_MAX) {
            return UINT64_MAX;
        }
        if (limit >= profile->xon_offset) {
            level = account->guarantee + limit - profile->xon_offset;
        }
    }
    return level > profile->xon ? level : profile->xon;
}

/* Enters XOFF. The resume point is fixed here and now: recomputed while
 * draining it would rise with the pool that empties, and XON come too early.
 */
static void
account_assert(struct mmu *mmu, struct account *account)
{
    account->is_xoff = true;
    ingress_more(mmu, account)->resume =
        account_resume(mmu, account, ingress_limit(mmu, account));
    if (mmu->flow) {
        mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner, true);
    }
}

void
mmu_account_release__(struct mmu *mmu, struct account *account)
{
    if (account->is_xoff) {
        account->is_xoff = false;
        if (mmu->flow) {
            mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner,
                      false);
        }
    }
}

/* Ends XOFF if the resume point is reached. Headroom counts as above any
 * threshold. */
static inline void
account_try_release(struct mmu *mmu, struct account *account)
{
    if (account->headroom == 0 && account->reserved + account->shared <=
                                      ingress_more(mmu, account)->resume) {
        mmu_account_release__(mmu, account);
    }
}

void
mmu_account_rejudge__(struct mmu *mmu, struct account *account)
{
    if (account->is_xoff) {
        ingress_more(mmu, account)->resume =
            account_resume(mmu, account, ingress_limit(mmu, account));
        account_try_release(mmu, account);
    }
}

/* Judges after a packet was charged, or refused ('refused' or 'split' tell),
 * whether the PG must stop its sender.  An empty PG never does: nothing would
 * ever release it. */
static inline void
account_judge(struct mmu *mmu, struct account *account, bool overflowed)
{
    if (account->is_xoff) {
        return;
    }
    if (mmu->chip->threshold == MODEL_THRESHOLD_CHARGE_THEN_CHECK) {
        overflowed |= account->shared >= ingress_limit(mmu, account);
    }
    if (overflowed && account->packets &&
        account->reserved == account->guarantee &&
        account->rule != ACCOUNT_UNCLAIMED) {
        account_assert(mmu, account);
    }
}

/* Returns model_packet_cells() without a division where that is exact. */
static inline uint32_t
packet_cells(const struct mmu *mmu, uint32_t length_bytes)
{
    uint64_t cells =
        ((length_bytes + mmu->cell_bias) * mmu->cell_inverse) >> CELL_SHIFT;

    return mmu->cell_inverse && length_bytes - 1u < CELL_MAX_BYTES
               ? (uint32_t)cells
               : model_packet_cells(mmu->chip, length_bytes);
}

/* Takes a descriptor; MMU_NONE if there is none left. */
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

/* Puts descriptor 'n' at the end of 'queue'. */
static inline void
queue_append(struct mmu *mmu, struct queue *queue, uint32_t n)
{
    mmu->descs[n].next = MMU_NONE;
    if (queue->n++) {
        mmu->descs[queue->tail].next = n;
    } else {
        queue->head = n;
        mmu->ports[queue->port].backlog |= queue->bit;
    }
    queue->tail = n;
}

/* Counts a packet that ingress did not admit, and judges its PG. */
static enum mmu_drop
ingress_dropped(struct mmu *mmu, uint32_t pg, enum mmu_drop why)
{
    struct account *account =
        &mmu->accounts[MMU_INGRESS].items[mmu->pgs[pg].account];

    mmu->pgs[pg].dropped_packets++;
    mmu->pools[account->pool].dropped_packets++;
    if (why != MMU_NO_BUFFER) {
        account_judge(mmu, account, true);
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
    return why;
}

/* Counts an arriving packet, and decides for its ingress side. */
static inline enum mmu_drop
arrive(struct mmu *mmu, struct pg *pg, uint32_t length_bytes, uint32_t cells,
       struct split *split)
{
    pg->packets++;
    pg->bytes += length_bytes;
    if (cells > mmu->memory - mmu->used) {
        return MMU_NO_BUFFER;
    }
    return ingress_admit(mmu, &mmu->accounts[MMU_INGRESS].items[pg->account],
                         cells, split);
}

enum mmu_drop
mmu_enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
            uint32_t *packet)
{
    uint32_t cells = packet_cells(mmu, length_bytes);
    struct pg *g = &mmu->pgs[pg];
    struct queue *q = &mmu->queues[queue];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[g->account];
    struct split in_split;
    struct split out_split;
    struct desc *desc;
    enum mmu_drop drop;
    uint32_t n;

    drop = arrive(mmu, g, length_bytes, cells, &in_split);
    if (drop != MMU_ADMITTED) {
        return ingress_dropped(mmu, pg, drop);
    }
    drop = egress_admit(mmu, &mmu->accounts[MMU_EGRESS].items[q->account],
                        cells, &out_split);
    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == MMU_NONE) {
        return ingress_dropped(mmu, pg, MMU_NO_BUFFER);
    }
    /* Member by member: copied as a whole it would have to wait for its parts
     * on their way to memory. */
    desc = &mmu->descs[n];
    desc->master = n;
    desc->ingress = g->account;
    desc->egress = q->account;
    desc->cells = cells;
    desc->length_bytes = length_bytes;
    desc->copies = 1;
    desc->pg = pg;
    mmu->used += cells;
    account_charge(mmu, in, cells, &in_split);
    account_charge(mmu, &mmu->accounts[MMU_EGRESS].items[q->account], cells,
                   &out_split);
    queue_append(mmu, q, n);
    *packet = n;
    account_judge(mmu, in, in_split.to_headroom);
    return MMU_ADMITTED;
}

/* Offers one copy to 'queue'.  '*master' is MMU_NONE until there is one. */
static enum mmu_drop
offer_copy(struct mmu *mmu, uint32_t queue, const struct desc *content,
           uint32_t *master)
{
    struct queue *q = &mmu->queues[queue];
    struct desc *copy;
    struct split split;
    enum mmu_drop drop;
    uint32_t n;

    drop = egress_admit(mmu, &mmu->accounts[MMU_EGRESS].items[q->account],
                        content->cells, &split);
    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, content->length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == MMU_NONE) {
        return egress_dropped(mmu, queue, content->length_bytes,
                              MMU_EGRESS_QUEUE);
    }
    if (*master == MMU_NONE) {
        *master = n;
    }
    copy = &mmu->descs[n];
    *copy = *content;
    copy->master = *master;
    copy->egress = q->account;
    account_charge(mmu, &mmu->accounts[MMU_EGRESS].items[q->account],
                   content->cells, &split);
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

    drop = arrive(mmu, g, length_bytes, content.cells, &split);
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
        mmu->descs[master].copies = copies;
        mmu->used += content.cells;
        account_charge(mmu, in, content.cells, &split);
        *packet = master;
        account_judge(mmu, in, split.to_headroom);
    }
    return copies;
}

/* Ends a packet whose last copy left. */
static inline void
depart(struct mmu *mmu, const struct desc *master)
{
    struct account *in = &mmu->accounts[MMU_INGRESS].items[master->ingress];

    account_discharge(mmu, in, master->cells);
    mmu->used -= master->cells;
    if (in->is_xoff) {
        account_try_release(mmu, in);
    }
    if (in->packets == 0 && !in->is_live) {
        mmu_account_free__(mmu, MMU_INGRESS, master->ingress);
    }
}

bool
mmu_dequeue(struct mmu *mmu, uint32_t queue, struct mmu_departure *departure)
{
    struct queue *q = &mmu->queues[queue];
    uint32_t n = q->head;
    struct account *out;
    struct desc *master;
    struct desc *desc;

    if (q->n == 0) {
        return false;
    }
    desc = &mmu->descs[n];
    master = &mmu->descs[desc->master];
    out = &mmu->accounts[MMU_EGRESS].items[desc->egress];
    q->head = desc->next;
    if (--q->n == 0) {
        mmu->ports[q->port].backlog &= ~q->bit;
    }
    q->packets++;
    q->bytes += desc->length_bytes;
    account_discharge(mmu, out, desc->cells);
    if (out->packets == 0 && !out->is_live) {
        mmu_account_free__(mmu, MMU_EGRESS, desc->egress);
    }
    departure->packet = desc->master;
    departure->pg = desc->pg;
    departure->length_bytes = desc->length_bytes;
    departure->is_last = --master->copies == 0;
    if (desc != master) {
        desc_give(mmu, n);
    }
    if (departure->is_last) {
        desc_give(mmu, departure->packet);
        depart(mmu, master);
    }
    return true;
}

uint64_t
mmu_port_flush(struct mmu *mmu, uint32_t port)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        uint32_t id = mmu_queue_id(mmu, port, i);
        struct queue *queue = &mmu->queues[id];
        uint64_t packets = queue->packets;
        uint64_t bytes = queue->bytes;
        struct mmu_departure departure;

        while (mmu_dequeue(mmu, id, &departure)) {
            n++;
        }
        /* They left, but not for transmission. */
        queue->dropped_packets += queue->packets - packets;
        queue->dropped_bytes += queue->bytes - bytes;
        queue->packets = packets;
        queue->bytes = bytes;
    }
    return n;
}
