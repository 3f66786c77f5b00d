/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_LOAD_H
#define ORCHD_TWIN_MMU_MMU_LOAD_H

/* The load of PGs and queues as far as policies ask for it: which are
 * congested, and how fast each drains.  For the files of the MMU only;
 * mmu_policy.h says how both are measured.
 *
 * It changes with each packet of a PG or queue.  So the count of those that are
 * congested is a sum of what each was at its last packet, and never has to be
 * searched for. */

#include "twin/mmu/mmu_state.h"

struct mmu_load;

/* Accepts NULL. */
void mmu_load_destroy__(struct mmu_load *load);

/* Makes 'owner' idle. */
void mmu_load_forget__(struct mmu *mmu, enum mmu_direction direction,
                       uint32_t owner);

#endif /* twin/mmu/mmu_load.h */
