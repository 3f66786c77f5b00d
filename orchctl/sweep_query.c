/* SPDX-License-Identifier: Apache-2.0 */

/* Makes the queries of the tables about a sweep. */

#include <config.h>

#include "orchctl/sweep_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "results/database.h"
#include "results/sweep_data.h"

const char sweep_query_measurements[] =
    "SELECT snapshot || ':' || object || ':' || name AS measurement, count(*)"
    " AS runs, min(value) AS lowest, max(value) AS highest FROM measurements"
    " GROUP BY snapshot, object, name ORDER BY min(rowid)";

/* Appends 'string' as text of SQL. */
static void
add_sql_text(struct text *sql, const char *string)
{
    text_add_char(sql, '\'');
    for (; *string; string++) {
        text_add(sql, *string == '\'' ? "'" : "");
        text_add_char(sql, *string);
    }
    text_add_char(sql, '\'');
}

/* Appends 'string' as a name of SQL. */
static void
add_sql_name(struct text *sql, const char *string)
{
    text_add_char(sql, '"');
    for (; *string; string++) {
        text_add(sql, *string == '"' ? "\"" : "");
        text_add_char(sql, *string);
    }
    text_add_char(sql, '"');
}

/* Appends a column for each parameter. */
static enum st
add_params(struct database *database, struct text *sql, struct err *err)
{
    struct query *query = query_create(
        database, "SELECT name FROM params GROUP BY name ORDER BY min(rowid)");
    bool row = false;
    enum st st;

    while (!(st = query_next(query, &row, err)) && row) {
        text_add(sql, ", (SELECT value FROM params p WHERE p.run = r.run AND "
                      "p.name = ");
        add_sql_text(sql, query_text(query, 0));
        text_add(sql, ") AS ");
        add_sql_name(sql, query_text(query, 0));
    }
    query_finish(query);
    return st;
}

/* Appends a column for measurement 'measure', which exists. */
static void
add_measure(struct text *sql, const char *measure)
{
    const char *first = strchr(measure, ':');
    const char *second = strchr(first + 1, ':');
    char *snapshot = check_strdup(measure), *object = check_strdup(first + 1);

    snapshot[first - measure] = '\0';
    object[second - first - 1] = '\0';
    text_add(sql, ", (SELECT value FROM measurements m WHERE m.run = r.run AND "
                  "m.snapshot = ");
    add_sql_text(sql, snapshot);
    text_add(sql, " AND m.object = ");
    add_sql_text(sql, object);
    text_add(sql, " AND m.name = ");
    add_sql_text(sql, second + 1);
    text_add(sql, " LIMIT 1) AS ");
    add_sql_name(sql, measure);
    free(snapshot);
    free(object);
}

enum st
sweep_query_runs(struct database *database, const json_t *measures,
                 const char *first, const char *last, struct text *sql,
                 struct err *err)
{
    enum st st;
    json_t *measure;
    size_t i;

    text_addf(sql, "SELECT %s", first);
    st = add_params(database, sql, err);
    json_array_foreach(measures, i, measure)
    {
        st = st ? st
                : sweep_data_check_measure(database, json_string_value(measure),
                                           err);
        if (!st) {
            add_measure(sql, json_string_value(measure));
        }
    }
    text_addf(sql, ", %s, " SWEEP_DATA_REASON_SQL " FROM runs r ORDER BY run",
              last);
    return st;
}

enum st
sweep_query_changing(struct database *database, size_t most, json_t **measures,
                     size_t *n, struct err *err)
{
    struct query *query = query_create(
        database,
        "SELECT measurement FROM (SELECT snapshot || ':' || object || ':' ||"
        " name AS measurement, min(rowid) AS place, min(value) AS low,"
        " max(value) AS high FROM measurements GROUP BY snapshot, object, name)"
        " WHERE low < high ORDER BY place");
    bool row = false;
    enum st st;

    *measures = json_array();
    *n = 0;
    while (!(st = query_next(query, &row, err)) && row) {
        if ((*n)++ < most) {
            json_array_append_new(*measures, json_string(query_text(query, 0)));
        }
    }
    query_finish(query);
    return st;
}
