/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the lines of a trace. */

#include <config.h>

#include "orchctl/trace_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "orchctl/trace_file.h"
#include "results/database.h"

enum { N_COLUMNS = 11, COLUMN_TIME = 0, COLUMN_REASON = 10 };

/* Returns the next value of a line, unquoted in place; '*rest' is NULL behind
 * the last. */
static char *
next_value(char **rest)
{
    char *value = *rest, *from, *to;

    if (*value != '"') {
        return strsep(rest, ",");
    }
    for (from = to = ++value; *from && (*from != '"' || from[1] == '"');
         from++) {
        from += *from == '"';
        *to++ = *from;
    }
    *rest = *from && from[1] == ',' ? from + 2 : NULL;
    *to = '\0';
    return value;
}

/* Sets the parameters of 'query' to the values of 'line', which is changed.
 * Returns whether it has as many as there are columns. */
static bool
bind_line(struct query *query, char *line)
{
    /* Event, object, priority and reason are texts. */
    const unsigned int texts = 1 << 1 | 1 << 2 | 1 << 3 | 1 << COLUMN_REASON;
    int i = 0;

    for (; line && i < N_COLUMNS; i++) {
        const char *value = next_value(&line);
        uint64_t number = 0;

        if (texts >> i & 1) {
            query_set_text(query, i + 1, value);
        } else if (!*value && i != COLUMN_TIME) {
            query_set_null(query, i + 1);
        } else if (parse_u64(value, 0, INT64_MAX, &number) == ST_OK) {
            query_set_number(query, i + 1, (int64_t)number);
        } else {
            return false;
        }
    }
    return i == N_COLUMNS && !line;
}

/* Reads the lines of 'file' into the table. */
static enum st
read_lines(FILE *file, const char *path, struct query *query, struct err *err)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t n;
    enum st st = ST_OK;

    while (!st && (n = getline(&line, &room, file)) >= 0) {
        const bool is_whole = n && line[n - 1] == '\n';

        line[is_whole ? n - 1 : n] = '\0';
        if (!number++ ? strcmp(line, TRACE_FILE_COLUMNS) != 0
                      : !is_whole || !bind_line(query, line)) {
            st = err_set(err, ST_INVALID, "no-trace",
                         "%s, line %zu: not a line of a trace", path, number);
            err_set_remedy(err, "make it by breakpoint run --trace-file "
                                "FILE.csv");
        } else if (number > 1) {
            st = query_execute(query, err);
        }
    }
    if (!st && (ferror(file) || !number)) {
        st = err_set(err, number ? ST_IO : ST_INVALID, "no-trace",
                     "cannot read '%s': %s", path,
                     number ? strerror(errno) : "it is empty");
    }
    free(line);
    return st;
}

/* Reads the file into the table "trace", which is made. */
static enum st
read_file(FILE *file, const char *path, struct database *database,
          struct err *err)
{
    enum st st = database_run(
        database,
        "CREATE TABLE trace (t INTEGER, event, object, priority, reserved,"
        " shared, headroom, threshold, headroom_limit, frame, reason); BEGIN",
        err);

    if (!st) {
        struct query *query = query_create(
            database,
            "INSERT INTO trace VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)");

        st = read_lines(file, path, query, err);
        query_finish(query);
    }
    st = st ? st
            : database_run(database,
                           "COMMIT; CREATE INDEX trace_by_object ON trace"
                           " (object, event)",
                           err);
    if (!st &&
        !database_number(database,
                         "SELECT event = 'end' FROM trace ORDER BY rowid DESC"
                         " LIMIT 1",
                         0)) {
        err_set(err, ST_INVALID, "cut",
                "%s was cut: its last line is not the event 'end'", path);
        err_set_remedy(err, "write the trace again");
        st = ST_INVALID;
    }
    return st;
}

enum st
trace_table_open(const char *path, struct database **result, struct err *err)
{
    FILE *file = fopen(path, "re");
    struct database *database = NULL;
    enum st st;

    if (!file) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "unreadable", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    st = database_create_temporary(&database, err);
    st = st ? st : read_file(file, path, database, err);
    fclose(file);
    if (st) {
        database_close(database);
        return st;
    }
    *result = database;
    return ST_OK;
}
