/* SPDX-License-Identifier: Apache-2.0 */

/* Counts rows by table, in objects of the form of a config_db.json. */

#include <config.h>

#include "orchd/report/unknown_tables.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "orchd/intent/table.h"
#include "orchd/report/row_answers.h"

void
unknown_tables_note(json_t *seen, const char *row)
{
    const char *bar = strchr(row, '|');
    struct text table = {0}, key = {0};
    enum table known;
    json_t *rows;

    if (!bar || bar == row || table_find(row, (size_t)(bar - row), &known)) {
        return;
    }
    text_add_escaped(&table, row, (size_t)(bar - row));
    text_add_escaped(&key, bar + 1, strlen(bar + 1));
    rows = json_object_get(seen, text_string(&table));
    if (!rows) {
        rows = json_object();
        json_object_set_new(seen, text_string(&table), rows);
    }
    json_object_set_new(rows, text_string(&key), json_null());
    text_fini(&table);
    text_fini(&key);
}

json_t *
unknown_tables_list(const json_t *seen)
{
    json_t *list = json_array(), *rows;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)seen, name, rows)
    {
        json_t *item = json_pack("{s:s, s:I}", "table", name, "rows",
                                 (json_int_t)json_object_size(rows));
        enum table near;

        if (table_find_near(name, strlen(name), &near)) {
            row_answers_add_text(item, "nearest", table_name(near));
        }
        json_array_append_new(list, item);
    }
    return list;
}

json_t *
unknown_tables_of(const json_t *tables)
{
    json_t *seen = json_object(), *rows, *list;
    const char *name;
    enum table known;

    json_object_foreach((json_t *)(uintptr_t)tables, name, rows)
    {
        if (!table_find(name, strlen(name), &known)) {
            json_object_set(seen, name, rows);
        }
    }
    list = unknown_tables_list(seen);
    json_decref(seen);
    return list;
}
