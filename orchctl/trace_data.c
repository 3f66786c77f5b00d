/* SPDX-License-Identifier: Apache-2.0 */

/* Computes the tables of figures from the table of a trace. */

#include <config.h>

#include "orchctl/trace_data.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "results/database.h"

/* Of the time of a figure: narrower than a pixel. */
enum { PARTS = 2000 };

/* How many times what is held a threshold may be to be drawn. */
#define FAR "5.0"

/* --- Time ---------------------------------------------------------------- */

static const struct unit {
    const char *name;
    double ps;
} units[] = {{"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};

enum { N_UNITS = sizeof units / sizeof *units };

/* Reads a time such as "2.5ms" from '*text', and moves behind it. */
static bool
read_time(const char **text, int64_t *ps)
{
    char *end;
    const double number = strtod(*text, &end);
    size_t i = 0;

    while (i < N_UNITS &&
           strncmp(end, units[i].name, strlen(units[i].name)) != 0) {
        i++;
    }
    if (end == *text || i == N_UNITS || !isfinite(number) || number < 0 ||
        number * units[i].ps > 9e18) {
        return false;
    }
    *text = end + strlen(units[i].name);
    *ps = (int64_t)(number * units[i].ps + 0.5);
    return true;
}

/* Reads the window. */
static enum st
read_window(const char *window, struct trace_data_time *time, struct err *err)
{
    const char *text = window;
    int64_t to_ps = 0;
    bool good = read_time(&text, &time->from_ps) && !strncmp(text, "..", 2);

    text += good ? 2 : 0;
    good = good && read_time(&text, &to_ps) && !*text && to_ps > time->from_ps;
    if (!good) {
        err_set(err, ST_INVALID, "usage", "--window '%s' is not FROM..TO",
                window);
        err_set_field(err, "window", window, "such as 10us..2.5ms");
        return ST_INVALID;
    }
    if (time->from_ps >= time->to_ps) {
        return err_set(err, ST_INVALID, "usage",
                       "--window %s begins after the end of the trace at "
                       "%.3f us",
                       window, (double)time->to_ps * 1e-6);
    }
    time->to_ps = to_ps < time->to_ps ? to_ps : time->to_ps;
    return ST_OK;
}

/* Chooses the range and the unit of time. */
static enum st
choose_time(struct database *database, const struct trace_data_choice *choice,
            struct trace_data_time *time, struct err *err)
{
    size_t unit = N_UNITS - 1;
    enum st st = ST_OK;

    time->from_ps = 0;
    time->to_ps = database_number(
        database, "SELECT max(t) FROM trace WHERE event = 'end'", 0);
    if (choice->window) {
        st = read_window(choice->window, time, err);
    }
    if (!st && time->to_ps == time->from_ps) {
        st = err_set(err, ST_INVALID, "empty",
                     "no simulated time passes in the trace");
    }
    /* At least 20 units, so that labels are short. */
    while (unit &&
           (double)(time->to_ps - time->from_ps) < 20 * units[unit].ps) {
        unit--;
    }
    time->unit = units[unit].name;
    time->unit_ps = units[unit].ps;
    return st;
}

/* --- Levels -------------------------------------------------------------- */

struct sample {
    int64_t t_ps;
    double held, threshold, drop_limit; /* NAN: none. */
};

/* Writes a curve, thinned. */
struct curve {
    struct query *insert;
    const struct trace_data_time *time;
    const char *object;
    size_t position;
    int64_t part; /* Of the samples below. */
    unsigned int n;
    struct sample first, low, high, last;
};

static void
set_real(struct query *query, int i, double value)
{
    if (isnan(value)) {
        query_set_null(query, i);
    } else {
        query_set_real(query, i, value);
    }
}

static enum st
insert_sample(const struct curve *curve, const struct sample *sample,
              struct err *err)
{
    struct query *insert = curve->insert;

    query_set_text(insert, 1, curve->object);
    query_set_number(insert, 2, (int64_t)curve->position);
    query_set_real(insert, 3, (double)sample->t_ps / curve->time->unit_ps);
    set_real(insert, 4, sample->held);
    set_real(insert, 5, sample->threshold);
    set_real(insert, 6, sample->drop_limit);
    return query_execute(insert, err);
}

/* Writes the samples of a part in the order of time. */
static enum st
flush(struct curve *curve, struct err *err)
{
    const bool low_first = curve->low.t_ps <= curve->high.t_ps;
    const struct sample *samples[] = {
        &curve->first, low_first ? &curve->low : &curve->high,
        low_first ? &curve->high : &curve->low, &curve->last};
    enum st st = ST_OK;

    for (unsigned int i = 0; !st && curve->n && i < 4; i++) {
        if (curve->n > 1 || i == 0) {
            st = insert_sample(curve, samples[i], err);
        }
    }
    curve->n = 0;
    return st;
}

static enum st
add_sample(struct curve *curve, const struct sample *sample, struct err *err)
{
    const double span =
        (double)(curve->time->to_ps - curve->time->from_ps) / PARTS;
    const int64_t part =
        (int64_t)((double)(sample->t_ps - curve->time->from_ps) / span);
    enum st st = ST_OK;

    if (part != curve->part) {
        st = flush(curve, err);
        curve->part = part;
    }
    if (!curve->n++) {
        curve->first = curve->low = curve->high = *sample;
    }
    if (sample->held < curve->low.held) {
        curve->low = *sample;
    }
    if (sample->held >= curve->high.held) {
        curve->high = *sample;
    }
    curve->last = *sample;
    return st;
}

/* Returns the row of 'query': t, shared, headroom, threshold, limit. */
static struct sample
read_sample(const struct query *query)
{
    const bool has_threshold = query_type(query, 3) != QUERY_NULL;
    const bool has_headroom =
        query_type(query, 4) == QUERY_NUMBER && query_number(query, 4) > 0;
    struct sample sample = {
        .t_ps = query_number(query, 0),
        .held = (double)(query_number(query, 1) + query_number(query, 2)),
        .threshold = has_threshold ? (double)query_number(query, 3) : NAN,
        .drop_limit = NAN};

    if (has_threshold && has_headroom) {
        sample.drop_limit = sample.threshold + (double)query_number(query, 4);
    }
    return sample;
}

/* Writes the curve of one object, from the level at the begin of the window to
 * its end. */
static enum st
make_curve(struct database *database, struct curve *curve, struct err *err)
{
    struct query *query = query_create(
        database, "SELECT t, shared, coalesce(headroom, 0), threshold,"
                  " headroom_limit FROM trace WHERE object = ?1 AND"
                  " event = 'level' ORDER BY rowid");
    struct sample now = {.threshold = NAN, .drop_limit = NAN};
    bool row = false, began = false;
    enum st st;

    query_set_text(query, 1, curve->object);
    while (!(st = query_next(query, &row, err)) && row) {
        const struct sample next = read_sample(query);

        if (next.t_ps >= curve->time->from_ps && !began) {
            now.t_ps = curve->time->from_ps;
            st = add_sample(curve, &now, err);
            began = true;
        }
        if (st || next.t_ps > curve->time->to_ps) {
            break;
        }
        now = next;
        if (began && (st = add_sample(curve, &now, err))) {
            break;
        }
    }
    query_finish(query);
    if (!st && !began) {
        now.t_ps = curve->time->from_ps;
        st = add_sample(curve, &now, err);
    }
    st = st ? st : flush(curve, err);
    now.t_ps = curve->time->to_ps;
    return st ? st : insert_sample(curve, &now, err);
}

/* Adds the points of one object in the window: those of the same kind that
 * would be on the same spot once.  A point is as high as the last level. */
static enum st
make_points(struct database *database, const struct curve *curve,
            struct err *err)
{
    struct query *query = query_create(
        database,
        "INSERT INTO points SELECT object, event, t / ?2, (SELECT shared +"
        " coalesce(headroom, 0) FROM trace l WHERE l.object = ?1 AND"
        " l.event = 'level' AND l.rowid < p.rowid ORDER BY l.rowid DESC"
        " LIMIT 1) FROM trace p WHERE object = ?1 AND event IN ('xoff', 'xon',"
        " 'drop', 'mark') AND t BETWEEN ?3 AND ?4 GROUP BY event, CASE WHEN"
        " event IN ('xoff', 'xon') THEN p.rowid ELSE CAST((t - ?3) * 500.0 /"
        " (?4 - ?3) AS INTEGER) END ORDER BY p.rowid");
    enum st st;

    query_set_text(query, 1, curve->object);
    query_set_real(query, 2, curve->time->unit_ps);
    query_set_number(query, 3, curve->time->from_ps);
    query_set_number(query, 4, curve->time->to_ps);
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

/* Returns whether 'sql' has a row for 'object'. */
static bool
has_object(struct database *database, const char *sql, const char *object)
{
    struct query *query = query_create(database, sql);
    struct err unused;
    bool row = false;

    query_set_text(query, 1, object);
    if (query_next(query, &row, &unused)) {
        row = false;
    }
    query_finish(query);
    return row;
}

/* Stores the object that is drawn if none is chosen. */
static enum st
choose_object(struct database *database, struct text *object, struct err *err)
{
    static const char *const wishes[] = {
        "SELECT object FROM trace WHERE event = 'xoff' ORDER BY rowid LIMIT 1",
        "SELECT object FROM trace WHERE event = 'level' AND object LIKE 'pg %'"
        " ORDER BY shared + headroom DESC, rowid LIMIT 1",
        "SELECT object FROM trace WHERE event = 'level'"
        " ORDER BY shared DESC, rowid LIMIT 1"};
    enum st st = ST_OK;

    for (size_t i = 0; !st && !object->length && i < 3; i++) {
        struct query *query = query_create(database, wishes[i]);
        bool row = false;

        st = query_next(query, &row, err);
        if (!st && row) {
            text_add(object, query_text(query, 0));
        }
        query_finish(query);
    }
    return st || object->length
               ? st
               : err_set(err, ST_INVALID, "empty",
                         "the trace has no level: nothing was in the buffer");
}

/* Writes curve and points of 'object'. */
static enum st
draw_object(struct database *database, const struct trace_data_time *time,
            const char *object, size_t position, struct err *err)
{
    struct curve curve = {
        .insert = query_create(
            database, "INSERT INTO levels VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
        .time = time,
        .object = object,
        .position = position,
        .part = -1};
    enum st st = ST_OK;

    if (!has_object(database,
                    "SELECT 1 FROM trace WHERE object = ?1 AND"
                    " event = 'level'",
                    object)) {
        st = database_unknown(database,
                              "SELECT DISTINCT object FROM trace WHERE"
                              " event = 'level'",
                              "trace", "object", object, err);
    }
    st = st ? st : make_curve(database, &curve, err);
    query_finish(curve.insert);
    return st ? st : make_points(database, &curve, err);
}

/* Says in 'note' which thresholds or limits are far above the curves, and
 * removes them; 'column' is one of the two, called 'what'. */
static enum st
hide_far(struct database *database, const char *column, const char *what,
         struct text *note, struct err *err)
{
    struct text sql = {0};
    struct query *query;
    bool row = false;
    enum st st;

    text_addf(&sql,
              "SELECT object, min(%s) AS least FROM levels GROUP BY position"
              " HAVING least > " FAR " * (SELECT max(held) FROM levels)"
              " ORDER BY position",
              column);
    query = query_create(database, text_string(&sql));
    while (!(st = query_next(query, &row, err)) && row) {
        text_addf(note, "%s%s of %s: %.1f kB or more, not shown",
                  note->length ? "\n" : "", what, query_text(query, 0),
                  query_real(query, 1) / 1e3);
    }
    query_finish(query);
    text_clear(&sql);
    text_addf(&sql,
              "UPDATE levels SET %s = NULL WHERE position IN (SELECT position"
              " FROM levels GROUP BY position HAVING min(%s) > " FAR
              " * (SELECT max(held) FROM levels))",
              column, column);
    st = st ? st : database_run(database, text_string(&sql), err);
    text_fini(&sql);
    return st;
}

enum st
trace_data_levels(struct database *database,
                  const struct trace_data_choice *choice,
                  struct trace_data_time *time, struct text *note,
                  struct err *err)
{
    struct text object = {0};
    enum st st = choose_time(database, choice, time, err);

    st = st ? st
            : database_run(database,
                           "CREATE TABLE levels (object, position, t, held,"
                           " threshold, drop_limit); CREATE TABLE points"
                           " (object, kind, t, held)",
                           err);
    if (!st && !choice->n_objects) {
        st = choose_object(database, &object, err);
        st =
            st ? st : draw_object(database, time, text_string(&object), 0, err);
    }
    for (size_t i = 0; !st && i < choice->n_objects; i++) {
        st = draw_object(database, time, choice->objects[i], i, err);
    }
    text_fini(&object);
    st = st ? st : hide_far(database, "threshold", "threshold", note, err);
    return st ? st
              : hide_far(database, "drop_limit", "threshold + headroom", note,
                         err);
}

/* --- Spans --------------------------------------------------------------- */

/* The events that a time-line shows, by a name "PORT|INDEX" each: 'place'. */
#define MAKE_EDGES                                                             \
    "CREATE TABLE edges AS SELECT rowid AS id, t, event, CASE WHEN priority"   \
    " <> '' THEN substr(object, 6) || '|' || priority ELSE substr(object, 7)"  \
    " END AS place, CASE WHEN event LIKE 'tx_%' THEN 'sent' WHEN event LIKE"   \
    " 'rx_%' THEN 'received' WHEN event IN ('storm', 'restored') THEN 'storm'" \
    " ELSE 'deadlock' END AS kind, event IN ('tx_pause', 'rx_pause', 'storm'," \
    " 'deadlock') AS begins, reason FROM trace WHERE event IN ('tx_pause',"    \
    " 'tx_resume', 'rx_pause', 'rx_resume', 'storm', 'restored', 'deadlock',"  \
    " 'recovered')"

/* An edge that begins something lasts until the next one of its kind and place,
 * or the end of the window (?2); 'ends': it has such an edge. */
#define MAKE_WHOLE                                                             \
    "CREATE TABLE whole AS SELECT place, kind, t AS begin_ps, lead(t) OVER w"  \
    " AS end_ps, reason, begins FROM edges WINDOW w AS (PARTITION BY place,"   \
    " kind ORDER BY id)"

/* The words for kinds, in the order of the lanes of one place. */
#define MAKE_KINDS                                                             \
    "CREATE TABLE kinds (number, kind, word); INSERT INTO kinds VALUES"        \
    " (1, 'received', 'paused by peer'), (2, 'storm', 'storm'),"               \
    " (3, 'deadlock', 'deadlock'), (4, 'dropped', 'drops'),"                   \
    " (5, 'sent', 'pauses peer')"

#define MAKE_DROPS                                                             \
    "CREATE TABLE dropped AS SELECT t, substr(object, instr(object, ' ') + 1)" \
    " AS place FROM trace WHERE event = 'drop' AND substr(object,"             \
    " instr(object, ' ') + 1) IN (SELECT place FROM whole WHERE kind IN"       \
    " ('storm', 'deadlock'))"

/* Executes 'sql' with the limits of the window, ?1 and ?2, and the unit, ?3. */
static enum st
run_in_window(struct database *database, const char *sql,
              const struct trace_data_time *time, struct err *err)
{
    struct query *query = query_create(database, sql);
    enum st st;

    query_set_number(query, 1, time->from_ps);
    query_set_number(query, 2, time->to_ps);
    if (strstr(sql, "?3")) {
        query_set_real(query, 3, time->unit_ps);
    }
    st = query_execute(query, err);
    query_finish(query);
    return st;
}

/* Leaves only the places of the chosen objects. */
static enum st
keep_places(struct database *database, const struct trace_data_choice *choice,
            struct err *err)
{
    enum st st = database_run(database, "CREATE TABLE chosen (place)", err);

    for (size_t i = 0; !st && i < choice->n_objects; i++) {
        const char *object = choice->objects[i];
        const char *blank = strchr(object, ' ');
        struct query *query = query_create(
            database, "INSERT INTO chosen SELECT DISTINCT place FROM edges"
                      " WHERE place = ?1 OR substr(place, 1, length(?1) + 1) ="
                      " ?1 || '|'");

        query_set_text(query, 1, blank ? blank + 1 : object);
        st = query_execute(query, err);
        query_finish(query);
        if (!st && !database_number(database, "SELECT changes() > 0", 0)) {
            st = database_unknown(
                database, "SELECT DISTINCT 'queue ' || place FROM edges",
                "trace", "object", object, err);
        }
    }
    return st || !choice->n_objects
               ? st
               : database_run(database,
                              "DELETE FROM edges WHERE place NOT IN (SELECT"
                              " place FROM chosen)",
                              err);
}

/* Makes the tables of the figure from "whole" and "dropped". */
static enum st
make_lanes(struct database *database, const struct trace_data_time *time,
           struct err *err)
{
    enum st st = database_run(
        database,
        "CREATE TABLE lanes (lane INTEGER PRIMARY KEY, label, place, kind);"
        "CREATE TABLE spans (lane, kind, t0, t1, label);"
        "CREATE TABLE ticks (lane, t)",
        err);

    st = st ? st
            : run_in_window(
                  database,
                  "INSERT INTO lanes (label, place, kind) SELECT u.place || "
                  "'  ' || k.word, u.place, u.kind FROM (SELECT DISTINCT place,"
                  " kind FROM whole WHERE begins AND begin_ps <= ?2 AND"
                  " coalesce(end_ps, ?2) >= ?1 UNION SELECT place, 'dropped'"
                  " FROM dropped WHERE t BETWEEN ?1 AND ?2) u JOIN kinds k ON"
                  " k.kind = u.kind ORDER BY length(u.place), u.place,"
                  " k.number",
                  time, err);
    st = st ? st
            : run_in_window(
                  database,
                  "INSERT INTO spans SELECT l.lane, w.kind, max(begin_ps, ?1) /"
                  " ?3, min(coalesce(end_ps, ?2), ?2) / ?3, CASE WHEN w.kind ="
                  " 'storm' THEN 'action ' || reason || CASE WHEN end_ps <= ?2 "
                  "THEN"
                  " ', restored' ELSE '' END ELSE '' END FROM whole w JOIN"
                  " lanes l ON l.place = w.place AND l.kind = w.kind WHERE"
                  " begins AND begin_ps <= ?2 AND coalesce(end_ps, ?2) >= ?1",
                  time, err);
    return st ? st
              : run_in_window(
                    database,
                    "INSERT INTO ticks SELECT l.lane, min(t) / ?3 FROM dropped"
                    " d JOIN lanes l ON l.place = d.place AND l.kind ="
                    " 'dropped' WHERE t BETWEEN ?1 AND ?2 GROUP BY l.lane,"
                    " CAST((t - ?1) * 1000.0 / (?2 - ?1) AS INTEGER)",
                    time, err);
}

/* Checks how many lanes there are. */
static enum st
check_lanes(struct database *database, unsigned int *n_lanes, struct err *err)
{
    *n_lanes = (unsigned int)database_number(database,
                                             "SELECT count(*) FROM lanes", 0);
    if (!*n_lanes) {
        return err_set(err, ST_INVALID, "empty",
                       "the trace has no pause, storm or deadlock in this "
                       "time");
    }
    if (*n_lanes > TRACE_DATA_LANES_MAX) {
        err_set(err, ST_INVALID, "usage",
                "the time-line would have %u lanes; a figure has room for %d",
                *n_lanes, TRACE_DATA_LANES_MAX);
        err_set_remedy(err, "choose ports or queues, such as --object 'port "
                            "Ethernet0'");
        return ST_INVALID;
    }
    return ST_OK;
}

enum st
trace_data_spans(struct database *database,
                 const struct trace_data_choice *choice,
                 struct trace_data_time *time, unsigned int *n_lanes,
                 struct err *err)
{
    enum st st = choose_time(database, choice, time, err);

    st = st ? st : database_run(database, MAKE_EDGES "; " MAKE_KINDS, err);
    st = st ? st : keep_places(database, choice, err);
    st = st ? st : database_run(database, MAKE_WHOLE "; " MAKE_DROPS, err);
    st = st ? st : make_lanes(database, time, err);
    return st ? st : check_lanes(database, n_lanes, err);
}
