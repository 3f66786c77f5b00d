/* SPDX-License-Identifier: Apache-2.0 */

/* Growing arrays, and a hash of ids. */

#include <config.h>

#include "orchd/telemetry/polling/object_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

int
object_list_of(sai_object_type_t type)
{
    switch (type) {
    case SAI_OBJECT_TYPE_PORT:
        return OBJECT_LIST_PORTS;
    case SAI_OBJECT_TYPE_QUEUE:
        return OBJECT_LIST_QUEUES;
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        return OBJECT_LIST_PGS;
    case SAI_OBJECT_TYPE_SWITCH:
        return OBJECT_LIST_SWITCHES;
    default:
        return OBJECT_LIST_POOLS;
    }
}

struct polled_reading *
object_list_get_reading(struct polled_object *object, enum counter_group group)
{
    struct polled_reading *reading = polled_object_reading(object, (int)group);

    if (!object->readings) {
        object->readings =
            check_calloc(N_COUNTER_GROUPS, sizeof(struct polled_reading *));
    }
    if (!reading) {
        reading = check_calloc(1, sizeof *reading);
        reading->mode = counter_group_info(group)->mode;
        object->readings[group] = reading;
    }
    return reading;
}

static void
entry_free(struct entry *entry)
{
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        struct polled_reading *reading =
            polled_object_reading(&entry->object, i);

        if (reading) {
            free(reading->values);
            free(reading);
        }
    }
    free(entry->object.readings);
    free(entry);
}

void
object_lists_clear(struct object_lists *lists)
{
    struct entry *entry;
    size_t place = 0;

    while ((entry = hash_index_next(&lists->by_oid, &place))) {
        entry_free(entry);
    }
    hash_index_fini(&lists->by_oid);
    for (int i = 0; i < N_OBJECT_LISTS; i++) {
        lists->all[i].n = 0;
    }
}

void
object_lists_fini(struct object_lists *lists)
{
    object_lists_clear(lists);
    for (int i = 0; i < N_OBJECT_LISTS; i++) {
        free(lists->all[i].entries);
    }
}

/* A hash_index_equal_fn. */
static bool
has_oid(const void *entry_, const void *oid)
{
    const struct entry *entry = entry_;

    return entry->object.id.oid == *(const sai_object_id_t *)oid;
}

struct entry *
object_lists_find(const struct object_lists *lists, sai_object_id_t oid)
{
    return hash_index_find(&lists->by_oid, hash_index_number(oid), has_oid,
                           &oid);
}

struct entry *
object_lists_add(struct object_lists *lists, const struct polled_object_id *id)
{
    struct object_list *objects = &lists->all[object_list_of(id->type)];
    const size_t length = strlen(id->name);
    struct entry *entry = check_calloc(1, sizeof *entry + length + 1);

    memcpy(entry->name, id->name, length);
    entry->object.id = *id;
    entry->object.id.name = entry->name;
    hash_index_add(&lists->by_oid, hash_index_number(id->oid), entry);
    if (objects->n == objects->size) {
        objects->size = objects->size ? 2 * objects->size : 64;
        objects->entries = check_realloc(
            objects->entries, objects->size * sizeof *objects->entries);
    }
    objects->entries[objects->n++] = entry;
    return entry;
}

size_t
object_lists_remove(struct object_lists *lists, struct entry *entry)
{
    struct object_list *objects =
        &lists->all[object_list_of(entry->object.id.type)];
    size_t position = 0;

    while (objects->entries[position] != entry) {
        position++;
    }
    objects->n--;
    memmove(&objects->entries[position], &objects->entries[position + 1],
            (objects->n - position) * sizeof *objects->entries);
    hash_index_remove(&lists->by_oid, hash_index_number(entry->object.id.oid),
                      entry);
    entry_free(entry);
    return position;
}
