/* SPDX-License-Identifier: Apache-2.0 */

/* Runs cases one after another or in several processes.
 *
 * Each process runs every n-th case and writes its results to an unnamed file.
 * If a libsai crashes, only the results of its process are lost, and those
 * cases are reported as failed. */

#include <config.h>

#include "orchctl/case_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/parser.h"
#include "breakpoint/scenario.h"
#include "orchctl/case_list.h"
#include "orchctl/case_store.h"
#include "orchctl/run_report.h"
#include "orchctl/stop_signal.h"
#include "orchctl/trace_file.h"

/* --- Captured output ----------------------------------------------------- */

/* Redirection of standard output to a file. */
struct capture {
    FILE *file;
    int saved; /* The real standard output. */
};

/* Returns false, and changes nothing, if it cannot create a file. */
static bool
capture_begin(struct capture *capture)
{
    fflush(stdout);
    capture->file = tmpfile();
    capture->saved = capture->file ? dup(STDOUT_FILENO) : -1;
    if (capture->saved >= 0 &&
        dup2(fileno(capture->file), STDOUT_FILENO) >= 0) {
        return true;
    }
    if (capture->saved >= 0) {
        close(capture->saved);
    }
    if (capture->file) {
        fclose(capture->file);
    }
    return false;
}

/* Ends the redirection and appends the captured output to 'text'. */
static void
capture_end(struct capture *capture, struct text *text)
{
    char buffer[4096];
    size_t n;

    fflush(stdout);
    (void)!dup2(capture->saved, STDOUT_FILENO);
    close(capture->saved);
    rewind(capture->file);
    while ((n = fread(buffer, 1, sizeof buffer, capture->file)) > 0) {
        text_add_bytes(text, buffer, n);
    }
    fclose(capture->file);
}

/* --- One case ------------------------------------------------------------ */

/* Combines two listeners. */
struct both {
    struct run_listener first, second;
};

static void
both_begin(void *context, const struct scenario *scenario)
{
    const struct both *both = context;

    both->first.begin(both->first.context, scenario);
    both->second.begin(both->second.context, scenario);
}

static void
both_step(void *context, const struct run_step *step)
{
    const struct both *both = context;

    both->first.step(both->first.context, step);
    both->second.step(both->second.context, step);
}

static void
both_end(void *context, const struct scenario *scenario, size_t n_steps,
         enum run_outcome outcome, const struct err *left)
{
    const struct both *both = context;

    both->first.end(both->first.context, scenario, n_steps, outcome, left);
    both->second.end(both->second.context, scenario, n_steps, outcome, left);
}

/* Returns the name of a case that could not be loaded. */
static void
case_name(const struct case_list_item *one, struct text *text)
{
    const char *slash = strrchr(one->file, '/');
    const char *base = slash ? slash + 1 : one->file;

    text_add_bytes(text, base, strcspn(base, "."));
    if (*one->variant_name) {
        text_addf(text, "[%s", one->variant_name);
    }
    for (size_t i = 0; i < one->n_sets; i++) {
        text_addf(text, "%s%s=%s", i || *one->variant_name ? "," : "[",
                  one->sets[i].name, one->sets[i].value);
    }
    text_add(text, *one->variant_name || one->n_sets ? "]" : "");
}

/* Returns the result of a case that was not run. */
static json_t *
not_run(const struct case_list_item *one, const char *outcome,
        const char *reason)
{
    struct text name = {0};
    json_t *result;

    case_name(one, &name);
    result = json_pack("{s:s, s:s, s:s, s:s, s:[]}", "name", text_string(&name),
                       "file", one->file, "outcome", outcome, "reason", reason,
                       "steps");
    text_fini(&name);
    return result;
}

json_t *
case_runner_not_run(const struct case_list_item *one, enum run_outcome outcome,
                    const char *reason)
{
    return not_run(one, run_report_outcome(outcome), reason);
}

/* Adds what 'err' allows and advises. */
static void
add_advice(const struct err *err, json_t *result)
{
    if (*err->allowed) {
        json_object_set_new(result, "allowed", json_string(err->allowed));
    }
    if (*err->remedy) {
        json_object_set_new(result, "remedy", json_string(err->remedy));
    }
}

/* Runs a loaded scenario and returns its result. */
static json_t *
run_scenario(const struct scenario *scenario, struct bench *bench,
             const struct case_runner_options *options)
{
    json_t *runs = json_array();
    struct run_report_list list = {runs, bench};
    struct run_report report = {.traces = options->traces,
                                .save = options->save};
    struct both both = {run_report_text(&report), run_report_json(&list)};
    const struct run_listener listener = {both_begin, both_step, both_end,
                                          &both, options->traces};
    json_t *result;

    (void)runner_run(scenario, scenario->target, &listener);
    result = json_incref(json_array_get(runs, 0));
    json_decref(runs);
    if (report.unsaved.status && run_report_outcome_of(result) == RUN_PASSED) {
        json_object_set_new(result, "outcome",
                            json_string(run_report_outcome(RUN_FAILED)));
        json_object_set_new(result, "reason",
                            json_string(report.unsaved.reason));
    }
    return result;
}

/* Adds the chip that the case ran on, if it is known. */
static void
add_chip(struct bench *bench, json_t *result)
{
    const char *chip = NULL;
    struct err unknown;

    if (!bench->ops->chip_fact(bench, "name", &chip, &unknown)) {
        json_object_set_new(result, "chip", json_string(chip));
    }
}

/* What a process runs its cases with. */
struct running {
    const struct case_runner_options *options;
    struct bench *bench;
    struct document_cache *cache;
};

/* Loads and runs one case. */
static json_t *
run_case(const struct case_list_item *one, const struct running *running)
{
    struct bench *bench = running->bench;
    struct parser_input input = case_list_input(one);
    struct scenario *scenario = NULL;
    struct err err = {0};
    json_t *result;
    enum st st;

    input.cache = running->cache;
    st = parser_load(&input, one->variant, bench, &scenario, &err);
    if (st) {
        enum run_outcome outcome =
            st == ST_NOT_FOUND && !strcmp(err.code, "file")
                ? RUN_INVALID
                : runner_outcome(st);

        result = not_run(one, run_report_outcome(outcome), err.reason);
        add_advice(&err, result);
        return result;
    }
    result = scenario->skipped
                 ? not_run(one, "skipped", scenario->skipped)
                 : run_scenario(scenario, bench, running->options);
    if (!scenario->skipped) {
        add_chip(bench, result);
    }
    scenario_destroy(scenario);
    return result;
}

/* Completes the trace 'file' of a case with 'result', or removes it if the case
 * did not run. */
static void
end_trace(struct trace_file *file, const char *path, struct bench *bench,
          json_t *result)
{
    struct err err = {0};

    if (!json_array_size(json_object_get(result, "steps"))) {
        trace_file_abandon(file);
    } else if (!trace_file_finish(file, bench->ops->now_ps(bench), &err)) {
        json_object_set_new(result, "trace", json_string(path));
    } else if (!json_object_get(result, "reason")) {
        if (run_report_outcome_of(result) == RUN_PASSED) {
            json_object_set_new(result, "outcome",
                                json_string(run_report_outcome(RUN_FAILED)));
        }
        json_object_set_new(result, "reason", json_string(err.reason));
        add_advice(&err, result);
    }
}

/* The same as run_case(), with a trace in the file 'path'. */
static json_t *
run_traced(const struct case_list_item *one, const struct running *running,
           const char *path)
{
    struct bench *bench = running->bench;
    struct trace_file *file = NULL;
    struct err err = {0};
    json_t *result;

    if (trace_file_create(path, &file, &bench->trace, &err)) {
        result = not_run(one, run_report_outcome(RUN_INVALID), err.reason);
        add_advice(&err, result);
        return result;
    }
    result = run_case(one, running);
    bench->trace = NULL;
    end_trace(file, path, bench, result);
    return result;
}

double
case_runner_clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Adds what says which point of a sweep 'one' is. */
static void
add_point(const struct case_list_item *one, json_t *result)
{
    json_t *params = json_object();

    for (size_t i = 0; i < one->n_sets; i++) {
        json_object_set_new(params, one->sets[i].name,
                            json_string(one->sets[i].value));
    }
    json_object_set_new(result, "params", params);
    json_object_set_new(result, "repetition",
                        json_integer((json_int_t)one->repetition));
}

/* Runs a case, with a trace in file 'trace' (NULL: none), and adds its output,
 * its duration and the point. */
static json_t *
run_measured(const struct case_list_item *one, const struct running *running,
             const char *trace)
{
    const struct bench *bench = running->bench;
    struct capture capture = {NULL, -1};
    struct text text = {0};
    double began = case_runner_clock_ms();
    bool captures = !running->options->streams && capture_begin(&capture);
    json_t *result =
        trace ? run_traced(one, running, trace) : run_case(one, running);

    if (captures) {
        capture_end(&capture, &text);
        json_object_set_new(result, "text", json_string(text_string(&text)));
    }
    json_object_set_new(result, "milliseconds",
                        json_real(case_runner_clock_ms() - began));
    if (bench->ops->packets) {
        json_object_set_new(
            result, "packets",
            json_integer((json_int_t)bench->ops->packets(running->bench)));
    }
    if (bench->ops->now_ps) {
        json_object_set_new(result, "time_ps",
                            json_integer(bench->ops->now_ps(running->bench)));
    }
    if (one->sets) {
        add_point(one, result);
    }
    text_fini(&text);
    return result;
}

/* Does the same, unless the result is kept, and keeps it.  One that could not
 * be loaded or lost its switch is not a result. */
static json_t *
run_kept(const struct case_list_item *one, const struct running *running,
         const char *trace)
{
    struct case_store *store = running->options->store;
    json_t *result = store ? case_store_load(store, one) : NULL;
    struct err err = {0};

    if (result) {
        return result;
    }
    result = run_measured(one, running, trace);
    if (store && run_report_outcome_of(result) <= RUN_FAILED &&
        case_store_save(store, one, result, &err)) {
        json_object_set_new(result, "outcome",
                            json_string(run_report_outcome(RUN_FAILED)));
        json_object_set_new(result, "reason", json_string(err.reason));
    }
    return result;
}

/* Called after each case of a process, with the number of those that have
 * ended. */
typedef void ended_fn(void *context, size_t n_ended);

/* Runs every 'stride'-th case from 'first' on.  Stops if orchd disconnects, or
 * on request. */
static json_t *
run_some(const struct case_list *cases,
         const struct case_runner_options *options, size_t first, size_t stride,
         ended_fn *ended, void *ended_context)
{
    const struct running running = {options, options->open(options->context),
                                    parser_cache_create()};
    json_t *results = json_array();
    bool alive = running.bench != NULL;

    for (size_t i = first; alive && !stop_signal_came() && i < cases->n;
         i += stride) {
        char *trace = options->trace_file ? trace_file_path(options->trace_file,
                                                            i + 1, cases->n)
                                          : NULL;
        json_t *result = run_kept(&cases->items[i], &running, trace);

        free(trace);
        alive = run_report_outcome_of(result) != RUN_UNREACHABLE;
        if (options->done && stride == 1) {
            options->done(options->done_context, result);
        }
        json_array_append_new(results, result);
        ended(ended_context, json_array_size(results));
    }
    options->close(options->context, running.bench);
    parser_cache_destroy(running.cache);
    return results;
}

/* --- Several processes --------------------------------------------------- */

struct worker {
    pid_t pid;
    FILE *results;
};

/* Tells the parent that a case has ended: a byte in the pipe. */
static void
tell(void *context, size_t n_ended)
{
    const int *pipe_fd = context;

    (void)n_ended;
    if (*pipe_fd >= 0) {
        (void)!write(*pipe_fd, "", 1);
    }
}

/* Counts the bytes of the workers until all of them have ended. */
static void
follow(int pipe_fd, const struct case_runner_options *options)
{
    char bytes[256];
    size_t n_ended = 0;
    ssize_t n;

    while ((n = read(pipe_fd, bytes, sizeof bytes)) > 0 ||
           (n < 0 && errno == EINTR)) {
        n_ended += n > 0 ? (size_t)n : 0;
        if (options->progress) {
            options->progress(options->progress_context, n_ended);
        }
    }
}

/* Starts a process for its share of the cases; 'worker->pid' is negative if
 * that fails. */
static void
worker_start(struct worker *worker, const struct case_list *cases,
             const struct case_runner_options *options, size_t number,
             const int *pipe_fds)
{
    worker->results = tmpfile();
    fflush(NULL);
    worker->pid = worker->results ? fork() : -1;
    if (worker->pid == 0) {
        int end = pipe_fds[1];
        json_t *results =
            run_some(cases, options, number, options->n_jobs, tell, &end);
        int bad = json_dumpf(results, worker->results, JSON_COMPACT);

        bad = fflush(worker->results) || bad;
        _exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
    }
}

/* Waits for a process and returns its results, or NULL if it was killed. */
static json_t *
worker_end(struct worker *worker)
{
    json_t *results = NULL;
    int status = -1;

    if (worker->pid > 0) {
        (void)waitpid(worker->pid, &status, 0);
    }
    if (worker->results) {
        rewind(worker->results);
        results = status == 0 ? json_loadf(worker->results, 0, NULL) : NULL;
        fclose(worker->results);
    }
    return results;
}

/* Merges the results of all processes in the order of the cases. */
static json_t *
merge(const struct case_list *cases, json_t *const *parts, size_t n_parts)
{
    json_t *results = json_array();

    for (size_t i = 0; i < cases->n; i++) {
        json_t *result = json_array_get(parts[i % n_parts], i / n_parts);

        if (result) {
            json_array_append(results, result);
        } else if (!stop_signal_came()) {
            json_array_append_new(
                results,
                not_run(&cases->items[i], run_report_outcome(RUN_FAILED),
                        "the process that ran it ended early"));
        }
    }
    return results;
}

static json_t *
run_parallel(const struct case_list *cases,
             const struct case_runner_options *options)
{
    size_t n = options->n_jobs;
    struct worker *workers = check_calloc(n, sizeof *workers);
    json_t **parts = check_calloc(n, sizeof(json_t *));
    int pipe_fds[2] = {-1, -1};
    json_t *results;

    if (pipe2(pipe_fds, O_CLOEXEC)) {
        pipe_fds[0] = pipe_fds[1] = -1;
    }
    for (size_t i = 0; i < n; i++) {
        worker_start(&workers[i], cases, options, i, pipe_fds);
    }
    if (pipe_fds[0] >= 0) {
        close(pipe_fds[1]);
        follow(pipe_fds[0], options);
        close(pipe_fds[0]);
    }
    for (size_t i = 0; i < n; i++) {
        parts[i] = worker_end(&workers[i]);
    }
    results = merge(cases, parts, n);
    for (size_t i = 0; i < n; i++) {
        json_decref(parts[i]);
    }
    for (size_t i = 0; options->done && i < json_array_size(results); i++) {
        options->done(options->done_context, json_array_get(results, i));
    }
    free(parts);
    free(workers);
    return results;
}

/* Passes progress of the only process on; an ended_fn. */
static void
pass_on(void *context, size_t n_ended)
{
    const struct case_runner_options *options = context;

    if (options->progress) {
        options->progress(options->progress_context, n_ended);
    }
}

enum run_outcome
case_runner_worst(const json_t *results)
{
    enum run_outcome worst = RUN_PASSED;
    json_t *result;
    size_t i;

    json_array_foreach((json_t *)results, i, result)
    {
        enum run_outcome outcome = run_report_outcome_of(result);

        worst = outcome > worst ? outcome : worst;
    }
    return worst;
}

enum run_outcome
case_runner_run(const struct case_list *cases,
                const struct case_runner_options *options, json_t **results)
{
    enum run_outcome worst;

    if (!options->streams) {
        stop_signal_begin();
    }
    *results = options->n_jobs > 1 ? run_parallel(cases, options)
                                   : run_some(cases, options, 0, 1, pass_on,
                                              (void *)(uintptr_t)options);
    if (!options->streams) {
        stop_signal_end();
    }
    worst = case_runner_worst(*results);
    return json_array_size(*results) == cases->n || worst != RUN_PASSED ? worst
           : stop_signal_came() ? RUN_FAILED
                                : RUN_INVALID;
}
