/* SPDX-License-Identifier: Apache-2.0 */

/* Profiles and their users: PGs and queues here, ports in mmu_port_limit.c.
 *
 * A profile is converted to cells once, when it or its pool changes.  The
 * conversion may depend on the pool: with a shared headroom pool the reserved
 * size is the guarantee, without one it may include the headroom.
 *
 * A pool maintains the sums of the sizes and guarantees of all users of its
 * profiles, so no limit needs a walk over all PGs.  A change of a profile
 * replaces its old sizes in these sums by the new ones (profile_replace), then
 * updates the limits of the pool, then the accounts of the users.  mmu_check.c
 * has the invariants.
 *
 * All checks come before any change, so a refused call changes nothing. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_account.h"

/* Keeps sums of sizes far within their range. */
#define MAX_BYTES (UINT64_C(1) << 48)

/* Converts the sizes of 'profile' to cells. Guarantees are rounded up, a level
 * that must be reached (XON) is rounded down. */
static void
derive_profile(const struct mmu *mmu, struct profile *profile)
{
    const struct chip *chip = mmu->chip;
    const struct mmu_pool_config *pool =
        &mmu->pools[profile->config.pool].config;
    enum mmu_direction direction = pool->direction;
    bool has_shp = pool->xoff_bytes != 0;
    const struct mmu_profile_config *config = &profile->config;
    uint64_t bytes = config->reserved_bytes;

    profile->size = chip_bytes_to_cells_up(chip, bytes);
    if (direction == MMU_INGRESS) {
        if (chip->pg_guarantee == CHIP_GUARANTEE_NONE) {
            bytes = 0;
        } else if (chip_size_has_xoff(chip, has_shp)) {
            bytes = sat_sub(bytes, config->xoff_bytes);
        }
    }
    profile->guarantee = chip_bytes_to_cells_up(chip, bytes);
    profile->xoff = chip_bytes_to_cells_up(chip, config->xoff_bytes);
    profile->xon = chip_bytes_to_cells(chip, config->xon_bytes);
    profile->xon_offset =
        chip_bytes_to_cells_up(chip, config->xon_offset_bytes);
}

/* Profiles ------------------------------------------------------------- */

/* Returns whether profile 'id', which may be any number, exists. */
static bool
profile_exists(const struct mmu *mmu, uint32_t profile)
{
    return profile < mmu->chip->profiles && mmu->profiles[profile].exists;
}

/* Refuses a profile that does not exist. */
static enum st
no_such_profile(uint32_t profile, struct err *err)
{
    return err_set(err, ST_INVALID, "no-such-profile", "there is no profile %u",
                   (unsigned int)profile);
}

/* Checks 'config' on its own and against its pool. */
static enum st
profile_config_check(const struct mmu *mmu,
                     const struct mmu_profile_config *config, struct err *err)
{
    if (!mmu_pool_exists__(mmu, config->pool)) {
        return mmu_no_such_pool__(config->pool, err);
    }
    if (config->reserved_bytes > MAX_BYTES ||
        config->static_bytes > MAX_BYTES || config->xoff_bytes > MAX_BYTES ||
        config->xon_bytes > MAX_BYTES || config->xon_offset_bytes > MAX_BYTES) {
        return err_set(err, ST_INVALID, "range",
                       "a size may be at most 2^48 bytes");
    }
    if (config->dynamic_th < -128 || config->dynamic_th > 127) {
        return err_set(err, ST_INVALID, "range",
                       "dynamic_th is -128 to 127, not %d", config->dynamic_th);
    }
    if (config->xoff_bytes &&
        mmu->pools[config->pool].config.direction == MMU_EGRESS) {
        return err_set(err, ST_INVALID, "egress-headroom",
                       "an egress pool has no headroom");
    }
    return ST_OK;
}

enum st
mmu_profile_create(struct mmu *mmu, const struct mmu_profile_config *config,
                   uint32_t *profile, struct err *err)
{
    enum st status = profile_config_check(mmu, config, err);
    uint32_t id = 0;

    if (status != ST_OK) {
        return status;
    }
    while (id < mmu->chip->profiles && mmu->profiles[id].exists) {
        id++;
    }
    if (id == mmu->chip->profiles) {
        return err_set(err, ST_NO_RESOURCE, "profiles",
                       "the chip has no more than %u buffer profiles",
                       (unsigned int)mmu->chip->profiles);
    }
    mmu->profiles[id] = (struct profile){.exists = true, .config = *config};
    derive_profile(mmu, &mmu->profiles[id]);
    mmu->pools[config->pool].n_profiles++;
    *profile = id;
    return ST_OK;
}

void
mmu_profile_count__(struct mmu *mmu, const struct profile *profile, int64_t n)
{
    struct pool *pool = &mmu->pools[profile->config.pool];

    pool->attached_size += profile->size * (uint64_t)n;
    pool->attached_guarantee += profile->guarantee * (uint64_t)n;
    mmu->reserved_cells[pool->config.direction] += profile->size * (uint64_t)n;
}

/* Applies the changed 'profile' to all its users. */
static void
profile_spread(struct mmu *mmu, uint32_t id)
{
    const struct profile *profile = &mmu->profiles[id];
    enum mmu_direction direction =
        mmu->pools[profile->config.pool].config.direction;
    const uint32_t per_port = mmu_owners_per_port(mmu, direction);
    uint32_t left = profile->n_users;

    /* Ports first, because the limits of their PGs depend on them. */
    mmu_port_limit_spread__(mmu, id);
    for (uint32_t i = 0; left; i++) {
        if (!mmu->ports[i / per_port].exists ||
            owner_profile(mmu, direction, i) != id) {
            continue;
        }
        mmu_account_apply__(mmu, direction, i, profile);
        mmu_port_limit_refresh__(mmu, i / per_port, profile->config.pool);
        left--;
    }
    mmu_port_limit_rejudge__(mmu, id);
}

/* Replaces 'p' by 'next' in all sums; the number of users stays. */
static void
profile_replace(struct mmu *mmu, struct profile *p, const struct profile *next)
{
    uint64_t *reserved =
        &mmu->reserved_cells[mmu->pools[p->config.pool].config.direction];
    struct pool *pool = &mmu->pools[p->config.pool];
    uint64_t grown = (next->size - p->size) * p->n_ports;

    mmu_profile_count__(mmu, p, -(int64_t)p->n_users);
    *p = *next;
    mmu_profile_count__(mmu, p, p->n_users);
    *reserved += grown;
    pool->port_size += grown;
}

void
mmu_profiles_rederive__(struct mmu *mmu, uint32_t pool)
{
    for (uint32_t i = 0; i < mmu->chip->profiles; i++) {
        struct profile *p = &mmu->profiles[i];

        if (p->exists && p->config.pool == pool) {
            struct profile next = *p;

            derive_profile(mmu, &next);
            profile_replace(mmu, p, &next);
        }
    }
    mmu_refresh_pool__(mmu, pool);
    for (uint32_t port = 0; port < mmu->chip->ports; port++) {
        if (mmu->ports[port].exists) {
            mmu_port_reapply__(mmu, port, pool);
        }
    }
}

enum st
mmu_profile_set(struct mmu *mmu, uint32_t profile,
                const struct mmu_profile_config *config, struct err *err)
{
    enum st status = profile_config_check(mmu, config, err);
    struct profile *p;
    struct profile next;
    enum mmu_direction direction;
    uint64_t n_users;

    if (status != ST_OK) {
        return status;
    }
    if (!profile_exists(mmu, profile)) {
        return no_such_profile(profile, err);
    }
    p = &mmu->profiles[profile];
    if (p->config.pool != config->pool) {
        return err_set(err, ST_INVALID, "create-only",
                       "the pool of a profile cannot change");
    }
    direction = mmu->pools[config->pool].config.direction;
    next = *p;
    next.config = *config;
    derive_profile(mmu, &next);
    n_users = (uint64_t)p->n_users + p->n_ports;
    status = mmu_guarantee_check__(mmu, direction, p->size * n_users,
                                   next.size * n_users, err);
    if (status != ST_OK) {
        return status;
    }
    profile_replace(mmu, p, &next);
    mmu_refresh_pool__(mmu, config->pool);
    profile_spread(mmu, profile);
    return ST_OK;
}

enum st
mmu_profile_remove(struct mmu *mmu, uint32_t profile, struct err *err)
{
    struct profile *p;

    if (!profile_exists(mmu, profile)) {
        return no_such_profile(profile, err);
    }
    p = &mmu->profiles[profile];
    if (p->n_users || p->n_ports) {
        return err_set(err, ST_BUSY, "in-use",
                       "%u priority groups or queues and %u ports use the "
                       "profile",
                       (unsigned int)p->n_users, (unsigned int)p->n_ports);
    }
    mmu->pools[p->config.pool].n_profiles--;
    p->exists = false;
    return ST_OK;
}

/* Attachment ----------------------------------------------------------- */

/* See owner_profile(). */
static void
set_owner_profile(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
                  uint32_t profile)
{
    mmu->accounts[direction].owners[owner].profile_1 = profile + 1;
}

void
mmu_profile_forget__(struct mmu *mmu, enum mmu_direction direction,
                     uint32_t owner)
{
    uint32_t profile = owner_profile(mmu, direction, owner);

    if (profile != MMU_NONE) {
        struct profile *p = &mmu->profiles[profile];

        mmu_profile_count__(mmu, p, -1);
        p->n_users--;
        set_owner_profile(mmu, direction, owner, MMU_NONE);
        if (direction == MMU_INGRESS) {
            mmu_port_limit_refresh__(mmu, owner / mmu->chip->pgs_per_port,
                                     p->config.pool);
        }
        mmu_refresh_pool__(mmu, p->config.pool);
    }
}

enum st
mmu_attach_check__(const struct mmu *mmu, enum mmu_direction direction,
                   uint32_t old, uint32_t profile, struct err *err)
{
    bool is_ingress = direction == MMU_INGRESS;
    const struct profile *p;

    if (profile == MMU_NONE) {
        return ST_OK;
    }
    if (!profile_exists(mmu, profile)) {
        return no_such_profile(profile, err);
    }
    p = &mmu->profiles[profile];
    if (mmu->pools[p->config.pool].config.direction != direction) {
        return err_set(err, ST_INVALID, "direction",
                       "%s takes a profile of an %s pool",
                       is_ingress ? "a priority group" : "a queue",
                       is_ingress ? "ingress" : "egress");
    }
    return mmu_guarantee_check__(mmu, direction,
                                 old == MMU_NONE ? 0 : mmu->profiles[old].size,
                                 p->size, err);
}

/* Replaces the profile of 'owner', after all checks. Moves the account first,
 * because that is the only step that can fail. */
static enum st
attach(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
       uint32_t profile, uint32_t partition, struct err *err)
{
    const struct profile *p =
        profile == MMU_NONE ? NULL : &mmu->profiles[profile];
    uint32_t pool = p ? p->config.pool : mmu_unclaimed_pool(mmu, direction);

    if (!p && mmu->accounts[direction].live[owner] == NO_ACCOUNT) {
        return ST_OK; /* It never had one. */
    }
    if (!mmu_account_move__(mmu, direction, owner, pool, partition)) {
        return err_set(err, ST_BUSY, "draining",
                       "packets in previously used pools have to leave first");
    }
    mmu_profile_forget__(mmu, direction, owner);
    set_owner_profile(mmu, direction, owner, profile);
    if (p) {
        mmu->profiles[profile].n_users++;
        mmu_profile_count__(mmu, p, 1);
        mmu_refresh_pool__(mmu, pool);
    }
    mmu_account_apply__(mmu, direction, owner, p);
    if (p && direction == MMU_INGRESS) {
        mmu_port_limit_refresh__(mmu, owner / mmu->chip->pgs_per_port, pool);
    }
    return ST_OK;
}

enum st
mmu_pg_attach(struct mmu *mmu, uint32_t pg, uint32_t profile, struct err *err)
{
    uint32_t port = pg / mmu->chip->pgs_per_port;
    enum st status;

    if (pg >= mmu->n_pgs || !mmu->ports[port].exists) {
        return err_set(err, ST_INVALID, "no-such-pg",
                       "there is no priority group %u", (unsigned int)pg);
    }
    status = mmu_attach_check__(mmu, MMU_INGRESS, mmu_pg_profile(mmu, pg),
                                profile, err);
    return status == ST_OK ? attach(mmu, MMU_INGRESS, pg, profile,
                                    mmu->ports[port].partition, err)
                           : status;
}

uint32_t
mmu_profile_pool(const struct mmu *mmu, uint32_t profile)
{
    return mmu->profiles[profile].config.pool;
}

enum st
mmu_queue_attach(struct mmu *mmu, uint32_t queue, uint32_t profile,
                 struct err *err)
{
    uint32_t port = queue / mmu->chip->queues_per_port;
    enum st status;

    if (queue >= mmu->n_queues || !mmu->ports[port].exists) {
        return err_set(err, ST_INVALID, "no-such-queue", "there is no queue %u",
                       (unsigned int)queue);
    }
    status = mmu_attach_check__(
        mmu, MMU_EGRESS, owner_profile(mmu, MMU_EGRESS, queue), profile, err);
    return status == ST_OK ? attach(mmu, MMU_EGRESS, queue, profile,
                                    mmu->ports[port].partition, err)
                           : status;
}

void
mmu_port_reapply__(struct mmu *mmu, uint32_t port, uint32_t pool)
{
    for (uint32_t i = 0; i < mmu->chip->pgs_per_port; i++) {
        uint32_t pg = mmu_pg_id(mmu, port, i);
        uint32_t profile = mmu_pg_profile(mmu, pg);

        if (profile != MMU_NONE &&
            (pool == MMU_NONE || mmu->profiles[profile].config.pool == pool)) {
            mmu_account_apply__(mmu, MMU_INGRESS, pg, &mmu->profiles[profile]);
        }
    }
}

uint32_t
mmu_pg_profile(const struct mmu *mmu, uint32_t pg)
{
    return owner_profile(mmu, MMU_INGRESS, pg);
}

uint32_t
mmu_queue_profile(const struct mmu *mmu, uint32_t queue)
{
    return owner_profile(mmu, MMU_EGRESS, queue);
}
