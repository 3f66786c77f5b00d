/* SPDX-License-Identifier: Apache-2.0 */

/* An MMU without a switch around it.
 *
 * The buffer drains through one queue, which gets a pool of the whole memory,
 * so that egress never limits. */

#include <config.h>

#include "orchd/lint/lint_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "twin/mmu/mmu.h"

/* Most steps to fill the buffer, and the longest packet. */
#define STEPS            32768
#define PACKET_BYTES_MAX 65535

struct lint_buffer {
    const struct chip *chip;
    const struct lint_input *input;
    struct mmu *mmu;
    uint32_t *pools;    /* By index in the input. */
    uint32_t *profiles; /* The same. */
    uint32_t drain;     /* The queue through which packets leave. */
};

/* Create a pool, a profile, all pools; false if the chip does not support
 * them. */
static bool
add_pool(struct mmu *mmu, enum mmu_direction direction, uint64_t size_bytes,
         uint64_t xoff_bytes, uint32_t *pool)
{
    const struct mmu_pool_config config = {direction, size_bytes, xoff_bytes};

    return mmu_pool_create(mmu, &config, pool, NULL) == ST_OK;
}

static bool
add_profile(struct lint_buffer *buffer, const struct lint_profile *profile,
            uint32_t *handle)
{
    const struct mmu_profile_config config = {
        .pool = buffer->pools[profile->pool - buffer->input->pools],
        .reserved_bytes = profile->size_bytes,
        .is_static = !profile->dynamic,
        .dynamic_th = profile->dynamic_th,
        .static_bytes = profile->static_bytes,
        .xoff_bytes = profile->pool->ingress ? profile->xoff_bytes : 0,
        .xon_bytes = profile->xon_bytes,
    };

    return mmu_profile_create(buffer->mmu, &config, handle, NULL) == ST_OK;
}

static bool
add_pools(struct lint_buffer *buffer)
{
    const struct lint_input *input = buffer->input;
    bool good = true;

    for (size_t i = 0; good && i < input->n_pools; i++) {
        const struct lint_pool *pool = &input->pools[i];

        good = add_pool(buffer->mmu, pool->ingress ? MMU_INGRESS : MMU_EGRESS,
                        pool->size_bytes, pool->ingress ? pool->xoff_bytes : 0,
                        &buffer->pools[i]);
    }
    for (size_t i = 0; good && i < input->n_profiles; i++) {
        good = add_profile(buffer, &input->profiles[i], &buffer->profiles[i]);
    }
    return good;
}

/* Binds the profiles of one port. */
static bool
bind_profiles(struct lint_buffer *buffer, uint32_t slot,
              const struct lint_port *port)
{
    const struct lint_input *input = buffer->input;
    const struct chip *chip = buffer->chip;
    bool good = true;

    for (uint32_t i = 0; good && i < PFC_N_PRIORITIES && i < chip->pgs_per_port;
         i++) {
        if (port->pgs[i]) {
            good = !mmu_pg_attach(
                buffer->mmu, mmu_pg_id(buffer->mmu, slot, i),
                buffer->profiles[port->pgs[i] - input->profiles], NULL);
        }
    }
    for (uint32_t i = 0; good && i < LINT_QUEUES && i < chip->queues_per_port;
         i++) {
        if (port->queues[i]) {
            good = !mmu_queue_attach(
                buffer->mmu, mmu_queue_id(buffer->mmu, slot, i),
                buffer->profiles[port->queues[i] - input->profiles], NULL);
        }
    }
    return good;
}

static bool
add_ports(struct lint_buffer *buffer)
{
    const struct lint_input *input = buffer->input;
    bool good = input->n_ports > 0 && input->n_ports <= buffer->chip->ports;

    for (uint32_t i = 0; good && i < input->n_ports; i++) {
        uint32_t partition =
            chip_partition(buffer->chip, i, input->ports[i].first_lane);

        good = !mmu_port_add(buffer->mmu, i, partition) &&
               bind_profiles(buffer, i, &input->ports[i]);
    }
    return good;
}

/* Gives queue 0 of the first port a separate pool. */
static bool
add_drain(struct lint_buffer *buffer)
{
    uint64_t memory = buffer->chip->memory_bytes;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = memory};
    uint32_t profile;

    buffer->drain = mmu_queue_id(buffer->mmu, 0, 0);
    return add_pool(buffer->mmu, MMU_EGRESS, memory, 0, &config.pool) &&
           !mmu_profile_create(buffer->mmu, &config, &profile, NULL) &&
           !mmu_queue_attach(buffer->mmu, buffer->drain, profile, NULL);
}

struct lint_buffer *
lint_buffer_create(const struct chip *chip, const struct lint_input *input)
{
    struct lint_buffer *buffer = check_calloc(1, sizeof *buffer);

    buffer->chip = chip;
    buffer->input = input;
    buffer->mmu = mmu_create(chip, NULL);
    buffer->pools = check_calloc(input->n_pools + 1, sizeof *buffer->pools);
    buffer->profiles =
        check_calloc(input->n_profiles + 1, sizeof *buffer->profiles);
    if (!add_pools(buffer) || !add_ports(buffer) || !add_drain(buffer)) {
        lint_buffer_destroy(buffer);
        return NULL;
    }
    return buffer;
}

void
lint_buffer_destroy(struct lint_buffer *buffer)
{
    if (buffer) {
        mmu_destroy(buffer->mmu);
        free(buffer->pools);
        free(buffer->profiles);
        free(buffer);
    }
}

/* Returns the guarantees of all groups of 'pool', and their private headroom,
 * in cells. */
static uint64_t
promised_cells(const struct lint_buffer *buffer, const struct lint_pool *pool)
{
    uint64_t cells = 0;

    for (uint32_t i = 0; i < buffer->input->n_ports; i++) {
        for (uint32_t j = 0;
             j < PFC_N_PRIORITIES && j < buffer->chip->pgs_per_port; j++) {
            const struct lint_profile *profile = buffer->input->ports[i].pgs[j];
            struct mmu_pg_stats stats;

            if (!profile || profile->pool != pool) {
                continue;
            }
            mmu_pg_get(buffer->mmu, mmu_pg_id(buffer->mmu, i, j), &stats);
            cells += stats.guarantee;
            if (!pool->xoff_bytes && profile->xoff_bytes) {
                cells +=
                    chip_bytes_to_cells_up(buffer->chip, profile->xoff_bytes);
            }
        }
    }
    return cells;
}

uint64_t
lint_buffer_ingress_bytes(const struct lint_buffer *buffer,
                          const struct lint_pool *pool)
{
    uint32_t handle = buffer->pools[pool - buffer->input->pools];
    struct mmu_pool_stats stats;
    uint64_t cells = promised_cells(buffer, pool) +
                     chip_bytes_to_cells(buffer->chip, pool->xoff_bytes);

    if (mmu_pool_get(buffer->mmu, handle, &stats)) {
        return 0;
    }
    return chip_cells_to_bytes(
        buffer->chip, cells + stats.shared_limit * buffer->chip->partitions);
}

/* Returns the most that fits below alpha * (limit - used), all in cells. */
static uint64_t
alone_cells(int exponent, uint64_t limit)
{
    if (exponent == CHIP_ALPHA_ZERO) {
        return 0;
    }
    if (exponent == CHIP_ALPHA_UNLIMITED) {
        return limit;
    }
    if (exponent >= 0) {
        return limit - limit / ((UINT64_C(1) << exponent) + 1);
    }
    return limit / ((UINT64_C(1) << -exponent) + 1);
}

uint64_t
lint_buffer_alone_bytes(const struct lint_buffer *buffer,
                        const struct lint_profile *profile)
{
    const struct chip *chip = buffer->chip;
    uint32_t handle = buffer->pools[profile->pool - buffer->input->pools];
    uint64_t own = chip_bytes_to_cells_up(chip, profile->size_bytes);
    struct mmu_pool_stats stats;
    uint64_t cells;

    if (mmu_pool_get(buffer->mmu, handle, &stats)) {
        return 0;
    }
    if (profile->dynamic) {
        cells = alone_cells(chip_alpha_exponent(chip, profile->dynamic_th),
                            stats.shared_limit);
    } else if (!profile->static_bytes && !chip->static_zero_blocks) {
        cells = stats.shared_limit;
    } else {
        cells = chip_bytes_to_cells(chip, profile->static_bytes);
    }
    return chip_cells_to_bytes(chip, own + cells);
}

/* --- Filling ------------------------------------------------------------ */

/* Lists the groups with one profile in one partition, those of different ports
 * first; 'pgs' may be NULL.  Returns their number. */
static size_t
list_groups(const struct lint_buffer *buffer,
            const struct lint_profile *profile, uint32_t partition,
            uint32_t *pgs)
{
    const struct lint_input *input = buffer->input;
    size_t n = 0;

    for (uint32_t j = 0; j < PFC_N_PRIORITIES && j < buffer->chip->pgs_per_port;
         j++) {
        for (uint32_t i = 0; i < input->n_ports; i++) {
            const struct lint_port *port = &input->ports[i];

            if (port->pgs[j] == profile &&
                chip_partition(buffer->chip, i, port->first_lane) ==
                    partition) {
                if (pgs) {
                    pgs[n] = mmu_pg_id(buffer->mmu, i, j);
                }
                n++;
            }
        }
    }
    return n;
}

/* Returns the partition that has the most groups with 'profile'. */
static uint32_t
fullest_partition(const struct lint_buffer *buffer,
                  const struct lint_profile *profile, size_t *n)
{
    uint32_t fullest = 0;

    *n = 0;
    for (uint32_t i = 0; i < buffer->chip->partitions; i++) {
        size_t here = list_groups(buffer, profile, i, NULL);

        if (here > *n) {
            *n = here;
            fullest = i;
        }
    }
    return fullest;
}

size_t
lint_buffer_n_groups(const struct lint_buffer *buffer,
                     const struct lint_profile *profile)
{
    size_t n;

    fullest_partition(buffer, profile, &n);
    return n;
}

/* Returns the packet length that fills a partition in STEPS packets. */
static uint32_t
step_bytes(const struct chip *chip)
{
    uint64_t cells = chip_memory_cells(chip) / chip->partitions / STEPS + 1;
    uint64_t bytes = chip_cells_to_bytes(chip, cells);

    bytes = bytes > PACKET_BYTES_MAX ? PACKET_BYTES_MAX : bytes;
    return bytes > chip->packet_overhead_bytes + 64
               ? (uint32_t)bytes - chip->packet_overhead_bytes
               : 64;
}

/* Gives each group a packet in turn until one pauses or drops; returns what
 * that one holds then, in cells. */
static uint64_t
fill(struct mmu *mmu, const uint32_t *pgs, size_t n, uint32_t drain,
     uint32_t length)
{
    struct mmu_pg_stats stats;
    uint32_t packet;

    for (size_t i = 0;; i = i + 1 < n ? i + 1 : 0) {
        enum mmu_drop drop = mmu_enqueue(mmu, pgs[i], drain, length, &packet);

        mmu_pg_get(mmu, pgs[i], &stats);
        if (drop != MMU_ADMITTED || stats.is_xoff) {
            return stats.reserved + stats.shared;
        }
    }
}

uint64_t
lint_buffer_pfc_bytes(struct lint_buffer *buffer,
                      const struct lint_profile *profile, size_t n)
{
    struct mmu_departure departure;
    uint32_t partition, *pgs;
    size_t n_groups;
    uint64_t cells = 0;

    partition = fullest_partition(buffer, profile, &n_groups);
    if (!profile->xoff_bytes || n == 0 || n > n_groups) {
        return 0;
    }
    pgs = check_calloc(n_groups, sizeof *pgs);
    list_groups(buffer, profile, partition, pgs);
    cells = fill(buffer->mmu, pgs, n, buffer->drain, step_bytes(buffer->chip));
    while (mmu_dequeue(buffer->mmu, buffer->drain, &departure)) {
        continue;
    }
    free(pgs);
    return chip_cells_to_bytes(buffer->chip, cells);
}
