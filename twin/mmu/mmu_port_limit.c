/* SPDX-License-Identifier: Apache-2.0 */

/* Limits of a port as a whole: its threshold in a pool, and the headroom that
 * its PGs share.
 *
 * A port may have one profile per pool.  If its threshold is dynamic, the chip
 * decides: it has no effect; it limits the port; or the thresholds of its PGs,
 * or queues, apply to what the port may have instead of what is free.  A
 * static threshold limits the port on every chip.  The reserved size of a
 * port's profile is set aside like any other, but admits no packets.
 *
 * Counting per port costs time for every packet, so it starts when a port first
 * has a threshold or headroom, from the current levels of the accounts. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_account.h"

uint32_t
mmu_port_limit_id__(const struct mmu *mmu, uint32_t port, uint32_t pool)
{
    return port * (mmu->chip->pools + 2) + pool;
}

/* Adds what the accounts of 'direction' hold to the shares of their ports. */
static void
recount(struct mmu *mmu, enum mmu_direction direction)
{
    const struct account_table *table = &mmu->accounts[direction];

    for (uint32_t i = 0; i < table->fresh; i++) {
        const struct account *account = &table->items[i];
        struct share *share = account_share(mmu, table, account);

        if (share && (account_is_live(account) || account->packets)) {
            share->shared += account_shared(table, account);
            share->headroom += account_headroom(table, account);
        }
    }
}

/* Starts or stops counting per port. */
static void
count_if_needed(struct mmu *mmu)
{
    size_t n = (size_t)mmu->chip->ports * (mmu->chip->pools + 2);
    bool needed = mmu->n_port_profiles > 0 ||
                  mmu->chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE;

    if (needed && !mmu->counts_shares) {
        for (size_t i = 0; i < n; i++) {
            mmu->shares[i].shared = 0;
            mmu->shares[i].headroom = 0;
        }
        recount(mmu, MMU_INGRESS);
        recount(mmu, MMU_EGRESS);
    }
    mmu->counts_shares = needed;
    mmu_judge_path__(mmu);
}

void
mmu_port_limit_refresh__(struct mmu *mmu, uint32_t port, uint32_t pool)
{
    struct share *share = &mmu->shares[mmu_port_limit_id__(mmu, port, pool)];

    if (mmu->chip->headroom != CHIP_HEADROOM_PER_PORT_SHARE) {
        return;
    }
    share->headroom_max = 0;
    for (uint32_t i = 0; i < mmu->chip->pgs_per_port; i++) {
        uint32_t profile = mmu_pg_profile(mmu, mmu_pg_id(mmu, port, i));

        if (profile != MMU_NONE && mmu->profiles[profile].config.pool == pool) {
            share->headroom_max += mmu->profiles[profile].xoff;
        }
    }
}

/* Applies the threshold of the profile attached to 'share'. */
static void
share_apply(const struct mmu *mmu, struct share *share)
{
    const struct mmu_profile_config *config =
        &mmu->profiles[share->profile].config;

    share->threshold = (struct threshold){.rule = ACCOUNT_UNCLAIMED};
    if (share->is_attached &&
        (config->is_static || mmu->chip->port_alpha != CHIP_PORT_ALPHA_NONE)) {
        share->threshold = mmu_threshold__(mmu->chip, config);
    }
    /* A port that may have everything has no limit. */
    if (share->threshold.rule == ACCOUNT_STATIC &&
        share->threshold.fixed == UINT64_MAX) {
        share->threshold.rule = ACCOUNT_UNCLAIMED;
    }
}

/* Updates XOFF of all PGs of 'port'. */
static void
rejudge(struct mmu *mmu, uint32_t port)
{
    for (uint32_t i = 0; i < mmu->chip->pgs_per_port; i++) {
        mmu_account_rejudge__(
            mmu, live_account(mmu, MMU_INGRESS, mmu_pg_id(mmu, port, i)));
    }
}

/* Calls 'act' for every port that uses 'profile'. */
static void
for_ports_of(struct mmu *mmu, uint32_t profile,
             void (*act)(struct mmu *mmu, uint32_t port, struct share *share))
{
    const struct profile *p = &mmu->profiles[profile];
    uint32_t left = p->n_ports;

    for (uint32_t port = 0; left; port++) {
        struct share *share =
            &mmu->shares[mmu_port_limit_id__(mmu, port, p->config.pool)];

        if (share->is_attached && share->profile == profile) {
            act(mmu, port, share);
            left--;
        }
    }
}

static void
apply_one(struct mmu *mmu, uint32_t port, struct share *share)
{
    (void)port;
    share_apply(mmu, share);
}

static void
rejudge_one(struct mmu *mmu, uint32_t port, struct share *share)
{
    (void)share;
    rejudge(mmu, port);
}

void
mmu_port_limit_spread__(struct mmu *mmu, uint32_t profile)
{
    for_ports_of(mmu, profile, apply_one);
}

void
mmu_port_limit_rejudge__(struct mmu *mmu, uint32_t profile)
{
    for_ports_of(mmu, profile, rejudge_one);
}

/* Adds 'n' (1 or -1) to the number of ports that use 'profile'. */
static void
count_port(struct mmu *mmu, uint32_t profile, int64_t n)
{
    struct profile *p = &mmu->profiles[profile];
    struct pool *pool = &mmu->pools[p->config.pool];

    p->n_ports += (uint32_t)n;
    mmu->n_port_profiles += (uint32_t)n;
    pool->port_size += p->size * (uint64_t)n;
    mmu->reserved_cells[pool->config.direction] += p->size * (uint64_t)n;
}

enum st
mmu_port_attach(struct mmu *mmu, uint32_t port, uint32_t pool, uint32_t profile,
                struct err *err)
{
    struct share *share;
    enum st status;

    if (port >= mmu->chip->ports || !mmu->ports[port].exists) {
        return err_set(err, ST_INVALID, "no-such-port", "there is no port %u",
                       (unsigned int)port);
    }
    if (!mmu_pool_exists__(mmu, pool)) {
        return mmu_no_such_pool__(pool, err);
    }
    share = &mmu->shares[mmu_port_limit_id__(mmu, port, pool)];
    status = mmu_attach_check__(mmu, mmu->pools[pool].config.direction,
                                share->is_attached ? share->profile : MMU_NONE,
                                profile, err);
    if (status != ST_OK) {
        return status;
    }
    if (profile != MMU_NONE && mmu->profiles[profile].config.pool != pool) {
        return err_set(err, ST_INVALID, "other-pool",
                       "the profile is of another pool");
    }
    if (share->is_attached) {
        count_port(mmu, share->profile, -1);
    }
    share->is_attached = profile != MMU_NONE;
    share->profile = share->is_attached ? profile : 0;
    if (share->is_attached) {
        count_port(mmu, profile, 1);
    }
    count_if_needed(mmu);
    share_apply(mmu, share);
    rejudge(mmu, port);
    return ST_OK;
}

uint32_t
mmu_port_profile(const struct mmu *mmu, uint32_t port, uint32_t pool)
{
    const struct share *share =
        &mmu->shares[mmu_port_limit_id__(mmu, port, pool)];

    return share->is_attached ? share->profile : MMU_NONE;
}

void
mmu_port_limit_leave__(struct mmu *mmu, enum mmu_direction direction,
                       struct account *account)
{
    struct account_table *table = &mmu->accounts[direction];
    struct share *share = account_share(mmu, table, account);

    if (share && mmu->counts_shares) {
        share->shared -= account_shared(table, account);
        share->headroom -= account_headroom(table, account);
    }
    account_more(table, account)->share = MMU_NONE;
}

void
mmu_port_limit_forget__(struct mmu *mmu, uint32_t port)
{
    for (uint32_t pool = 0; pool < mmu->chip->pools; pool++) {
        struct share *share =
            &mmu->shares[mmu_port_limit_id__(mmu, port, pool)];

        if (share->is_attached) {
            count_port(mmu, share->profile, -1);
            *share = (struct share){0};
        }
    }
    count_if_needed(mmu);
}
