/* SPDX-License-Identifier: Apache-2.0 */

/* Checks, opens, writes and names the files of "breakpoint run". */

#include <config.h>

#include "orchctl/run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orchctl/json_file.h"
#include "orchctl/result_files.h"
#include "orchctl/sweep_plot.h"
#include "orchctl/trace_file.h"
#include "orchctl/trace_plot.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* Checks the option --trace-file. */
static enum st
check_trace(const struct invocation *invocation, struct err *err)
{
    const char *path = verb_option(invocation, "trace-file", NULL);

    if (!path) {
        return ST_OK;
    }
    if (verb_flag(invocation, "live")) {
        return err_set(err, ST_INVALID, "usage",
                       "--trace-file cannot be combined with --live: a trace "
                       "needs the simulated switch in this process");
    }
    if (verb_flag(invocation, "dry-run")) {
        return err_set(err, ST_INVALID, "usage",
                       "--trace-file cannot be combined with --dry-run, which "
                       "runs nothing");
    }
    return trace_file_check(path, err);
}

int
run_files_check(const struct invocation *invocation)
{
    const char *directory = verb_option(invocation, "save", NULL);
    struct err err = {0};

    if (directory && json_file_check(directory, &err)) {
        verb_complain(&err);
        return CONTROL_NO;
    }
    if (check_trace(invocation, &err)) {
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    return CONTROL_DONE;
}

/* Returns the results file to draw from, NULL if there is none. */
static const char *
database_path(const struct invocation *invocation)
{
    const json_t *paths = json_object_get(invocation->arguments, "results");
    json_t *path;
    size_t i;

    json_array_foreach(paths, i, path)
    {
        const char *dot = strrchr(json_string_value(path), '.');

        if (dot && !strcmp(dot, ".sqlite")) {
            return json_string_value(path);
        }
    }
    return NULL;
}

/* Returns the file that the picture of --plot is drawn from.  ST_INVALID: there
 * is none. */
static enum st
find_plot_source(const struct invocation *invocation, bool of_trace,
                 const char **path, struct err *err)
{
    const char *trace = verb_option(invocation, "trace-file", NULL);

    *path = !of_trace                             ? database_path(invocation)
            : trace && trace_plot_is_trace(trace) ? trace
                                                  : NULL;
    return *path ? ST_OK
                 : err_set(err, ST_INVALID, "usage",
                           of_trace ? "--plot draws this figure from the "
                                      "trace of --trace-file FILE.csv"
                                    : "--plot draws from a file of --results "
                                      "FILE.sqlite");
}

int
run_files_check_plot(const struct invocation *invocation, size_t n_cases)
{
    const char *picture = verb_option(invocation, "plot", NULL);
    const bool of_trace = picture && sweep_plot_needs_trace(invocation);
    struct err err = {0};
    const char *path;
    enum st st;

    if (!picture) {
        return CONTROL_DONE;
    }
    st = find_plot_source(invocation, of_trace, &path, &err);
    st = st ? st : sweep_plot_check(invocation, of_trace, picture, &err);
    if (!st && of_trace && n_cases != 1) {
        st = err_set(&err, ST_INVALID, "usage",
                     "--plot draws the trace of a single case, and there are "
                     "%zu",
                     n_cases);
        err_set_remedy(&err, "name a variant with --variant, or draw one of "
                             "the traces by sweep plot");
    }
    if (st) {
        verb_complain(&err);
    }
    return st ? CONTROL_USAGE : CONTROL_DONE;
}

int
run_files_draw(const struct invocation *invocation, bool is_trace)
{
    const char *picture = verb_option(invocation, "plot", NULL);
    const bool of_trace = picture && sweep_plot_needs_trace(invocation);
    struct err err = {0};
    const char *path;

    if (of_trace && !is_trace) {
        fprintf(stderr,
                "orchctl: %s is not drawn: no step ran, so there is no trace\n",
                picture);
    } else if (picture &&
               (find_plot_source(invocation, of_trace, &path, &err) ||
                sweep_plot_draw(invocation, path, picture, &err))) {
        verb_complain(&err);
        return err.status == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    }
    return CONTROL_DONE;
}

int
run_files_open(const struct invocation *invocation, struct result_files **files)
{
    struct err err = {0};

    if (result_files_open(json_object_get(invocation->arguments, "results"),
                          files, &err)) {
        verb_complain(&err);
        return err.status == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    }
    return CONTROL_DONE;
}

/* Writes the results into the files, and names them. */
static int
write_files(const struct invocation *invocation, struct result_files *files,
            const json_t *results, bool prints)
{
    const json_t *paths = json_object_get(invocation->arguments, "results");
    struct err err = {0};
    json_t *path;
    size_t i;

    if (results) {
        result_files_write(files, results);
    }
    if (result_files_close(files, &err)) {
        verb_complain(&err);
        return CONTROL_NO;
    }
    json_array_foreach(paths, i, path)
    {
        if (prints && results) {
            printf("%s\n", json_string_value(path));
        }
    }
    return CONTROL_DONE;
}

/* Prints which traces of 'n_cases' were written. */
static void
print_traces(const struct invocation *invocation, const json_t *results,
             size_t n_cases)
{
    const char *path = verb_option(invocation, "trace-file", NULL);
    size_t n = 0, i;
    char *first, *last;
    json_t *result;

    json_array_foreach(results, i, result)
    {
        n += json_object_get(result, "trace") != NULL;
    }
    if (!path || !n) {
        return;
    }
    first = trace_file_path(path, 1, n_cases);
    last = trace_file_path(path, n_cases, n_cases);
    if (n_cases == 1) {
        printf("%s\n", first);
    } else {
        printf("%zu trace%s: %s to %s, by the number of the case\n", n,
               n == 1 ? "" : "s", first, last);
    }
    free(first);
    free(last);
}

int
run_files_end(const struct invocation *invocation, struct result_files *files,
              const json_t *results, size_t n_cases, bool prints)
{
    const int code = write_files(invocation, files, results, prints);

    if (prints) {
        print_traces(invocation, results, n_cases);
    }
    return code ? code
                : run_files_draw(invocation,
                                 json_object_get(json_array_get(results, 0),
                                                 "trace") != NULL);
}
