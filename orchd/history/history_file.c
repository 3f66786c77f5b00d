/* SPDX-License-Identifier: Apache-2.0 */

/* Parses and writes lines of JSON. */

#include <config.h>

#include "orchd/history/history_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* Copies the fields of a row to 'arena'.  Returns false if one is not a
 * string. */
static bool
parse_fields(const json_t *object, struct arena *arena, struct field_row *row)
{
    struct field *fields =
        arena_alloc(arena, json_object_size(object) + 1, sizeof *fields);
    const char *name;
    json_t *value;

    row->fields = fields;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (!json_is_string(value)) {
            return false;
        }
        fields[row->n_fields].name = arena_strdup(arena, name);
        fields[row->n_fields].value =
            arena_strdup(arena, json_string_value(value));
        row->n_fields++;
    }
    return json_is_object(object);
}

/* Parses a line.  Returns false if it is neither a row nor a mark. */
static bool
parse_line(const json_t *object, struct arena *arena, struct history_line *line)
{
    const char *row = json_string_value(json_object_get(object, "row"));
    const char *time = json_string_value(json_object_get(object, "time"));
    const json_t *fields = json_object_get(object, "fields");
    const json_t *generation = json_object_get(object, "generation");

    memset(line, 0, sizeof *line);
    if (row) {
        line->row.key = arena_strdup(arena, row);
        return !fields || parse_fields(fields, arena, &line->row);
    }
    if (!json_is_integer(generation) || json_integer_value(generation) < 0 ||
        !time) {
        return false;
    }
    line->is_mark = true;
    line->generation = (uint64_t)json_integer_value(generation);
    line->time = arena_strdup(arena, time);
    return true;
}

/* Reads lines until the end of the file. */
static enum st
read_lines(FILE *file, const char *path, struct arena *arena,
           history_line_fn *fn, void *context, long *length, struct err *err)
{
    char *bytes = NULL;
    size_t size = 0;
    ssize_t n;
    long where = 0;
    unsigned int number = 0;
    enum st status = ST_OK;

    while (!status && (n = getline(&bytes, &size, file)) > 0 &&
           bytes[n - 1] == '\n') {
        json_t *object =
            json_loadb(bytes, (size_t)n, JSON_REJECT_DUPLICATES, NULL);
        struct history_line line;

        number++;
        if (!object || !parse_line(object, arena, &line)) {
            status =
                err_set(err, ST_INVALID, "history",
                        "%s:%u: this is not a line of a history", path, number);
        } else {
            where += n;
            fn(context, &line);
        }
        json_decref(object);
    }
    free(bytes);
    if (!status && ferror(file)) {
        status =
            err_set(err, ST_IO, "history", "%s: %s", path, strerror(errno));
    }
    if (!status && length) {
        *length = where;
    }
    return status;
}

enum st
history_file_read(const char *path, struct arena *arena, history_line_fn *line,
                  void *context, long *length, struct err *err)
{
    FILE *file = fopen(path, "re");
    enum st status;

    if (!file && errno == ENOENT) {
        if (length) {
            *length = 0;
        }
        return ST_OK;
    }
    if (!file) {
        return err_set(err, ST_IO, "history", "%s: %s", path, strerror(errno));
    }
    status = read_lines(file, path, arena, line, context, length, err);
    fclose(file);
    return status;
}

/* Appends 'object' as a line and releases it. */
static bool
add_object(struct text *text, json_t *object)
{
    char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;

    json_decref(object);
    if (!line) {
        return false;
    }
    text_add(text, line);
    text_add_char(text, '\n');
    free(line);
    return true;
}

bool
history_file_add_row(struct text *text, const struct field_row *row)
{
    json_t *object = json_pack("{s:s}", "row", row->key);
    json_t *fields = row->fields ? json_object() : NULL;

    for (size_t i = 0; i < row->n_fields; i++) {
        if (json_object_set_new(fields, row->fields[i].name,
                                json_string(row->fields[i].value))) {
            json_decref(fields);
            json_decref(object);
            return false;
        }
    }
    if (object && fields) {
        json_object_set_new(object, "fields", fields);
    } else {
        json_decref(fields);
    }
    return add_object(text, object);
}

void
history_file_add_mark(struct text *text, uint64_t generation, const char *time)
{
    (void)add_object(text, json_pack("{s:I, s:s}", "generation",
                                     (json_int_t)generation, "time", time));
}
