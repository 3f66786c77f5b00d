/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_FAST_PATH_H
#define ORCHD_TWIN_MMU_MMU_FAST_PATH_H

/* The fast path through the buffer, for nearly all packets.
 *
 * Most packets fit on both sides, use no headroom, change no XOFF state, have
 * one copy, and belong to a PG and a queue whose profile has not changed pool
 * under load.  For these, the work of mmu_packet.c comes down to a few
 * comparisons and sums.  Each function here first decides by reads only whether
 * a packet is of this kind.  If not, it changes nothing, and the caller takes
 * the slow path from the start.  Both paths lead to the same state.
 *
 * Half of the time of a packet is instructions and half is memory.  So all
 * branches here are predictable, and the code needs no more values at a time
 * than there are registers. */

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_state.h"

/* Returns chip_packet_cells() of 'length_bytes' by a multiplication; see
 * CELL_SHIFT. */
MMU_INLINE uint64_t
mmu_fast_cells(const struct mmu *mmu, uint32_t length_bytes)
{
    return ((length_bytes + mmu->cell_bias) * mmu->cell_inverse) >> CELL_SHIFT;
}

/* Returns whether 'account' stays within its threshold with 'cells' more in the
 * shared part.  Returns false for an account of the unclaimed memory, and while
 * its partition is above its limit. */
MMU_INLINE bool
mmu_fast_fits(const struct mmu *mmu, enum mmu_direction direction,
              const struct account *account, uint64_t cells)
{
    const struct part *part = &mmu->parts[account->part];
    const uint64_t size = part->limit + mmu->lag[direction];
    const uint64_t used = part->shared + cells;
    const uint64_t free = size - used;

    return used <= size &&
           account->shared + cells + mmu->strict[direction] <=
               (free << account->up >> account->down) + account->fixed;
}

/* Charges 'cells' to 'account', of which 'rest' are beyond its guarantee. */
MMU_INLINE void
mmu_fast_charge(struct mmu *mmu, struct account *account, uint64_t cells,
                uint64_t rest)
{
    struct part *part = &mmu->parts[account->part];
    const uint64_t shared = account->shared + rest;
    const uint64_t pool_shared = part->shared + rest;

    account->packets++;
    account->reserved += cells - rest;
    account->shared = shared;
    account_note_total(account);
    part->held += cells;
    part->shared = pool_shared;
    if (shared > account->shared_watermark) {
        account->shared_watermark = shared;
    }
    if (pool_shared > part->shared_watermark) {
        part->shared_watermark = pool_shared;
    }
}

/* Returns 'cells' of 'account', which has none in headroom. */
MMU_INLINE void
mmu_fast_discharge(struct mmu *mmu, struct account *account, uint64_t cells)
{
    struct part *part = &mmu->parts[account->part];
    const uint64_t n = min_u64(cells, account->shared);

    account->packets--;
    account->shared -= n;
    account->reserved -= cells - n;
    part->held -= cells;
    part->shared -= n;
}

/* Admits a packet as mmu_enqueue() does.  Returns its descriptor, or MMU_NONE
 * without any change if the packet has to take the slow path. */
MMU_INLINE uint32_t
mmu_fast_enqueue(struct mmu *mmu, uint32_t pg, struct queue *q,
                 uint32_t length_bytes, uint32_t user)
{
    struct pg *g = &mmu->pgs[pg];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[g->account];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[q->account];
    const uint64_t cells = mmu_fast_cells(mmu, length_bytes);
    const uint64_t in_rest = beyond_guarantee(in, cells);
    const uint64_t out_rest = beyond_guarantee(out, cells);
    const uint32_t n = mmu->free_desc;
    struct desc *desc;

    /* At ingress the level including the packet must be below the threshold,
     * even on chips that judge it without the packet: else the PG may have to
     * assert XOFF. */
    if (!mmu->is_plain || length_bytes - 1u >= CELL_MAX_BYTES ||
        cells > mmu->memory - mmu->used || n == MMU_NONE ||
        !mmu_fast_fits(mmu, MMU_INGRESS, in, in_rest) ||
        !mmu_fast_fits(mmu, MMU_EGRESS, out,
                       out_rest & mmu->with_packet[MMU_EGRESS])) {
        return MMU_NONE;
    }
    g->packets++;
    g->bytes += length_bytes;
    mmu->used += cells;
    mmu_fast_charge(mmu, in, cells, in_rest);
    mmu_fast_charge(mmu, out, cells, out_rest);
    desc = &mmu->descs[n];
    mmu->free_desc = desc->next;
    desc->next = MMU_NONE;
    desc->user = user;
    desc->ingress = g->account;
    desc->egress = q->account;
    desc->cells = (uint32_t)cells;
    desc->length_bytes = length_bytes;
    desc->is_copy = 0;
    desc->copies = 1;
    desc->absorbed = 0;
    desc->pg = pg;
    return n;
}

/* Takes packet 'n', the oldest of 'q', out as queue_take() does.  Returns false
 * without any change if it has to take the slow path. */
MMU_INLINE bool
mmu_fast_take(struct mmu *mmu, struct queue *q, uint32_t n)
{
    struct desc *desc = &mmu->descs[n];
    struct account *in = &mmu->accounts[MMU_INGRESS].items[desc->ingress];
    struct account *out = &mmu->accounts[MMU_EGRESS].items[desc->egress];
    const uint32_t cells = desc->cells;

    /* An owner that returned to a pool may have
     * cells in headroom there without being XOFF. */
    if (desc->copies != 1 || desc->is_copy || !mmu->is_plain || !in->is_live ||
        in->is_xoff || in->headroom || !out->is_live) {
        return false;
    }
    mmu_fast_discharge(mmu, in, cells);
    mmu_fast_discharge(mmu, out, cells);
    mmu->used -= cells;
    q->head = desc->next;
    q->cells -= cells;
    desc->next = mmu->free_desc;
    mmu->free_desc = n;
    return true;
}

#endif /* twin/mmu/mmu_fast_path.h */
