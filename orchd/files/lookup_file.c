/* SPDX-License-Identifier: Apache-2.0 */

/* Parses columns, and both forms of lossless profiles. */

#include <config.h>

#include "orchd/files/lookup_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/llr_lookup.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/shipped_lookups.h"

enum {
    FILE_MAX_BYTES = 1 << 20, /* Real files have some kilobytes. */
    COLUMN_SIZE = 24,
    KEY_SIZE = 64,
};

/* The columns of an entry, in the order of 'struct pg_profile_lookup_texts'
 * from its third member. */
static const char *const columns[] = {"size", "xon", "xoff", "threshold",
                                      "xon_offset"};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

static enum st
read_text(const char *path, struct text *text, struct err *err)
{
    FILE *file = fopen(path, "re");
    char buffer[4096];
    size_t n;
    bool failed;

    if (!file) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "lookup",
                       "%s: %s", path, strerror(errno));
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0 &&
           text->length <= FILE_MAX_BYTES) {
        text_add_bytes(text, buffer, n);
    }
    failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        return err_set(err, ST_IO, "lookup", "%s cannot be read", path);
    }
    if (text->length > FILE_MAX_BYTES ||
        strlen(text_string(text)) != text->length) {
        return err_set(err, ST_INVALID, "lookup", "%s is no lookup table",
                       path);
    }
    return ST_OK;
}

/* Returns a value as text, in 'buffer' if it is a number; NULL if it is missing
 * or neither a string nor a number. */
static const char *
value_text(const json_t *value, char buffer[COLUMN_SIZE])
{
    if (json_is_integer(value)) {
        text_format(buffer, COLUMN_SIZE, "%" JSON_INTEGER_FORMAT,
                    json_integer_value(value));
        return buffer;
    }
    return json_string_value(value);
}

static enum st
add_entry(struct pg_profile_lookup *lookup, const char *pair,
          const json_t *fields, struct err *err)
{
    char key[KEY_SIZE], buffers[N_COLUMNS][COLUMN_SIZE];
    const char *values[N_COLUMNS];
    char *cable;

    if (!text_copy(key, sizeof key, pair) || !(cable = strchr(key, '|'))) {
        return err_set(err, ST_INVALID, "lookup",
                       "expected a key like 100000|40m");
    }
    *cable++ = '\0';
    for (size_t i = 0; i < N_COLUMNS; i++) {
        values[i] = value_text(json_object_get(fields, columns[i]), buffers[i]);
    }
    return pg_profile_lookup_add(
        lookup,
        &(struct pg_profile_lookup_texts){key, cable, values[0], values[1],
                                          values[2], values[3], values[4]},
        err);
}

static enum st
read_json(const char *path, const char *text, struct pg_profile_lookup *lookup,
          struct err *err)
{
    json_error_t cause;
    json_t *pairs = json_loads(text, JSON_REJECT_DUPLICATES, &cause);
    const char *pair;
    json_t *fields;
    enum st st = ST_OK;

    if (!pairs) {
        return err_set(err, ST_INVALID, "lookup", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    json_object_foreach(pairs, pair, fields)
    {
        struct err wrong = {0};

        if (!st && add_entry(lookup, pair, fields, &wrong)) {
            st = err_set(err, ST_INVALID, "lookup", "%s: %s: %s", path, pair,
                         wrong.reason);
        }
    }
    json_decref(pairs);
    return st;
}

/* Refuses a file without entries. */
static enum st
require_entries(const char *path, size_t n, struct err *err)
{
    return n ? ST_OK
             : err_set(err, ST_INVALID, "lookup", "%s has no entry", path);
}

enum st
lookup_file_read(const char *path, struct pg_profile_lookup *lookup,
                 struct err *err)
{
    struct text text = {0};
    enum st st = read_text(path, &text, err);
    const char *start = text_string(&text);

    if (!st) {
        start += strspn(start, " \t\r\n");
        st = *start == '{' ? read_json(path, start, lookup, err)
                           : pg_profile_lookup_parse(lookup, text_string(&text),
                                                     path, err);
    }
    st = st ? st : require_entries(path, lookup->n, err);
    if (st) {
        pg_profile_lookup_fini(lookup);
    }
    text_fini(&text);
    return st;
}

enum st
lookup_file_read_shipped(const char *directory, struct shipped_lookups *shipped,
                         struct err *err)
{
    struct text path = {0}, text = {0};
    enum st st;

    text_addf(&path, "%s/pg_lookup.ini", directory);
    st = read_text(text_string(&path), &text, err);
    if (st == ST_NOT_FOUND) {
        st = ST_OK;
    } else if (!st) {
        st = shipped_lookups_parse(shipped, text_string(&text),
                                   text_string(&path), err);
    }
    if (st) {
        shipped_lookups_fini(shipped);
    }
    text_fini(&path);
    text_fini(&text);
    return st;
}

enum st
lookup_file_read_llr(const char *path, struct llr_lookup *lookup,
                     struct err *err)
{
    struct text text = {0};
    enum st st = read_text(path, &text, err);

    st = st ? st : llr_lookup_parse(lookup, text_string(&text), path, err);
    st = st ? st : require_entries(path, lookup->n, err);
    if (st) {
        llr_lookup_fini(lookup);
    }
    text_fini(&text);
    return st;
}
