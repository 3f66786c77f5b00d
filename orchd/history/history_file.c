/* SPDX-License-Identifier: Apache-2.0 */

/* Parses and writes lines of JSON. */

#include <config.h>

#include "orchd/history/history_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/check.h"
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

/* Returns the member 'name' as a copy in 'arena', NULL if it is not a
 * string. */
static const char *
parse_text(const json_t *object, const char *name, struct arena *arena)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? arena_strdup(arena, text) : NULL;
}

/* Parses a line.  Returns false if it is none that this module writes. */
static bool
parse_line(const json_t *object, struct arena *arena, struct history_line *line)
{
    const json_t *fields = json_object_get(object, "fields");
    const json_t *generation = json_object_get(object, "generation");
    const json_t *n_changed = json_object_get(object, "rows");

    memset(line, 0, sizeof *line);
    line->row.key = parse_text(object, "row", arena);
    if (line->row.key) {
        return !fields || parse_fields(fields, arena, &line->row);
    }
    if (!json_is_integer(generation) || json_integer_value(generation) < 0) {
        return false;
    }
    line->generation = (uint64_t)json_integer_value(generation);
    line->comment = parse_text(object, "comment", arena);
    if (line->comment) {
        line->kind = HISTORY_COMMENT;
        return true;
    }
    line->kind = HISTORY_MARK;
    line->time = parse_text(object, "time", arena);
    line->summary = parse_text(object, "summary", arena);
    line->n_changed =
        json_is_integer(n_changed) ? (size_t)json_integer_value(n_changed) : 0;
    return line->time != NULL;
}

enum st
history_file_error(const char *path, struct err *err)
{
    const int error = errno;
    const bool unusable =
        error == EACCES || error == EPERM || error == EISDIR || error == ELOOP;

    return err_set(err, unusable ? ST_INVALID : ST_IO, "history", "%s: %s",
                   path, strerror(error));
}

/* Checks the first line of a file, if it is about the format. */
static enum st
check_format(const json_t *object, const char *path, struct err *err)
{
    const json_t *format = json_object_get(object, "format");
    const char *writer = json_string_value(json_object_get(object, "orchd"));

    if (!json_is_integer(format) || json_integer_value(format) < 0) {
        return err_set(err, ST_INVALID, "history",
                       "%s:1: the format of a history is a number", path);
    }
    if (json_integer_value(format) <= HISTORY_FORMAT) {
        return ST_OK;
    }
    err_set(err, ST_UNSUPPORTED, "history-newer",
            "%s has format %lld, which orchd %.40s wrote; orchd %s reads "
            "formats up to %d",
            path, (long long)json_integer_value(format),
            writer ? writer : "of a later version", PACKAGE_VERSION,
            HISTORY_FORMAT);
    err_set_remedy(err, "start the newer orchd again, or keep the file for it "
                        "and use another --state-dir");
    return ST_UNSUPPORTED;
}

struct history_reader {
    char *path;
    FILE *file; /* NULL: there is none, and so no lines. */
    char *bytes;
    size_t size;
    long end;   /* Of the file when it was opened. */
    long where; /* After the last complete line. */
    unsigned int number;
    uint64_t last; /* The generation of the last mark. */
};

enum st
history_reader_open(const char *path, struct history_reader **reader,
                    struct err *err)
{
    FILE *file = fopen(path, "re");
    struct history_reader *made;
    struct stat info;

    if (!file && errno != ENOENT) {
        return history_file_error(path, err);
    }
    if (file && fstat(fileno(file), &info)) {
        fclose(file);
        return history_file_error(path, err);
    }
    made = check_calloc(1, sizeof *made);
    made->path = check_strdup(path);
    made->file = file;
    made->end = file ? (long)info.st_size : 0;
    *reader = made;
    return ST_OK;
}

void
history_reader_close(struct history_reader *reader)
{
    if (reader) {
        if (reader->file) {
            fclose(reader->file);
        }
        free(reader->bytes);
        free(reader->path);
        free(reader);
    }
}

/* Handles a line of 'n' bytes. */
static enum st
read_line(struct history_reader *reader, size_t n, struct arena *arena,
          history_line_fn *fn, void *context, struct err *err)
{
    json_t *object = json_loadb(reader->bytes, n, JSON_REJECT_DUPLICATES, NULL);
    struct history_line line;
    enum st status = ST_OK;

    reader->number++;
    if (reader->number == 1 && json_object_get(object, "format")) {
        status = check_format(object, reader->path, err);
    } else if (!object || !parse_line(object, arena, &line)) {
        status = err_set(err, ST_INVALID, "history",
                         "%s:%u: this is not a line of a history", reader->path,
                         reader->number);
    } else if (line.kind == HISTORY_MARK && line.generation < reader->last) {
        status = err_set(err, ST_INVALID, "history",
                         "%s:%u: generation %llu follows %llu", reader->path,
                         reader->number, (unsigned long long)line.generation,
                         (unsigned long long)reader->last);
    } else {
        reader->last =
            line.kind == HISTORY_MARK ? line.generation : reader->last;
        fn(context, &line);
    }
    reader->where += (long)n;
    json_decref(object);
    return status;
}

enum st
history_reader_lines(struct history_reader *reader, struct arena *arena,
                     history_line_fn *line, void *context, size_t n, bool *more,
                     struct err *err)
{
    enum st status = ST_OK;
    ssize_t length = 1;

    while (!status && length > 0 && n-- && reader->where < reader->end) {
        length = getline(&reader->bytes, &reader->size, reader->file);
        if (length > 0 && reader->bytes[length - 1] == '\n') {
            status =
                read_line(reader, (size_t)length, arena, line, context, err);
        } else {
            length = 0; /* The end, or a line without one. */
        }
    }
    if (!status && reader->file && ferror(reader->file)) {
        status = history_file_error(reader->path, err);
    }
    *more = !status && length > 0 && reader->where < reader->end;
    return status;
}

enum st
history_file_read(const char *path, struct arena *arena, history_line_fn *line,
                  void *context, long *length, struct err *err)
{
    struct history_reader *reader = NULL;
    bool more = true;
    enum st status = history_reader_open(path, &reader, err);

    while (!status && more) {
        status = history_reader_lines(reader, arena, line, context, SIZE_MAX,
                                      &more, err);
    }
    if (!status && length) {
        *length = reader->where;
    }
    history_reader_close(reader);
    return status;
}

/* Returns a row as JSON, NULL if it is not UTF-8. */
static json_t *
row_json(const struct field_row *row)
{
    json_t *object = json_pack("{s:s}", "row", row->key);
    json_t *fields = object && row->fields ? json_object() : NULL;

    if (fields) {
        json_object_set_new(object, "fields", fields);
    }
    for (size_t i = 0; fields && i < row->n_fields; i++) {
        if (json_object_set_new(fields, row->fields[i].name,
                                json_string(row->fields[i].value))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *
mark_json(const struct history_line *line)
{
    json_t *object =
        json_pack("{s:I, s:s}", "generation", (json_int_t)line->generation,
                  "time", line->time);

    if (object && line->summary) {
        json_object_set_new(object, "rows",
                            json_integer((json_int_t)line->n_changed));
        json_object_set_new(object, "summary", json_string(line->summary));
    }
    return object;
}

void
history_file_add_format(struct text *text)
{
    text_addf(text, "{\"format\":%d,\"orchd\":\"%s\"}\n", HISTORY_FORMAT,
              PACKAGE_VERSION);
}

bool
history_file_add(struct text *text, const struct history_line *line)
{
    json_t *object;
    char *dump;

    switch (line->kind) {
    case HISTORY_MARK:
        object = mark_json(line);
        break;
    case HISTORY_COMMENT:
        object =
            json_pack("{s:I, s:s}", "generation", (json_int_t)line->generation,
                      "comment", line->comment);
        break;
    case HISTORY_ROW:
    default:
        object = row_json(&line->row);
        break;
    }
    dump = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!dump) {
        return false;
    }
    text_add(text, dump);
    text_add_char(text, '\n');
    free(dump);
    return true;
}
