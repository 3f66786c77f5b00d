/* SPDX-License-Identifier: Apache-2.0 */

/* Reading together, and again what had too little room. */

#include <config.h>

#include "sai/core/bulk_get.h"

#include <string.h>

#include "base/arena.h"
#include "sai/core/metadata.h"

/* Elements of a list for which there is room at first. */
enum { FIRST_ROOM = 32 };

bool
bulk_get_is_readable(const struct metadata_attribute *meta)
{
    return meta->kind != KIND_PORTSERDESTAPS && meta->kind != KIND_POINTER;
}

/* Gives a list room for 'room' elements. */
static void
make_room(const struct bulk_get *column, enum kind kind,
          sai_attribute_t *attribute, uint32_t room)
{
    const sai_attr_id_t id = attribute->id;

    memset(attribute, 0, sizeof *attribute);
    attribute->id = id;
    if (kind_has_list(kind)) {
        kind_list_set(
            kind, &attribute->value, room,
            arena_alloc(column->arena, room, kind_layout(kind)->element_size));
    }
}

/* Asks for the 'n' attributes, one of each of 'keys'. */
static void
ask(const struct bulk_get *column, struct sai_backend *backend,
    sai_object_type_t type, uint32_t n, sai_object_key_t *keys,
    sai_attribute_t *attributes, sai_status_t *statuses)
{
    uint32_t *counts = arena_alloc(column->arena, n, sizeof *counts);
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

/* Returns whether object 'i' has said that its list needs more room than it
 * got, and that is believed. */
static bool
needs_room(const struct bulk_get *column, enum kind kind, uint32_t i)
{
    const uint32_t count =
        kind_has_list(kind)
            ? kind_list_count(kind, &column->attributes[i].value)
            : 0;

    return column->statuses[i] == SAI_STATUS_BUFFER_OVERFLOW &&
           count > FIRST_ROOM && count <= KIND_LIST_MAX;
}

/* Asks those once more whose lists need more room. */
static void
ask_again(const struct bulk_get *column, struct sai_backend *backend,
          sai_object_type_t type, enum kind kind, const sai_object_key_t *keys)
{
    struct arena *arena = column->arena;
    uint32_t *places = arena_alloc(arena, column->n, sizeof *places);
    sai_object_key_t *again = arena_alloc(arena, column->n, sizeof *again);
    sai_attribute_t *attributes =
        arena_alloc(arena, column->n, sizeof *attributes);
    sai_status_t *statuses = arena_alloc(arena, column->n, sizeof *statuses);
    uint32_t n = 0;

    for (uint32_t i = 0; i < column->n; i++) {
        if (needs_room(column, kind, i)) {
            places[n] = i;
            again[n] = keys[i];
            attributes[n] = column->attributes[i];
            make_room(column, kind, &attributes[n],
                      kind_list_count(kind, &column->attributes[i].value));
            n++;
        }
    }
    if (n) {
        ask(column, backend, type, n, again, attributes, statuses);
    }
    for (uint32_t i = 0; i < n; i++) {
        column->attributes[places[i]] = attributes[i];
        column->statuses[places[i]] = statuses[i];
    }
}

void
bulk_get_read(struct bulk_get *column, struct sai_backend *backend,
              sai_object_type_t type, sai_attr_id_t id, uint32_t n,
              const sai_object_id_t *oids)
{
    const struct metadata_attribute *meta = metadata_attribute(type, id);
    struct arena *arena = arena_create(0);
    sai_object_key_t *keys = arena_alloc(arena, n, sizeof *keys);

    column->arena = arena;
    column->n = n;
    column->statuses = arena_alloc(arena, n, sizeof *column->statuses);
    column->attributes = arena_alloc(arena, n, sizeof *column->attributes);
    for (uint32_t i = 0; i < n; i++) {
        keys[i].key.object_id = oids[i];
        column->attributes[i].id = id;
        column->statuses[i] = SAI_STATUS_NOT_SUPPORTED;
        if (meta && bulk_get_is_readable(meta)) {
            make_room(column, meta->kind, &column->attributes[i], FIRST_ROOM);
        }
    }
    if (n && meta && bulk_get_is_readable(meta)) {
        ask(column, backend, type, n, keys, column->attributes,
            column->statuses);
        ask_again(column, backend, type, meta->kind, keys);
    }
}

void
bulk_get_fini(struct bulk_get *column)
{
    arena_destroy(column->arena);
    *column = (struct bulk_get){0};
}

const sai_attribute_value_t *
bulk_get_value(const struct bulk_get *column, uint32_t i)
{
    return column->statuses[i] == SAI_STATUS_SUCCESS
               ? &column->attributes[i].value
               : NULL;
}
