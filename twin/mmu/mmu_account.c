/* SPDX-License-Identifier: Apache-2.0 */

/* Accounts: what a PG or queue has in a pool, and its limits.
 *
 * A packet stores the accounts to which it was charged, so a change of
 * configuration need not visit packets.  A new profile of the same pool changes
 * the limits in place and redistributes the levels, which are functions of the
 * total.  A profile of another pool needs another account, and the old one
 * drains.  An owner has at most one account per pool, which limits their
 * number. */

#include <config.h>

#include "twin/mmu/mmu_account.h"

#include "base/line_pool.h"
#include "twin/mmu/mmu.h"

enum { FIRST_ROOM = 8 };

/* The threshold of a PG or queue without a profile: only the partition has a
 * limit. */
static const struct threshold unclaimed = {.rule = ACCOUNT_UNCLAIMED};

/* Alphas that are not powers of two (none, all) become static limits.
 * Exponents are limited to the range in which a shift neither overflows nor
 * loses all bits. */
struct threshold
mmu_threshold__(const struct chip *chip,
                const struct mmu_profile_config *config)
{
    int exponent = chip_alpha_exponent(chip, config->dynamic_th);
    struct threshold threshold = {.rule = ACCOUNT_STATIC,
                                  .shift = ALPHA_NOTHING};

    if (config->is_static) {
        threshold.fixed = config->static_bytes || chip->static_zero_blocks
                              ? chip_bytes_to_cells(chip, config->static_bytes)
                              : UINT64_MAX;
    } else if (exponent == CHIP_ALPHA_ZERO) {
        threshold.fixed = 0;
    } else if (exponent == CHIP_ALPHA_UNLIMITED) {
        threshold.fixed = UINT64_MAX;
    } else {
        threshold.rule = ACCOUNT_DYNAMIC;
        threshold.shift = (uint8_t)(exponent >= ALPHA_BITS ? 0
                                    : exponent <= ALPHA_BITS - ALPHA_NOTHING
                                        ? ALPHA_NOTHING
                                        : ALPHA_BITS - exponent);
    }
    return threshold;
}

/* Sets the threshold of 'account'.
 *
 * The fast path compares with it also if a partition has less than no free
 * cells.  Then a dynamic limit is negative, and a static one less by a cell.
 * Without a profile only the partition has a limit: 2^15 times the free cells
 * stands for it, which keeps few packets off the fast path that fit. */
static void
account_set_threshold(const struct mmu *mmu, enum mmu_direction direction,
                      struct account *account,
                      const struct threshold *threshold)
{
    account_more(&mmu->accounts[direction], account)->threshold = *threshold;
    account->shift = threshold->shift;
    account->most = (int64_t)min_u64(threshold->fixed, ADMIT_MANY_CELLS) -
                    mmu->strict[direction];
}

/* Redistributes the cells of 'account' for a guarantee of 'guarantee' cells:
 * the levels are functions of the total.  A larger guarantee takes shared cells
 * first, then cells in headroom. */
static void
account_set_guarantee(struct mmu *mmu, enum mmu_direction direction,
                      struct account *account, uint64_t guarantee)
{
    const struct account_table *table = &mmu->accounts[direction];
    struct part *part = &mmu->parts[account->part];
    const uint64_t beyond = sat_sub(account->held, guarantee);
    const uint64_t shared = account_shared(table, account);
    const uint64_t headroom = account_headroom(table, account);

    account_fold(mmu, direction, account);
    account->guarantee = guarantee;
    account_add_headroom(mmu, table, account,
                         min_u64(headroom, beyond) - headroom);
    account_add_shared(mmu, table, account,
                       account_shared(table, account) - shared);
    raise_to(&account_more(table, account)->shared_watermark,
             account_shared(table, account));
    raise_to(&part->shared_watermark, part->shared);
}

/* Returns the headroom of PG 'owner' with 'profile'.  The chip may deduct an
 * overhead from private headroom. */
static uint64_t
headroom_of(const struct mmu *mmu, uint32_t owner,
            const struct profile *profile)
{
    uint32_t speed = mmu->ports[owner / mmu->chip->pgs_per_port].speed_mbps;

    if (mmu->pools[profile->config.pool].config.xoff_bytes) {
        return profile->xoff;
    }
    return sat_sub(profile->xoff,
                   chip_at_speed(&mmu->chip->headroom_overhead, speed));
}

/* Records whether 'pg' may use headroom. */
static void
set_lossless(struct mmu *mmu, uint32_t pg, bool is_lossless)
{
    const uint64_t bit = UINT64_C(1) << pg % 64;

    if (is_lossless) {
        mmu->lossless[pg / 64] |= bit;
    } else {
        mmu->lossless[pg / 64] &= ~bit;
    }
}

void
mmu_account_apply__(struct mmu *mmu, enum mmu_direction direction,
                    uint32_t owner, const struct profile *profile)
{
    const struct account_table *table = &mmu->accounts[direction];
    struct account *account = live_account(mmu, direction, owner);
    struct account_more *more = account_more(table, account);
    struct threshold threshold = unclaimed;
    unsigned int flags;

    account_set_guarantee(mmu, direction, account,
                          profile ? profile->guarantee : 0);
    more->headroom_max = 0;
    if (profile) {
        more->headroom_max =
            direction == MMU_INGRESS ? headroom_of(mmu, owner, profile) : 0;
        threshold = mmu_threshold__(mmu->chip, &profile->config);
    }
    if (threshold.rule == ACCOUNT_DYNAMIC && mmu->policy) {
        threshold.rule = ACCOUNT_POLICY;
    }
    flags = account->flags & (unsigned int)~(ACCOUNT_LOSSLESS | ACCOUNT_ALPHA);
    flags |= more->headroom_max ? ACCOUNT_LOSSLESS : 0;
    flags |= threshold.rule >= ACCOUNT_DYNAMIC ? ACCOUNT_ALPHA : 0;
    account->flags = (uint8_t)flags;
    account_set_threshold(mmu, direction, account, &threshold);
    if (direction == MMU_INGRESS) {
        set_lossless(mmu, owner, more->headroom_max != 0);
        mmu_account_rejudge__(mmu, account);
    }
}

/* Accounts ------------------------------------------------------------- */

/* A power of two. */
static uint32_t
room_for(uint32_t n)
{
    return n <= FIRST_ROOM ? (uint32_t)FIRST_ROOM
                           : UINT32_C(1) << (32 - __builtin_clz(n - 1));
}

uint32_t
mmu_account_room__(const struct account_table *table)
{
    return room_for(table->fresh);
}

/* Returns an item of 'table' that was never used.  Others may move in
 * memory. */
static uint32_t
take_fresh(struct line_pool *memory, struct account_table *table)
{
    const uint32_t id = table->fresh++;
    const size_t size = sizeof *table->items;

    orch_assert(id < table->n);
    if (!table->items) {
        table->items = line_pool_take(memory, room_for(id + 1) * size);
    } else if (room_for(id + 1) > room_for(id)) {
        table->items = line_pool_extend(
            memory, table->items, room_for(id) * size, room_for(id + 1) * size);
    }
    return id;
}

void
mmu_accounts_init__(struct mmu *mmu, enum mmu_direction direction, uint32_t n)
{
    struct account_table *table = &mmu->accounts[direction];
    const uint32_t pool = mmu_unclaimed_pool(mmu, direction);
    struct account *none;

    table->n = n;
    table->free = MMU_NONE;
    (void)take_fresh(mmu->lines, table);
    none = &table->items[NO_ACCOUNT]; /* The first. */
    /* Each of them keeps packets off the fast path. */
    none->flags = ACCOUNT_HEADROOM;
    none->most = INT64_MIN / 2;
    none->part = (uint16_t)(pool * mmu->chip->partitions);
    table->more[NO_ACCOUNT] = (struct account_more){.owner = MMU_NONE,
                                                    .next = MMU_NONE,
                                                    .share = MMU_NONE,
                                                    .pool = (uint16_t)pool};
}

uint32_t
mmu_accounts_left__(const struct account_table *table)
{
    return table->n - 1 - table->n_used - table->n_promised;
}

/* Returns a free account, cleared.  Reuses accounts before it takes new ones,
 * so that untouched memory stays untouched. */
static uint32_t
account_take(struct line_pool *memory, struct account_table *table)
{
    uint32_t id = table->free;

    if (id != MMU_NONE) {
        table->free = table->more[id].next;
    } else {
        id = take_fresh(memory, table);
    }
    table->n_used++;
    table->items[id] = (struct account){0};
    table->more[id] = (struct account_more){
        .owner = MMU_NONE, .next = MMU_NONE, .share = MMU_NONE};
    return id;
}

void
mmu_account_retire__(struct account_table *table, struct account *account)
{
    account->flags |= ACCOUNT_DRAINS;
    table->n_drains++;
}

void
mmu_account_free__(struct mmu *mmu, enum mmu_direction direction, uint32_t id)
{
    struct account_table *table = &mmu->accounts[direction];
    struct account_more *more = &table->more[id];

    if (more->owner != MMU_NONE) {
        uint32_t *link = &table->live[more->owner];

        while (*link != id) {
            link = &table->more[*link].next;
        }
        *link = more->next;
    }
    mmu->pools[more->pool].n_accounts--;
    more->owner = MMU_NONE;
    more->next = table->free;
    table->free = id;
    table->n_used--;
    table->n_drains--;
}

/* Adds a new account for partition 'partition' of 'pool' at the head of the
 * list of 'owner'. */
static void
account_open(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
             uint32_t pool, uint32_t partition)
{
    struct account_table *table = &mmu->accounts[direction];
    const uint32_t per_port = mmu_owners_per_port(mmu, direction);
    const uint32_t before = table->live[owner];
    const uint32_t id = account_take(mmu->lines, table);
    struct account *account = &table->items[id];

    account->port = (uint16_t)(owner / per_port);
    account->index = (uint8_t)(owner % per_port);
    account->extra = mmu->ports[owner / per_port].extra_bytes;
    account->part = (uint16_t)(pool * mmu->chip->partitions +
                               (pool < mmu->chip->pools ? partition : 0));
    table->more[id].pool = (uint16_t)pool;
    table->more[id].owner = owner;
    table->more[id].next = before == NO_ACCOUNT ? MMU_NONE : before;
    table->more[id].share = mmu_port_limit_id__(mmu, owner / per_port, pool);
    account_set_threshold(mmu, direction, account, &unclaimed);
    mmu->pools[pool].n_accounts++;
    table->n_promised -= before == NO_ACCOUNT;
    table->live[owner] = id;
}

void
mmu_account_first__(struct mmu *mmu, enum mmu_direction direction,
                    uint32_t owner)
{
    account_open(mmu, direction, owner, mmu_unclaimed_pool(mmu, direction), 0);
}

/* Moves the account of 'owner' in 'pool', if one still drains, to the head of
 * its list.  Returns whether there was one. */
static bool
account_reopen(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
               uint32_t pool)
{
    struct account_table *table = &mmu->accounts[direction];
    uint32_t *link = &table->live[owner];
    uint32_t id;

    if (*link == NO_ACCOUNT) {
        return false;
    }
    while (*link != MMU_NONE && table->more[*link].pool != pool) {
        link = &table->more[*link].next;
    }
    id = *link;
    if (id == MMU_NONE) {
        return false;
    }
    *link = table->more[id].next;
    table->more[id].next = table->live[owner];
    table->live[owner] = id;
    table->items[id].flags &= (uint8_t)~ACCOUNT_DRAINS;
    table->n_drains--;
    return true;
}

/* Moves what belongs to the owner, and not to one of its accounts, from account
 * 'old' to 'id': watermarks, counters, and the packets of a queue. */
static void
account_inherit(struct mmu *mmu, enum mmu_direction direction, uint32_t id,
                uint32_t old)
{
    struct account_table *table = &mmu->accounts[direction];
    struct account *to = &table->items[id];
    struct account *from = &table->items[old];
    struct account_more *more = &table->more[id];
    const struct account_more *source = &table->more[old];

    account_fold(mmu, direction, to);
    account_fold(mmu, direction, from);
    raise_to(&more->shared_watermark, source->shared_watermark);
    raise_to(&more->headroom_watermark, source->headroom_watermark);
    if (source->total_watermark > more->total_watermark) {
        more->total_watermark = source->total_watermark;
    }
    to->count = from->count;
    to->bytes = from->bytes;
    to->extra = from->extra;
    if (direction == MMU_EGRESS) {
        to->queue = from->queue;
    }
}

bool
mmu_account_move__(struct mmu *mmu, enum mmu_direction direction,
                   uint32_t owner, uint32_t pool, uint32_t partition)
{
    struct account_table *table = &mmu->accounts[direction];
    const uint32_t old = table->live[owner];

    if (table->more[old].pool == pool) {
        return true;
    }
    if (old == NO_ACCOUNT) {
        account_open(mmu, direction, owner, pool, partition);
        return true;
    }
    if (!account_reopen(mmu, direction, owner, pool)) {
        if (mmu_accounts_left__(table) == 0) {
            return false;
        }
        account_open(mmu, direction, owner, pool, partition);
    }
    account_inherit(mmu, direction, table->live[owner], old);
    /* The new account has room, so its sender may resume. */
    mmu_account_release__(mmu, &table->items[old]);
    mmu_account_retire__(table, &table->items[old]);
    if (table->items[old].packets == 0) {
        mmu_account_free__(mmu, direction, old);
    }
    return true;
}
