/* SPDX-License-Identifier: Apache-2.0 */

/* Checks the invariants of the buffer.
 *
 * The check starts with the packets in the queues, which cannot be miscounted,
 * and works upwards: packets add up to accounts, accounts to partitions, and
 * every level must keep the invariants of mmu_state.h.  It is slow and
 * allocates memory; only tests call it, after every step. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/mmu/mmu_account.h"

/* Cells and packets per account, computed from the packets. */
struct tally {
    uint64_t *cells[2];
    uint32_t *packets[2];
    uint64_t used;
};

/* Adds up the queued packets of 'port' per egress account. */
static const char *
tally_port(const struct mmu *mmu, uint32_t port, struct tally *tally)
{
    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        const uint32_t id = mmu_queue_id(mmu, port, i);
        const struct account *q = live_account(mmu, MMU_EGRESS, id);
        const bool is_empty = q->queue.head == NO_DESC;
        uint64_t cells = 0;

        if ((mmu->front.backlogs[port] >> i & 1) != !is_empty) {
            return "a backlog bit disagrees with its queue";
        }
        for (uint32_t n = q->queue.head; n != NO_DESC; n = mmu->descs[n].next) {
            const struct desc *desc = &mmu->descs[n];

            tally->cells[MMU_EGRESS][desc->egress] += desc->cells;
            tally->packets[MMU_EGRESS][desc->egress]++;
            cells += desc->cells;
            if (desc->next == NO_DESC && n != q->queue.tail) {
                return "the tail of a queue is not its last packet";
            }
            if (mmu->descs[mmu_master(mmu, n)].copies == 0) {
                return "a queued packet has no copies";
            }
        }
        if (is_empty && q->queue.tail != NO_DESC) {
            return "an empty queue has a last packet";
        }
        if (cells != mmu_queue_cells(mmu, id)) {
            return "the cells of a queue are miscounted";
        }
    }
    return NULL;
}

/* Counts packets at ingress.  A packet with several copies is charged once, so
 * it counts with the last copy found. */
static const char *
tally_masters(const struct mmu *mmu, struct tally *tally)
{
    uint32_t *seen = check_calloc(mmu->fresh_desc + 1, sizeof *seen);
    const char *wrong = NULL;

    for (uint32_t id = 0; id < mmu->n_queues; id++) {
        for (uint32_t n = live_account(mmu, MMU_EGRESS, id)->queue.head;
             n != NO_DESC; n = mmu->descs[n].next) {
            uint32_t master = mmu_master(mmu, n);
            const struct desc *desc = &mmu->descs[master];

            if (seen[master]++ == 0) {
                tally->cells[MMU_INGRESS][desc->ingress] +=
                    desc->cells - desc->absorbed;
                tally->packets[MMU_INGRESS][desc->ingress]++;
                tally->used += desc->cells;
            }
            if (seen[master] > desc->copies) {
                wrong = "a packet has more copies than it counts";
            }
        }
    }
    free(seen);
    return wrong;
}

/* Compares one account that is in use with its packets. */
static const char *
check_account(const struct mmu *mmu, const struct account *account,
              enum mmu_direction direction, uint64_t cells, uint32_t packets)
{
    const struct account_table *table = &mmu->accounts[direction];
    const struct account_more *more = account_more(table, account);
    const uint64_t headroom = more->headroom;
    const bool is_xoff = account_is_xoff(account);

    if ((headroom != 0) != ((account->flags & ACCOUNT_HEADROOM) != 0)) {
        return "an account's flag for headroom is wrong";
    }
    if (headroom > sat_sub(account->held, account->guarantee)) {
        return "an account uses headroom although its guarantee is not full";
    }
    if (account->held != cells) {
        return "an account's level differs from its packets' cells";
    }
    if (account->packets != packets) {
        return "an account's packets are miscounted";
    }
    /* A draining account ends with its last packet, and is never XOFF. */
    if (!account_is_live(account) && (is_xoff || packets == 0)) {
        return "an account that drains is XOFF or empty";
    }
    if (direction == MMU_EGRESS && (headroom || is_xoff)) {
        return "an egress account has headroom or is XOFF";
    }
    if (is_xoff && packets == 0) {
        return "an empty account is XOFF: nothing would release it";
    }
    if (max_u64(more->shared_watermark,
                account_watermark_level(mmu, direction, account, account->peak,
                                        0)) < account_shared(table, account)) {
        return "a watermark is below the level";
    }
    if (max_u64(more->total_watermark, account->peak) < account->held) {
        return "a total watermark is below the level";
    }
    return NULL;
}

/* Compares accounts with packets and adds them up per pool and partition. */
static const char *
check_accounts(const struct mmu *mmu, enum mmu_direction direction,
               const struct tally *tally, struct pool *pools,
               struct part *parts)
{
    const struct account_table *table = &mmu->accounts[direction];
    uint32_t free = 0;

    if (table->items[NO_ACCOUNT].packets || table->items[NO_ACCOUNT].held ||
        table->items[NO_ACCOUNT].count) {
        return "a packet was charged to no account";
    }
    for (uint32_t id = table->free; id != MMU_NONE; id = table->more[id].next) {
        if (tally->packets[direction][id]) {
            return "a free account has packets";
        }
        free++;
    }
    if (free + table->n_used + 1 != table->fresh) {
        return "accounts are lost";
    }
    /* A free account is neither live nor charged. */
    for (uint32_t id = NO_ACCOUNT + 1; id < table->fresh; id++) {
        const struct account *account = &table->items[id];
        const char *wrong;

        if (account->packets == 0 && !account_is_live(account)) {
            continue;
        }
        wrong =
            check_account(mmu, account, direction, tally->cells[direction][id],
                          tally->packets[direction][id]);
        if (wrong) {
            return wrong;
        }
        if (table->more[id].headroom_watermark < table->more[id].headroom) {
            return "a headroom watermark is below the level";
        }
        pools[table->more[id].pool].n_accounts++;
        parts[account->part].held += tally->cells[direction][id];
        parts[account->part].shared += account_shared(table, account);
        parts[account->part].headroom += account_headroom(table, account);
    }
    return NULL;
}

/* Compares pools and partitions with the sums over accounts. */
static const char *
check_pools(const struct mmu *mmu, const struct pool *pools,
            const struct part *parts)
{
    uint32_t n_pools = mmu->chip->pools + 2;

    for (uint32_t i = 0; i < n_pools; i++) {
        if (mmu->pools[i].n_accounts != pools[i].n_accounts) {
            return "the accounts of a pool are miscounted";
        }
    }
    for (uint32_t i = 0; i < n_pools * mmu->chip->partitions; i++) {
        const struct part *part = &mmu->parts[i];

        if (part->held != parts[i].held || part->shared != parts[i].shared ||
            part->headroom != parts[i].headroom) {
            return "a partition differs from the sum of its accounts";
        }
        if (part->shared_watermark < part->shared ||
            part->headroom_watermark < part->headroom) {
            return "a partition's watermark is below its level";
        }
    }
    return NULL;
}

/* Adds what the accounts of 'direction' hold to 'shares'. */
static void
sum_shares(const struct mmu *mmu, enum mmu_direction direction,
           struct share *shares)
{
    const struct account_table *table = &mmu->accounts[direction];

    for (uint32_t id = 0; id < table->fresh; id++) {
        const struct account *account = &table->items[id];
        uint32_t share = table->more[id].share;

        if (share != MMU_NONE &&
            (account->packets || account_is_live(account))) {
            shares[share].shared += account_shared(table, account);
            shares[share].headroom += account_headroom(table, account);
        }
    }
}

/* Compares the shares of ports with the sums over their accounts. */
static const char *
check_shares(const struct mmu *mmu)
{
    size_t n = (size_t)mmu->chip->ports * (mmu->chip->pools + 2);
    struct share *shares;
    const char *wrong = NULL;

    if (!mmu->counts_shares) {
        return NULL;
    }
    shares = check_calloc(n, sizeof *shares);
    sum_shares(mmu, MMU_INGRESS, shares);
    sum_shares(mmu, MMU_EGRESS, shares);
    for (size_t i = 0; i < n; i++) {
        if (mmu->shares[i].shared != shares[i].shared ||
            mmu->shares[i].headroom != shares[i].headroom) {
            wrong = "the share of a port differs from the sum of its accounts";
        }
    }
    free(shares);
    return wrong;
}

/* Runs all checks, from packets to pools.  Returns the first violation, or
 * NULL. */
static const char *
check_all(const struct mmu *mmu, struct tally *tally, struct pool *pools,
          struct part *parts)
{
    const char *wrong = NULL;

    for (uint32_t i = 0; i < mmu->chip->ports && !wrong; i++) {
        if (mmu->ports[i].exists) {
            wrong = tally_port(mmu, i, tally);
        }
    }
    wrong = wrong ? wrong : tally_masters(mmu, tally);
    if (!wrong &&
        (tally->used != mmu_used_cells(mmu) || mmu->free_cells > mmu->memory)) {
        wrong = "the used memory is miscounted, or exceeds the memory";
    }
    wrong =
        wrong ? wrong : check_accounts(mmu, MMU_INGRESS, tally, pools, parts);
    wrong =
        wrong ? wrong : check_accounts(mmu, MMU_EGRESS, tally, pools, parts);
    wrong = wrong ? wrong : check_shares(mmu);
    return wrong ? wrong : check_pools(mmu, pools, parts);
}

const char *
mmu_check(const struct mmu *mmu)
{
    size_t n_pools = mmu->chip->pools + 2;
    struct pool *pools = check_calloc(n_pools, sizeof *pools);
    const size_t n_bytes =
        n_pools * mmu->chip->partitions * sizeof(struct part);
    struct part *parts = aligned_alloc(_Alignof(struct part), n_bytes);
    struct tally tally = {0};
    const char *wrong;

    orch_assert(parts);
    memset(parts, 0, n_bytes);
    for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
        size_t n = mmu->accounts[i].fresh + 1;

        tally.cells[i] = check_calloc(n, sizeof *tally.cells[i]);
        tally.packets[i] = check_calloc(n, sizeof *tally.packets[i]);
    }
    wrong = check_all(mmu, &tally, pools, parts);
    for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
        free(tally.cells[i]);
        free(tally.packets[i]);
    }
    free(parts);
    free(pools);
    return wrong;
}
