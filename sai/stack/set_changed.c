/* SPDX-License-Identifier: Apache-2.0 */

/* Reads all values in one call and sets those that differ in another. */

#include <config.h>

#include "sai/stack/set_changed.h"

#include <stdbool.h>

#include "base/arena.h"
#include "sai/core/attr_value.h"
#include "sai/core/bulk_get.h"
#include "sai/core/metadata.h"

/* Allocates memory for a list of the length of 'wanted', to read the current
 * value; a longer list differs in any case. */
static void
make_room(struct arena *arena, sai_object_type_t type,
          const sai_attribute_t *wanted, sai_attribute_t *answer)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, wanted->id);

    if (meta && kind_has_list(meta->kind)) {
        const uint32_t n = kind_list_count(meta->kind, &wanted->value);

        kind_list_set(
            meta->kind, &answer->value, n,
            arena_alloc(arena, n, kind_layout(meta->kind)->element_size));
    }
}

/* Performs 'call', by the operation for one object if it has one. */
static sai_status_t
pass_on(struct sai_backend *inner, const struct backend_many *call)
{
    if (call->n == 1) {
        *call->statuses = backend_do_one(inner, call);
        return *call->statuses;
    }
    return backend_do_many(inner, call);
}

/* Finds the values in 'call' that the switch has already. */
static void
find_same(struct sai_backend *inner, const struct backend_many *call,
          bool *same)
{
    struct arena *arena = arena_create(0);
    sai_attribute_t *attributes =
        arena_alloc(arena, call->n, sizeof *attributes);
    uint32_t *counts = arena_alloc(arena, call->n, sizeof *counts);
    struct backend_many reading = {
        .op = OP_GET_MANY,
        .type = call->type,
        .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
        .n = call->n,
        .keys = call->keys,
        .counts = counts,
        .attributes = attributes,
        .statuses = arena_alloc(arena, call->n, sizeof *reading.statuses)};

    for (uint32_t i = 0; i < call->n; i++) {
        counts[i] = 1;
        attributes[i].id = call->attributes[i].id;
        make_room(arena, call->type, &call->attributes[i], &attributes[i]);
    }
    (void)pass_on(inner, &reading);
    for (uint32_t i = 0; i < call->n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, attributes[i].id);

        same[i] = meta && bulk_get_is_readable(meta) &&
                  reading.statuses[i] == SAI_STATUS_SUCCESS &&
                  attr_value_equal(meta->kind, &attributes[i].value,
                                   &call->attributes[i].value);
    }
    arena_destroy(arena);
}

sai_status_t
set_changed_set(struct sai_backend *inner, const struct backend_many *call,
                uint32_t *n_same)
{
    struct arena *arena = arena_create(0);
    bool *same = arena_alloc(arena, call->n, sizeof *same);
    uint32_t *places = arena_alloc(arena, call->n, sizeof *places);
    struct backend_many rest = *call;

    find_same(inner, call, same);
    rest.n = 0;
    rest.counts = NULL;
    rest.keys = arena_alloc(arena, call->n, sizeof *rest.keys);
    rest.attributes = arena_alloc(arena, call->n, sizeof *rest.attributes);
    rest.statuses = arena_alloc(arena, call->n, sizeof *rest.statuses);
    for (uint32_t i = 0; i < call->n; i++) {
        call->statuses[i] = SAI_STATUS_SUCCESS;
        if (!same[i]) {
            places[rest.n] = i;
            rest.keys[rest.n] = call->keys[i];
            rest.attributes[rest.n++] = call->attributes[i];
        }
    }
    if (rest.n) {
        (void)pass_on(inner, &rest);
    }
    for (uint32_t i = 0; i < rest.n; i++) {
        call->statuses[places[i]] = rest.statuses[i];
    }
    *n_same = call->n - rest.n;
    arena_destroy(arena);
    return call->n == 1 ? *call->statuses : backend_sum(call);
}
