/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_MMU_SETUP_H
#define ORCHD_TESTS_SUPPORT_MMU_SETUP_H

/* Buffers for tests of the twin: ports, pools, profiles and what they are
 * attached to.  Each function fails the test if the buffer refuses. */

#include <stdint.h>

#include "twin/mmu/mmu.h"

/* Creates the buffer of 'chip' with ports 0 to 'n_ports' - 1, port i in
 * partition i modulo 'n_partitions'.  'options' may be NULL.  The caller
 * destroys it with mmu_setup_end(). */
struct mmu *mmu_setup_begin(const struct chip *chip,
                            const struct mmu_options *options, uint32_t n_ports,
                            uint32_t n_partitions);

/* Verifies the buffer (mmu_check()) and destroys it. */
void mmu_setup_end(struct mmu *mmu);

/* Verifies the buffer. */
void mmu_setup_verify(const struct mmu *mmu);

/* These return the id of what they create. */
uint32_t mmu_setup_pool(struct mmu *mmu, enum mmu_direction direction,
                        uint64_t size_bytes, uint64_t xoff_bytes);
uint32_t mmu_setup_profile(struct mmu *mmu,
                           const struct mmu_profile_config *config);

/* Attaches 'profile' to PG or queue 'index' of 'port'. */
void mmu_setup_attach_pg(struct mmu *mmu, uint32_t port, uint32_t index,
                         uint32_t profile);
void mmu_setup_attach_queue(struct mmu *mmu, uint32_t port, uint32_t index,
                            uint32_t profile);

#endif /* tests/support/mmu_setup.h */
