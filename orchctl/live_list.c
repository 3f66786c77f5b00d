/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchctl/live_list.h"

#include <stddef.h>

/* A kind of object. */
struct kind {
    const char *table, *kind;
    const char *used; /* What "used" is. */
    const char *pfc;  /* What "pfc" is; NULL: nothing. */
    const char *word; /* If that is not 0. */
};

static const struct kind kinds[] = {
    {"pools", "pool", "shared", NULL, NULL},
    {"pgs", "pg", "used", "xoff", "XOFF"},
    {"queues", "queue", "used", "paused", "paused"},
};

/* Returns an element of a column, NULL if there is none. */
static json_t *
cell(const json_t *table, const char *column, size_t row)
{
    return json_array_get(json_object_get(table, column), row);
}

/* Copies an element, if it is known, as member 'name'. */
static void
copy(json_t *item, const char *name, json_t *value)
{
    if (value && !json_is_null(value)) {
        json_object_set(item, name, value);
    }
}

/* A row, and the port that it belongs to. */
struct place {
    size_t row, port;
    json_int_t end; /* The first row of the next port. */
};

/* Returns the number of a port's rows in a table; 0 if there is no such port,
 * or the table is none of ports. */
static json_int_t
rows_of(const json_t *ports, const struct kind *kind, size_t port)
{
    return json_integer_value(cell(ports, kind->table, port));
}

/* Goes to the port of the row. */
static void
find_port(const json_t *ports, const struct kind *kind, struct place *place)
{
    while ((json_int_t)place->row >= place->end &&
           cell(ports, kind->table, place->port + 1)) {
        place->port++;
        place->end += rows_of(ports, kind, place->port);
    }
}

/* Returns one object as an item; 'all' are the names. */
static json_t *
make_item(const struct kind *kind, const json_t *all, const json_t *values,
          const struct place *place)
{
    static const char *const same[] = {"headroom", "threshold", "peak", "marks",
                                       "drops"};
    const json_t *names = json_object_get(all, kind->table);
    const json_t *profile = cell(names, "profile", place->row);
    const size_t row = place->row;
    json_t *item = json_object();

    copy(item, "name", cell(names, "name", row));
    if (profile) {
        copy(item, "name",
             cell(json_object_get(all, "ports"), "name", place->port));
        copy(item, "profile",
             cell(json_object_get(all, "profiles"), "name",
                  (size_t)json_integer_value(profile)));
    }
    copy(item, "index", cell(names, "index", row));
    json_object_set_new(item, "kind", json_string(kind->kind));
    copy(item, "used", cell(values, kind->used, row));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        copy(item, same[i], cell(values, same[i], row));
    }
    if (kind->pfc && json_integer_value(cell(values, kind->pfc, row))) {
        json_object_set_new(item, "pfc", json_string(kind->word));
    }
    return item;
}

/* Appends the objects of a kind: 'all', or those that hold something. */
static void
list_kind(json_t *list, const struct kind *kind, const json_t *data, bool all)
{
    const json_t *names = json_object_get(data, "names");
    const json_t *ports = json_object_get(names, "ports");
    const json_t *table =
        json_object_get(json_object_get(data, "values"), kind->table);
    const size_t n = json_array_size(json_object_get(table, kind->used));
    struct place place = {.end = rows_of(ports, kind, 0)};

    for (; place.row < n; place.row++) {
        find_port(ports, kind, &place);
        if (all || !kind->pfc ||
            json_integer_value(cell(table, kind->used, place.row)) ||
            json_integer_value(cell(table, kind->pfc, place.row))) {
            json_array_append_new(list, make_item(kind, names, table, &place));
        }
    }
}

json_t *
live_list(const json_t *data, bool all)
{
    json_t *list = json_array();

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        list_kind(list, &kinds[k], data, all);
    }
    return list;
}
