/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the state of the buffer.
 *
 * The levels of a PG or queue are the sums over its accounts: the live one and
 * those that drain in previous pools.  Its limits are those of the live
 * account.
 *
 * The hot path maintains a watermark per account; the reported watermark is the
 * larger of that and the current sum. Clearing sets a watermark to the current
 * level, not to 0, because the highest level since then is at least the current
 * one.
 *
 * All levels and limits are in cells; on chips that count bytes a cell is one
 * byte. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_state.h"

const char *
mmu_drop_name(enum mmu_drop drop)
{
    static const char *const names[] = {
#define X(member, slug, is_egress) slug,
        MMU_DROPS(X)
#undef X
    };

    orch_assert(drop < MMU_N_DROPS);
    return names[drop];
}

bool
mmu_drop_is_egress(enum mmu_drop drop)
{
    static const bool egress[] = {
#define X(member, slug, is_egress) is_egress,
        MMU_DROPS(X)
#undef X
    };

    orch_assert(drop < MMU_N_DROPS);
    return egress[drop];
}

uint64_t
mmu_port_drops(const struct mmu *mmu, uint32_t port, enum mmu_drop why)
{
    return mmu->ports[port].drops[why];
}

const struct chip *
mmu_chip(const struct mmu *mmu)
{
    return mmu->chip;
}

void
mmu_set_watch(struct mmu *mmu, mmu_watch_fn *watch, void *context)
{
    mmu->watch = watch;
    mmu->watch_context = context;
    mmu->reports = watch || mmu->policy;
    mmu_judge_path__(mmu);
}

uint32_t
mmu_packet_capacity(const struct mmu *mmu)
{
    return mmu->n_descs;
}

uint64_t
mmu_used_cells(const struct mmu *mmu)
{
    return mmu->memory - mmu->free_cells;
}

uint64_t
mmu_slow_count(const struct mmu *mmu)
{
    return mmu->n_slow;
}

bool
mmu_pg_is_xoff(const struct mmu *mmu, uint32_t pg)
{
    return account_is_xoff(live_account(mmu, MMU_INGRESS, pg));
}

/* The levels of a PG or queue, or what its watermarks are at least. */
struct levels {
    uint64_t reserved;
    uint64_t shared;
    uint64_t headroom;
    uint64_t packets;
    uint64_t watermark; /* The level of the shared watermark. */
};

/* Adds up the levels of all accounts of 'owner'. */
static struct levels
levels_sum(const struct mmu *mmu, enum mmu_direction direction, uint32_t owner)
{
    const struct account_table *table = &mmu->accounts[direction];
    struct levels sum = {0};

    for (uint32_t id = table->live[owner]; id != MMU_NONE;
         id = table->more[id].next) {
        const struct account *account = &table->items[id];
        const uint64_t headroom = account_headroom(table, account);

        sum.reserved += account_reserved(account);
        sum.shared += account_shared(table, account);
        sum.headroom += headroom;
        sum.packets += account->packets;
        sum.watermark += account_watermark_level(mmu, direction, account,
                                                 account->held, headroom);
    }
    return sum;
}

/* Returns the watermark of the shared cells of 'owner', or of all levels
 * together. */
static uint64_t
shared_watermark(const struct mmu *mmu, enum mmu_direction direction,
                 uint32_t owner)
{
    const struct account *account = live_account(mmu, direction, owner);
    const struct account_more *more =
        account_more(&mmu->accounts[direction], account);

    return max_u64(
        more->shared_watermark,
        account_watermark_level(mmu, direction, account, account->peak, 0));
}

static uint64_t
total_watermark(const struct mmu *mmu, enum mmu_direction direction,
                uint32_t owner)
{
    const struct account *account = live_account(mmu, direction, owner);
    const struct account_more *more =
        account_more(&mmu->accounts[direction], account);

    return max_u64(more->total_watermark, account->peak);
}

/* Returns the cells of all accounts from 'id' on. */
static __attribute__((noinline)) uint64_t
cells_sum(const struct account_table *table, uint32_t id)
{
    uint64_t cells = 0;

    for (; id != MMU_NONE; id = table->more[id].next) {
        cells += table->items[id].held;
    }
    return cells;
}

uint64_t
mmu_queue_cells(const struct mmu *mmu, uint32_t queue)
{
    const struct account_table *table = &mmu->accounts[MMU_EGRESS];
    const uint32_t id = table->live[queue];

    return table->n_drains ? cells_sum(table, id) : table->items[id].held;
}

/* Returns the headroom that a PG whose own is 'own' may use. */
static uint64_t
headroom_limit(const struct mmu *mmu, const struct account *account,
               uint64_t own)
{
    const struct share *share =
        account_share(mmu, &mmu->accounts[MMU_INGRESS], account);

    return own && share && headroom_is_shared(mmu, &mmu->parts[account->part])
               ? share->headroom_max
               : own;
}

/* Adds what the accounts of 'direction' take. */
static void
add_memory(const struct mmu *mmu, enum mmu_direction direction,
           struct mmu_memory *memory)
{
    const struct account_table *table = &mmu->accounts[direction];
    const uint64_t owners =
        (uint64_t)mmu->n_ports_live * mmu_owners_per_port(mmu, direction);

    memory->hot += table->fresh * sizeof *table->items;
    memory->hot += owners * sizeof *table->live;
    memory->cold += table->fresh * sizeof *table->more;
    memory->cold += owners * sizeof *table->owners;
    memory->reserved += mmu_account_room__(table) * sizeof *table->items;
}

void
mmu_memory(const struct mmu *mmu, struct mmu_memory *memory)
{
    const struct chip *chip = mmu->chip;
    uint64_t profiles = 0;
    uint64_t pools = 0;

    *memory = (struct mmu_memory){
        .hot = sizeof *mmu,
        .packets = (mmu->fresh_desc - NO_DESC - 1) * sizeof *mmu->descs,
        .reserved = mmu->hot_bytes + mmu->block_bytes};
    add_memory(mmu, MMU_INGRESS, memory);
    add_memory(mmu, MMU_EGRESS, memory);
    memory->hot += mmu->n_ports_live * sizeof *mmu->front.backlogs;
    memory->hot += mmu->n_pgs / 64 * sizeof *mmu->lossless;
    for (uint32_t i = 0; i < chip->pools; i++) {
        memory->hot +=
            mmu->pools[i].exists ? chip->partitions * sizeof *mmu->parts : 0;
        memory->cold += sizeof *mmu->pools;
    }
    for (uint32_t i = 0; i < chip->profiles; i++) {
        profiles += mmu->profiles[i].exists;
    }
    memory->cold += profiles * sizeof *mmu->profiles;
    memory->cold += mmu->n_ports_live * sizeof *mmu->ports;
    if (mmu->counts_shares) {
        memory->hot += mmu->n_ports_live * pools * sizeof *mmu->shares;
    }
}

void
mmu_pg_get(const struct mmu *mmu, uint32_t pg, struct mmu_pg_stats *stats)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];
    const struct account *account = live_account(mmu, MMU_INGRESS, pg);
    const struct account_more *more = account_more(table, account);
    const struct levels sum = levels_sum(mmu, MMU_INGRESS, pg);

    *stats = (struct mmu_pg_stats){
        .packets = account->count,
        .bytes = account->bytes,
        .dropped_packets = table->owners[pg].dropped_packets,
        .reserved = sum.reserved,
        .shared = sum.shared,
        .headroom = sum.headroom,
        .shared_watermark =
            max_u64(shared_watermark(mmu, MMU_INGRESS, pg), sum.watermark),
        .headroom_watermark = max_u64(more->headroom_watermark, sum.headroom),
        .total_watermark = max_u64(total_watermark(mmu, MMU_INGRESS, pg),
                                   sum.reserved + sum.shared + sum.headroom),
        .guarantee = account->guarantee,
        .limit = limit_now(mmu, MMU_INGRESS, account),
        .headroom_limit = headroom_limit(mmu, account, more->headroom_max),
        .is_xoff = account_is_xoff(account),
    };
}

void
mmu_queue_get(const struct mmu *mmu, uint32_t queue,
              struct mmu_queue_stats *stats)
{
    const struct owner *owner = &mmu->accounts[MMU_EGRESS].owners[queue];
    const struct account *account = live_account(mmu, MMU_EGRESS, queue);
    const struct levels sum = levels_sum(mmu, MMU_EGRESS, queue);

    *stats = (struct mmu_queue_stats){
        .packets = account->count,
        .bytes = account->bytes,
        .dropped_packets = owner->dropped_packets,
        .dropped_bytes = owner->dropped_bytes,
        .queued_packets = sum.packets,
        .reserved = sum.reserved,
        .shared = sum.shared,
        .shared_watermark =
            max_u64(shared_watermark(mmu, MMU_EGRESS, queue), sum.shared),
        .total_watermark = max_u64(total_watermark(mmu, MMU_EGRESS, queue),
                                   sum.reserved + sum.shared),
        .guarantee = account->guarantee,
        .limit = limit_now(mmu, MMU_EGRESS, account),
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
            sat_sub(chip_bytes_to_cells(chip, p->config.size_bytes),
                    p->attached_size + p->port_size +
                        chip_bytes_to_cells_up(chip, p->config.xoff_bytes)),
        .headroom_limit = parts->headroom_limit,
        .dropped_packets = p->dropped_packets,
    };
    /* Limits are per partition, levels are sums over all partitions. */
    for (uint32_t i = 0; i < chip->partitions; i++) {
        const struct part *part = &parts[i];

        stats->reserved += part->held - part->shared - part->headroom;
        stats->shared += part->shared;
        stats->headroom += part->headroom;
        stats->shared_watermark += part->shared_watermark;
        stats->headroom_watermark += part->headroom_watermark;
    }
    stats->headroom_watermark *= chip->headroom_watermark_factor;
    return ST_OK;
}

/* Restarts the watermarks 'which' of 'owner' at its current levels. */
static void
clear_watermarks(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
                 unsigned int which)
{
    struct account *account = live_account(mmu, direction, owner);
    struct account_more *more =
        account_more(&mmu->accounts[direction], account);
    const struct levels sum = levels_sum(mmu, direction, owner);

    if (mmu->accounts[direction].live[owner] == NO_ACCOUNT) {
        return;
    }
    account_fold(mmu, direction, account);
    if (which & MMU_WATERMARK_SHARED) {
        more->shared_watermark = sum.watermark;
    }
    if (which & MMU_WATERMARK_HEADROOM) {
        more->headroom_watermark = sum.headroom;
    }
    if (which & MMU_WATERMARK_TOTAL) {
        more->total_watermark = sum.reserved + sum.shared + sum.headroom;
    }
}

void
mmu_pg_clear_watermarks(struct mmu *mmu, uint32_t pg, unsigned int which)
{
    clear_watermarks(mmu, MMU_INGRESS, pg, which);
}

void
mmu_queue_clear_watermarks(struct mmu *mmu, uint32_t queue, unsigned int which)
{
    clear_watermarks(mmu, MMU_EGRESS, queue, which);
}

void
mmu_pool_clear_watermarks(struct mmu *mmu, uint32_t pool, unsigned int which)
{
    uint32_t n = mmu->chip->partitions;

    for (uint32_t i = 0; i < n; i++) {
        struct part *part = &mmu->parts[(size_t)pool * n + i];

        if (which & MMU_WATERMARK_SHARED) {
            part->shared_watermark = part_watermark_level(mmu, part);
        }
        if (which & MMU_WATERMARK_HEADROOM) {
            part->headroom_watermark = part->headroom;
        }
    }
}
