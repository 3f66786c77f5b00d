/* SPDX-License-Identifier: Apache-2.0 */

/* Opens databases and runs queries with SQLite. */

#include <config.h>

#include "results/database.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"

/* How long to wait for another process that has locked the file. */
#define BUSY_MS 5000

struct database {
    sqlite3 *handle;
    char *path; /* For messages. */
};

struct query {
    struct database *database;
    sqlite3_stmt *statement;
};

/* Converts the last error of 'database'. */
static enum st
fail(const struct database *database, struct err *err)
{
    const char *why = sqlite3_errmsg(database->handle);
    const int code = sqlite3_errcode(database->handle);

    if (code == SQLITE_NOMEM) {
        check_failed("memory", __FILE__, __LINE__);
    }
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT ||
        code == SQLITE_ERROR) {
        return err_set(err, ST_INVALID, "not-results",
                       "%s is not a results file: %s", database->path, why);
    }
    err_set(err, ST_IO, "unusable", "cannot use %s: %s", database->path, why);
    if (code == SQLITE_FULL) {
        err_set_remedy(err, "free space on that disk, or name a folder on "
                            "another one");
    }
    return ST_IO;
}

/* Opens 'path' with the flags of SQLite. */
static enum st
open_with(const char *path, int flags, struct database **result,
          struct err *err)
{
    struct database *database = check_calloc(1, sizeof *database);
    enum st st = ST_OK;

    database->path = check_strdup(path);
    if (sqlite3_open_v2(path, &database->handle, flags, NULL)) {
        st = database->handle
                 ? fail(database, err)
                 : err_set(err, ST_IO, "unusable", "cannot open '%s'", path);
        database_close(database);
        return st;
    }
    sqlite3_busy_timeout(database->handle, BUSY_MS);
    *result = database;
    return ST_OK;
}

enum st
database_open(const char *path, bool write, struct database **database,
              struct err *err)
{
    struct stat found;

    if (stat(path, &found)) {
        const int error = errno;

        return err_set(err, error == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "unreadable", "cannot read '%s': %s", path,
                       strerror(error));
    }
    if (!S_ISREG(found.st_mode)) {
        return err_set(err, ST_INVALID, "not-results", "%s is not a file",
                       path);
    }
    /* Reading a file whose writer was killed recovers its log, for which SQLite
     * needs to write next to it; it reads without where it cannot. */
    return open_with(path,
                     write || !access(path, W_OK) ? SQLITE_OPEN_READWRITE
                                                  : SQLITE_OPEN_READONLY,
                     database, err);
}

enum st
database_create(const char *path, struct database **database, struct err *err)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (file < 0) {
        const int error = errno;

        return err_set(err, error == EEXIST ? ST_EXISTS : ST_IO, "unwritable",
                       "cannot create '%s': %s", path, strerror(error));
    }
    close(file);
    return open_with(path, SQLITE_OPEN_READWRITE, database, err);
}

enum st
database_create_temporary(struct database **database, struct err *err)
{
    return open_with(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                     database, err);
}

void
database_close(struct database *database)
{
    if (database) {
        /* Fails only while queries are open, which is a bug. */
        orch_assert(!sqlite3_close(database->handle));
        free(database->path);
        free(database);
    }
}

enum st
database_run(struct database *database, const char *sql, struct err *err)
{
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL)
               ? fail(database, err)
               : ST_OK;
}

int64_t
database_number(struct database *database, const char *sql, int64_t otherwise)
{
    sqlite3_stmt *statement = NULL;
    int64_t number = otherwise;

    if (!sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) &&
        sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        number = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return number;
}

enum st
database_unknown(struct database *database, const char *sql, const char *source,
                 const char *what, const char *word, struct err *err)
{
    struct query *query = query_create(database, sql);
    struct choices choices;
    bool row = false;
    enum st st;

    choices_init(&choices, word);
    while (!(st = query_next(query, &row, err)) && row) {
        choices_add(&choices, query_text(query, 0));
    }
    query_finish(query);
    if (!st) {
        err_set(err, ST_INVALID, "usage", "the %s has no %s '%s'", source, what,
                word);
    }
    /* In any case: it also frees them. */
    (void)choices_explain(&choices, what, st ? NULL : err);
    return st ? st : ST_INVALID;
}

enum st
query_try(struct database *database, const char *sql, struct query **query,
          struct err *err)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) ||
        !statement) {
        return err_set(err, ST_INVALID, "sql", "wrong SQL: %s",
                       sqlite3_errmsg(database->handle));
    }
    *query = check_calloc(1, sizeof **query);
    (*query)->database = database;
    (*query)->statement = statement;
    return ST_OK;
}

struct query *
query_create(struct database *database, const char *sql)
{
    struct query *query = NULL;
    struct err err = {0};

    if (query_try(database, sql, &query, &err)) {
        check_failed(err.reason, __FILE__, __LINE__);
    }
    return query;
}

void
query_finish(struct query *query)
{
    if (query) {
        sqlite3_finalize(query->statement);
        free(query);
    }
}

void
query_set_number(struct query *query, int i, int64_t number)
{
    orch_assert(!sqlite3_bind_int64(query->statement, i, number));
}

void
query_set_real(struct query *query, int i, double number)
{
    orch_assert(!sqlite3_bind_double(query->statement, i, number));
}

void
query_set_text(struct query *query, int i, const char *text)
{
    orch_assert(
        !sqlite3_bind_text(query->statement, i, text, -1, SQLITE_TRANSIENT));
}

void
query_set_null(struct query *query, int i)
{
    orch_assert(!sqlite3_bind_null(query->statement, i));
}

enum st
query_next(struct query *query, bool *row, struct err *err)
{
    const int code = sqlite3_step(query->statement);

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return fail(query->database, err);
    }
    *row = code == SQLITE_ROW;
    return ST_OK;
}

enum st
query_execute(struct query *query, struct err *err)
{
    const int code = sqlite3_step(query->statement);
    const enum st st = code == SQLITE_DONE ? ST_OK : fail(query->database, err);

    sqlite3_reset(query->statement);
    sqlite3_clear_bindings(query->statement);
    return st;
}

int
query_columns(const struct query *query)
{
    return sqlite3_column_count(query->statement);
}

const char *
query_name(const struct query *query, int column)
{
    return sqlite3_column_name(query->statement, column);
}

enum query_type
query_type(const struct query *query, int column)
{
    switch (sqlite3_column_type(query->statement, column)) {
    case SQLITE_INTEGER:
        return QUERY_NUMBER;
    case SQLITE_FLOAT:
        return QUERY_REAL;
    case SQLITE_NULL:
        return QUERY_NULL;
    default:
        return QUERY_TEXT;
    }
}

int64_t
query_number(const struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

double
query_real(const struct query *query, int column)
{
    return sqlite3_column_double(query->statement, column);
}

const char *
query_text(const struct query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);

    return text ? (const char *)text : "";
}
