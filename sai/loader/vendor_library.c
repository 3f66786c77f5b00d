/* SPDX-License-Identifier: Apache-2.0 */

/* A libsai: its function tables and its capabilities. */

#include <config.h>

#include "sai/loader/vendor_library.h"

#include <string.h>

#include "sai/core/capability.h"
#include "sai/core/metadata.h"
#include "sai/loader/function_table.h"

void
vendor_library_add(struct vendor *vendor, sai_api_t api, const void *table)
{
    vendor->tables[api] = table;
    vendor->n_slots[api] = function_table_n_slots(api, vendor->version);
}

vendor_any_fn *
vendor_library_find(const struct vendor *vendor, sai_api_t api, size_t offset)
{
    const char *table = vendor->tables[api];
    vendor_any_fn *function;

    if (!table || offset / sizeof function >= vendor->n_slots[api]) {
        return NULL;
    }
    memcpy(&function, table + offset, sizeof function);
    return function;
}

/* Returns whether the library reports that an attribute lacks the capability
 * 'flag', which it has in SAI.  Ignores such a report for a mandatory attribute
 * at creation, because no object could then be created. */
static bool
is_denied(const struct vendor *vendor, sai_object_type_t type,
          const struct metadata_attribute *attribute, unsigned int flag)
{
    unsigned int illegal = METADATA_FLAG_READ_ONLY;
    unsigned int flags;

    illegal |= flag == CAPABILITY_CREATE ? METADATA_FLAG_MANDATORY_ON_CREATE
                                         : METADATA_FLAG_CREATE_ONLY;
    if (attribute->flags & illegal) {
        return false;
    }
    flags = capability_flags(vendor->capability, vendor->backend.switch_id,
                             type, attribute->id);
    return (flags & CAPABILITY_KNOWN) && !(flags & flag);
}

sai_status_t
vendor_library_check(const struct vendor *vendor, sai_object_type_t type,
                     uint32_t n, const sai_attribute_t *list, unsigned int flag)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute(type, list[i].id);

        if (attribute && (attribute->since > vendor->version ||
                          (flag && is_denied(vendor, type, attribute, flag)))) {
            return SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 -
                   (sai_status_t)(i < 0xffff ? i : 0xffff);
        }
    }
    return SAI_STATUS_SUCCESS;
}
