/* SPDX-License-Identifier: Apache-2.0 */

/* Reading the state of the buffer, and verifying it. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <stdlib.h>

#include "twin/mmu/mmu_state.h"

const struct chip *
mmu_chip(const struct mmu *mmu)
{
    return mmu->chip;
}

uint32_t
mmu_packet_capacity(const struct mmu *mmu)
{
    return mmu->n_descs;
}

uint64_t
mmu_port_backlog(const struct mmu *mmu, uint32_t port)
{
    return mmu->ports[port].backlog;
}

uint64_t
mmu_used_cells(const struct mmu *mmu)
{
    return mmu->used;
}

bool
mmu_pg_is_xoff(const struct mmu *mmu, uint32_t pg)
{
    uint32_t account = mmu->pgs[pg].account;

    return account != MMU_NONE &&
           mmu->accounts[MMU_INGRESS].items[account].is_xoff;
}

/* Adds up the levels of all accounts that start at 'id'. */
static struct account
levels_sum(const struct mmu *mmu, enum mmu_direction direction, uint32_t id)
{
    const struct account *items = mmu->accounts[direction].items;
    struct account sum = {0};

    for (; id != MMU_NONE; id = mmu->accounts[direction].more[id].next) {
        sum.reserved += items[id].reserved;
        sum.shared += items[id].shared;
        sum.headroom += items[id].headroom;
    }
    return sum;
}

/* Returns the threshold on the shared cells of 'account' now. */
static uint64_t
limit_now(const struct mmu *mmu, const struct account *account)
{
    const struct part *part = &mmu->parts[account->part];

    return account_limit(account, sat_sub(part->limit, part->shared));
}

static uint64_t
max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void
mmu_pg_get(const struct mmu *mmu, uint32_t pg, struct mmu_pg_stats *stats)
{
    const struct pg *g = &mmu->pgs[pg];
    const struct account *account =
        &mmu->accounts[MMU_INGRESS].items[g->account];
    const struct account_more *more =
        &mmu->accounts[MMU_INGRESS].more[g->account];
    struct account sum = levels_sum(mmu, MMU_INGRESS, g->account);

    *stats = (struct mmu_pg_stats){
        .packets = g->packets,
        .bytes = g->bytes,
        .dropped_packets = g->dropped_packets,
        .reserved = sum.reserved,
        .shared = sum.shared,
        .headroom = sum.headroom,
        .shared_watermark = max_u64(account->shared_watermark, sum.shared),
        .headroom_watermark = max_u64(more->headroom_watermark, sum.headroom),
        .guarantee = account->guarantee,
        .limit = limit_now(mmu, account),
        .headroom_limit = more->headroom_max,
        .is_xoff = account->is_xoff,
    };
}

void
mmu_queue_get(const struct mmu *mmu, uint32_t queue,
              struct mmu_queue_stats *stats)
{
    const struct queue *q = &mmu->queues[queue];
    const struct account *account =
        &mmu->accounts[MMU_EGRESS].items[q->account];
    struct account sum = levels_sum(mmu, MMU_EGRESS, q->account);

    *stats = (struct mmu_queue_stats){
        .packets = q->packets,
        .bytes = q->bytes,
        .dropped_packets = q->dropped_packets,
        .dropped_bytes = q->dropped_bytes,
        .queued_packets = q->n,
        .reserved = sum.reserved,
        .shared = sum.shared,
        .shared_watermark = max_u64(account->shared_watermark, sum.shared),
        .guarantee = account->guarantee,
        .limit = limit_now(mmu, account),
    };
}

enum st
mmu_pool_get(const struct mmu *mmu, uint32_t pool, struct mmu_pool_stats *stats)
{
    const struct chip *chip = mmu->chip;
    const struct part *parts;
    const struct pool *p;

    if (pool >= chip->pools || !mmu->pools[pool].exists) {
        return ST_NOT_FOUND;
    }
    p = &mmu->pools[pool];
    parts = &mmu->parts[(size_t)pool * chip->partitions];
    *stats = (struct mmu_pool_stats){
        .shared_limit = parts->limit,
        .shared_size =
            sat_sub(model_bytes_to_cells(chip, p->config.size_bytes),
                    p->attached_size +
                        model_bytes_to_cells_up(chip, p->config.xoff_bytes)),
        .headroom_limit = parts->headroom_limit,
        .dropped_packets = p->dropped_packets,
    };
    for (uint32_t i = 0; i < chip->partitions; i++) {
        const struct part *part = &parts[i];

        stats->reserved += part->held - part->shared - part->headroom;
        stats->shared += part->shared;
        stats->headroom += part->headroom;
        stats->shared_watermark += part->shared_watermark;
        stats->headroom_watermark += part->headroom_watermark;
        stats->total_watermark += part->held_watermark;
    }
    return ST_OK;
}

void
mmu_pg_clear_watermarks(struct mmu *mmu, uint32_t pg, unsigned int which)
{
    uint32_t id = mmu->pgs[pg].account;
    struct account *account = &mmu->accounts[MMU_INGRESS].items[id];
    struct account sum = levels_sum(mmu, MMU_INGRESS, id);

    if (which & MMU_WATERMARK_SHARED) {
        account->shared_watermark = sum.shared;
    }
    if (which & MMU_WATERMARK_HEADROOM) {
        mmu->accounts[MMU_INGRESS].more[id].headroom_watermark = sum.headroom;
    }
}

void
mmu_queue_clear_watermarks(struct mmu *mmu, uint32_t queue, unsigned int which)
{
    uint32_t id = mmu->queues[queue].account;
    struct account sum = levels_sum(mmu, MMU_EGRESS, id);

    if (which & MMU_WATERMARK_SHARED) {
        mmu->accounts[MMU_EGRESS].items[id].shared_watermark = sum.shared;
    }
}

void
mmu_pool_clear_watermarks(struct mmu *mmu, uint32_t pool, unsigned int which)
{
    uint32_t n = mmu->chip->partitions;

    for (uint32_t i = 0; i < n; i++) {
        struct part *part = &mmu->parts[(size_t)pool * n + i];

        if (which & MMU_WATERMARK_SHARED) {
            part->shared_watermark = part->shared;
        }
        if (which & MMU_WATERMARK_HEADROOM) {
            part->headroom_watermark = part->headroom;
        }
        if (which & MMU_WATERMARK_TOTAL) {
            part->held_watermark = part->held;
        }
    }
}

void
mmu_pg_clear_counters(struct mmu *mmu, uint32_t pg)
{
    mmu->pgs[pg].packets = 0;
    mmu->pgs[pg].bytes = 0;
    mmu->pgs[pg].dropped_packets = 0;
}

void
mmu_queue_clear_counters(struct mmu *mmu, uint32_t queue)
{
    mmu->queues[queue].packets = 0;
    mmu->queues[queue].bytes = 0;
    mmu->queues[queue].dropped_packets = 0;
    mmu->queues[queue].dropped_bytes = 0;
}

/* Verification --------------------------------------------------------- */

/* What the packets say: cells and packets per account. */
struct tally {
    uint64_t *cells[2];
    uint32_t *packets[2];
    uint64_t used;
};

static const char *
tally_port(const struct mmu *mmu, uint32_t port, struct tally *tally)
{
    for (uint32_t i = 0; i < mmu->chip->queues_per_port; i++) {
        const struct queue *q = &mmu->queues[mmu_queue_id(mmu, port, i)];
        uint32_t n = q->head;

        if (((mmu->ports[port].backlog & q->bit) != 0) != (q->n != 0)) {
            return "a backlog bit disagrees with its queue";
        }
        for (uint32_t k = 0; k < q->n; k++, n = mmu->descs[n].next) {
            const struct desc *desc = &mmu->descs[n];

            tally->cells[MMU_EGRESS][desc->egress] += desc->cells;
            tally->packets[MMU_EGRESS][desc->egress]++;
            if (mmu->descs[desc->master].copies == 0) {
                return "a queued packet has no copies";
            }
        }
    }
    return NULL;
}

/* Counts packets at ingress.  Each is charged once, however many copies are
 * queued: it counts with the copy that completes the number. */
static const char *
tally_masters(const struct mmu *mmu, struct tally *tally)
{
    uint32_t *seen = check_calloc(mmu->fresh_desc + 1, sizeof *seen);
    const char *wrong = NULL;

    for (uint32_t id = 0; id < mmu->n_queues; id++) {
        const struct queue *q = &mmu->queues[id];
        uint32_t n = q->head;

        for (uint32_t k = 0; k < q->n; k++, n = mmu->descs[n].next) {
            uint32_t master = mmu->descs[n].master;
            const struct desc *desc = &mmu->descs[master];

            if (seen[master]++ == 0) {
                tally->cells[MMU_INGRESS][desc->ingress] += desc->cells;
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

static const char *
check_account(const struct account *account, enum mmu_direction direction,
              uint64_t cells, uint32_t packets)
{
    if (account->reserved > account->guarantee) {
        return "an account holds more than its guarantee as reserved";
    }
    if (account->shared + account->headroom > 0 &&
        account->reserved != account->guarantee) {
        return "an account shares although its guarantee is not full";
    }
    if (account->reserved + account->shared + account->headroom != cells) {
        return "an account's levels differ from its packets' cells";
    }
    if (account->packets != packets) {
        return "an account's packets are miscounted";
    }
    if (!account->is_live && (account->is_xoff || packets == 0)) {
        return "an account that drains is XOFF or empty";
    }
    if (direction == MMU_EGRESS && (account->headroom || account->is_xoff)) {
        return "an egress account has headroom or is XOFF";
    }
    if (account->is_xoff && packets == 0) {
        return "an empty account is XOFF: nothing would release it";
    }
    if (account->shared_watermark < account->shared) {
        return "a watermark is below the level";
    }
    return NULL;
}

/* Compares accounts with packets, and adds them up per pool and partition. */
static const char *
check_accounts(const struct mmu *mmu, enum mmu_direction direction,
               const struct tally *tally, struct pool *pools,
               struct part *parts)
{
    const struct account_table *table = &mmu->accounts[direction];
    uint32_t free = 0;

    for (uint32_t id = table->free; id != MMU_NONE; id = table->more[id].next) {
        if (tally->packets[direction][id]) {
            return "a free account has packets";
        }
        free++;
    }
    if (free + table->n_used != table->fresh) {
        return "accounts are lost";
    }
    for (uint32_t id = 0; id < table->fresh; id++) {
        const struct account *account = &table->items[id];
        const char *wrong;

        if (account->packets == 0 && !account->is_live) {
            continue;
        }
        wrong = check_account(account, direction, tally->cells[direction][id],
                              tally->packets[direction][id]);
        if (wrong) {
            return wrong;
        }
        if (table->more[id].headroom_watermark < account->headroom) {
            return "a headroom watermark is below the level";
        }
        pools[account->pool].n_accounts++;
        parts[account->part].held += tally->cells[direction][id];
        parts[account->part].shared += account->shared;
        parts[account->part].headroom += account->headroom;
    }
    return NULL;
}

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
        if (part->held_watermark < part->held ||
            part->shared_watermark < part->shared ||
            part->headroom_watermark < part->headroom) {
            return "a partition's watermark is below its level";
        }
    }
    return NULL;
}

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
    if (!wrong && (tally->used != mmu->used || mmu->used > mmu->memory)) {
        wrong = "the used memory is miscounted, or beyond what there is";
    }
    wrong =
        wrong ? wrong : check_accounts(mmu, MMU_INGRESS, tally, pools, parts);
    wrong =
        wrong ? wrong : check_accounts(mmu, MMU_EGRESS, tally, pools, parts);
    return wrong ? wrong : check_pools(mmu, pools, parts);
}

const char *
mmu_check(const struct mmu *mmu)
{
    size_t n_pools = mmu->chip->pools + 2;
    struct pool *pools = check_calloc(n_pools, sizeof *pools);
    struct part *parts =
        check_calloc(n_pools * mmu->chip->partitions, sizeof *parts);
    struct tally tally = {0};
    const char *wrong;

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
