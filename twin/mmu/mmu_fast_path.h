/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_FAST_PATH_H
#define ORCHD_TWIN_MMU_MMU_FAST_PATH_H

/* The fast path through the buffer, for nearly all packets.
 *
 * Most packets fit on both sides, use no headroom, change no XOFF state, have
 * one copy, take nothing beside their length, and belong to a PG and a queue
 * whose profile, if any, has not changed pool under load.  For these, the work
 * of mmu_packet.c comes down to a few comparisons and sums.  Each function here
 * first decides by reads only whether a packet is of this kind.  If not, it
 * changes nothing, and the caller takes the slow path from the start.  Both
 * paths lead to the same state.
 *
 * There are three instances of it (enum mmu_path): one for chips and
 * configurations with plain rules, one for those with XOFF by other PGs
 * besides, and a full one.  The full one knows thresholds of ports, XOFF before
 * headroom or by other PGs, and cells that the guarantees of queues absorb.
 *
 * A packet for an empty queue whose port sends it at once is not stored at all:
 * mmu_pass().
 *
 * Half of the time of a packet is instructions and half is memory.  So all
 * branches here are predictable, and a packet touches one cache line for its
 * PG, its queue, and itself. */

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_state.h"

/* What a packet would change at one side. */
struct fast_charge {
    uint64_t cells; /* That are charged. */
    uint64_t held;  /* The level with them. */
    uint64_t rest;  /* Cells of them beyond the guarantee. */
    uint64_t room;  /* Cells between the shared level and the limit, with
                     * them. */
};

/* Returns the units of memory that a packet of 'length_bytes' takes, by a
 * multiplication; see CELL_SHIFT. */
MMU_INLINE uint64_t
mmu_fast_cells(const struct mmu *mmu, uint32_t length_bytes)
{
    return ((length_bytes + mmu->cell_bias) * mmu->cell_inverse) >> CELL_SHIFT;
}

/* Returns a - b, or 0 if that is negative, without a branch: whether a packet
 * fits its guarantee is unpredictable.  Differences must be below 2^63. */
MMU_INLINE uint64_t
mmu_fast_beyond(uint64_t a, uint64_t b)
{
    const int64_t n = (int64_t)(a - b);

    return n > 0 ? (uint64_t)n : 0;
}

/* Returns the highest shared level of 'account' if 'free' cells are free; see
 * struct account.  gcc and clang shift negative numbers arithmetically. */
MMU_INLINE int64_t
mmu_fast_limit(const struct account *account, int64_t free)
{
    return ((int64_t)((uint64_t)free << ALPHA_BITS) >> account->shift) +
           account->most;
}

/* Returns the share of the port of 'account', which is live, on a chip without
 * partitions. */
MMU_INLINE struct share *
mmu_fast_share(const struct mmu *mmu, const struct account *account)
{
    return &mmu->shares[account->port * (mmu->chip->pools + 2) + account->part];
}

/* Lowers '*limit' on 'account', whose shared level will be 'shared' by taking
 * 'cells', to what its port leaves.  Returns false if that is nothing. */
MMU_INLINE bool
mmu_fast_port_limit(const struct mmu *mmu, enum mmu_direction direction,
                    const struct account *account, uint64_t cells, int64_t free,
                    uint64_t shared, int64_t *limit)
{
    const struct share *share = mmu_fast_share(mmu, account);
    const uint64_t used = share->shared + cells;
    uint64_t most;
    int64_t left;

    if (share->threshold.rule == ACCOUNT_UNCLAIMED) {
        return true;
    }
    most = free < 0 ? 0 : share_limit(share, (uint64_t)free);
    if (used > most) {
        return false;
    }
    left = (int64_t)min_u64(most - used, ADMIT_MANY_CELLS);
    if (share->threshold.rule == ACCOUNT_DYNAMIC &&
        (account->flags & ACCOUNT_ALPHA) &&
        mmu->chip->port_alpha == CHIP_PORT_ALPHA_NESTED) {
        *limit = mmu_fast_limit(account, left);
    } else {
        left += (int64_t)shared - mmu->strict[direction];
        *limit = left < *limit ? left : *limit;
    }
    return true;
}

/* Returns whether 'account' stays within its threshold with 'cells' more, and
 * 'extra' besides, and fills 'charge'.  The level including the packet is
 * judged, even on chips that judge it without the packet: else the PG may have
 * to assert XOFF.  The full path also looks whether a peak has room for it. */
MMU_INLINE bool
mmu_fast_fits(const struct mmu *mmu, enum mmu_direction direction,
              const struct account *account, uint64_t cells, uint64_t extra,
              bool is_full, struct fast_charge *charge)
{
    const struct part *part = &mmu->parts[account->part];
    const uint64_t held = account->held + cells;
    const uint64_t beyond = mmu_fast_beyond(held, account->guarantee);
    const uint64_t rest = min_u64(beyond, cells);
    const int64_t free = (int64_t)(part->size - part->shared - rest - extra);
    int64_t limit = mmu_fast_limit(account, free);

    *charge = (struct fast_charge){.cells = cells, .held = held, .rest = rest};
    if ((is_full && mmu->counts_shares &&
         !mmu_fast_port_limit(mmu, direction, account, rest + extra, free,
                              beyond + extra, &limit)) ||
        (is_full && held > UINT32_MAX) || (int64_t)(beyond + extra) > limit) {
        return false;
    }
    charge->room = (uint64_t)(limit + mmu->strict[direction] - (int64_t)beyond);
    return true;
}

/* Updates the watermarks of 'account' and its partition with 'charge', which is
 * not applied yet. */
MMU_INLINE void
mmu_fast_note_level(const struct mmu *mmu, struct account *account,
                    const struct fast_charge *charge, bool is_full)
{
    struct part *part = &mmu->parts[account->part];
    const uint64_t level = is_full && mmu->chip->watermark_with_reserved
                               ? part->held + charge->cells - part->headroom
                               : part->shared + charge->rest;

    if (charge->held > account->peak) {
        account->peak = (uint32_t)charge->held;
    }
    if (level > part->shared_watermark) {
        part->shared_watermark = level;
    }
}

/* Applies 'charge' to 'account'. */
MMU_INLINE void
mmu_fast_charge(struct mmu *mmu, struct account *account,
                const struct fast_charge *charge, bool is_full)
{
    struct part *part = &mmu->parts[account->part];

    mmu_fast_note_level(mmu, account, charge, is_full);
    account->held = charge->held;
    account->packets++;
    part->held += charge->cells;
    part->shared += charge->rest;
    if (is_full && mmu->counts_shares) {
        mmu_fast_share(mmu, account)->shared += charge->rest;
    }
}

/* Returns 'cells' of 'account', which has none in headroom. */
MMU_INLINE void
mmu_fast_discharge(struct mmu *mmu, struct account *account, uint64_t cells,
                   bool is_full)
{
    struct part *part = &mmu->parts[account->part];
    const uint64_t n =
        min_u64(cells, mmu_fast_beyond(account->held, account->guarantee));

    account->packets--;
    account->held -= cells;
    part->held -= cells;
    part->shared -= n;
    if (is_full && mmu->counts_shares) {
        mmu_fast_share(mmu, account)->shared -= n;
    }
}

/* Returns how many of 'cells' are charged to 'in': what the guarantee of a
 * queue absorbs is not. */
MMU_INLINE uint64_t
mmu_fast_charged(const struct mmu *mmu, const struct account *in,
                 const struct account *out, uint64_t cells)
{
    return mmu->absorbs && !(in->flags & ACCOUNT_LOSSLESS)
               ? sat_sub(cells, sat_sub(out->guarantee, out->held))
               : cells;
}

/* Returns whether PGs assert XOFF by other PGs. */
MMU_INLINE bool
mmu_fast_by_others(const struct mmu *mmu, enum mmu_path path)
{
    return path == MMU_PATH_OTHERS || (path == MMU_PATH_FULL && mmu->by_others);
}

/* Returns whether no other PG can reach its limit by 'charge' to 'in', and
 * stores in '*quiet' what remains of the cells for which that holds; see
 * mmu_xoff.c. */
MMU_INLINE bool
mmu_fast_is_quiet(const struct mmu *mmu, const struct account *in,
                  const struct fast_charge *charge, uint64_t *quiet)
{
    const struct part *part = &mmu->parts[in->part];

    if (charge->rest > part->quiet) {
        return false;
    }
    *quiet = part->quiet - charge->rest;
    if ((in->flags & (ACCOUNT_LOSSLESS | ACCOUNT_XOFF)) == ACCOUNT_LOSSLESS &&
        charge->held >= in->guarantee) {
        *quiet = charge->room
                     ? min_u64(*quiet, mmu_quiet_cells(in, charge->room))
                     : 0;
    }
    return true;
}

/* Returns whether 'in' admits 'cells' without headroom, and without a change of
 * any XOFF.  Fills 'charge', and '*quiet' as mmu_fast_is_quiet() does. */
MMU_INLINE bool
mmu_fast_arrives(const struct mmu *mmu, const struct account *in,
                 uint64_t cells, enum mmu_path path, struct fast_charge *charge,
                 uint64_t *quiet)
{
    const bool is_full = path == MMU_PATH_FULL;
    const uint64_t extra = is_full && mmu->early_xoff ? cells : 0;

    return !(in->flags & ACCOUNT_HEADROOM) &&
           mmu_fast_fits(mmu, MMU_INGRESS, in, cells, extra, is_full, charge) &&
           !(mmu_fast_by_others(mmu, path) &&
             !mmu_fast_is_quiet(mmu, in, charge, quiet));
}

/* Applies what mmu_fast_arrives() has found. */
MMU_INLINE void
mmu_fast_charge_in(struct mmu *mmu, struct account *in,
                   const struct fast_charge *charge, uint64_t quiet,
                   enum mmu_path path)
{
    if (mmu_fast_by_others(mmu, path)) {
        mmu->parts[in->part].quiet = quiet;
    }
    mmu_fast_charge(mmu, in, charge, path == MMU_PATH_FULL);
}

/* Returns the rest of an ingress account; only these have headroom and XOFF. */
static inline struct account_more *
mmu_ingress_more(const struct mmu *mmu, const struct account *account)
{
    return account_more(&mmu->accounts[MMU_INGRESS], account);
}

/* Moves 'cells' (modulo 2^64) into the headroom of 'in', which stays in use. */
static inline void
mmu_move_headroom(struct mmu *mmu, struct account *in, uint64_t cells)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];

    in->held += cells;
    mmu->parts[in->part].held += cells;
    account_add_headroom(mmu, table, in, cells);
}

/* Counts a packet that 'queue' dropped. */
static inline void
mmu_note_queue_drop(struct mmu *mmu, uint32_t queue, uint32_t length_bytes,
                    enum mmu_drop why)
{
    struct owner *owner = &mmu->accounts[MMU_EGRESS].owners[queue];

    owner->dropped_packets++;
    owner->dropped_bytes += length_bytes;
    mmu->ports[queue / mmu->chip->queues_per_port].drops[why]++;
}

/* Appends descriptor 'n' to queue 'q', without a branch: whether a queue is
 * empty is unpredictable. */
MMU_INLINE void
mmu_append(struct mmu *mmu, struct account *q, uint32_t n)
{
    q->queue.head = q->queue.head == NO_DESC ? n : q->queue.head;
    mmu->descs[q->queue.tail].next = n;
    mmu->descs[n].next = NO_DESC;
    q->queue.tail = n;
    mmu->front.backlogs[q->port] |= UINT64_C(1) << q->index;
}

/* Removes the first descriptor of queue 'q', which 'next' follows. */
MMU_INLINE void
mmu_remove_first(struct account *q, uint32_t next)
{
    q->queue.head = next;
    q->queue.tail &= -(uint32_t)(next != NO_DESC);
}

/* Appends a packet that 'content' describes, with the caller's number 'user',
 * to its queue.  'n' is the first free descriptor. */
MMU_INLINE void
mmu_fast_admitted(struct mmu *mmu, uint32_t n, uint32_t user,
                  const struct desc *content)
{
    struct desc *desc = &mmu->descs[n];

    mmu->free_cells -= content->cells;
    mmu->free_desc = desc->next;
    desc->user = user;
    desc->ingress = content->ingress;
    desc->egress = content->egress;
    desc->cells = content->cells;
    desc->length_bytes = content->length_bytes;
    desc->is_copy = 0;
    desc->copies = 1;
    desc->absorbed = content->absorbed;
    desc->pg = content->pg;
    mmu_append(mmu, &mmu->accounts[MMU_EGRESS].items[content->egress], n);
}

/* Removes packet 'n', the oldest of queue 'out' and its only copy. */
MMU_INLINE void
mmu_fast_departed(struct mmu *mmu, struct account *out, uint32_t n)
{
    struct desc *desc = &mmu->descs[n];

    mmu->free_cells += desc->cells;
    mmu_remove_first(out, desc->next);
    desc->next = mmu->free_desc;
    mmu->free_desc = n;
}

/* The admission of a packet. */
struct fast_admission {
    uint32_t ingress; /* Its accounts. */
    uint32_t egress;
    struct account *in;
    struct account *out;
    uint64_t cells;
    uint64_t charged; /* At ingress. */
    uint64_t quiet;   /* As in mmu_fast_is_quiet(). */
    struct fast_charge in_charge;
    struct fast_charge out_charge;
};

/* Returns whether a packet is admitted by the fast path, and fills
 * 'admission'. */
MMU_INLINE bool
mmu_fast_admits(const struct mmu *mmu, uint32_t pg, uint32_t queue,
                uint32_t length_bytes, enum mmu_path path,
                struct fast_admission *admission)
{
    const bool is_full = path == MMU_PATH_FULL;
    const uint32_t ingress = mmu->accounts[MMU_INGRESS].live[pg];
    const uint32_t egress = mmu->accounts[MMU_EGRESS].live[queue];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[ingress];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[egress];
    const uint64_t cells =
        mmu_fast_cells(mmu, length_bytes) * (is_full ? mmu->cell_factor : 1);
    const uint64_t charged =
        is_full ? mmu_fast_charged(mmu, in, out, cells) : cells;

    admission->ingress = ingress;
    admission->egress = egress;
    admission->in = in;
    admission->out = out;
    admission->cells = cells;
    admission->charged = charged;
    admission->quiet = 0;
    return in->extra == 0 && length_bytes - 1u < CELL_MAX_BYTES &&
           cells <= mmu->free_cells && mmu->free_desc != NO_DESC &&
           mmu_fast_arrives(mmu, in, charged, path, &admission->in_charge,
                            &admission->quiet) &&
           mmu_fast_fits(mmu, MMU_EGRESS, out, cells, 0, is_full,
                         &admission->out_charge) &&
           !(is_full && !(in->flags & ACCOUNT_LOSSLESS) &&
             admission->out_charge.held > mmu->voq_max);
}

/* Admits a packet as mmu_enqueue() does.  Returns its descriptor, or NO_DESC
 * without any change if the packet has to take the slow path. */
MMU_INLINE uint32_t
mmu_fast_enqueue(struct mmu *mmu, uint32_t pg, uint32_t queue,
                 uint32_t length_bytes, uint32_t user, enum mmu_path path)
{
    const uint32_t n = mmu->free_desc;
    struct fast_admission a;

    if (!mmu_fast_admits(mmu, pg, queue, length_bytes, path, &a)) {
        return NO_DESC;
    }
    a.in->count++;
    a.in->bytes += length_bytes;
    mmu_fast_charge_in(mmu, a.in, &a.in_charge, a.quiet, path);
    mmu_fast_charge(mmu, a.out, &a.out_charge, path == MMU_PATH_FULL);
    mmu_fast_admitted(
        mmu, n, user,
        &(struct desc){.ingress = a.ingress,
                       .egress = a.egress,
                       .cells = (uint32_t)a.cells,
                       .length_bytes = length_bytes,
                       .absorbed =
                           (uint32_t)(a.cells - a.charged) & DESC_MAX_ABSORBED,
                       .pg = pg});
    return n;
}

/* Does what mmu_pass() does.  All levels are the same before and after, so
 * 'quiet' of the partition still holds. */
MMU_INLINE bool
mmu_fast_pass(struct mmu *mmu, uint32_t pg, uint32_t queue,
              uint32_t length_bytes, enum mmu_path path)
{
    const bool is_full = path == MMU_PATH_FULL;
    struct fast_admission a;

    if (!mmu_fast_admits(mmu, pg, queue, length_bytes, path, &a) ||
        (a.in->flags & ACCOUNT_XOFF) || a.out->queue.head != NO_DESC) {
        return false;
    }
    mmu_fast_note_level(mmu, a.in, &a.in_charge, is_full);
    mmu_fast_note_level(mmu, a.out, &a.out_charge, is_full);
    a.in->count++;
    a.in->bytes += length_bytes;
    a.out->count++;
    a.out->bytes += length_bytes;
    return true;
}

/* Takes packet 'n', the oldest of the queue with account 'egress', out as
 * queue_take() does.  Returns false without any change if it has to take the
 * slow path. */
MMU_INLINE bool
mmu_fast_take(struct mmu *mmu, uint32_t egress, uint32_t n, bool is_full)
{
    const struct desc *desc = &mmu->descs[n];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[desc->ingress];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[egress];
    const uint32_t cells = desc->cells;
    const uint64_t charged = is_full ? cells - desc->absorbed : cells;

    /* On the full path, a PG that is XOFF goes the fast way until it has
     * reached its resume point. */
    if (desc->copies != 1 || (!is_full && desc->absorbed) ||
        desc->egress != egress ||
        (in->flags &
         (ACCOUNT_DRAINS | ACCOUNT_HEADROOM | (is_full ? 0 : ACCOUNT_XOFF))) ||
        (is_full && (in->flags & ACCOUNT_XOFF) &&
         in->held - charged <= in->resume)) {
        return false;
    }
    mmu_fast_discharge(mmu, in, charged, is_full);
    mmu_fast_discharge(mmu, out, cells, is_full);
    mmu_fast_departed(mmu, out, n);
    return true;
}

#endif /* twin/mmu/mmu_fast_path.h */
