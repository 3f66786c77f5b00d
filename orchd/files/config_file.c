/* SPDX-License-Identifier: Apache-2.0 */

/* Converts JSON values to the strings of Redis fields. */

#include <config.h>

#include "orchd/files/config_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"

/* The field that is being converted, for messages. */
struct location {
    const char *table, *key, *field;
};

/* Fills 'err': the value of the field must be 'expected'. */
static enum st
fail_value(const struct location *location, const char *expected,
           struct err *err)
{
    char row[sizeof err->value];
    enum st st = err_set(
        err, ST_INVALID, "config-file", "%s|%s: the value of '%s' has to be %s",
        location->table, location->key, location->field, expected);

    text_format(row, sizeof row, "%s|%s", location->table, location->key);
    err_set_field(err, location->field, row, expected);
    return st;
}

/* Appends the text of a string or number. */
static bool
add_scalar(const json_t *value, struct text *text)
{
    if (json_is_string(value)) {
        text_add(text, json_string_value(value));
    } else if (json_is_integer(value)) {
        text_addf(text, "%lld", (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        char *real =
            json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

        text_add(text, real);
        free(real);
    } else {
        return false;
    }
    return true;
}

/* Appends the items of an array, separated by commas. */
static bool
add_list(const json_t *value, struct text *text)
{
    size_t i;
    json_t *item;

    json_array_foreach(value, i, item)
    {
        if (i) {
            text_add_char(text, ',');
        }
        if (!add_scalar(item, text)) {
            return false;
        }
    }
    return true;
}

/* Converts one field.  The '@' marks a value that was an array, even an empty
 * one. */
static enum st
load_field(const struct location *location, const json_t *value,
           struct arena *arena, struct field *field, struct err *err)
{
    struct text text = {0};
    bool list = json_is_array(value);
    bool good = list ? add_list(value, &text) : add_scalar(value, &text);
    size_t length = strlen(location->field);

    if (!good) {
        text_fini(&text);
        return fail_value(location, "a string, a number or an array of these",
                          err);
    }
    field->name = location->field;
    if (list) {
        char *name = arena_alloc(arena, length + 2, 1);

        memcpy(name, location->field, length);
        name[length] = '@';
        field->name = name;
    }
    field->value = arena_strdup(arena, text_string(&text));
    text_fini(&text);
    return ST_OK;
}

/* Converts one row with all its fields. */
static enum st
load_row(struct location *location, const json_t *object, struct arena *arena,
         struct field_row *row, struct err *err)
{
    size_t size = strlen(location->table) + strlen(location->key) + 2;
    char *key = arena_alloc(arena, size, 1);
    struct field *fields;
    const char *name;
    json_t *value;
    enum st st = ST_OK;

    if (!json_is_object(object)) {
        return err_set(err, ST_INVALID, "config-file",
                       "%s|%s must be a JSON object of fields", location->table,
                       location->key);
    }
    text_format(key, size, "%s|%s", location->table, location->key);
    fields = arena_alloc(arena, json_object_size(object) + 1, sizeof *fields);
    row->key = key;
    row->fields = fields;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        location->field = name;
        st = load_field(location, value, arena, &fields[row->n_fields], err);
        if (st) {
            return st;
        }
        row->n_fields++;
    }
    return st;
}

/* Counts the rows, which are allocated in one piece. */
static size_t
count_rows(const json_t *tables)
{
    const char *name;
    json_t *table;
    size_t n = 0;

    json_object_foreach((json_t *)(uintptr_t)tables, name, table)
    {
        n += json_object_size(table);
    }
    return n;
}

enum st
config_file_read(const char *path, json_t **tables, struct err *err)
{
    json_error_t cause;
    json_t *root;
    struct stat file;

    if (!stat(path, &file) && S_ISDIR(file.st_mode)) {
        return err_set(err, ST_INVALID, "file", "%s is a directory", path);
    }
    root = json_load_file(path, JSON_REJECT_DUPLICATES, &cause);
    if (!root && cause.line < 0) {
        return err_set(err, ST_INVALID, "file", "%s", cause.text);
    }
    if (!root) {
        return err_set(err, ST_INVALID, "file", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    if (!json_is_object(root)) {
        json_decref(root);
        return err_set(err, ST_INVALID, "file",
                       "%s:1:1: expected an object of tables", path);
    }
    *tables = root;
    return ST_OK;
}

enum st
config_file_rows(const json_t *tables, struct arena *arena,
                 struct field_row **rows, size_t *n, struct err *err)
{
    struct field_row *list =
        arena_alloc(arena, count_rows(tables) + 1, sizeof *list);
    struct location location = {NULL, NULL, NULL};
    json_t *table, *row;
    size_t count = 0;
    enum st st = ST_OK;

    json_object_foreach((json_t *)(uintptr_t)tables, location.table, table)
    {
        if (!json_is_object(table) || !*location.table ||
            strchr(location.table, '|')) {
            return err_set(err, ST_INVALID, "config-file",
                           "'%s' has to be the name of a table, with an "
                           "object of its rows",
                           location.table);
        }
        json_object_foreach(table, location.key, row)
        {
            if (!*location.key) {
                return err_set(err, ST_INVALID, "config-file",
                               "table %s has a row with an empty key",
                               location.table);
            }
            st = load_row(&location, row, arena, &list[count], err);
            if (st) {
                return st;
            }
            count++;
        }
    }
    *rows = list;
    *n = count;
    return ST_OK;
}

/* Returns the items of a comma-separated list. */
static json_t *
list_json(const char *value)
{
    json_t *list = json_array();

    while (*value) {
        const size_t length = strcspn(value, ",");

        json_array_append_new(list, json_stringn(value, length));
        value += length + (value[length] == ',');
    }
    return list;
}

/* Returns a row as it is in a file. */
static json_t *
row_json(const json_t *fields)
{
    json_t *row = json_object(), *value;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)fields, name, value)
    {
        const size_t length = strlen(name);

        if (length && name[length - 1] == '@') {
            json_object_setn_new(row, name, length - 1,
                                 list_json(json_string_value(value)));
        } else if (strcmp(name, "NULL") != 0) {
            json_object_set(row, name, value);
        }
    }
    return row;
}

void
config_file_add_row(json_t *tables, const char *name, const json_t *fields)
{
    const size_t length = strcspn(name, "|");
    json_t *table = json_object_getn(tables, name, length);

    if (!table) {
        table = json_object();
        json_object_setn_new(tables, name, length, table);
    }
    json_object_set_new(table, name + length + (name[length] == '|'),
                        row_json(fields));
}

json_t *
config_file_tables(const json_t *rows)
{
    json_t *tables = json_object(), *row;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)rows, name, row)
    {
        config_file_add_row(tables, name, row);
    }
    return tables;
}
