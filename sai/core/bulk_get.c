/* SPDX-License-Identifier: Apache-2.0 */

/* Reads all values, and again those whose lists had too little room. */

#include <config.h>

#include "sai/core/bulk_get.h"

#include <string.h>

#include "base/arena.h"
#include "sai/core/metadata.h"

/* The capacity of each list in the first call, in elements. */
enum { FIRST_ROOM = 32 };

bool
bulk_get_is_readable(const struct metadata_attribute *meta)
{
    return meta->kind != KIND_PORTSERDESTAPS && meta->kind != KIND_POINTER;
}

/* Gives a list room for 'room' elements. */
static void
make_room(const struct bulk_get *bulk, enum kind kind,
          sai_attribute_t *attribute, uint32_t room)
{
    const sai_attr_id_t id = attribute->id;

    memset(attribute, 0, sizeof *attribute);
    attribute->id = id;
    if (kind_has_list(kind)) {
        kind_list_set(
            kind, &attribute->value, room,
            arena_alloc(bulk->arena, room, kind_layout(kind)->element_size));
    }
}

/* Reads the 'n' attributes, one of each object in 'keys'. */
static void
read_values(const struct bulk_get *bulk, struct sai_backend *backend,
            sai_object_type_t type, uint32_t n, sai_object_key_t *keys,
            sai_attribute_t *attributes, sai_status_t *statuses)
{
    uint32_t *counts = arena_alloc(bulk->arena, n, sizeof *counts);
    const struct backend_many many = {
        .op = OP_GET_MANY,
        .type = type,
        .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
        .n = n,
        .keys = keys,
        .counts = counts,
        .attributes = attributes,
        .statuses = statuses,
    };

    for (uint32_t i = 0; i < n; i++) {
        counts[i] = 1;
    }
    if (n == 1) {
        *statuses = backend_do_one(backend, &many);
    } else {
        (void)backend_do_many(backend, &many);
    }
}

/* Returns whether the switch reported that the list of object 'i' needs more
 * room, and the reported size is plausible. */
static bool
needs_room(const struct bulk_get *bulk, enum kind kind, uint32_t i)
{
    const uint32_t count =
        kind_has_list(kind)
            ? kind_list_capacity(kind, &bulk->attributes[i].value)
            : 0;

    return bulk->statuses[i] == SAI_STATUS_BUFFER_OVERFLOW &&
           count > FIRST_ROOM && count <= KIND_LIST_MAX;
}

/* Reads the lists that need more room again. */
static void
read_longer_lists(const struct bulk_get *bulk, struct sai_backend *backend,
                  sai_object_type_t type, enum kind kind,
                  const sai_object_key_t *keys)
{
    struct arena *arena = bulk->arena;
    uint32_t *places = arena_alloc(arena, bulk->n, sizeof *places);
    sai_object_key_t *again = arena_alloc(arena, bulk->n, sizeof *again);
    sai_attribute_t *attributes =
        arena_alloc(arena, bulk->n, sizeof *attributes);
    sai_status_t *statuses = arena_alloc(arena, bulk->n, sizeof *statuses);
    uint32_t n = 0;

    for (uint32_t i = 0; i < bulk->n; i++) {
        if (needs_room(bulk, kind, i)) {
            places[n] = i;
            again[n] = keys[i];
            attributes[n] = bulk->attributes[i];
            make_room(bulk, kind, &attributes[n],
                      kind_list_capacity(kind, &bulk->attributes[i].value));
            n++;
        }
    }
    if (n) {
        read_values(bulk, backend, type, n, again, attributes, statuses);
    }
    for (uint32_t i = 0; i < n; i++) {
        bulk->attributes[places[i]] = attributes[i];
        bulk->statuses[places[i]] = statuses[i];
    }
}

void
bulk_get_read(struct bulk_get *bulk, struct sai_backend *backend,
              sai_object_type_t type, sai_attr_id_t id, uint32_t n,
              const sai_object_id_t *oids)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);
    struct arena *arena = arena_create(0);
    sai_object_key_t *keys = arena_alloc(arena, n, sizeof *keys);

    bulk->arena = arena;
    bulk->n = n;
    bulk->statuses = arena_alloc(arena, n, sizeof *bulk->statuses);
    bulk->attributes = arena_alloc(arena, n, sizeof *bulk->attributes);
    for (uint32_t i = 0; i < n; i++) {
        keys[i].key.object_id = oids[i];
        bulk->attributes[i].id = id;
        bulk->statuses[i] = SAI_STATUS_NOT_SUPPORTED;
        if (meta && bulk_get_is_readable(meta)) {
            make_room(bulk, meta->kind, &bulk->attributes[i], FIRST_ROOM);
        }
    }
    if (n && meta && bulk_get_is_readable(meta)) {
        read_values(bulk, backend, type, n, keys, bulk->attributes,
                    bulk->statuses);
        read_longer_lists(bulk, backend, type, meta->kind, keys);
    }
}

void
bulk_get_fini(struct bulk_get *bulk)
{
    arena_destroy(bulk->arena);
    *bulk = (struct bulk_get){0};
}

const sai_attribute_value_t *
bulk_get_value(const struct bulk_get *bulk, uint32_t i)
{
    return bulk->statuses[i] == SAI_STATUS_SUCCESS ? &bulk->attributes[i].value
                                                   : NULL;
}
