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

#include "twin/mmu/mmu.h"
#include "twin/mmu/mmu_state.h"

enum {
    MAX_EXPONENT = 15, /* 2^48 cells shifted left by this still fit. */
    NOTHING = 63,      /* Shifted right by this they become 0. */
};

/* Alphas that are not powers of two (none, all) become static limits.
 * Exponents are limited to the range in which a shift neither overflows nor
 * loses all bits. */
struct threshold
mmu_threshold__(const struct chip *chip,
                const struct mmu_profile_config *config)
{
    int exponent = chip_alpha_exponent(chip, config->dynamic_th);
    struct threshold threshold = {.rule = ACCOUNT_STATIC, .down = NOTHING};

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
        threshold.up = (uint8_t)(exponent < 0              ? 0
                                 : exponent < MAX_EXPONENT ? exponent
                                                           : MAX_EXPONENT);
        threshold.down = (uint8_t)(exponent > 0          ? 0
                                   : -exponent < NOTHING ? -exponent
                                                         : NOTHING);
    }
    return threshold;
}

/* Moves 'n' cells of 'account' from its guarantee to its shared part. */
static void
reserved_to_shared(struct mmu *mmu, const struct account_table *table,
                   struct account *account, uint64_t n)
{
    struct part *part = &mmu->parts[account->part];

    account->reserved -= n;
    account_add_shared(mmu, table, account, n);
    account->shared_watermark =
        max_u64(account->shared_watermark, account->shared);
    part->shared_watermark = max_u64(part->shared_watermark, part->shared);
}

/* Moves up to 'room' cells of 'account' into its guarantee: first shared cells,
 * then cells in headroom. */
static void
fill_reserved(struct mmu *mmu, const struct account_table *table,
              struct account *account, uint64_t room)
{
    uint64_t shared = min_u64(account->shared, room);
    uint64_t headroom = min_u64(account->headroom, room - shared);

    account_add_shared(mmu, table, account, -shared);
    account_add_headroom(mmu, table, account, -headroom);
    account->reserved += shared + headroom;
}

/* Redistributes the cells of 'account' for a guarantee of 'guarantee' cells:
 * the levels are functions of the total. */
static void
account_set_guarantee(struct mmu *mmu, const struct account_table *table,
                      struct account *account, uint64_t guarantee)
{
    account->guarantee = guarantee;
    if (account->reserved > guarantee) {
        reserved_to_shared(mmu, table, account, account->reserved - guarantee);
    } else {
        fill_reserved(mmu, table, account, guarantee - account->reserved);
    }
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

void
mmu_account_apply__(struct mmu *mmu, enum mmu_direction direction,
                    uint32_t owner, const struct profile *profile)
{
    struct account_table *table = &mmu->accounts[direction];
    uint32_t id = *mmu_owner_account__(mmu, direction, owner);
    struct account *account = &table->items[id];
    struct threshold threshold = {.rule = ACCOUNT_UNCLAIMED, .down = NOTHING};

    account_set_guarantee(mmu, table, account,
                          profile ? profile->guarantee : 0);
    table->more[id].headroom_max = 0;
    if (profile) {
        table->more[id].headroom_max =
            direction == MMU_INGRESS ? headroom_of(mmu, owner, profile) : 0;
        threshold = mmu_threshold__(mmu->chip, &profile->config);
    }
    account->rule = threshold.rule;
    account->fixed = threshold.fixed;
    account->up = threshold.up;
    account->down = threshold.down;
    mmu_account_rejudge__(mmu, account);
}

/* Accounts ------------------------------------------------------------- */

/* Returns a free account, cleared; MMU_NONE if all are in use. Reuses accounts
 * before it takes new ones, so that untouched memory stays untouched. */
static uint32_t
account_take(struct account_table *table)
{
    uint32_t id = table->free;

    if (id != MMU_NONE) {
        table->free = table->more[id].next;
    } else if (table->fresh < table->n) {
        id = table->fresh++;
    } else {
        return MMU_NONE;
    }
    table->n_used++;
    table->items[id] = (struct account){0};
    table->more[id] = (struct account_more){
        .owner = MMU_NONE, .next = MMU_NONE, .share = MMU_NONE};
    return id;
}

uint32_t *
mmu_owner_account__(struct mmu *mmu, enum mmu_direction direction,
                    uint32_t owner)
{
    return direction == MMU_INGRESS ? &mmu->pgs[owner].account
                                    : &mmu->queues[owner].account;
}

void
mmu_account_free__(struct mmu *mmu, enum mmu_direction direction, uint32_t id)
{
    struct account_table *table = &mmu->accounts[direction];
    struct account_more *more = &table->more[id];

    if (more->owner != MMU_NONE) {
        uint32_t *link = mmu_owner_account__(mmu, direction, more->owner);

        while (*link != id) {
            link = &table->more[*link].next;
        }
        *link = more->next;
    }
    mmu->pools[table->items[id].pool].n_accounts--;
    more->owner = MMU_NONE;
    more->next = table->free;
    table->free = id;
    table->n_used--;
}

bool
mmu_account_open__(struct mmu *mmu, enum mmu_direction direction,
                   uint32_t owner, uint32_t pool, uint32_t partition)
{
    struct account_table *table = &mmu->accounts[direction];
    uint32_t *head = mmu_owner_account__(mmu, direction, owner);
    uint32_t id = account_take(table);
    struct account *account;

    if (id == MMU_NONE) {
        return false;
    }
    account = &table->items[id];
    table->more[id].owner = owner;
    table->more[id].next = *head;
    account->pool = (uint16_t)pool;
    account->part = (uint16_t)(pool * mmu->chip->partitions +
                               (pool < mmu->chip->pools ? partition : 0));
    account->is_live = true;
    table->more[id].share = mmu_port_limit_id__(
        mmu,
        owner / (direction == MMU_INGRESS ? mmu->chip->pgs_per_port
                                          : mmu->chip->queues_per_port),
        pool);
    mmu->pools[pool].n_accounts++;
    *head = id;
    return true;
}

/* Moves the account of 'owner' in 'pool', if one still drains, to the head of
 * its list.  Returns whether there was one. */
static bool
account_reopen(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
               uint32_t pool)
{
    struct account *items = mmu->accounts[direction].items;
    struct account_more *more = mmu->accounts[direction].more;
    uint32_t *head = mmu_owner_account__(mmu, direction, owner);
    uint32_t *link = head;

    while (*link != MMU_NONE && items[*link].pool != pool) {
        link = &more[*link].next;
    }
    if (*link != MMU_NONE) {
        uint32_t id = *link;

        *link = more[id].next;
        more[id].next = *head;
        items[id].is_live = true;
        *head = id;
        return true;
    }
    return false;
}

bool
mmu_account_move__(struct mmu *mmu, enum mmu_direction direction,
                   uint32_t owner, uint32_t pool, uint32_t partition)
{
    struct account *items = mmu->accounts[direction].items;
    struct account_more *more = mmu->accounts[direction].more;
    uint32_t *head = mmu_owner_account__(mmu, direction, owner);
    uint32_t old = *head;

    if (items[old].pool == pool) {
        return true;
    }
    if (!account_reopen(mmu, direction, owner, pool) &&
        !mmu_account_open__(mmu, direction, owner, pool, partition)) {
        return false;
    }
    /* Watermarks belong to the owner, not to one of its accounts. */
    items[*head].shared_watermark =
        max_u64(items[*head].shared_watermark, items[old].shared_watermark);
    items[*head].total_watermark =
        items[*head].total_watermark > items[old].total_watermark
            ? items[*head].total_watermark
            : items[old].total_watermark;
    more[*head].headroom_watermark =
        max_u64(more[*head].headroom_watermark, more[old].headroom_watermark);
    /* The new account has room, so its sender may resume. */
    mmu_account_release__(mmu, &items[old]);
    items[old].is_live = false;
    if (items[old].packets == 0) {
        mmu_account_free__(mmu, direction, old);
    }
    return true;
}
