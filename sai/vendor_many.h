/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_VENDOR_MANY_H
#define ORCHD_SAI_VENDOR_MANY_H

/* Several objects, and entries, of a vendor.
 *
 * Where the library has a bulk function it is used; where it has none, or has
 * refused it with NOT_SUPPORTED or NOT_IMPLEMENTED once, each object gets a
 * call of its own.  Whoever calls sees no difference but in time. */

#include <sai.h>

#include "sai/backend.h"

/* Does what sai/backend.h says of 'many'; 'backend' is a struct vendor. */
sai_status_t vendor_many(struct sai_backend *backend,
                         const struct backend_many *call);

#endif /* sai/vendor_many.h */
