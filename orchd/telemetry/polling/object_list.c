/* SPDX-License-Identifier: Apache-2.0 */

/* Arrays that grow, and a table of ids. */

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
    default:
        return OBJECT_LIST_POOLS;
    }
}

struct reading *
object_list_get_reading(struct polled_object *object, enum counter_group group)
{
    struct reading *reading = polled_object_reading(object, (int)group);

    if (!object->readings) {
        object->readings =
            check_calloc(N_COUNTER_GROUPS, sizeof(struct reading *));
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
        struct reading *reading = polled_object_reading(&entry->counted, i);

        if (reading) {
            free(reading->values);
            free(reading);
        }
    }
    free(entry->counted.readings);
    free(entry);
}

void
rosters_clear(struct rosters *rosters)
{
    struct entry *entry, *next;

    HASH_ITER(hh, rosters->by_oid, entry, next)
    {
        HASH_DEL(rosters->by_oid, entry);
        entry_free(entry);
    }
    for (int i = 0; i < N_ROSTERS; i++) {
        rosters->all[i].n = 0;
    }
}

void
rosters_fini(struct rosters *rosters)
{
    rosters_clear(rosters);
    for (int i = 0; i < N_ROSTERS; i++) {
        free(rosters->all[i].entries);
    }
}

struct entry *
rosters_find(const struct rosters *rosters, sai_object_id_t oid)
{
    struct entry *entry;

    HASH_FIND(hh, rosters->by_oid, &oid, sizeof oid, entry);
    return entry;
}

struct entry *
rosters_add(struct rosters *rosters, const struct polled_object_place *place)
{
    struct object_list *roster = &rosters->all[object_list_of(place->type)];
    const size_t length = strlen(place->name);
    struct entry *entry = check_calloc(1, sizeof *entry + length + 1);

    memcpy(entry->name, place->name, length);
    entry->counted.place = *place;
    entry->counted.place.name = entry->name;
    HASH_ADD(hh, rosters->by_oid, counted.place.oid, sizeof place->oid, entry);
    if (roster->n == roster->size) {
        roster->size = roster->size ? 2 * roster->size : 64;
        roster->entries = check_realloc(roster->entries,
                                        roster->size * sizeof *roster->entries);
    }
    roster->entries[roster->n++] = entry;
    return entry;
}

size_t
rosters_remove(struct rosters *rosters, struct entry *entry)
{
    struct object_list *roster =
        &rosters->all[object_list_of(entry->counted.place.type)];
    size_t position = 0;

    while (roster->entries[position] != entry) {
        position++;
    }
    roster->n--;
    memmove(&roster->entries[position], &roster->entries[position + 1],
            (roster->n - position) * sizeof *roster->entries);
    HASH_DEL(rosters->by_oid, entry);
    entry_free(entry);
    return position;
}
