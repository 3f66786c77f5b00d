/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_OBJECT_LIST_H
#define ORCHD_TELEMETRY_POLLING_OBJECT_LIST_H

/* The objects of a poller, and what was read of each; for its own files only.
 *
 * There is one roster for each object type, in the order of arrival, which is
 * by port.  All of them are found by their ids as well. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>
#include <uthash.h>

#include "orchd/telemetry/polling/polled_object.h"

/* An object.  Most are never read: a group that is not enabled costs a switch
 * with thousands of queues nothing for each of them. */
struct entry {
    struct polled_object
        counted; /* First: entries are handed out as that.  Owns
                  * 'readings', by group; NULL before the first. */
    UT_hash_handle hh;
    char name[]; /* Of the place. */
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
    N_ROSTERS
};

/* Zeroed at first. */
struct rosters {
    struct entry *by_oid;
    struct object_list all[N_ROSTERS];
};

/* Returns which roster has the objects of 'type'. */
int object_list_of(sai_object_type_t type);

/* Frees all objects; the rosters can be used again. */
void rosters_clear(struct rosters *rosters);

/* Frees all. */
void rosters_fini(struct rosters *rosters);

/* Returns an object, or NULL. */
struct entry *rosters_find(const struct rosters *rosters, sai_object_id_t oid);

/* Adds an object, of which there is none with that id. */
struct entry *rosters_add(struct rosters *rosters,
                          const struct polled_object_place *place);

/* Removes an object and frees it.  Returns where in its roster it was. */
size_t rosters_remove(struct rosters *rosters, struct entry *entry);

/* Returns what is known of a group of 'object', which is then there. */
struct reading *object_list_get_reading(struct polled_object *object,
                                        enum counter_group group);

#endif /* orchd/telemetry/polling/object_list.h */
