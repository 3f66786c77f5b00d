/* SPDX-License-Identifier: Apache-2.0 */

/* Objects without effect. */

#include <config.h>

#include "vendors/softasic/program/stored.h"

bool
stored_handles_type(sai_object_type_t type)
{
    switch (type) {
    case SAI_OBJECT_TYPE_MIRROR_SESSION:
    case SAI_OBJECT_TYPE_SAMPLEPACKET:
    case SAI_OBJECT_TYPE_TUNNEL_MAP:
    case SAI_OBJECT_TYPE_TUNNEL_MAP_ENTRY:
    case SAI_OBJECT_TYPE_DEBUG_COUNTER:
        return true;
    default:
        return false;
    }
}

/* Returns whether another debug counter than 'item' has index 'index'. */
static bool
is_taken(const struct asic *asic, const struct objects_item *item,
         uint32_t index)
{
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_DEBUG_COUNTER);
         i; i = objects_next(asic->objects, i)) {
        if (i != item && i->handle == index) {
            return true;
        }
    }
    return false;
}

sai_status_t
stored_create(struct asic *asic, struct objects_item *item)
{
    if (objects_count(asic->objects, item->type) > STORED_MAX) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    item->handle = 0;
    while (item->type == SAI_OBJECT_TYPE_DEBUG_COUNTER &&
           is_taken(asic, item, item->handle)) {
        item->handle++;
    }
    return SAI_STATUS_SUCCESS;
}

int64_t
stored_debug_index(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    return item->handle;
}
