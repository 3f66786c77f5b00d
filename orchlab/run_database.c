/* SPDX-License-Identifier: Apache-2.0 */

/* Puts all runs of a scenario into one database. */

#include <config.h>

#include "orchlab/run_database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchlab/run_files.h"
#include "results/database.h"

/* What is taken over of each file. */
static const struct {
    const char *table, *condition;
} tables[] = {
    {"runs", "state = 'complete'"},
    {"params", "1"},
    {"verdicts", "1"},
    {"ports", "(run, node) IN (SELECT run, node FROM file.counters WHERE name "
              "= 'buffer_bytes')"},
    {"counters", "port IS NULL AND node IS NOT NULL"},
};

enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* Appends 'text' as a literal. */
static void
add_quoted(struct text *sql, const char *text)
{
    text_add(sql, "'");
    for (; *text; text++) {
        text_addf(sql, *text == '\'' ? "''" : "%c", *text);
    }
    text_add(sql, "'");
}

/* Adds the run in 'path' as number 'number'; the first one makes the tables. */
static enum st
add_file(struct database *database, const char *path, size_t number,
         struct err *err)
{
    struct text sql = {0}, file = {0};
    size_t length;
    const int64_t run = reader_split_path(path, &length);
    enum st st;

    text_addf(&file, "%.*s", (int)length, path);
    text_add(&sql, "ATTACH ");
    add_quoted(&sql, text_string(&file));
    text_fini(&file);
    text_add(&sql, " AS file;");
    for (size_t i = 0; i < N_TABLES; i++) {
        const char *table = tables[i].table;

        if (number == 0) {
            text_addf(&sql,
                      "CREATE TABLE %s AS SELECT 0 AS number, * FROM file.%s "
                      "WHERE 0;",
                      table, table);
        }
        text_addf(&sql,
                  "INSERT INTO main.%s SELECT %zu, * FROM file.%s WHERE "
                  "%" PRId64 " IN (0, run) AND %s;",
                  table, number, table, run, tables[i].condition);
    }
    text_add(&sql, "DETACH file;");
    st = database_run(database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

/* Removes the runs that were repeated, or did not complete. */
static enum st
keep_newest(struct database *database, struct err *err)
{
    struct text sql = {0};
    enum st st;

    text_add(&sql, "DELETE FROM runs WHERE number NOT IN (SELECT max(number) "
                   "FROM runs GROUP BY key);");
    for (size_t i = 1; i < N_TABLES; i++) {
        text_addf(&sql,
                  "DELETE FROM %s WHERE number NOT IN (SELECT number FROM "
                  "runs);",
                  tables[i].table);
    }
    st = database_run(database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

enum st
run_database_of_paths(const char *const *paths, size_t n,
                      struct database **database, struct err *err)
{
    struct database *made;
    enum st st = database_create_temporary(&made, err);

    if (st) {
        return st;
    }
    for (size_t i = 0; !st && i < n; i++) {
        st = add_file(made, paths[i], i, err);
    }
    st = st ? st : keep_newest(made, err);
    if (st) {
        database_close(made);
        return st;
    }
    *database = made;
    return ST_OK;
}

enum st
run_database_of_name(const char *folder, const char *name,
                     struct database **database, struct err *err)
{
    struct run_files files;
    const char **paths;
    size_t n = 0;
    enum st st = run_files_load(folder, &files, err);

    if (st) {
        return st;
    }
    paths = check_malloc((files.n + 1) * sizeof *paths);
    /* The oldest first. */
    for (size_t i = 0; i < files.n; i++) {
        if (!strcmp(files.list[i].name, name)) {
            paths[n++] = files.list[i].path;
        }
    }
    if (n) {
        st = run_database_of_paths(paths, n, database, err);
    } else {
        st = err_set(err, ST_NOT_FOUND, "runs",
                     "there are no runs of '%s' in %s", name, folder);
        err_set_remedy(err, "name their folder by --results FOLDER");
    }
    free(paths);
    run_files_fini(&files);
    return st;
}
