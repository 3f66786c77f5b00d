/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_VENDOR_BULK_H
#define ORCHD_SAI_LOADER_VENDOR_BULK_H

/* Several objects, and entries, of a vendor.
 *
 * Where the library has a bulk function it is used; where it has none, or has
 * refused it with NOT_SUPPORTED or NOT_IMPLEMENTED once, each object gets a
 * call of its own.  Whoever calls sees no difference but in time. */

#include <sai.h>

#include "sai/core/backend.h"

/* Does what sai/core/backend.h says of 'many'; 'backend' is a struct vendor. */
sai_status_t vendor_many(struct sai_backend *backend,
                         const struct backend_many *call);

#endif /* sai/loader/vendor_bulk.h */
