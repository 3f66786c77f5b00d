/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchctl/live_list.h"

#include <stddef.h>

#include "orchctl/live_rows.h"

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

/* Copies an element, if it is known, as member 'name'. */
static void
copy(json_t *item, const char *name, json_t *value)
{
    if (value && !json_is_null(value)) {
        json_object_set(item, name, value);
    }
}

/* Returns one object as an item; 'all' are the names, 'port' is the name of its
 * port, NULL if it has none. */
static json_t *
make_item(const struct kind *kind, const json_t *all, const json_t *values,
          size_t row, json_t *port)
{
    static const char *const same[] = {"headroom", "threshold", "peak", "marks",
                                       "drops"};
    const json_t *names = json_object_get(all, kind->table);
    json_t *item = json_object();

    copy(item, "name", port ? port : live_rows_cell(names, "name", row));
    copy(item, "profile", live_rows_profile(all, kind->table, row, "name"));
    copy(item, "index", live_rows_cell(names, "index", row));
    json_object_set_new(item, "kind", json_string(kind->kind));
    copy(item, "used", live_rows_cell(values, kind->used, row));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        copy(item, same[i], live_rows_cell(values, same[i], row));
    }
    if (kind->pfc &&
        json_integer_value(live_rows_cell(values, kind->pfc, row))) {
        json_object_set_new(item, "pfc", json_string(kind->word));
    }
    return item;
}

/* Appends the objects of a kind: 'all', or those that hold something. */
static void
list_kind(json_t *list, const struct kind *kind, const json_t *data, bool all)
{
    const json_t *names = json_object_get(data, "names");
    const json_t *table =
        json_object_get(json_object_get(data, "values"), kind->table);
    const size_t n = json_array_size(json_object_get(table, kind->used));
    struct live_rows rows = {0};

    for (size_t i = 0; i < n; i++) {
        json_t *port = live_rows_port(&rows, names, kind->table, i);

        if (all || !kind->pfc ||
            json_integer_value(live_rows_cell(table, kind->used, i)) ||
            json_integer_value(live_rows_cell(table, kind->pfc, i))) {
            json_array_append_new(list, make_item(kind, names, table, i, port));
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
