/* SPDX-License-Identifier: Apache-2.0 */

/* Buffers for tests of the twin. */

#include <config.h>

#include "tests/support/mmu_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct mmu *
mmu_setup_begin(const struct chip *chip, const struct mmu_options *options,
                uint32_t n_ports, uint32_t n_partitions)
{
    struct mmu *mmu = mmu_create(chip, options);

    for (uint32_t i = 0; i < n_ports; i++) {
        assert_int_equal(mmu_port_add(mmu, i, i % n_partitions), ST_OK);
    }
    return mmu;
}

void
mmu_setup_end(struct mmu *mmu)
{
    mmu_setup_verify(mmu);
    mmu_destroy(mmu);
}

void
mmu_setup_verify(const struct mmu *mmu)
{
    const char *wrong = mmu_check(mmu);

    if (wrong) {
        fail_msg("%s", wrong);
    }
}

uint32_t
mmu_setup_pool(struct mmu *mmu, enum mmu_direction direction,
               uint64_t size_bytes, uint64_t xoff_bytes)
{
    const struct mmu_pool_config config = {.direction = direction,
                                           .size_bytes = size_bytes,
                                           .xoff_bytes = xoff_bytes};
    uint32_t id = MMU_NONE;

    assert_int_equal(mmu_pool_create(mmu, &config, &id, NULL), ST_OK);
    return id;
}

uint32_t
mmu_setup_profile(struct mmu *mmu, const struct mmu_profile_config *config)
{
    uint32_t id = MMU_NONE;

    assert_int_equal(mmu_profile_create(mmu, config, &id, NULL), ST_OK);
    return id;
}

void
mmu_setup_attach_pg(struct mmu *mmu, uint32_t port, uint32_t index,
                    uint32_t profile)
{
    assert_int_equal(
        mmu_pg_attach(mmu, mmu_pg_id(mmu, port, index), profile, NULL), ST_OK);
}

void
mmu_setup_attach_queue(struct mmu *mmu, uint32_t port, uint32_t index,
                       uint32_t profile)
{
    assert_int_equal(
        mmu_queue_attach(mmu, mmu_queue_id(mmu, port, index), profile, NULL),
        ST_OK);
}
