/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_HUGE_PAGES_H
#define ORCHD_PROCESS_HUGE_PAGES_H

/* Huge pages for what a large simulation uses with every packet.
 *
 * They are asked for by advice (madvise(2), MADV_HUGEPAGE), so no administrator
 * has to reserve any; where the system has none, or "never" in
 * /sys/kernel/mm/transparent_hugepage/enabled, ordinary pages do the same. */

#include "base/line_pool.h"

/* For line_pool_create(). */
extern const struct line_pool_source huge_pages;

#endif /* process/huge_pages.h */
