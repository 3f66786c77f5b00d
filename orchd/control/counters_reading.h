/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_COUNTERS_READING_H
#define ORCHD_CONTROL_COUNTERS_READING_H

/* Reads for a call what COUNTERS_DB has about objects with names.
 *
 * Where another program polls counters or watches queues, orchd knows them only
 * from there.  The maps of names are read first, then each object; barriers say
 * when to go on, as fetches are not answered if the connection is lost. */

#include <jansson.h>
#include <stddef.h>

struct call;
struct field;

/* A map of names, and how its objects are called. */
struct counters_map {
    const char *key, *kind; /* "COUNTERS_PG_NAME_MAP", "pg". */
};

/* What is read. */
struct counters_reading {
    const char *tables[5];           /* "USER_WATERMARKS"; ended by NULL. */
    const struct counters_map *maps; /* Borrowed, like everything here. */
    size_t n_maps;

    /* Adds what the fields that an object has in a table say to 'object', which
     * has "kind", "name", and "index" if the name has one. */
    void (*object)(const struct call *call, json_t *object, const char *table,
                   const struct field *fields, size_t n);

    /* Ends the call; 'objects' are those of the 'n_named' in the maps to which
     * something was added, by kind, name and index, and have to be released. */
    void (*done)(struct call *call, json_t *objects, size_t n_named);
};

/* Begins to read.  Uses the state of the call until 'done'. */
void counters_reading_start(struct call *call,
                            const struct counters_reading *reading);

#endif /* orchd/control/counters_reading.h */
