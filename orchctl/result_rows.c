/* SPDX-License-Identifier: Apache-2.0 */

/* Results as rows. */

#include <config.h>

#include "orchctl/result_rows.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "orchctl/member.h"
#include "results/csv.h"

/* Calls 'function' for the counters of one snapshot. */
static void
each_counter(const json_t *step, result_rows_measurement_fn *function,
             void *context)
{
    json_t *objects = json_object_get(step, "objects"), *stats, *value;
    const json_t *time = json_object_get(step, "time_ps");
    const char *object, *name;

    json_object_foreach(objects, object, stats)
    {
        json_object_foreach(stats, name, value)
        {
            const struct result_measurement one = {
                .snapshot = member_text(step, "snapshot"),
                .t_ps = time ? json_integer_value(time) : -1,
                .object = object,
                .name = name,
                .value = json_integer_value(value)};

            function(context, &one);
        }
    }
}

void
result_rows_measurements(const json_t *result,
                         result_rows_measurement_fn *function, void *context)
{
    json_t *step;
    size_t i;

    json_array_foreach(json_object_get(result, "steps"), i, step)
    {
        if (*member_text(step, "snapshot")) {
            each_counter(step, function, context);
        }
    }
}

void
result_rows_claims(const json_t *result, result_rows_claim_fn *function,
                   void *context)
{
    json_t *step, *claim;
    unsigned int number = 0;
    size_t i, k;

    json_array_foreach(json_object_get(result, "steps"), i, step)
    {
        json_array_foreach(json_object_get(step, "claims"), k, claim)
        {
            function(context, number++, claim);
        }
    }
}

/* --- CSV ----------------------------------------------------------------- */

/* Implements result_rows_measurement_fn: stores the value by its column. */
static void
collect(void *context, const struct result_measurement *one)
{
    struct text column = {0};

    text_addf(&column, "%s:%s:%s", one->snapshot, one->object, one->name);
    json_object_set_new(context, text_string(&column),
                        json_integer(one->value));
    text_fini(&column);
}

/* Returns the names of all columns as the keys of an object. */
static json_t *
columns_of(const json_t *results, bool params)
{
    json_t *columns = json_object(), *result;
    size_t i;

    json_array_foreach(results, i, result)
    {
        if (params) {
            json_object_update_missing(columns,
                                       json_object_get(result, "params"));
        } else {
            result_rows_measurements(result, collect, columns);
        }
    }
    return columns;
}

/* Writes the members of 'row' that 'columns' names, or the names themselves. */
static void
write_members(const json_t *columns, const json_t *row, FILE *file)
{
    const char *name;
    json_t *unused;

    json_object_foreach((json_t *)(uintptr_t)columns, name, unused)
    {
        const json_t *value = row ? json_object_get(row, name) : NULL;

        putc(',', file);
        if (!row) {
            csv_write_text(name, file);
        } else if (json_is_string(value)) {
            csv_write_text(json_string_value(value), file);
        } else if (value) {
            fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        }
    }
}

/* Writes a line of results. */
static void
write_line(const json_t *result, size_t number, const json_t *params,
           const json_t *columns, FILE *file)
{
    static const char *const known[] = {"time_ps", "packets"};
    json_t *row = json_object();

    fprintf(file, "%zu,", number);
    csv_write_text(member_text(result, "name"), file);
    putc(',', file);
    csv_write_text(member_text(result, "file"), file);
    fprintf(file, ",%lld",
            json_object_get(result, "repetition")
                ? member_number(result, "repetition")
                : 1);
    write_members(params, json_object_get(result, "params"), file);
    fprintf(file, ",%s,", member_text(result, "outcome"));
    csv_write_text(member_text(result, "reason"), file);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const json_t *value = json_object_get(result, known[i]);

        putc(',', file);
        if (value) {
            fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        }
    }
    fprintf(file, ",%.3f",
            json_real_value(json_object_get(result, "milliseconds")));
    result_rows_measurements(result, collect, row);
    write_members(columns, row, file);
    putc('\n', file);
    json_decref(row);
}

void
result_rows_csv(const json_t *results, FILE *file)
{
    json_t *params = columns_of(results, true);
    json_t *columns = columns_of(results, false), *result;
    size_t i;

    fputs("run,name,file,repetition", file);
    write_members(params, NULL, file);
    fputs(",outcome,reason,time_ps,packets,milliseconds", file);
    write_members(columns, NULL, file);
    putc('\n', file);
    json_array_foreach(results, i, result)
    {
        write_line(result, i + 1, params, columns, file);
    }
    json_decref(params);
    json_decref(columns);
}

/* --- JSON lines ---------------------------------------------------------- */

/* Implements result_rows_claim_fn. */
static void
add_verdict(void *context, unsigned int number, const json_t *claim)
{
    (void)number;
    json_array_append(context, (json_t *)(uintptr_t)claim);
}

/* Implements result_rows_measurement_fn. */
static void
add_measurement(void *context, const struct result_measurement *one)
{
    json_t *snapshot = json_object_get(context, one->snapshot), *object;

    if (!snapshot) {
        snapshot = json_object();
        json_object_set_new(context, one->snapshot, snapshot);
    }
    object = json_object_get(snapshot, one->object);
    if (!object) {
        object = json_object();
        json_object_set_new(snapshot, one->object, object);
    }
    json_object_set_new(object, one->name, json_integer(one->value));
}

void
result_rows_json(const json_t *results, FILE *file)
{
    static const char *const members[] = {
        "name",   "file",    "params",  "repetition",   "outcome",
        "reason", "time_ps", "packets", "milliseconds", "chip",
    };
    json_t *result;
    size_t i;

    json_array_foreach(results, i, result)
    {
        json_t *line = json_pack("{s:I}", "run", (json_int_t)i + 1);
        json_t *measurements = json_object(), *verdicts = json_array();

        for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
            json_t *value = json_object_get(result, members[k]);

            if (value) {
                json_object_set(line, members[k], value);
            }
        }
        result_rows_measurements(result, add_measurement, measurements);
        result_rows_claims(result, add_verdict, verdicts);
        json_object_set_new(line, "measurements", measurements);
        json_object_set_new(line, "verdicts", verdicts);
        (void)json_dumpf(line, file, JSON_COMPACT);
        putc('\n', file);
        json_decref(line);
    }
}
