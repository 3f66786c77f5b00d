/* SPDX-License-Identifier: Apache-2.0 */

/* Reads sweeps with SQL. */

#include <config.h>

#include "results/sweep_data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "results/database.h"
#include "results/schema.h"

/* The measurement of "SNAPSHOT:OBJECT:COUNTER" in parameters 1 to 3 of SQL. */
#define IS_MEASURE                                                             \
    "(?1 = '*' OR m.snapshot = ?1) AND m.object = ?2 AND m.name = ?3"

enum st
sweep_data_open(const char *path, struct database **result, struct err *err)
{
    struct database *database = NULL;
    enum st st = database_open(path, false, &database, err);

    st = st ? st : schema_check(database, path, err);
    if (!st &&
        !database_number(database,
                         "SELECT count(*) FROM sqlite_master WHERE name ="
                         " 'verdicts_by_run'",
                         0)) {
        st = err_set(err, ST_INVALID, "no-sweep",
                     "%s has no results of a sweep of orchctl", path);
        err_set_remedy(err, "make it by breakpoint run --results; orchlab show "
                            "reads those of orchlab");
    }
    if (st) {
        database_close(database);
        return st;
    }
    *result = database;
    return ST_OK;
}

const char *
sweep_data_short(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot + 1 : name;
}

/* Returns whether 'query' has a row, and ends it. */
static bool
has_row(struct query *query)
{
    struct err err;
    bool row = false;

    if (query_next(query, &row, &err)) {
        row = false;
    }
    query_finish(query);
    return row;
}

enum st
sweep_data_check_param(struct database *database, const char *name,
                       struct err *err)
{
    struct query *query =
        query_create(database, "SELECT 1 FROM params WHERE name = ?1");

    query_set_text(query, 1, name);
    return has_row(query)
               ? ST_OK
               : database_unknown(database, "SELECT DISTINCT name FROM params",
                                  "sweep", "parameter", name, err);
}

/* Splits a measurement into three; false: it has no two colons.  An object has
 * none. */
static bool
split(const char *measure, char **snapshot, char **object, char **name)
{
    char *copy = check_strdup(measure);
    char *first = strchr(copy, ':');
    char *second = first ? strchr(first + 1, ':') : NULL;

    if (!second) {
        free(copy);
        return false;
    }
    *first = *second = '\0';
    *snapshot = copy;
    *object = first + 1;
    *name = second + 1;
    return true;
}

/* Sets parameters 1 to 3; false: 'measure' is not one. */
static bool
bind(struct query *query, const char *measure)
{
    char *snapshot, *object, *name;

    if (!split(measure, &snapshot, &object, &name)) {
        return false;
    }
    query_set_text(query, 1, snapshot);
    query_set_text(query, 2, object);
    query_set_text(query, 3, name);
    free(snapshot);
    return true;
}

enum st
sweep_data_check_measure(struct database *database, const char *measure,
                         struct err *err)
{
    struct query *query = query_create(
        database, "SELECT 1 FROM measurements m WHERE " IS_MEASURE " LIMIT 1");

    if (!bind(query, measure)) {
        query_finish(query);
        err_set(err, ST_INVALID, "usage", "'%s' is not SNAPSHOT:OBJECT:COUNTER",
                measure);
        err_set_remedy(err, "for example 'paused:pg Ethernet0|3:shared_bytes'; "
                            "sweep show FILE --list lists them");
        return ST_INVALID;
    }
    return has_row(query)
               ? ST_OK
               : database_unknown(database,
                                  "SELECT DISTINCT snapshot || ':' || object ||"
                                  " ':' || name FROM measurements",
                                  "sweep", "measurement", measure, err);
}

/* Returns what tells 'measure' from the other measurements: its snapshot, if
 * that alone differs.  The caller frees it. */
static char *
make_label(const struct sweep_data_choice *choice, const char *measure)
{
    const char *rest = strchr(measure, ':');
    bool same = rest != NULL;

    for (size_t i = 0; same && i < choice->n_measures; i++) {
        const char *other = strchr(choice->measures[i], ':');

        same = other && !strcmp(other, rest);
    }
    return same ? strndup(measure, (size_t)(rest - measure))
                : check_strdup(measure);
}

/* Adds the points of one measurement.  The curve is its name, or the value of
 * 'by', or both. */
static enum st
add_points(struct database *database, const struct sweep_data_choice *choice,
           const char *measure, struct err *err)
{
    struct query *query = query_create(
        database,
        "INSERT INTO points SELECT m.run,"
        " CASE WHEN ?6 = '' THEN ?7 ELSE ?7 || ?8 || coalesce((SELECT value"
        " FROM params p WHERE p.run = m.run AND p.name = ?6), '') END,"
        " CASE WHEN ?5 = '" SWEEP_DATA_TIME "' THEN m.t_ps * 1e-6 ELSE"
        " (SELECT CAST(value AS REAL) FROM params p WHERE p.run = m.run AND"
        " p.name = ?5) END, m.value, (SELECT state FROM runs r WHERE r.run ="
        " m.run), (SELECT CAST(value AS REAL) FROM params p WHERE p.run ="
        " m.run AND p.name = ?6), ?4 FROM measurements m WHERE " IS_MEASURE);
    const bool many = choice->n_measures > 1;
    char *label = make_label(choice, measure);
    struct text by = {0};
    enum st st;

    orch_assert(bind(query, measure));
    text_addf(&by, "%s%s ", many ? ", " : "",
              choice->by ? sweep_data_short(choice->by) : "");
    query_set_text(query, 4, measure);
    query_set_text(query, 5, choice->x);
    query_set_text(query, 6, choice->by ? choice->by : "");
    query_set_text(query, 7, many || !choice->by ? label : "");
    query_set_text(query, 8, text_string(&by));
    st = query_execute(query, err);
    query_finish(query);
    text_fini(&by);
    free(label);
    return st;
}

/* Checks that the parameter of the x axis has numbers. */
static enum st
check_numbers(struct database *database, const char *x, struct err *err)
{
    struct query *query = query_create(
        database, "SELECT value FROM params WHERE name = ?1 AND value GLOB"
                  " '*[^-0-9.]*' LIMIT 1");

    query_set_text(query, 1, x);
    return has_row(query)
               ? err_set(err, ST_INVALID, "usage",
                         "the values of '%s' are not numbers: use it with "
                         "--by, and another parameter with --x",
                         x)
               : ST_OK;
}

enum st
sweep_data_points(struct database *database,
                  const struct sweep_data_choice *choice, struct err *err)
{
    enum st st = ST_OK;

    if (strcmp(choice->x, SWEEP_DATA_TIME) != 0) {
        st = sweep_data_check_param(database, choice->x, err);
        st = st ? st : check_numbers(database, choice->x, err);
    }
    if (!st && choice->by) {
        st = sweep_data_check_param(database, choice->by, err);
    }
    for (size_t i = 0; !st && i < choice->n_measures; i++) {
        st = sweep_data_check_measure(database, choice->measures[i], err);
    }
    st = st ? st
            : database_run(database,
                           "CREATE TEMP TABLE points (run, curve, x, y, state,"
                           " by_number, measure)",
                           err);
    for (size_t i = 0; !st && i < choice->n_measures; i++) {
        st = add_points(database, choice, choice->measures[i], err);
    }
    return st;
}
