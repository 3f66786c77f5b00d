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

/* Charges a packet of 'cells' to 'account' by 'split'. */
static void
account_charge(struct mmu *mmu, enum mmu_direction direction,
               struct account *account, uint64_t cells,
               const struct split *split)
{
    const struct account_table *table = &mmu->accounts[direction];
    struct account_more *more = account_more(table, account);
    struct part *part = &mmu->parts[account->part];

    account->packets++;
    account->held += cells;
    part->held += cells;
    if (split->to_headroom) {
        account_add_headroom(mmu, table, account, split->rest);
        raise_to(&more->headroom_watermark, more->headroom);
        raise_to(&part->headroom_watermark, part->headroom);
    } else {
        account_add_shared(mmu, table, account, split->rest);
    }
    raise_to(&more->shared_watermark,
             account_watermark_level(mmu, direction, account, account->held,
                                     account_headroom(table, account)));
    raise_to(&part->shared_watermark, part_watermark_level(mmu, part));
    if (account->held > more->total_watermark) {
        more->total_watermark = account->held;
    }
}

/* Asserts XOFF if needed, after a packet of 'cells' was charged, or one was
 * refused; it 'overflowed' if it needed more than the shared part.  An empty PG
 * never asserts XOFF, because no departure would release it. */
static inline void
account_judge(struct mmu *mmu, struct account *account, uint64_t cells,
              bool overflowed)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];

    if (account_is_xoff(account)) {
        return;
    }
    if (mmu->chip->threshold != CHIP_THRESHOLD_CHECK_THEN_CHARGE) {
        overflowed |= account_shared(table, account) >=
                      limit_now(mmu, MMU_INGRESS, account);
    } else if (mmu->chip->xoff == CHIP_XOFF_BEFORE_HEADROOM) {
        overflowed |= !shared_fits(mmu, MMU_INGRESS, account, cells);
    }
    if (overflowed && account->packets && account->held >= account->guarantee &&
        !account_is_unclaimed(table, account)) {
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

/* Returns chip_packet_cells() of a packet for 'in' without a division where
 * that is exact. */
static inline uint32_t
packet_cells(const struct mmu *mmu, const struct account *in,
             uint32_t length_bytes)
{
    const uint32_t bytes = length_bytes + in->extra;
    const uint64_t cells = mmu_fast_cells(mmu, bytes) * mmu->cell_factor;

    return mmu->cell_inverse && bytes - 1u < CELL_MAX_BYTES
               ? (uint32_t)cells
               : chip_packet_cells(mmu->chip, bytes);
}

/* Takes a free descriptor; NO_DESC if there is none. */
static inline uint32_t
desc_take(struct mmu *mmu)
{
    uint32_t n = mmu->free_desc;

    if (n != NO_DESC) {
        mmu->free_desc = mmu->descs[n].next;
    } else if (mmu->fresh_desc < mmu->n_descs) {
        n = mmu->fresh_desc++;
        if (n == mmu->desc_room) {
            mmu_extend_descs__(mmu);
        }
    }
    return n;
}

/* Counts a packet that ingress did not admit, and updates XOFF of its PG. */
static enum mmu_drop
ingress_dropped(struct mmu *mmu, uint32_t pg, enum mmu_drop why)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];
    struct account *account = live_account(mmu, MMU_INGRESS, pg);

    table->owners[pg].dropped_packets++;
    mmu->pools[account_more(table, account)->pool].dropped_packets++;
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
    const struct account_table *table = &mmu->accounts[MMU_EGRESS];
    const struct account *q = live_account(mmu, MMU_EGRESS, queue);

    mmu->pools[account_more(table, q)->pool].dropped_packets++;
    mmu_note_queue_drop(mmu, queue, length_bytes, why);
    return why;
}

/* Counts a packet that arrived for the PG of 'account'. */
static inline void
count_arrival(struct account *account, uint32_t length_bytes)
{
    account->count++;
    account->bytes += length_bytes;
}

void
mmu_refuse(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
           enum mmu_drop why)
{
    count_arrival(need_account(mmu, MMU_INGRESS, pg), length_bytes);
    egress_dropped(mmu, queue, length_bytes, why);
}

/* Returns whether the traffic of 'account' is lossy, on chips where that
 * matters. */
static inline bool
is_lossy(const struct mmu *mmu, const struct account *account)
{
    return mmu->tells_lossy && !(account->flags & ACCOUNT_LOSSLESS);
}

/* Returns how many of 'cells' are not charged to 'in', because the guarantee of
 * the queue has room for them. */
static inline uint32_t
absorbed_cells(const struct mmu *mmu, const struct account *out, bool lossy,
               uint32_t cells)
{
    return lossy && mmu->absorbs
               ? (uint32_t)min_u64(cells, sat_sub(out->guarantee, out->held))
               : 0;
}

/* Decides for the ingress side of a packet of 'cells', of which 'charged' are
 * to be charged there. */
static inline enum mmu_drop
arrive(const struct mmu *mmu, const struct account *in, uint64_t cells,
       uint64_t charged, struct split *split)
{
    return cells > mmu->free_cells ? MMU_NO_BUFFER
                                   : ingress_admit(mmu, in, charged, split);
}

/* mmu_enqueue() by the slow path, which handles all cases. */
static __attribute__((noinline)) enum mmu_drop
enqueue_any(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
            uint32_t user, uint32_t *packet)
{
    struct account *in = need_account(mmu, MMU_INGRESS, pg);
    struct account *out = need_account(mmu, MMU_EGRESS, queue);
    uint32_t cells = packet_cells(mmu, in, length_bytes);
    bool lossy = is_lossy(mmu, in);
    uint32_t absorbed = absorbed_cells(mmu, out, lossy, cells);
    struct split in_split;
    struct split out_split;
    struct desc *desc;
    enum mmu_drop drop;
    uint32_t n;

    mmu->n_slow++;
    count_arrival(in, length_bytes);
    drop = arrive(mmu, in, cells, cells - absorbed, &in_split);
    if (drop != MMU_ADMITTED) {
        return ingress_dropped(mmu, pg, drop);
    }
    drop = egress_admit(mmu, out, cells, lossy, &out_split);
    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == NO_DESC) {
        return ingress_dropped(mmu, pg, MMU_NO_BUFFER);
    }
    /* Copied member by member: copying the structure would stall on its recent
     * stores. */
    desc = &mmu->descs[n];
    desc->user = user;
    desc->is_copy = 0;
    desc->ingress = mmu->accounts[MMU_INGRESS].live[pg];
    desc->egress = mmu->accounts[MMU_EGRESS].live[queue];
    desc->cells = cells;
    desc->length_bytes = length_bytes;
    desc->copies = 1;
    desc->absorbed = absorbed & DESC_MAX_ABSORBED;
    desc->pg = pg;
    mmu->free_cells -= cells;
    account_charge(mmu, MMU_INGRESS, in, cells - absorbed, &in_split);
    account_charge(mmu, MMU_EGRESS, out, cells, &out_split);
    mmu_append(mmu, out, n);
    *packet = n;
    account_judge(mmu, in, cells - absorbed, in_split.to_headroom);
    judge_others(mmu, in, &in_split);
    return MMU_ADMITTED;
}

/* Admits a packet as mmu_fast_enqueue() does, if its PG is XOFF, has cells in
 * headroom, and takes more there: what most packets are while PFC holds the
 * senders. */
static inline uint32_t
enqueue_held(struct mmu *mmu, uint32_t pg, uint32_t queue,
             uint32_t length_bytes, uint32_t user)
{
    const unsigned int held =
        ACCOUNT_XOFF | ACCOUNT_HEADROOM | ACCOUNT_LOSSLESS;
    struct account *in = live_account(mmu, MMU_INGRESS, pg);
    struct account *out = live_account(mmu, MMU_EGRESS, queue);
    struct account_more *more = mmu_ingress_more(mmu, in);
    struct part *part = &mmu->parts[in->part];
    const uint64_t cells = packet_cells(mmu, in, length_bytes);
    const uint32_t n = mmu->free_desc;
    struct fast_charge charge;

    if ((in->flags & held) != held || n == NO_DESC || cells > mmu->free_cells ||
        cells > CELL_MAX_BYTES || shared_fits(mmu, MMU_INGRESS, in, cells) ||
        headroom_admit(mmu, in, more->headroom_max, cells) != MMU_ADMITTED ||
        !mmu_fast_fits(mmu, MMU_EGRESS, out, cells, 0, true, &charge)) {
        return NO_DESC;
    }
    count_arrival(in, length_bytes);
    in->packets++;
    mmu_move_headroom(mmu, in, cells);
    raise_to(&more->headroom_watermark, more->headroom);
    raise_to(&part->headroom_watermark, part->headroom);
    if (in->held > more->total_watermark) {
        more->total_watermark = in->held;
    }
    mmu_fast_charge(mmu, out, &charge, true);
    mmu_fast_admitted(
        mmu, n, user,
        &(struct desc){.ingress = mmu->accounts[MMU_INGRESS].live[pg],
                       .egress = mmu->accounts[MMU_EGRESS].live[queue],
                       .cells = (uint32_t)cells,
                       .length_bytes = length_bytes,
                       .pg = pg});
    return n;
}

/* mmu_enqueue() for what the fast paths but the full one do not take.  Not
 * inline, so that these have all registers. */
static __attribute__((noinline)) enum mmu_drop
enqueue_full(struct mmu *mmu, uint32_t pg, uint32_t queue,
             uint32_t length_bytes, uint32_t user, uint32_t *packet)
{
    uint32_t n = NO_DESC;

    if (mmu->path == MMU_PATH_FULL) {
        n = mmu_fast_enqueue(mmu, pg, queue, length_bytes, user, MMU_PATH_FULL);
    }
    if (n == NO_DESC && mmu->path != MMU_PATH_NONE) {
        n = enqueue_held(mmu, pg, queue, length_bytes, user);
    }
    if (n == NO_DESC) {
        const enum mmu_drop drop =
            enqueue_any(mmu, pg, queue, length_bytes, user, packet);

        mmu_report(mmu, pg, queue, 0);
        return drop;
    }
    *packet = n;
    return MMU_ADMITTED;
}

/* mmu_fast_enqueue() with XOFF by other PGs; not inline for the same reason. */
static __attribute__((noinline)) uint32_t
enqueue_others(struct mmu *mmu, uint32_t pg, uint32_t queue,
               uint32_t length_bytes, uint32_t user)
{
    return mmu_fast_enqueue(mmu, pg, queue, length_bytes, user,
                            MMU_PATH_OTHERS);
}

/* mmu_enqueue() and mmu_admit(). */
MMU_INLINE enum mmu_drop
enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
        uint32_t user, uint32_t *packet)
{
    uint32_t n = NO_DESC;

    if (mmu->path == MMU_PATH_PLAIN) {
        n = mmu_fast_enqueue(mmu, pg, queue, length_bytes, user,
                             MMU_PATH_PLAIN);
    } else if (mmu->path == MMU_PATH_OTHERS) {
        n = enqueue_others(mmu, pg, queue, length_bytes, user);
    }
    if (n == NO_DESC) {
        return enqueue_full(mmu, pg, queue, length_bytes, user, packet);
    }
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

bool
mmu_requeue(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes,
            uint32_t *packet)
{
    struct account *in = need_account(mmu, MMU_INGRESS, pg);
    struct account *out = need_account(mmu, MMU_EGRESS, queue);
    const uint32_t cells = packet_cells(mmu, in, length_bytes);
    const bool lossy = is_lossy(mmu, in);
    const uint32_t absorbed = absorbed_cells(mmu, out, lossy, cells);
    const bool has_desc =
        mmu->free_desc != NO_DESC || mmu->fresh_desc < mmu->n_descs;
    struct split split;

    if (!has_desc ||
        arrive(mmu, in, cells, cells - absorbed, &split) != MMU_ADMITTED ||
        egress_admit(mmu, out, cells, lossy, &split) != MMU_ADMITTED) {
        return false;
    }
    in->count--;
    in->bytes -= length_bytes;
    return enqueue(mmu, pg, queue, length_bytes, 0, packet) == MMU_ADMITTED;
}

/* mmu_pass() for the full rules; see enqueue_full(). */
static __attribute__((noinline)) bool
pass_full(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes)
{
    return mmu->path == MMU_PATH_FULL &&
           mmu_fast_pass(mmu, pg, queue, length_bytes, MMU_PATH_FULL);
}

bool
mmu_pass(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t length_bytes)
{
    switch (mmu->path) {
    case MMU_PATH_OTHERS:
        return mmu_fast_pass(mmu, pg, queue, length_bytes, MMU_PATH_OTHERS);
    case MMU_PATH_PLAIN:
        return mmu_fast_pass(mmu, pg, queue, length_bytes, MMU_PATH_PLAIN);
    case MMU_PATH_FULL:
    case MMU_PATH_NONE:
        break;
    }
    return pass_full(mmu, pg, queue, length_bytes);
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

/* Offers one copy to 'queue'.  '*master' is NO_DESC until there is one. */
static enum mmu_drop
offer_copy(struct mmu *mmu, uint32_t queue, const struct desc *content,
           uint32_t *master)
{
    struct account *out = need_account(mmu, MMU_EGRESS, queue);
    const bool lossy =
        is_lossy(mmu, &mmu->accounts[MMU_INGRESS].items[content->ingress]);
    struct fast_charge charge;
    const bool fits =
        mmu->path != MMU_PATH_NONE &&
        !(lossy && out->held + content->cells > mmu->voq_max) &&
        mmu_fast_fits(mmu, MMU_EGRESS, out, content->cells, 0, true, &charge);
    struct split split;
    const enum mmu_drop drop =
        fits ? MMU_ADMITTED
             : egress_admit(mmu, out, content->cells, lossy, &split);
    struct desc *copy;
    uint32_t n;

    if (drop != MMU_ADMITTED) {
        return egress_dropped(mmu, queue, content->length_bytes, drop);
    }
    n = desc_take(mmu);
    if (n == NO_DESC) {
        return egress_dropped(mmu, queue, content->length_bytes,
                              MMU_EGRESS_QUEUE);
    }
    copy = &mmu->descs[n];
    *copy = *content;
    if (*master == NO_DESC) {
        *master = n;
    } else {
        copy->is_copy = 1;
        copy->user = *master;
    }
    copy->egress = mmu->accounts[MMU_EGRESS].live[queue];
    if (fits) {
        mmu_fast_charge(mmu, out, &charge, true);
    } else {
        account_charge(mmu, MMU_EGRESS, out, content->cells, &split);
    }
    mmu_append(mmu, out, n);
    return MMU_ADMITTED;
}

/* Charges a packet of 'cells' to 'in' by 'split', and updates XOFF. */
static void
charge_and_judge(struct mmu *mmu, struct account *in, uint64_t cells,
                 const struct split *split)
{
    account_charge(mmu, MMU_INGRESS, in, cells, split);
    account_judge(mmu, in, cells, split->to_headroom);
    judge_others(mmu, in, split);
}

uint32_t
mmu_enqueue_copies(struct mmu *mmu, uint32_t pg, const uint32_t *queues,
                   uint32_t n, uint32_t length_bytes, uint32_t *packet,
                   enum mmu_drop *drops)
{
    struct account *in = need_account(mmu, MMU_INGRESS, pg);
    const struct desc content = {.cells = packet_cells(mmu, in, length_bytes),
                                 .length_bytes = length_bytes,
                                 .ingress = mmu->accounts[MMU_INGRESS].live[pg],
                                 .pg = pg};
    struct fast_charge charge;
    uint64_t quiet = 0;
    const bool fits = mmu->path != MMU_PATH_NONE &&
                      content.cells <= mmu->free_cells &&
                      mmu_fast_arrives(mmu, in, content.cells, MMU_PATH_FULL,
                                       &charge, &quiet);
    struct split split;
    const enum mmu_drop drop =
        fits ? MMU_ADMITTED
             : arrive(mmu, in, content.cells, content.cells, &split);
    uint32_t master = NO_DESC;
    uint32_t copies = 0;

    count_arrival(in, length_bytes);
    if (drop != MMU_ADMITTED) {
        ingress_dropped(mmu, pg, drop);
        for (uint32_t i = 0; i < n; i++) {
            drops[i] = drop;
        }
        mmu_report(mmu, pg, queues[0], 0);
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        drops[i] = offer_copy(mmu, queues[i], &content, &master);
        copies += drops[i] == MMU_ADMITTED;
    }
    if (copies) {
        mmu->descs[master].copies = copies & DESC_MAX_COPIES;
        mmu->free_cells -= content.cells;
        *packet = master;
        if (fits) {
            mmu_fast_charge_in(mmu, in, &charge, quiet, MMU_PATH_FULL);
        } else {
            charge_and_judge(mmu, in, content.cells, &split);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        mmu_report(mmu, pg, queues[i], 0);
    }
    return copies;
}
