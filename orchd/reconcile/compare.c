/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one attribute per call, so that an unsupported one does not hide
 * others. */

#include <config.h>

#include "orchd/reconcile/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/resolved_value.h"
#include "sai/core/attr_value.h"
#include "sai/core/backend.h"

/* Initial room for a list; grows if the switch needs more. */
#define LIST_ROOM 64

/* Fills '*resolved' with the intended value of the slot.  Returns false if it
 * is unknown, because an object that it refers to does not exist. */
static bool
intend(const struct slot *slot, struct resolved_value *resolved)
{
    if (resolved_value_exists(slot)) {
        return resolved_value_init(slot, resolved);
    }
    /* No row wants anything (any more): the default is intended. */
    memset(resolved, 0, sizeof *resolved);
    return slot->held && metadata_default(slot->meta, &resolved->value);
}

static bool
compare_slot(const struct object *object, const struct slot *slot,
             struct sai_backend *backend, compare_fn *fn, void *context)
{
    struct compare_difference difference = {
        .object = object, .meta = slot->meta, .refused = slot->refusal.status};
    sai_attribute_value_t found;
    struct resolved_value resolved;

    if (!intend(slot, &resolved)) {
        return false;
    }
    difference.intended = &resolved.value;
    difference.unread = compare_read(object, slot->meta, backend, &found);
    if (difference.unread != SAI_STATUS_SUCCESS) {
        fn(context, &difference);
    } else {
        if (!attr_value_equal(slot->meta->kind, &resolved.value, &found)) {
            difference.found = &found;
            fn(context, &difference);
        }
        attr_value_fini(slot->meta->kind, &found);
    }
    resolved_value_fini(&resolved);
    return difference.unread == SAI_STATUS_SUCCESS;
}

size_t
compare_object(const struct object *object, struct sai_backend *backend,
               compare_fn *fn, void *context)
{
    size_t n = 0;

    for (size_t i = 0; i < object->n_slots; i++) {
        n += compare_slot(object, &object->slots[i], backend, fn, context);
    }
    return n;
}

sai_status_t
compare_read(const struct object *object, const struct metadata_attribute *meta,
             struct sai_backend *backend, sai_attribute_value_t *value)
{
    sai_attribute_t attribute = {.id = meta->id};
    bool list = kind_has_list(meta->kind);
    uint32_t room = LIST_ROOM;
    void *elements = NULL;
    sai_status_t status;

    do {
        if (list) {
            size_t size = kind_layout(meta->kind)->element_size;

            free(elements);
            elements = check_calloc(room, size);
            kind_list_set(meta->kind, &attribute.value, room, elements);
        }
        status = backend->ops->get(backend, object->type, object->oid, 1,
                                   &attribute);
        if (status != SAI_STATUS_BUFFER_OVERFLOW || !list) {
            break;
        }
        room = kind_list_capacity(meta->kind, &attribute.value);
    } while (room > LIST_ROOM && room <= KIND_LIST_MAX);
    if (status != SAI_STATUS_SUCCESS) {
        free(elements);
        return status;
    }
    *value = attribute.value;
    return SAI_STATUS_SUCCESS;
}

bool
compare_is_missing(sai_status_t status)
{
    return status == SAI_STATUS_ITEM_NOT_FOUND ||
           status == SAI_STATUS_INVALID_OBJECT_ID;
}
