/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_BULK_H
#define ORCHD_SAI_LOADER_VENDOR_BULK_H

/* Bulk operations, and operations on entries, of a vendor library.
 *
 * Uses the library's bulk function.  If the library has none, or has refused it
 * with NOT_SUPPORTED or NOT_IMPLEMENTED once, each object gets a call of its
 * own. Callers see no difference except in time. */

#include <sai.h>

#include "sai/core/backend.h"

/* Implements 'many' of sai/core/backend.h; 'backend' is a struct vendor. */
sai_status_t vendor_many(struct sai_backend *backend,
                         const struct backend_many *call);

#endif /* sai/loader/vendor_bulk.h */
