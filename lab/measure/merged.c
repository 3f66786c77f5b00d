/* SPDX-License-Identifier: Apache-2.0 */

/* Moves runs into one results file. */

#include <config.h>

#include "lab/measure/merged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/measure/results.h"
#include "results/database.h"
#include "results/schema.h"

struct merged {
    struct database *database;
    char *path;
};

static const char *const tables[] = {
#define X(table, columns) #table,
    SCHEMA_TABLES(X)
#undef X
};

/* Executes what is done anyway, or cannot be helped. */
static void
try_run(struct database *database, const char *sql)
{
    const enum st ignored = database_run(database, sql, NULL);

    (void)ignored;
}

/* Checks that 'database' has the tables that this program knows. */
static enum st
check_version(struct database *database, const char *path, struct err *err)
{
    const int64_t version = database_number(database, "PRAGMA user_version", 0);
    enum st st = schema_check(database, path, err);

    if (!st && version != SCHEMA_VERSION) {
        st = err_set(err, ST_UNSUPPORTED, "older",
                     "%s has version %lld of the results format; runs are "
                     "merged into version %d only",
                     path, (long long)version, SCHEMA_VERSION);
    }
    return st;
}

/* Returns 'st', which is about the file itself, and says what to do. */
static enum st
advise(enum st st, struct err *err)
{
    if (st) {
        err_set_remedy(err, "rename the file, or name another folder: "
                            "--results FOLDER");
    }
    return st;
}

/* Makes the tables.  Those that have no index get one that finds the rows of a
 * run; more would change the order in which rows are read. */
static enum st
make_tables(struct merged *merged, struct err *err)
{
    struct text sql = {0};
    enum st st = schema_make(merged->database, err);

    st = st ? st : database_run(merged->database, SCHEMA_LATE_INDEXES, err);
    for (int i = 0; !st && i < SCHEMA_N_TABLES; i++) {
        struct text count = {0};

        text_addf(&count,
                  "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND "
                  "tbl_name = '%s'",
                  tables[i]);
        if (!database_number(merged->database, text_string(&count), 1)) {
            text_addf(&sql, "CREATE INDEX %s_by_run ON %s (run);", tables[i],
                      tables[i]);
        }
        text_fini(&count);
    }
    text_add(&sql, "COMMIT;");
    st = st ? st : database_run(merged->database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

static bool
has_tables(const struct merged *merged)
{
    return database_number(merged->database,
                           "SELECT count(*) FROM sqlite_master", 0) > 0;
}

enum st
merged_check(const char *path, struct err *err)
{
    struct database *database;
    enum st st;

    if (access(path, F_OK)) {
        return ST_OK;
    }
    if (access(path, W_OK)) {
        st = err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                     strerror(errno));
        return advise(st, err);
    }
    st = database_open(path, false, &database, err);
    if (st) {
        return advise(st, err);
    }
    if (database_number(database, "SELECT count(*) FROM sqlite_master", 1)) {
        st = advise(check_version(database, path, err), err);
    }
    database_close(database);
    return st;
}

enum st
merged_open(const char *path, struct merged **result, struct err *err)
{
    struct merged *merged = check_calloc(1, sizeof *merged);
    struct stat found;
    enum st st;

    merged->path = check_strdup(path);
    if (stat(path, &found)) {
        st = database_create(path, &merged->database, err);
        if (st == ST_EXISTS) { /* Since a moment ago. */
            st = database_open(path, true, &merged->database, err);
        }
    } else {
        st = database_open(path, true, &merged->database, err);
    }
    /* A process that was killed can have left it empty. */
    if (!st && !has_tables(merged)) {
        st = make_tables(merged, err);
        if (st) {
            /* Another process may be making them. */
            try_run(merged->database, "ROLLBACK");
            try_run(merged->database, "BEGIN IMMEDIATE; COMMIT");
            st = has_tables(merged) ? ST_OK : st;
        }
    }
    st = st ? st : advise(check_version(merged->database, path, err), err);
    st = st ? st
            : database_run(merged->database,
                           SCHEMA_RECORDING "PRAGMA synchronous = FULL", err);
    if (st) {
        merged_close(merged);
        return st;
    }
    *result = merged;
    return ST_OK;
}

void
merged_close(struct merged *merged)
{
    if (merged) {
        if (merged->database) {
            try_run(merged->database, "PRAGMA journal_mode = DELETE");
        }
        database_close(merged->database);
        free(merged->path);
        free(merged);
    }
}

/* Ends the transaction: keeps what was done if 'st' is ST_OK. */
static enum st
end(struct merged *merged, enum st st, struct err *err)
{
    st = st ? st : database_run(merged->database, "COMMIT", err);
    if (st) {
        try_run(merged->database, "ROLLBACK");
    }
    return st;
}

/* Begins a transaction and stores the number for the run with 'key'; rows of
 * that number are gone. */
static enum st
begin(struct merged *merged, const char *key, int64_t *number, struct err *err)
{
    struct text sql = {0};
    struct query *query;
    bool row = false;
    enum st st = database_run(merged->database, "BEGIN IMMEDIATE", err);

    if (st) {
        return st;
    }
    query = query_create(merged->database,
                         "SELECT coalesce((SELECT run FROM runs WHERE key = "
                         "?1), (SELECT coalesce(max(run), 0) + 1 FROM runs))");
    query_set_text(query, 1, key);
    st = query_next(query, &row, err);
    *number = st ? 0 : query_number(query, 0);
    query_finish(query);
    for (int i = 0; i < SCHEMA_N_TABLES; i++) {
        text_addf(&sql, "DELETE FROM %s WHERE run = %lld;", tables[i],
                  (long long)*number);
    }
    st = st ? st : database_run(merged->database, text_string(&sql), err);
    text_fini(&sql);
    return st ? end(merged, st, err) : ST_OK;
}

/* Copies the rows of the attached file, with another number of their run. */
static enum st
copy_rows(struct merged *merged, int64_t number, struct err *err)
{
    struct text sql = {0};
    enum st st;

    for (int i = 0; i < SCHEMA_N_TABLES; i++) {
        struct text columns = {0};

        schema_add_columns(&columns, (enum schema_table)i);
        text_addf(&sql, "INSERT INTO main.%s SELECT %lld%s FROM one.%s;",
                  tables[i], (long long)number, text_string(&columns),
                  tables[i]);
        text_fini(&columns);
    }
    st = database_run(merged->database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

/* Reads the key of the only run of the file 'path'. */
static enum st
read_key(const char *path, char **key, struct err *err)
{
    struct database *database = NULL;
    struct query *query;
    bool row = false;
    enum st st = database_open(path, false, &database, err);

    st = st ? st : check_version(database, path, err);
    if (!st && database_number(database, "SELECT count(*) FROM runs", 0) != 1) {
        st =
            err_set(err, ST_INVALID, "not-results", "%s has not one run", path);
    }
    if (!st) {
        query = query_create(database, "SELECT key FROM runs");
        st = query_next(query, &row, err);
        *key = st ? NULL : check_strdup(query_text(query, 0));
        query_finish(query);
    }
    database_close(database);
    return st;
}

enum st
merged_add(struct merged *merged, const char *path, int64_t *number,
           struct err *err)
{
    struct query *attach;
    char *key = NULL;
    enum st st = read_key(path, &key, err);

    if (st) {
        return st;
    }
    attach = query_create(merged->database, "ATTACH ?1 AS one");
    query_set_text(attach, 1, path);
    st = query_execute(attach, err);
    query_finish(attach);
    if (!st) {
        st = begin(merged, key, number, err);
        if (!st) {
            st = end(merged, copy_rows(merged, *number, err), err);
        }
        try_run(merged->database, "DETACH one");
    }
    free(key);
    return st;
}

/* Inserts the row of a run that has failed. */
static enum st
insert_failed(struct merged *merged, const struct results_about *about,
              const char *reason, int64_t number, struct err *err)
{
    struct query *query = schema_insert(merged->database, SCHEMA_TABLE_runs);
    enum st st;

    query_set_number(query, 1, number);
    results_set_about(query, about, RESULTS_FAILED);
    query_set_text(query, 10, reason);
    query_set_number(query, 11, 0);
    query_set_number(query, 12, about->stop_ps);
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

enum st
merged_add_failed(struct merged *merged, const struct results_about *about,
                  const struct merged_param *params, size_t n,
                  const char *reason, int64_t *number, struct err *err)
{
    enum st st = begin(merged, about->key, number, err);
    struct query *query;

    if (st) {
        return st;
    }
    st = insert_failed(merged, about, reason, *number, err);
    query = schema_insert(merged->database, SCHEMA_TABLE_params);
    for (size_t i = 0; !st && i < n; i++) {
        query_set_number(query, 1, *number);
        query_set_text(query, 2, params[i].name);
        query_set_text(query, 3, params[i].value);
        st = query_execute(query, err);
    }
    query_finish(query);
    return end(merged, st, err);
}

int64_t
merged_find(const char *path, const char *key)
{
    struct database *database = NULL;
    struct query *query = NULL;
    int64_t number = 0;
    bool row = false;

    if (!database_open(path, false, &database, NULL) &&
        !schema_check(database, path, NULL) &&
        !query_try(database,
                   "SELECT run FROM runs WHERE key = ?1 AND state = ?2", &query,
                   NULL)) {
        query_set_text(query, 1, key);
        query_set_text(query, 2, results_state_name(RESULTS_COMPLETE));
        number =
            !query_next(query, &row, NULL) && row ? query_number(query, 0) : 0;
    }
    query_finish(query);
    database_close(database);
    return number;
}
