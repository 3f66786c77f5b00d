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

/* Returns one object as an item. */
static json_t *
make_item(const struct kind *kind, const json_t *ports, const json_t *names,
          const json_t *values, size_t row)
{
    static const char *const same[] = {"headroom", "threshold", "peak", "marks",
                                       "drops"};
    json_t *item = json_object();
    json_t *port = cell(names, "port", row);

    if (port) {
        copy(item, "name",
             cell(ports, "name", (size_t)json_integer_value(port)));
        copy(item, "index", cell(names, "index", row));
    } else {
        copy(item, "name", cell(names, "name", row));
    }
    json_object_set_new(item, "kind", json_string(kind->kind));
    copy(item, "profile", cell(names, "profile", row));
    copy(item, "used", cell(values, kind->used, row));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        copy(item, same[i], cell(values, same[i], row));
    }
    if (kind->pfc && json_integer_value(cell(values, kind->pfc, row))) {
        json_object_set_new(item, "pfc", json_string(kind->word));
    }
    return item;
}

json_t *
live_list(const json_t *data, bool all)
{
    const json_t *names = json_object_get(data, "names");
    const json_t *values = json_object_get(data, "values");
    json_t *list = json_array();

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct kind *kind = &kinds[k];
        const json_t *table = json_object_get(values, kind->table);
        const size_t n = json_array_size(json_object_get(table, kind->used));

        for (size_t row = 0; row < n; row++) {
            if (all || !kind->pfc ||
                json_integer_value(cell(table, kind->used, row)) ||
                json_integer_value(cell(table, kind->pfc, row))) {
                json_array_append_new(
                    list,
                    make_item(kind, json_object_get(names, "ports"),
                              json_object_get(names, kind->table), table, row));
            }
        }
    }
    return list;
}
