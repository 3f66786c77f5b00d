/* SPDX-License-Identifier: Apache-2.0 */

/* Parses a list of rows, with numbers as strings. */

#include <config.h>

#include "orchd/files/asic_file.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/derive/asic_rows.h"
#include "orchd/derive/dynamic_state.h"

/* Returns a value as text; a value that is neither a string nor a number as it
 * is written in the file. */
static const char *
value_text(struct arena *arena, const json_t *value)
{
    char number[64];
    char *dump;
    const char *text;

    if (json_is_string(value)) {
        return json_string_value(value);
    }
    if (json_is_real(value)) {
        text_format(number, sizeof number, "%.3f", json_real_value(value));
        return arena_strdup(arena, number);
    }
    dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    text = arena_strdup(arena, dump ? dump : "");
    free(dump);
    return text;
}

/* Returns the fields of 'object', none if it is not an object. */
static const struct field *
read_fields(struct arena *arena, const json_t *object, size_t *n)
{
    struct field *fields =
        arena_alloc(arena, json_object_size(object) + 1, sizeof *fields);
    const char *name;
    json_t *value;

    *n = 0;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        fields[(*n)++] = (struct field){name, value_text(arena, value)};
    }
    return fields;
}

/* Parses the rows of a list into 'rows', which has room for all of them. */
static size_t
read_rows(struct arena *arena, const json_t *list, struct asic_row *rows)
{
    size_t n = 0, index;
    json_t *item, *object;
    const char *key;

    json_array_foreach(list, index, item)
    {
        json_object_foreach(item, key, object)
        {
            struct asic_row *row = &rows[n];

            row->name = asic_rows_split(key, ':', &row->table);
            if (row->name) {
                row->fields = read_fields(arena, object, &row->n_fields);
                n++;
            }
        }
    }
    return n;
}

/* Returns the largest number of rows that a list may have. */
static size_t
count_keys(const json_t *list)
{
    size_t n = 0, index;
    const json_t *item;

    json_array_foreach(list, index, item)
    {
        n += json_object_size(item);
    }
    return n;
}

enum st
asic_file_read(const char *path, struct dynamic_state_chip *chip,
               struct err *err)
{
    json_error_t cause;
    json_t *list = json_load_file(path, JSON_REJECT_DUPLICATES, &cause);
    struct arena *arena;
    struct asic_row *rows;
    struct err wrong = {0};
    enum st status;

    if (!list && cause.line < 0) {
        return err_set(err, ST_NOT_FOUND, "asic-table", "%s", cause.text);
    }
    if (!list) {
        return err_set(err, ST_INVALID, "asic-table", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    arena = arena_create(0);
    rows = arena_alloc(arena, count_keys(list) + 1, sizeof *rows);
    status = asic_rows_read(rows, read_rows(arena, list, rows), chip, &wrong);
    if (status) {
        err_set(err, ST_INVALID, "asic-table", "%s: %s", path, wrong.reason);
        err_set_field(err, wrong.field, wrong.value, wrong.allowed);
    }
    arena_destroy(arena);
    json_decref(list);
    return status;
}
