/* SPDX-License-Identifier: Apache-2.0 */

/* A table of columns says where each field of a line goes. */

#include <config.h>

#include "tests/bench/calibrate_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

enum { MAX_FIELDS = 128 };

struct column {
    const char *name;
    size_t offset;
    bool is_number;
};

static const struct column columns[] = {
#define X(column) {#column, offsetof(struct calibrate_row, column), false},
    CALIBRATE_TEXTS(X)
#undef X
#define X(column) {#column, offsetof(struct calibrate_row, column), true},
        CALIBRATE_NUMBERS(X)
#undef X
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const required[] = {"row_id", "asic", "role", "hw_value"};

/* One line, cut into fields. */
struct record {
    char *fields[MAX_FIELDS];
    size_t n;
};

/* The columns of a file, by position; NULL: not known. */
struct header {
    const struct column *columns[MAX_FIELDS];
    size_t n;
};

int64_t
calibrate_or(const struct calibrate_number *number, int64_t otherwise)
{
    return number->is_given ? number->value : otherwise;
}

/* Cuts the field at 'in' out in place, without its quotes.  '*ended' is the
 * character that ended it.  Returns where that was. */
static char *
field_cut(char *in, char **field, char *ended)
{
    bool quoted = *in == '"';
    char *out = in;

    *field = in;
    for (in += quoted; *in; in++) {
        if (quoted && in[0] == '"' && in[1] == '"') {
            in++;
        } else if (quoted && in[0] == '"') {
            quoted = false;
            continue;
        } else if (!quoted && (*in == ',' || *in == '\n' || *in == '\r')) {
            break;
        }
        *out++ = *in;
    }
    *ended = *in;
    *out = '\0';
    return in;
}

/* Cuts the record at '*cursor' (RFC 4180: a quoted field may have line breaks)
 * in place, and moves '*cursor' behind it.  Returns false at the end. */
static bool
record_next(char **cursor, struct record *record)
{
    char *in = *cursor;
    char ended;

    record->n = 0;
    if (!*in) {
        return false;
    }
    do {
        char *field;

        in = field_cut(in, &field, &ended);
        in += ended != '\0';
        if (record->n < MAX_FIELDS) {
            record->fields[record->n++] = field;
        }
    } while (ended == ',');
    if (ended == '\r' && *in == '\n') {
        in++;
    }
    *cursor = in;
    return true;
}

static const struct column *
column_find(const char *name)
{
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}

static bool
header_has(const struct header *header, const struct column *column)
{
    for (size_t i = 0; i < header->n; i++) {
        if (header->columns[i] == column) {
            return true;
        }
    }
    return false;
}

/* Reports that the column 'name' is passed over, and what it may be meant for:
 * one of those that are missing. */
static void
report_unknown(const struct header *header, const char *path, const char *name,
               calibrate_report_fn *report, void *context)
{
    char message[512];
    struct nearest nearest;
    const char *meant;

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (!header_has(header, &columns[i])) {
            nearest_try(&nearest, columns[i].name);
        }
    }
    meant = nearest_get(&nearest);
    text_format(message, sizeof message,
                "%s:1: ignores the column '%s', which is not known%s%s%s", path,
                name, meant ? "; did you mean '" : "", meant ? meant : "",
                meant ? "'?" : "");
    report(context, message);
}

/* Finds the columns that 'record' names. */
static enum st
header_read(const struct record *record, const char *path,
            struct header *header, calibrate_report_fn *report, void *context,
            struct err *err)
{
    header->n = record->n;
    for (size_t i = 0; i < record->n; i++) {
        const struct column *column = column_find(record->fields[i]);

        header->columns[i] = NULL;
        if (column && header_has(header, column)) {
            return err_set(err, ST_INVALID, "calibrate-column",
                           "%s:1: there are two columns %s", path,
                           column->name);
        }
        header->columns[i] = column;
    }
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (!header_has(header, column_find(required[i]))) {
            return err_set(err, ST_INVALID, "calibrate-column",
                           "%s:1: the column %s is missing", path, required[i]);
        }
    }
    for (size_t i = 0; i < record->n; i++) {
        if (!header->columns[i]) {
            report_unknown(header, path, record->fields[i], report, context);
        }
    }
    return ST_OK;
}

/* Fills '*row' from 'record'.  Returns NULL, or what is wrong. */
static const struct column *
row_read(const struct header *header, const struct record *record,
         struct calibrate_row *row)
{
    *row = (struct calibrate_row){0};
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (!columns[i].is_number) {
            *(const char **)(void *)((char *)row + columns[i].offset) = "";
        }
    }
    for (size_t i = 0; i < header->n; i++) {
        const struct column *column = header->columns[i];
        struct calibrate_number *number;
        void *member = column ? (char *)row + column->offset : NULL;

        if (!column) {
            continue;
        }
        if (!column->is_number) {
            *(const char **)member = record->fields[i];
            continue;
        }
        number = member;
        number->is_given = record->fields[i][0] != '\0';
        if (number->is_given && parse_s64(record->fields[i], INT64_MIN,
                                          INT64_MAX, &number->value) != ST_OK) {
            return column;
        }
    }
    return row->hw_value.is_given ? NULL : column_find("hw_value");
}

/* Reads the whole of 'path' into memory that the caller frees. */
static enum st
slurp(const char *path, char **text, struct err *err)
{
    FILE *file = fopen(path, "re");
    size_t size = 1 << 16;
    size_t n = 0;

    if (!file) {
        int code = errno;

        return err_set(err, code == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "calibrate-file", "%s: %s", path, strerror(code));
    }
    *text = check_malloc(size + 1);
    while (!feof(file) && !ferror(file)) {
        n += fread(*text + n, 1, size - n, file);
        if (n == size) {
            size *= 2;
            *text = check_realloc(*text, size + 1);
        }
    }
    (*text)[n] = '\0';
    if (ferror(file)) {
        free(*text);
        fclose(file);
        return err_set(err, ST_IO, "calibrate-file", "%s: cannot be read",
                       path);
    }
    fclose(file);
    return ST_OK;
}

/* Reports why line 'line' is left out: because of 'column', or cut. */
static void
report_line(const char *path, unsigned int line, const struct column *column,
            calibrate_report_fn *report, void *context)
{
    char message[512];

    if (column) {
        text_format(message, sizeof message, "%s:%u: %s is not a number", path,
                    line, column->name);
    } else {
        text_format(message, sizeof message,
                    "%s:%u: not as many fields as there are columns", path,
                    line);
    }
    report(context, message);
}

/* Returns the line breaks in the text from 'from' to 'to'. */
static unsigned int
count_lines(const char *from, const char *to)
{
    unsigned int n = 0;

    for (; from < to; from++) {
        n += *from == '\n';
    }
    return n;
}

enum st
calibrate_table_read(const char *path, calibrate_report_fn *report,
                     void *context, struct calibrate_table *table,
                     struct err *err)
{
    struct header header;
    struct record record;
    unsigned int line = 1;
    char *cursor;
    char *next;
    enum st status;

    *table = (struct calibrate_table){0};
    status = slurp(path, &table->text, err);
    if (status != ST_OK) {
        return status;
    }
    cursor = table->text;
    if (!record_next(&cursor, &record)) {
        record.n = 0;
    }
    status = header_read(&record, path, &header, report, context, err);
    if (status != ST_OK) {
        calibrate_table_fini(table);
        return status;
    }
    table->rows = check_calloc(count_lines(cursor, cursor + strlen(cursor)) + 1,
                               sizeof *table->rows);
    for (next = cursor;; cursor = next) {
        struct calibrate_row *row = &table->rows[table->n];
        const struct column *wrong;

        line++;
        if (!record_next(&next, &record)) {
            return ST_OK;
        }
        if (record.n == 1 && record.fields[0][0] == '\0') {
            continue;
        }
        wrong = record.n == header.n ? row_read(&header, &record, row) : NULL;
        if (record.n != header.n || wrong) {
            report_line(path, line, wrong, report, context);
            table->n_bad++;
            continue;
        }
        row->line = line;
        table->n++;
    }
}

void
calibrate_table_fini(struct calibrate_table *table)
{
    free(table->rows);
    free(table->text);
    *table = (struct calibrate_table){0};
}
