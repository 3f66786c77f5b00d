/* SPDX-License-Identifier: Apache-2.0 */

/* Makes, fills and recognizes results files. */

#include <config.h>

#include "results/schema.h"

#include <string.h>

#include "base/text.h"
#include "results/database.h"

enum st
schema_check(struct database *database, const char *path, struct err *err)
{
    const int64_t id = database_number(database, "PRAGMA application_id", -1);
    const int64_t version = database_number(database, "PRAGMA user_version", 0);

    if (id != SCHEMA_APPLICATION_ID) {
        return err_set(err, ST_INVALID, "not-results",
                       "%s is not a results file of orchlab or orchctl", path);
    }
    if (version > SCHEMA_VERSION) {
        err_set(err, ST_UNSUPPORTED, "newer",
                "%s has version %lld of the results format; this program reads "
                "up to %d",
                path, (long long)version, SCHEMA_VERSION);
        err_set_remedy(err, "use the program that wrote it");
        return ST_UNSUPPORTED;
    }
    return ST_OK;
}

enum st
schema_make(struct database *database, struct err *err)
{
    struct text sql = {0};
    enum st st;

    text_addf(&sql,
              SCHEMA_RECORDING
              "BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d;",
              SCHEMA_APPLICATION_ID, SCHEMA_VERSION);
#define X(table, columns)                                                      \
    text_add(&sql, "CREATE TABLE " #table " (" columns ");");
    SCHEMA_TABLES(X)
#undef X
#define X(view, select) text_add(&sql, "CREATE VIEW " #view " AS " select ";");
    SCHEMA_VIEWS(X)
#undef X
    text_add(&sql, SCHEMA_INDEXES);
    st = database_run(database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

/* Returns the columns of 'table' and stores its name. */
static const char *
columns_of(enum schema_table table, const char **name)
{
    static const struct {
        const char *name, *columns;
    } tables[] = {
#define X(table, columns) {#table, columns},
        SCHEMA_TABLES(X)
#undef X
    };

    *name = tables[table].name;
    return tables[table].columns;
}

struct query *
schema_insert(struct database *database, enum schema_table table)
{
    const char *name;
    const char *columns = columns_of(table, &name);
    struct text sql = {0};
    struct query *query;

    text_addf(&sql, "INSERT INTO %s VALUES (?", name);
    for (const char *c = columns; *c; c++) {
        text_add(&sql, *c == ',' ? ", ?" : "");
    }
    text_add_char(&sql, ')');
    query = query_create(database, text_string(&sql));
    text_fini(&sql);
    return query;
}

void
schema_add_columns(struct text *text, enum schema_table table)
{
    const char *name;
    const char *columns = strchr(columns_of(table, &name), ',');

    while (columns) {
        columns += strspn(columns, ", ");
        text_addf(text, ", %.*s", (int)strcspn(columns, " "), columns);
        columns = strchr(columns, ',');
    }
}
