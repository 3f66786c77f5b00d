/* SPDX-License-Identifier: Apache-2.0 */

/* Drives a run in a process of its own, and keeps images of it.
 *
 * With several ranks each has such a process, all of which get the same
 * commands.  What each finds out by itself is agreed on before the next call
 * that all ranks make. */

#include <config.h>

#include "orchlab/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/executor.h"
#include "command/folder.h"
#include "lab/exec/communicator.h"
#include "lab/exec/proxy.h"
#include "lab/exec/run.h"
#include "orchlab/checkpoint_set.h"
#include "orchlab/ranks.h"
#include "orchlab/run_one.h"
#include "process/process_image.h"

#define PS_PER_US INT64_C(1000000)

#define EVERY   "every="
#define PROMPT  "> "
#define RESULTS ".sqlite" /* With this the name of results ends. */

/* A run that is carried out. */
struct work {
    const struct elsewhere *elsewhere;
    struct communicator *comm;  /* NULL: one rank. */
    struct run_outcome outcome; /* Where its results are. */
    struct checkpoint_set set;
    struct proxy_server *server; /* For the process; NULL: one rank. */
    int64_t every_ps;
    pid_t child;
    FILE *commands; /* To its standard input. */
    int output;     /* Of it. */
    struct err *err;
};

/* The first descriptor of the process that no standard stream has. */
enum { FIRST_FILE = STDERR_FILENO + 1 };

enum st
checkpoint_parse(const char *text, int64_t *every_ps, struct err *err)
{
    const size_t n = strlen(EVERY);

    if (strncmp(text, EVERY, n) != 0 ||
        run_parse_time(text + n, every_ps, err) || *every_ps <= 0) {
        err_set(err, ST_INVALID, "usage",
                "--checkpoint: '%.40s' is no interval", text);
        err_set_field(err, "checkpoint", text,
                      "every=TIME, more than 0, before the end of the run");
        err_set_remedy(err, "for example --checkpoint every=10ms, of virtual "
                            "time");
        return ST_INVALID;
    }
    return ST_OK;
}

static enum st
fail(const struct work *work, const char *what)
{
    return err_set(work->err, ST_IO, "checkpoint", "%s: %s", what,
                   strerror(errno));
}

/* The process ---------------------------------------------------------------
 */

/* Reads what the process says up to its next prompt, and carries out its calls
 * of other ranks.  Returns false at its end. */
static bool
await_prompt(const struct work *work)
{
    char said[4096];
    char last[sizeof PROMPT] = "\n";
    ssize_t n;

    while ((n = read(work->output, said, sizeof said)) > 0 ||
           (n < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < n; i++) {
            last[0] = last[1];
            last[1] = said[i];
        }
        if (n > 0 && work->server && last[1] == PROXY_REQUEST) {
            proxy_server_answer(work->server, fileno(work->commands));
        } else if (n > 0 && memcmp(last, PROMPT, strlen(PROMPT)) == 0) {
            return true;
        }
    }
    return false;
}

/* In the new process: keeps no files but its standard streams and 'shared'
 * (negative: none), so that they have the same numbers each time.  Returns
 * whether that worked. */
static bool
keep_files(const int input[2], const int output[2], int shared)
{
    const unsigned int n = FIRST_FILE + (shared >= 0);

    return dup2(input[0], STDIN_FILENO) >= 0 &&
           dup2(output[1], STDOUT_FILENO) >= 0 &&
           (shared < 0 || (dup2(shared, FIRST_FILE) >= 0 &&
                           fcntl(FIRST_FILE, F_SETFD, 0) >= 0)) &&
           close_range(n, ~0U, 0) == 0;
}

/* In the new process: executes the command. */
static void
execute(const char *const *command, const int input[2], const int output[2],
        int shared)
{
    char number[16];

    (void)setenv("LD_BIND_NOW", "1", 1); /* Code does not change later. */
    text_format(number, sizeof number, "%d", FIRST_FILE);
    if (shared >= 0) {
        (void)setenv(PROXY_VARIABLE, number, 1);
    }
    if (process_image_prepare() && keep_files(input, output, shared)) {
        (void)execv(command[0], (char **)(uintptr_t)command);
    }
    fprintf(stderr, "orchlab: cannot start %s without random addresses: %s\n",
            command[0], strerror(errno));
    _exit(EXIT_FAILURE);
}

/* Starts the process of the run, which reads commands. */
static enum st
start(struct work *work, const char *const *command)
{
    int input[2], output[2];

    if (pipe(input) || pipe(output)) {
        return fail(work, "pipe");
    }
    fflush(NULL);
    work->child = fork();
    if (work->child == 0) {
        execute(command, input, output,
                work->server ? proxy_server_file(work->server) : -1);
    }
    (void)close(input[0]);
    (void)close(output[1]);
    work->output = output[0];
    work->commands = fdopen(input[1], "w");
    return work->child < 0 || !work->commands ? fail(work, "fork") : ST_OK;
}

/* Checkpoints -------------------------------------------------------------- */

/* Has the process give a command, and waits for its next prompt.  Returns false
 * if it has ended instead. */
static bool
give(const struct work *work, const char *command)
{
    fprintf(work->commands, "%s\n", command);
    fflush(work->commands);
    return await_prompt(work);
}

/* Drives the process to its end, and stores how it ended. */
static enum st
drive_run(struct work *work, int *status)
{
    int64_t at_ps = 0;
    enum st st = ST_OK;
    bool waits = await_prompt(work) && give(work, "release");

    if (waits) {
        st = ranks_agree(work->comm,
                         process_image_check(work->child, work->err),
                         work->err);
    }
    if (waits && !st) {
        st = checkpoint_set_load(&work->set, work->child, &at_ps, work->err);
    }
    while (!st && waits) {
        struct text command = {0};

        at_ps = at_ps > INT64_MAX - work->every_ps ? INT64_MAX
                                                   : at_ps + work->every_ps;
        text_addf(&command, "continue %" PRId64 "ps", at_ps);
        waits = give(work, text_string(&command)) && give(work, "release");
        text_fini(&command);
        if (waits) {
            checkpoint_set_save(&work->set, work->child, at_ps);
        }
    }
    if (st) {
        (void)kill(work->child, SIGKILL);
    }
    while (waitpid(work->child, status, 0) < 0 && errno == EINTR) {
    }
    if (!st && work->server && !proxy_server_has_left(work->server)) {
        ranks_lose(work->comm, work->child, *status);
    }
    return st;
}

/* Has signals end the run as interrupted, or no longer so if 'ends'.  With one
 * rank the terminal sends them to the process, too; launchers do not. */
static void
take_signals(const struct work *work, struct sigaction before[2], bool ends)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    if (work->comm) {
        ranks_pass_signals(ends ? 0 : work->child);
    } else {
        (void)sigaction(SIGINT, ends ? &before[0] : &ignore,
                        ends ? NULL : &before[0]);
    }
    (void)sigaction(SIGPIPE, ends ? &before[1] : &ignore,
                    ends ? NULL : &before[1]);
}

/* Carries out the run in a process of its own. */
static enum st
carry_out(struct work *work, size_t number, struct executor_end *end)
{
    const char **command = elsewhere_command(work->elsewhere);
    struct text text = {0};
    struct sigaction before[2];
    size_t n = 0;
    int status = 0;
    enum st st;

    while (command[n]) {
        n++;
    }
    text_addf(&text, "%zu", number);
    command[n++] = text_string(&text);
    command[n++] = "--interactive";
    command[n] = NULL;
    st = start(work, command);
    if (!st) {
        take_signals(work, before, false);
        st = drive_run(work, &status);
        take_signals(work, before, true);
        (void)fclose(work->commands);
        (void)close(work->output);
    }
    text_fini(&text);
    *end = (struct executor_end){.ended = WIFEXITED(status),
                                 .code = WEXITSTATUS(status),
                                 .host = "this machine",
                                 .reason = ""};
    return st;
}

/* Refuses what has no checkpoints; finds where the result of the run is. */
static enum st
prepare(struct work *work)
{
    const struct elsewhere *elsewhere = work->elsewhere;
    const struct run_plan *plan = elsewhere->plan;
    enum st st;

    if (!process_image_is_built()) {
        return err_set(work->err, ST_UNSUPPORTED, "usage",
                       "--checkpoint needs Linux on x86-64, and an orchlab "
                       "without sanitizers");
    }
    if (plan->n_chosen != 1) {
        st = err_set(work->err, ST_INVALID, "usage",
                     "--checkpoint is for one run, and %zu are chosen",
                     plan->n_chosen);
        err_set_remedy(work->err, "choose one: --only NUMBER (see --runs)");
        return st;
    }
    st = run_one_locate(elsewhere->manner, plan, plan->chosen[0], plan->arena,
                        &work->outcome, work->err);
    if (st) {
        return st;
    }
    if (work->outcome.captures) {
        return err_set(work->err, ST_UNSUPPORTED, "usage",
                       "a run with captures has no checkpoints");
    }
    if (work->every_ps >= work->outcome.progress.stop_ps) {
        err_set(work->err, ST_INVALID, "usage",
                "--checkpoint: the run ends at %" PRId64
                " us, before its first checkpoint at %" PRId64 " us",
                work->outcome.progress.stop_ps / PS_PER_US,
                work->every_ps / PS_PER_US);
        err_set_remedy(work->err, "name a shorter interval, or leave "
                                  "--checkpoint out");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Stores the names of checkpoints in '*set': that of a rank ends with it. */
static void
name_files(const struct work *work, const char *path,
           struct checkpoint_set *set)
{
    const struct communicator *comm = work->comm;
    struct arena *arena = work->elsewhere->plan->arena;
    struct text of_rank = {0};

    text_addf(&of_rank, "%s.%u", path, comm ? (unsigned int)comm->rank : 0);
    *set = (struct checkpoint_set){
        .comm = work->comm,
        .file = {.path = path,
                 .results = ranks_leads(comm) ? work->outcome.path : NULL,
                 .n_ranks = comm ? comm->n_ranks : 1,
                 .rank = comm ? comm->rank : 0},
        .other = arena_strdup(arena, text_string(&of_rank)),
        .quiet = work->elsewhere->manner->quiet,
        .saved_ps = -1,
    };
    if (comm) {
        set->file.path = set->other;
        set->other = path;
    }
    text_fini(&of_rank);
}

/* Carries out the run from its checkpoint, or from the start; a run with its
 * result needs no checkpoint. */
static enum st
carry_out_from_file(struct work *work, struct executor_end *end)
{
    const struct run_manner *manner = work->elsewhere->manner;
    const struct run_plan *plan = work->elsewhere->plan;
    const size_t chosen = plan->chosen[0];
    struct text path = {0};
    bool exists = false;
    enum st st;

    text_addf(&path, "%.*s.checkpoint",
              (int)(strlen(work->outcome.path) - strlen(RESULTS)),
              work->outcome.path);
    name_files(work, text_string(&path), &work->set);
    st = folder_make(manner->folder, "--results", work->err);
    st = st ? st : checkpoint_file_check(&work->set.file, work->err);
    if (!st && work->comm) {
        st = proxy_server_create(work->comm, &work->server, work->err);
    }
    st = ranks_agree(work->comm, st, work->err);
    st = st ? st : carry_out(work, plan->plan.runs[chosen].number, end);
    if (!st && !run_one_exists(manner, plan, chosen, &exists, work->err) &&
        ranks_follow(work->comm, exists)) {
        checkpoint_file_remove(text_string(&path));
    }
    proxy_server_destroy(work->server);
    text_fini(&path);
    return st;
}

enum st
checkpoint_carry_out(const struct elsewhere *elsewhere, int64_t every_ps,
                     const struct executor_end ***ends, struct err *err)
{
    const struct run_plan *plan = elsewhere->plan;
    struct communicator *comm = elsewhere->manner->options.comm;
    struct work work = {.elsewhere = elsewhere,
                        .comm = comm,
                        .every_ps = every_ps,
                        .err = err};
    struct executor_end *end = arena_alloc(plan->arena, 1, sizeof *end);
    bool exists = false;
    enum st st;

    *ends = NULL;
    st = ranks_agree(comm, prepare(&work), err);
    if (!st && !elsewhere->manner->again) {
        st = run_one_exists(elsewhere->manner, plan, plan->chosen[0], &exists,
                            err);
    }
    if (st || ranks_follow(comm, exists)) {
        return st;
    }
    st = carry_out_from_file(&work, end);
    if (!st) {
        *ends = arena_alloc(plan->arena, 1, sizeof(void *));
        (*ends)[0] = end;
    }
    return st;
}
