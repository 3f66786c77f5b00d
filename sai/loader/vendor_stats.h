/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_STATS_H
#define ORCHD_SAI_LOADER_VENDOR_STATS_H

/* Reads the counters of a vendor library.
 *
 * sai_bulk_object_get_stats() reads the same counters of several objects.  Only
 * some libraries of SAI 1.10 and later have it.  Some of these refuse it for
 * some object types, or cannot clear with it.  This module uses it if the
 * library has it, and does not repeat a refused call: each object then gets a
 * call of its own. Callers see no difference except in time.
 *
 * The library may read the drop counters of ports in bulk but not their pause
 * counters.  So the module stores which list of counters was refused in which
 * mode, and reports each once ("bulk-refused").
 *
 * A library may also refuse the counters themselves.  If it refuses the call
 * for each single object as well, the refusal says nothing about the bulk
 * function. */

#include <sai.h>

#include "sai/core/backend.h"

/* Implement the operations of sai/core/backend.h; 'backend' is a struct
 * vendor. */
sai_status_t vendor_get_stats(struct sai_backend *backend,
                              sai_object_type_t type, sai_object_id_t oid,
                              uint32_t n, const sai_stat_id_t *ids,
                              sai_stats_mode_t mode, uint64_t *values);
sai_status_t vendor_get_stats_many(struct sai_backend *backend,
                                   const struct backend_stats *call);

#endif /* sai/loader/vendor_stats.h */
