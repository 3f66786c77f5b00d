/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_H
#define ORCHD_SAI_LOADER_VENDOR_H

/* The function tables of a libsai as a backend.
 *
 * sai/loader/loader.h loads a library, gets its tables and fills the structure
 * of sai/loader/vendor_library.h.  After that the operations of
 * sai/core/backend.h find the functions with sai/loader/function_table.h.
 * sai/loader/vendor_bulk.h has the bulk operations, sai/loader/vendor_stats.h
 * the counters. */

#include <sai.h>

#include "sai/loader/vendor_library.h"

/* Initialises 'vendor' as a backend without function tables. */
void vendor_init(struct vendor *vendor);

/* Creates an object, see sai/core/backend.h. */
sai_status_t vendor_create(struct sai_backend *backend, sai_object_type_t type,
                           uint32_t n, const sai_attribute_t *attributes,
                           sai_object_id_t *oid);

#endif /* sai/loader/vendor.h */
