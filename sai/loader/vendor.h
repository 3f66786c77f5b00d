/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_H
#define ORCHD_SAI_LOADER_VENDOR_H

/* The function tables of a libsai as a backend.
 *
 * sai/loader/loader.h loads a library, asks for its tables and fills in the
 * structure of sai/loader/vendor_library.h; from then on the verbs of
 * sai/core/backend.h find their way by sai/loader/function_table.h.
 * sai/loader/vendor_bulk.h is the part for several objects,
 * sai/loader/vendor_stats.h that for counters. */

#include <sai.h>

#include "sai/loader/vendor_library.h"

/* Makes 'vendor' a backend of no tables. */
void vendor_init(struct vendor *vendor);

/* Creates an object, as sai/core/backend.h says. */
sai_status_t vendor_create(struct sai_backend *backend, sai_object_type_t type,
                           uint32_t n, const sai_attribute_t *attributes,
                           sai_object_id_t *oid);

#endif /* sai/loader/vendor.h */
