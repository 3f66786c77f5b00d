/* SPDX-License-Identifier: Apache-2.0 */

/* Pools: their limits, and the memory that pools and profiles reserve.
 *
 * Sums over attached profiles are maintained, not recomputed, so attaching a
 * profile to the thousandth PG costs the same as to the first.  Every change is
 * checked completely before anything is modified: it happens as a whole or not
 * at all.
 *
 * The size of a pool is a limit and reserves nothing; the sum of all pools may
 * exceed the memory.  Attached profiles reserve their size, once per
 * attachment, and so do shared headroom pools: these must fit the memory.  Some
 * chips accept any pool too, but then refuse a guarantee that does not fit
 * beside the size and headroom of the ingress pools. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include <string.h>

#include "twin/mmu/mmu_state.h"

#define MAX_BYTES (UINT64_C(1) << 48)

/* Tolerance above the memory, because the chip file gives its size in kB. */
#define SLACK_BYTES 1024

void
mmu_refresh_unclaimed__(struct mmu *mmu, enum mmu_direction direction)
{
    uint32_t id = mmu_unclaimed_pool(mmu, direction);

    struct part *part = &mmu->parts[(size_t)id * mmu->chip->partitions];

    part->limit = mmu_unclaimed_cells(mmu, direction);
    part->size = part->limit;
}

/* Returns the size that the chip makes of an ingress pool of 'size_bytes'. */
static uint64_t
pool_size_rounded(const struct chip *chip, uint64_t size_bytes)
{
    const uint64_t unit = chip->pool_round_bytes;

    return unit > 1 ? (size_bytes + unit - 1) / unit * unit : size_bytes;
}

/* Computes S of one partition of ingress pool 'pool'. */
static uint64_t
ingress_shared_limit(const struct mmu *mmu, const struct pool *pool)
{
    const struct chip *chip = mmu->chip;
    const struct chip_shared_limit *terms = &chip->shared_limit;
    uint64_t cells = chip_bytes_to_cells(
        chip, terms->fixed_bytes
                  ? terms->fixed_bytes
                  : pool_size_rounded(chip, pool->config.size_bytes));

    if (terms->minus_shp) {
        cells = sat_sub(cells,
                        chip_bytes_to_cells_up(chip, pool->config.xoff_bytes));
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

/* Returns S of the largest ingress pool, 'otherwise' if there is none: the
 * cells that egress may share on chips with one shared memory for both
 * directions. */
static uint64_t
ingress_limit(const struct mmu *mmu, uint64_t otherwise)
{
    uint64_t limit = 0;
    bool any = false;

    for (uint32_t i = 0; i < mmu->chip->pools; i++) {
        const struct pool *pool = &mmu->pools[i];

        if (pool->exists && pool->config.direction == MMU_INGRESS) {
            limit = max_u64(limit, ingress_shared_limit(mmu, pool));
            any = true;
        }
    }
    return any ? limit : otherwise;
}

/* Computes the cells that the queues of one partition of egress pool 'pool' may
 * share.  A pool of size 0 shares nothing on any chip: that is how to make a
 * queue drop everything. */
static uint64_t
egress_shared_limit(const struct mmu *mmu, const struct pool *pool)
{
    const struct chip *chip = mmu->chip;
    uint64_t cells = chip_bytes_to_cells(chip, pool->config.size_bytes);

    if (chip->voq_cap_bytes == 0) {
        cells /= chip->partitions;
    }
    return cells && chip->egress_shared == CHIP_EGRESS_SHARED_INGRESS_SHARED
               ? ingress_limit(mmu, cells)
               : cells;
}

/* Recomputes the limits of all partitions of pool 'id'. Levels do not change: a
 * pool that shrinks below its level admits nothing until it has drained. */
static void
refresh_one(struct mmu *mmu, uint32_t id)
{
    const struct chip *chip = mmu->chip;
    const struct pool *pool = &mmu->pools[id];
    struct part part = {.headroom_limit = UINT64_MAX};

    if (pool->config.direction == MMU_EGRESS) {
        part.limit = egress_shared_limit(mmu, pool);
        part.size = part.limit + chip->egress_lag_cells;
    } else {
        part.limit = ingress_shared_limit(mmu, pool);
        part.size = part.limit;
        if (pool->config.xoff_bytes) {
            part.headroom_limit =
                chip_bytes_to_cells(chip, pool->config.xoff_bytes) /
                chip->partitions;
        }
    }
    for (uint32_t i = 0; i < chip->partitions; i++) {
        struct part *p = &mmu->parts[(size_t)id * chip->partitions + i];

        p->limit = part.limit;
        p->size = part.size;
        p->headroom_limit = part.headroom_limit;
        p->quiet = 0;
    }
}

/* Recomputes the limits of all pools of 'direction'. */
static void
refresh_direction(struct mmu *mmu, enum mmu_direction direction)
{
    for (uint32_t i = 0; i < mmu->chip->pools; i++) {
        if (mmu->pools[i].exists &&
            mmu->pools[i].config.direction == direction) {
            refresh_one(mmu, i);
        }
    }
}

void
mmu_refresh_pool__(struct mmu *mmu, uint32_t id)
{
    refresh_one(mmu, id);
    if (mmu->pools[id].config.direction == MMU_INGRESS &&
        mmu->chip->egress_shared == CHIP_EGRESS_SHARED_INGRESS_SHARED) {
        refresh_direction(mmu, MMU_EGRESS);
    }
}

void
mmu_refresh_all__(struct mmu *mmu)
{
    refresh_direction(mmu, MMU_INGRESS);
    refresh_direction(mmu, MMU_EGRESS);
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
        cells = chip_bytes_to_cells(chip, config->size_bytes);
        if (!chip->shared_limit.minus_shp) {
            cells += chip_bytes_to_cells(chip, config->xoff_bytes);
        }
        sum += cells;
        largest = cells > largest ? cells : largest;
    }
    return sat_sub(mmu->memory, direction == MMU_INGRESS ? sum : largest);
}

/* Reservations --------------------------------------------------------- */

enum st
mmu_reservation_check__(const struct mmu *mmu, enum mmu_direction direction,
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

/* Returns the cells of the sizes of all ingress pools. */
static uint64_t
ingress_pool_cells(const struct mmu *mmu)
{
    uint64_t cells = 0;

    for (uint32_t i = 0; i < mmu->chip->pools; i++) {
        const struct pool *pool = &mmu->pools[i];

        if (pool->exists && pool->config.direction == MMU_INGRESS) {
            cells += chip_bytes_to_cells(mmu->chip, pool->config.size_bytes);
        }
    }
    return cells;
}

enum st
mmu_guarantee_check__(const struct mmu *mmu, enum mmu_direction direction,
                      uint64_t minus, uint64_t plus, struct err *err)
{
    uint64_t limit = mmu->memory + SLACK_BYTES / mmu->chip->cell_bytes;
    uint64_t wanted = mmu->reserved_cells[direction] - minus + plus;
    enum st status = mmu_reservation_check__(mmu, direction, minus, plus, err);

    if (status || plus <= minus || direction != MMU_INGRESS ||
        !mmu->chip->pools_reserve) {
        return status;
    }
    wanted += ingress_pool_cells(mmu);
    if (wanted <= limit) {
        return ST_OK;
    }
    return err_set(err, ST_NO_RESOURCE, "reservations",
                   "the ingress pools with their headroom and guarantees would "
                   "be %llu bytes, the memory has %llu",
                   (unsigned long long)(wanted * mmu->chip->cell_bytes),
                   (unsigned long long)mmu->chip->memory_bytes);
}

/* Pools ---------------------------------------------------------------- */

/* Checks 'config' on its own. The limit on sizes keeps all later sums and
 * shifts within 64 bits. */
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

/* Returns the cells that a pool itself reserves: its shared headroom. */
static uint64_t
pool_reservation(const struct mmu *mmu, const struct mmu_pool_config *config)
{
    return chip_bytes_to_cells_up(mmu->chip, config->xoff_bytes);
}

bool
mmu_pool_exists__(const struct mmu *mmu, uint32_t pool)
{
    return pool < mmu->chip->pools && mmu->pools[pool].exists;
}

enum st
mmu_no_such_pool__(uint32_t pool, struct err *err)
{
    return err_set(err, ST_INVALID, "no-such-pool", "there is no pool %u",
                   (unsigned int)pool);
}

/* Applies 'config' to 'pool'. */
static void
pool_apply(struct mmu *mmu, uint32_t pool, const struct mmu_pool_config *config)
{
    struct pool *p = &mmu->pools[pool];
    bool had_shp = p->config.xoff_bytes != 0;

    mmu->reserved_cells[config->direction] +=
        pool_reservation(mmu, config) - pool_reservation(mmu, &p->config);
    p->config = *config;
    mmu_refresh_pool__(mmu, pool);
    if (had_shp != (config->xoff_bytes != 0)) {
        mmu_profiles_rederive__(mmu, pool);
    }
    mmu_refresh_unclaimed__(mmu, config->direction);
}

enum st
mmu_pool_create(struct mmu *mmu, const struct mmu_pool_config *config,
                uint32_t *pool, struct err *err)
{
    enum st status = pool_config_check(config, err);
    uint32_t id = 0;

    if (status == ST_OK) {
        status = mmu_reservation_check__(mmu, config->direction, 0,
                                         pool_reservation(mmu, config), err);
    }
    if (status != ST_OK) {
        return status;
    }
    /* The handle of a removed pool is not reused until the pool has drained. */
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
    if (!mmu_pool_exists__(mmu, pool)) {
        return mmu_no_such_pool__(pool, err);
    }
    p = &mmu->pools[pool];
    if (p->config.direction != config->direction) {
        return err_set(err, ST_INVALID, "create-only",
                       "the direction of a pool cannot change");
    }
    status = mmu_reservation_check__(mmu, config->direction,
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

    if (!mmu_pool_exists__(mmu, pool)) {
        return mmu_no_such_pool__(pool, err);
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
