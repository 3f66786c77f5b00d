/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the runs of a sweep. */

#include <config.h>

#include "results/sweep.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "results/database.h"
#include "results/schema.h"

struct sweep_writer {
    struct database *database;
    struct query *runs, *params, *measurements, *verdicts;
    char *version, *started;
    int64_t number; /* Of the run. */
    enum st st;     /* The first error. */
    struct err err;
};

static void
execute(struct sweep_writer *writer, struct query *query)
{
    if (!writer->st) {
        writer->st = query_execute(query, &writer->err);
    }
}

enum st
sweep_writer_create(const char *path, const char *version, const char *started,
                    struct sweep_writer **result, struct err *err)
{
    struct database *database = NULL;
    struct sweep_writer *writer;
    enum st st = database_create(path, &database, err);

    st = st ? st : schema_make(database, err);
    if (st) {
        database_close(database);
        return st;
    }
    writer = check_calloc(1, sizeof *writer);
    writer->database = database;
    writer->version = check_strdup(version);
    writer->started = check_strdup(started);
    writer->runs = schema_insert(database, SCHEMA_TABLE_runs);
    writer->params = schema_insert(database, SCHEMA_TABLE_params);
    writer->measurements = schema_insert(database, SCHEMA_TABLE_measurements);
    writer->verdicts = schema_insert(database, SCHEMA_TABLE_verdicts);
    *result = writer;
    return ST_OK;
}

void
sweep_writer_run(struct sweep_writer *writer, const struct sweep_run *run)
{
    struct query *query = writer->runs;
    struct text key = {0};

    writer->number++;
    text_addf(&key, "%s#%lld", run->name, (long long)writer->number);
    query_set_number(query, 1, writer->number);
    query_set_text(query, 2, text_string(&key));
    query_set_text(query, 3, run->name);
    query_set_text(query, 4, run->path);
    query_set_text(query, 5, run->scenario);
    query_set_number(query, 6, run->repetition);
    query_set_text(query, 7, writer->version);
    query_set_text(query, 8, writer->started);
    query_set_text(query, 9, run->state);
    query_set_text(query, 10, run->reason);
    if (run->virtual_ps >= 0) {
        query_set_number(query, 11, run->virtual_ps);
    }
    if (run->packets >= 0) {
        query_set_number(query, 13, run->packets);
    }
    query_set_number(query, 17, run->wall_ns);
    query_set_text(query, 19, run->chip);
    execute(writer, query);
    text_fini(&key);
}

void
sweep_writer_param(struct sweep_writer *writer, const char *name,
                   const char *value)
{
    query_set_number(writer->params, 1, writer->number);
    query_set_text(writer->params, 2, name);
    query_set_text(writer->params, 3, value);
    execute(writer, writer->params);
}

void
sweep_writer_measurement(struct sweep_writer *writer, const char *snapshot,
                         int64_t t_ps, const char *object, const char *name,
                         int64_t value)
{
    struct query *query = writer->measurements;

    query_set_number(query, 1, writer->number);
    query_set_text(query, 2, snapshot);
    if (t_ps >= 0) {
        query_set_number(query, 3, t_ps);
    }
    query_set_text(query, 4, object);
    query_set_text(query, 5, name);
    query_set_number(query, 6, value);
    execute(writer, query);
}

void
sweep_writer_verdict(struct sweep_writer *writer, uint32_t number,
                     const char *text, bool passed, int64_t value)
{
    struct query *query = writer->verdicts;

    query_set_number(query, 1, writer->number);
    query_set_number(query, 2, number);
    query_set_text(query, 3, text);
    query_set_number(query, 4, passed);
    query_set_number(query, 5, 1);
    query_set_real(query, 6, (double)value);
    execute(writer, query);
}

enum st
sweep_writer_finish(struct sweep_writer *writer, struct err *err)
{
    enum st st = writer->st;

    if (st) {
        *err = writer->err;
    } else {
        /* One file, without a log beside it, that can be copied. */
        st = database_run(
            writer->database,
            SCHEMA_SWEEP_INDEXES "COMMIT; PRAGMA journal_mode = DELETE", err);
    }
    query_finish(writer->runs);
    query_finish(writer->params);
    query_finish(writer->measurements);
    query_finish(writer->verdicts);
    database_close(writer->database);
    free(writer->version);
    free(writer->started);
    free(writer);
    return st;
}
