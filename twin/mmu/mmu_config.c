/* SPDX-License-Identifier: Apache-2.0 */

/* Pools, profiles and who uses them.  All limits are derived here, once per
 * change.
 *
 * Sums over attached profiles are kept, not recomputed, so that attaching one
 * of thousands of PGs costs the same as the first.  Every change is checked as
 * a whole before anything is touched: it happens completely or not at all.
 *
 * The size of a pool is a limit and reserves nothing; pools may exceed the
 * memory together.  Reserved are the sizes of attached profiles, each as often
 * as it is attached, and shared headroom pools: these must fit. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_state.h"
#include <string.h>

#define MAX_BYTES (UINT64_C(1) << 48)

/* What may exceed the memory: the chip tells its size in kB. */
#define SLACK_BYTES 1024

void
mmu_refresh_unclaimed__(struct mmu *mmu, enum mmu_direction direction)
{
    uint32_t id = mmu_unclaimed_pool(mmu, direction);

    mmu->parts[(size_t)id * mmu->chip->partitions].limit =
        mmu_unclaimed_cells(mmu, direction);
}

/* Computes S of one partition of ingress pool 'pool'. */
static uint64_t
ingress_shared_limit(const struct mmu *mmu, const struct pool *pool)
{
    const struct chip *chip = mmu->chip;
    const struct model_shared_limit *terms = &chip->shared_limit;
    uint64_t cells = model_bytes_to_cells(chip, terms->fixed_bytes
                                                    ? terms->fixed_bytes
                                                    : pool->config.size_bytes);

    if (terms->minus_shp) {
        cells = sat_sub(cells,
                        model_bytes_to_cells_up(chip, pool->config.xoff_bytes));
    }
    if (terms->minus_pg_size) {
        cells = sat_sub(cells, pool->attached_size);
    }
    if (terms->minus_pg_min) {
        cells = sat_sub(cells, pool->attached_guarantee);
    }
    cells = sat_sub(cells, (uint64_t)terms->per_port_cells * mmu->n_ports_live);
    if (terms->minus_extra) {
        cells = sat_sub(cells, chip->extra_cells);
    }
    return terms->divided ? cells / chip->partitions : cells;
}

/* Recomputes the limits of all partitions of pool 'id'. What they hold stays:
 * a pool that shrank below its level admits nothing until it has drained. */
static void
refresh_pool(struct mmu *mmu, uint32_t id)
{
    const struct chip *chip = mmu->chip;
    const struct pool *pool = &mmu->pools[id];
    struct part part = {.headroom_limit = UINT64_MAX};

    if (pool->config.direction == MMU_INGRESS) {
        part.limit = ingress_shared_limit(mmu, pool);
        if (pool->config.xoff_bytes) {
            part.headroom_limit =
                model_bytes_to_cells(chip, pool->config.xoff_bytes) /
                chip->partitions;
        }
    } else {
        part.limit = model_bytes_to_cells(chip, pool->config.size_bytes) /
                     chip->partitions;
    }
    for (uint32_t i = 0; i < chip->partitions; i++) {
        struct part *p = &mmu->parts[(size_t)id * chip->partitions + i];

        p->limit = part.limit;
        p->headroom_limit = part.headroom_limit;
    }
}

/* Converts the sizes of 'profile' to cells. What is promised to a PG or queue
 * is rounded up, a level that must be reached (XON) down. */
static void
derive_profile(const struct chip *chip, struct profile *profile,
               enum mmu_direction direction)
{
    const struct mmu_profile_config *config = &profile->config;
    uint64_t bytes = config->reserved_bytes;

    profile->size = model_bytes_to_cells_up(chip, bytes);
    if (direction == MMU_INGRESS) {
        if (chip->pg_guarantee == MODEL_GUARANTEE_NONE) {
            bytes = 0;
        } else if (chip->pg_guarantee == MODEL_GUARANTEE_SIZE_MINUS_XOFF) {
            bytes = sat_sub(bytes, config->xoff_bytes);
        }
    }
    profile->guarantee = model_bytes_to_cells_up(chip, bytes);
    profile->xoff = model_bytes_to_cells_up(chip, config->xoff_bytes);
    profile->xon = model_bytes_to_cells(chip, config->xon_bytes);
    profile->xon_offset =
        model_bytes_to_cells_up(chip, config->xon_offset_bytes);
}

void
mmu_refresh_ingress__(struct mmu *mmu)
{
    for (uint32_t i = 0; i < mmu->chip->pools; i++) {
        if (mmu->pools[i].exists &&
            mmu->pools[i].config.direction == MMU_INGRESS) {
            refresh_pool(mmu, i);
        }
    }
}

uint64_t
mmu_unclaimed_cells(const struct mmu *mmu, enum mmu_direction direction)
{
    const struct chip *chip = mmu->chip;
    uint64_t sum = 0;
    uint64_t largest = 0;

    for (uint32_t i = 0; i < chip->pools; i++) {
        const struct mmu_pool_config *config = &mmu->pools[i].config;
        uint64_t cells;

        if (!mmu->pools[i].exists || config->direction != direction) {
            continue;
        }
        cells = model_bytes_to_cells(chip, config->size_bytes);
        if (!chip->shared_limit.minus_shp) {
            cells += model_bytes_to_cells(chip, config->xoff_bytes);
        }
        sum += cells;
        largest = cells > largest ? cells : largest;
    }
    return sat_sub(mmu->memory, direction == MMU_INGRESS ? sum : largest);
}

/* Reservations --------------------------------------------------------- */

/* Returns ST_OK if the reservations of 'direction' may become those of now
 * less 'minus' plus 'plus' cells. */
static enum st
reservation_check(const struct mmu *mmu, enum mmu_direction direction,
                  uint64_t minus, uint64_t plus, struct err *err)
{
    uint64_t limit = mmu->memory + SLACK_BYTES / mmu->chip->cell_bytes;
    uint64_t wanted = mmu->reserved_cells[direction] - minus + plus;

    if (plus <= minus || wanted <= limit) {
        return ST_OK;
    }
    return err_set(err, ST_NO_RESOURCE, "reservations",
                   "%s reservations would be %llu bytes, the memory has %llu",
                   direction == MMU_INGRESS ? "ingress" : "egress",
                   (unsigned long long)(wanted * mmu->chip->cell_bytes),
                   (unsigned long long)mmu->chip->memory_bytes);
}

/* Pools ---------------------------------------------------------------- */

/* Checks what can be said of 'config' alone. The bound on sizes keeps all
 * later sums and shifts within 64 bits. */
static enum st
pool_config_check(const struct mmu_pool_config *config, struct err *err)
{
    if (config->direction != MMU_INGRESS && config->direction != MMU_EGRESS) {
        return err_set(err, ST_INVALID, "direction",
                       "a pool is for ingress or for egress");
    }
    if (config->size_bytes > MAX_BYTES || config->xoff_bytes > MAX_BYTES) {
        return err_set(err, ST_INVALID, "range",
                       "a pool may have at most 2^48 bytes");
    }
    if (config->direction == MMU_EGRESS && config->xoff_bytes) {
        return err_set(err, ST_INVALID, "egress-headroom",
                       "an egress pool has no headroom");
    }
    return ST_OK;
}

/* Returns the cells that a pool reserves itself: its shared headroom. */
static uint64_t
pool_reservation(const struct mmu *mmu, const struct mmu_pool_config *config)
{
    return model_bytes_to_cells_up(mmu->chip, config->xoff_bytes);
}

static bool
pool_exists(const struct mmu *mmu, uint32_t pool)
{
    return pool < mmu->chip->pools && mmu->pools[pool].exists;
}

static enum st
no_such_pool(uint32_t pool, struct err *err)
{
    return err_set(err, ST_INVALID, "no-such-pool", "there is no pool %u",
                   (unsigned int)pool);
}

/* Puts 'config' into force for 'pool'. */
static void
pool_apply(struct mmu *mmu, uint32_t pool, const struct mmu_pool_config *config)
{
    struct pool *p = &mmu->pools[pool];

    mmu->reserved_cells[config->direction] +=
        pool_reservation(mmu, config) - pool_reservation(mmu, &p->config);
    p->config = *config;
    refresh_pool(mmu, pool);
    mmu_refresh_unclaimed__(mmu, config->direction);
}

enum st
mmu_pool_create(struct mmu *mmu, const struct mmu_pool_config *config,
                uint32_t *pool, struct err *err)
{
    enum st status = pool_config_check(config, err);
    uint32_t id = 0;

    if (status == ST_OK) {
        status = reservation_check(mmu, config->direction, 0,
                                   pool_reservation(mmu, config), err);
    }
    if (status != ST_OK) {
        return status;
    }
    /* A pool that was removed keeps its handle until it has drained. */
    while (id < mmu->chip->pools &&
           (mmu->pools[id].exists || mmu->pools[id].n_accounts)) {
        id++;
    }
    if (id == mmu->chip->pools) {
        return err_set(err, ST_NO_RESOURCE, "pools",
                       "the chip has no more than %u buffer pools",
                       (unsigned int)mmu->chip->pools);
    }
    mmu->pools[id] = (struct pool){.exists = true};
    memset(&mmu->parts[(size_t)id * mmu->chip->partitions], 0,
           mmu->chip->partitions * sizeof mmu->parts[0]);
    pool_apply(mmu, id, config);
    *pool = id;
    return ST_OK;
}

enum st
mmu_pool_set(struct mmu *mmu, uint32_t pool,
             const struct mmu_pool_config *config, struct err *err)
{
    enum st status = pool_config_check(config, err);
    const struct pool *p;

    if (status != ST_OK) {
        return status;
    }
    if (!pool_exists(mmu, pool)) {
        return no_such_pool(pool, err);
    }
    p = &mmu->pools[pool];
    if (p->config.direction != config->direction) {
        return err_set(err, ST_INVALID, "create-only",
                       "the direction of a pool cannot change");
    }
    status = reservation_check(mmu, config->direction,
                               pool_reservation(mmu, &p->config),
                               pool_reservation(mmu, config), err);
    if (status == ST_OK) {
        pool_apply(mmu, pool, config);
    }
    return status;
}

enum st
mmu_pool_remove(struct mmu *mmu, uint32_t pool, struct err *err)
{
    struct mmu_pool_config empty;

    if (!pool_exists(mmu, pool)) {
        return no_such_pool(pool, err);
    }
    if (mmu->pools[pool].n_profiles) {
        return err_set(err, ST_BUSY, "in-use", "%u profiles use the pool",
                       (unsigned int)mmu->pools[pool].n_profiles);
    }
    empty = (struct mmu_pool_config){.direction =
                                         mmu->pools[pool].config.direction};
    mmu->pools[pool].exists = false;
    pool_apply(mmu, pool, &empty);
    return ST_OK;
}

/* Profiles ------------------------------------------------------------- */

static bool
profile_exists(const struct mmu *mmu, uint32_t profile)
{
    return profile < mmu->chip->profiles && mmu->profiles[profile].exists;
}

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
    if (!pool_exists(mmu, config->pool)) {
        return no_such_pool(config->pool, err);
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
    derive_profile(mmu->chip, &mmu->profiles[id],
                   mmu->pools[config->pool].config.direction);
    mmu->pools[config->pool].n_profiles++;
    *profile = id;
    return ST_OK;
}

/* Counts 'n' more or fewer users of 'profile' in the sums of its pool and in
 * the reservations. */
static void
profile_count(struct mmu *mmu, const struct profile *profile, int64_t n)
{
    struct pool *pool = &mmu->pools[profile->config.pool];

    pool->attached_size += profile->size * (uint64_t)n;
    pool->attached_guarantee += profile->guarantee * (uint64_t)n;
    mmu->reserved_cells[pool->config.direction] += profile->size * (uint64_t)n;
}

/* Returns the profile of a PG or queue, MMU_NONE if it has none. */
static uint32_t
owner_profile(const struct mmu *mmu, enum mmu_direction direction,
              uint32_t owner)
{
    return direction == MMU_INGRESS ? mmu->pgs[owner].profile
                                    : mmu->queues[owner].profile;
}

/* Applies the changed 'profile' to all who use it. */
static void
profile_spread(struct mmu *mmu, uint32_t id)
{
    const struct profile *profile = &mmu->profiles[id];
    enum mmu_direction direction =
        mmu->pools[profile->config.pool].config.direction;
    uint32_t per_port = direction == MMU_INGRESS ? mmu->chip->pgs_per_port
                                                 : mmu->chip->queues_per_port;
    uint32_t left = profile->n_users;

    for (uint32_t i = 0; left; i++) {
        if (!mmu->ports[i / per_port].exists ||
            owner_profile(mmu, direction, i) != id) {
            continue;
        }
        mmu_account_apply__(mmu, direction, i, profile);
        left--;
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
    derive_profile(mmu->chip, &next, direction);
    status = reservation_check(mmu, direction, p->size * p->n_users,
                               next.size * p->n_users, err);
    if (status != ST_OK) {
        return status;
    }
    profile_count(mmu, p, -(int64_t)p->n_users);
    *p = next;
    profile_count(mmu, p, p->n_users);
    refresh_pool(mmu, config->pool);
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
    if (p->n_users) {
        return err_set(err, ST_BUSY, "in-use",
                       "%u priority groups or queues use the profile",
                       (unsigned int)p->n_users);
    }
    mmu->pools[p->config.pool].n_profiles--;
    p->exists = false;
    return ST_OK;
}

/* Attachment ----------------------------------------------------------- */

static void
set_owner_profile(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
                  uint32_t profile)
{
    if (direction == MMU_INGRESS) {
        mmu->pgs[owner].profile = profile;
    } else {
        mmu->queues[owner].profile = profile;
    }
}

void
mmu_profile_forget__(struct mmu *mmu, enum mmu_direction direction,
                     uint32_t owner)
{
    uint32_t profile = owner_profile(mmu, direction, owner);

    if (profile != MMU_NONE) {
        struct profile *p = &mmu->profiles[profile];

        profile_count(mmu, p, -1);
        p->n_users--;
        set_owner_profile(mmu, direction, owner, MMU_NONE);
        refresh_pool(mmu, p->config.pool);
    }
}

/* Checks that 'profile' (MMU_NONE: none) may replace that of 'owner'. */
static enum st
attach_check(const struct mmu *mmu, enum mmu_direction direction,
             uint32_t owner, uint32_t profile, struct err *err)
{
    uint32_t old = owner_profile(mmu, direction, owner);
    const struct profile *p;

    if (profile == MMU_NONE) {
        return ST_OK;
    }
    if (!profile_exists(mmu, profile)) {
        return no_such_profile(profile, err);
    }
    p = &mmu->profiles[profile];
    if (mmu->pools[p->config.pool].config.direction != direction) {
        return err_set(
            err, ST_INVALID, "direction", "%s takes a profile of an %s pool",
            direction == MMU_INGRESS ? "a priority group" : "a queue",
            direction == MMU_INGRESS ? "ingress" : "egress");
    }
    return reservation_check(mmu, direction,
                             old == MMU_NONE ? 0 : mmu->profiles[old].size,
                             p->size, err);
}

/* Replaces the profile of 'owner', after all checks. The account moves first:
 * it is the only step that can fail. */
static enum st
attach(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
       uint32_t profile, uint32_t partition, struct err *err)
{
    const struct profile *p =
        profile == MMU_NONE ? NULL : &mmu->profiles[profile];
    uint32_t pool = p ? p->config.pool : mmu_unclaimed_pool(mmu, direction);

    if (!mmu_account_move__(mmu, direction, owner, pool, partition)) {
        return err_set(err, ST_BUSY, "draining",
                       "packets in pools used before have to leave first");
    }
    mmu_profile_forget__(mmu, direction, owner);
    set_owner_profile(mmu, direction, owner, profile);
    if (p) {
        mmu->profiles[profile].n_users++;
        profile_count(mmu, p, 1);
        refresh_pool(mmu, pool);
    }
    mmu_account_apply__(mmu, direction, owner, p);
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
    status = attach_check(mmu, MMU_INGRESS, pg, profile, err);
    return status == ST_OK ? attach(mmu, MMU_INGRESS, pg, profile,
                                    mmu->ports[port].partition, err)
                           : status;
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
    status = attach_check(mmu, MMU_EGRESS, queue, profile, err);
    return status == ST_OK ? attach(mmu, MMU_EGRESS, queue, profile,
                                    mmu->ports[port].partition, err)
                           : status;
}

uint32_t
mmu_pg_profile(const struct mmu *mmu, uint32_t pg)
{
    return mmu->pgs[pg].profile;
}

uint32_t
mmu_queue_profile(const struct mmu *mmu, uint32_t queue)
{
    return mmu->queues[queue].profile;
}
