/* SPDX-License-Identifier: Apache-2.0 */

/* Writes results as SQLite, CSV and JSON lines. */

#include <config.h>

#include "orchctl/result_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "orchctl/member.h"
#include "orchctl/result_rows.h"
#include "results/sweep.h"

enum format { FORMAT_SQLITE, FORMAT_CSV, FORMAT_JSONL, N_FORMATS };

static const char *const suffixes[] = {".sqlite", ".csv", ".jsonl"};

struct result_file {
    const char *path; /* Borrowed. */
    enum format format;
    FILE *file;                  /* FORMAT_CSV and FORMAT_JSONL. */
    struct sweep_writer *writer; /* FORMAT_SQLITE. */
};

struct result_files {
    struct result_file *list;
    size_t n;
};

static enum format
format_of(const char *path)
{
    size_t i = 0;

    while (i < N_FORMATS) {
        const size_t length = strlen(path), suffix = strlen(suffixes[i]);

        if (length > suffix && !strcmp(path + length - suffix, suffixes[i])) {
            break;
        }
        i++;
    }
    return (enum format)i;
}

/* Adds what to do about a file that exists. */
static enum st
fail_exists(const char *path, struct err *err)
{
    err_set(err, ST_EXISTS, "exists", "%s exists", path);
    err_set_remedy(err, "choose another name, or remove it");
    return ST_EXISTS;
}

static enum st
open_file(struct result_file *file, struct err *err)
{
    char started[32];
    const time_t now = time(NULL);
    struct tm utc;

    file->format = format_of(file->path);
    if (file->format == N_FORMATS) {
        (void)err_set(err, ST_INVALID, "usage",
                      "--results %s: the suffix chooses the format",
                      file->path);
        err_set_field(err, "results", file->path, ".sqlite, .csv, .jsonl");
        return ST_INVALID;
    }
    if (file->format == FORMAT_SQLITE) {
        enum st st;

        (void)strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ",
                       gmtime_r(&now, &utc));
        st = sweep_writer_create(file->path, PACKAGE_VERSION, started,
                                 &file->writer, err);
        return st == ST_EXISTS ? fail_exists(file->path, err) : st;
    }
    file->file = fopen(file->path, "wxe");
    if (file->file) {
        return ST_OK;
    }
    return errno == EEXIST
               ? fail_exists(file->path, err)
               : err_set(err, ST_IO, "unwritable", "cannot create '%s': %s",
                         file->path, strerror(errno));
}

enum st
result_files_open(const json_t *paths, struct result_files **result,
                  struct err *err)
{
    const size_t n = json_array_size(paths);
    struct result_files *files = check_calloc(1, sizeof *files);
    enum st st = ST_OK;

    files->list = check_calloc(n + 1, sizeof *files->list);
    for (size_t i = 0; !st && i < n; i++) {
        files->list[i].path = json_string_value(json_array_get(paths, i));
        st = open_file(&files->list[i], err);
        files->n += !st;
    }
    if (st) {
        struct err unused;

        (void)!result_files_close(files, &unused);
        return st;
    }
    *result = files;
    return ST_OK;
}

/* --- SQLite -------------------------------------------------------------- */

/* Implements result_rows_measurement_fn. */
static void
store_measurement(void *context, const struct result_measurement *one)
{
    sweep_writer_measurement(context, one->snapshot, one->t_ps, one->object,
                             one->name, one->value);
}

/* Implements result_rows_claim_fn. */
static void
store_verdict(void *context, unsigned int number, const json_t *claim)
{
    struct text text = {0};

    text_addf(&text, "%s %s", member_text(claim, "claim"),
              member_text(claim, "expected"));
    sweep_writer_verdict(context, number, text_string(&text),
                         json_is_true(json_object_get(claim, "passed")),
                         member_number(claim, "seen"));
    text_fini(&text);
}

/* Returns the text of 'path', which the caller frees; NULL if it cannot be
 * read. */
static char *
read_scenario(const char *path)
{
    FILE *file = fopen(path, "re");
    struct text text = {0};
    char buffer[4096];
    size_t n;

    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        text_add_bytes(&text, buffer, n);
    }
    if (file) {
        fclose(file);
    }
    return file ? text_take(&text) : NULL;
}

static void
store(struct sweep_writer *writer, const json_t *results)
{
    const char *last = "";
    json_t *result, *value;
    const char *name;
    size_t i;

    json_array_foreach(results, i, result)
    {
        const char *path = member_text(result, "file");
        const json_t *time = json_object_get(result, "time_ps");
        const json_t *packets = json_object_get(result, "packets");
        /* The text of a file is in the first of its runs. */
        char *scenario = strcmp(path, last) != 0 ? read_scenario(path) : NULL;
        const json_int_t repetition = member_number(result, "repetition");

        sweep_writer_run(
            writer,
            &(struct sweep_run){
                .name = member_text(result, "name"),
                .path = path,
                .scenario = scenario,
                .chip = json_string_value(json_object_get(result, "chip")),
                .state = member_text(result, "outcome"),
                .reason = json_string_value(json_object_get(result, "reason")),
                .repetition = repetition ? (unsigned int)repetition : 1,
                .virtual_ps = time ? json_integer_value(time) : -1,
                .packets = packets ? json_integer_value(packets) : -1,
                .wall_ns = (int64_t)(json_real_value(json_object_get(
                                         result, "milliseconds")) *
                                     1e6),
            });
        json_object_foreach(json_object_get(result, "params"), name, value)
        {
            sweep_writer_param(writer, name, json_string_value(value));
        }
        result_rows_measurements(result, store_measurement, writer);
        result_rows_claims(result, store_verdict, writer);
        free(scenario);
        last = path;
    }
}

/* --- Files --------------------------------------------------------------- */

void
result_files_write(struct result_files *files, const json_t *results)
{
    for (size_t i = 0; i < files->n; i++) {
        switch (files->list[i].format) {
        case FORMAT_SQLITE:
            store(files->list[i].writer, results);
            break;
        case FORMAT_CSV:
            result_rows_csv(results, files->list[i].file);
            break;
        case FORMAT_JSONL:
        case N_FORMATS:
        default:
            result_rows_json(results, files->list[i].file);
            break;
        }
    }
}

/* Closes a file of text. */
static enum st
close_text(struct result_file *file, struct err *err)
{
    bool failed = fflush(file->file) != 0 || ferror(file->file);

    /* Of what did not fit, the last write has the reason. */
    if (failed) {
        (void)err_set(err, ST_IO, "unwritable", "cannot write '%s': %s",
                      file->path, strerror(errno));
    }
    if (fclose(file->file) != 0 && !failed) {
        failed = true;
        (void)err_set(err, ST_IO, "unwritable", "cannot write '%s': %s",
                      file->path, strerror(errno));
    }
    return failed ? ST_IO : ST_OK;
}

/* Closes one file.  It has all results, or is removed. */
static enum st
close_file(struct result_file *file, struct err *err)
{
    const enum st st = file->format == FORMAT_SQLITE
                           ? sweep_writer_finish(file->writer, err)
                           : close_text(file, err);

    if (st) {
        (void)unlink(file->path);
        err_set_remedy(err, "make room, and run again: the file could not "
                            "take the results, and was removed");
    }
    return st;
}

enum st
result_files_close(struct result_files *files, struct err *err)
{
    enum st first = ST_OK;

    for (size_t i = 0; files && i < files->n; i++) {
        struct err cause = {0};
        const enum st st = close_file(&files->list[i], &cause);

        if (st && !first) {
            first = st;
            *err = cause;
        }
    }
    if (files) {
        free(files->list);
        free(files);
    }
    return first;
}
