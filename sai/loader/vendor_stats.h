/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_STATS_H
#define ORCHD_SAI_LOADER_VENDOR_STATS_H

/* Counters of a vendor.
 *
 * sai_bulk_object_get_stats() reads the same counters of several objects.
 * Libraries have it since SAI 1.10 or not at all; some that have it refuse it
 * for some types of objects, or cannot clear with it.  So it is used where it
 * is there, and what was refused once is not asked for again: then, as
 * anywhere else, each object gets a call of its own.  Whoever calls sees no
 * difference but in time.
 *
 * What is refused is a list of counters in a mode: a library that has no bulk
 * function for the pauses of ports may have one for their drops.  So that is
 * what is remembered, and told once ("bulk-refused").
 *
 * A refusal may mean the counters instead.  Those that are then refused one by
 * one as well say nothing about the bulk function. */

#include <sai.h>

#include "sai/core/backend.h"

/* Do what sai/core/backend.h says; 'backend' is a struct vendor. */
sai_status_t vendor_get_stats(struct sai_backend *backend,
                              sai_object_type_t type, sai_object_id_t oid,
                              uint32_t n, const sai_stat_id_t *ids,
                              sai_stats_mode_t mode, uint64_t *values);
sai_status_t vendor_get_stats_many(struct sai_backend *backend,
                                   const struct backend_stats *call);

#endif /* sai/loader/vendor_stats.h */
