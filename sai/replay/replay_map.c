/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of recorded ids. */

#include <config.h>

#include "sai/replay/replay_map.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/check.h"

struct mapping {
    sai_object_id_t recorded;
    sai_object_id_t found;
    UT_hash_handle hh;
};

struct replay_map {
    struct mapping *by_recorded; /* Hash. */
};

struct replay_map *
replay_map_create(void)
{
    return check_calloc(1, sizeof(struct replay_map));
}

void
replay_map_destroy(struct replay_map *map)
{
    struct mapping *mapping, *next;

    if (!map) {
        return;
    }
    HASH_ITER(hh, map->by_recorded, mapping, next)
    {
        HASH_DELETE(hh, map->by_recorded, mapping);
        free(mapping);
    }
    free(map);
}

void
replay_map_bind(struct replay_map *map, sai_object_id_t recorded,
                sai_object_id_t found)
{
    struct mapping *mapping;

    HASH_FIND(hh, map->by_recorded, &recorded, sizeof recorded, mapping);
    if (!mapping) {
        mapping = check_calloc(1, sizeof *mapping);
        mapping->recorded = recorded;
        HASH_ADD(hh, map->by_recorded, recorded, sizeof recorded, mapping);
    }
    mapping->found = found;
}

bool
replay_map_id(const struct replay_map *map, sai_object_id_t *oid)
{
    const struct mapping *mapping;

    if (*oid == SAI_NULL_OBJECT_ID) {
        return true;
    }
    HASH_FIND(hh, map->by_recorded, oid, sizeof *oid, mapping);
    if (!mapping) {
        return false;
    }
    *oid = mapping->found;
    return true;
}

bool
replay_map_value(const struct replay_map *map, enum kind kind,
                 sai_attribute_value_t *value)
{
    uint32_t n;
    sai_object_id_t *oids = replay_map_ids(kind, value, &n);
    bool known = true;

    if (kind == KIND_POINTER) {
        value->ptr = NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        known &= replay_map_id(map, &oids[i]);
    }
    return known;
}

sai_object_id_t *
replay_map_ids(enum kind kind, sai_attribute_value_t *value, uint32_t *n)
{
    /* The ids are in '*value', which the caller may write to. */
    return (sai_object_id_t *)(uintptr_t)kind_object_ids(kind, value, n);
}
