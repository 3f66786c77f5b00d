/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_OBJECT_LIST_H
#define ORCHD_TELEMETRY_POLLING_OBJECT_LIST_H

/* The objects of a poller with their values; for its own files only.
 *
 * There is one list for each object type, in the order in which objects were
 * added, which is by port.  A hash finds objects of all lists by their ids. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/hash_index.h"
#include "orchd/telemetry/polling/polled_object.h"

/* An object.  It has no memory for values of groups that are not enabled,
 * because a switch has thousands of queues. */
struct entry {
    struct polled_object
        object;  /* First, because callers get a pointer to it.  Owns
                  * 'readings', by group; NULL before the first. */
    char name[]; /* For object.id.name. */
};

struct object_list {
    struct entry **entries;
    size_t n, size;
};

enum {
    OBJECT_LIST_PORTS,
    OBJECT_LIST_QUEUES,
    OBJECT_LIST_PGS,
    OBJECT_LIST_POOLS,
    OBJECT_LIST_SWITCHES,
    N_OBJECT_LISTS
};

/* Initially zeroed. */
struct object_lists {
    struct hash_index by_oid;
    struct object_list all[N_OBJECT_LISTS];
};

/* Returns the index of the list for objects of 'type'. */
int object_list_of(sai_object_type_t type);

/* Frees all objects; the lists can be used again. */
void object_lists_clear(struct object_lists *lists);

/* Frees all memory. */
void object_lists_fini(struct object_lists *lists);

/* Returns an object, or NULL. */
struct entry *object_lists_find(const struct object_lists *lists,
                                sai_object_id_t oid);

/* Adds an object whose id is new. */
struct entry *object_lists_add(struct object_lists *lists,
                               const struct polled_object_id *id);

/* Removes an object and frees it.  Returns its position in its list. */
size_t object_lists_remove(struct object_lists *lists, struct entry *entry);

/* Returns the reading of a group of 'object', which is created if necessary. */
struct polled_reading *object_list_get_reading(struct polled_object *object,
                                               enum counter_group group);

#endif /* orchd/telemetry/polling/object_list.h */
