/* SPDX-License-Identifier: Apache-2.0 */

/* Drives a run in a process of its own, and keeps images of it. */

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
#include "lab/exec/run.h"
#include "orchlab/run_one.h"
#include "process/process_image.h"
#include "results/database.h"

#define EVERY   "every="
#define PROMPT  "> "
#define RESULTS ".sqlite" /* With this the name of results ends. */

static const char magic[8] = "orchckp1";

/* What the results of a run consist of while it goes on. */
static const char *const suffixes[] = {"", "-wal", "-shm"};

enum { N_FILES = sizeof suffixes / sizeof *suffixes, COPY_SIZE = 1 << 16 };

/* The file begins with this; an image and the files follow. */
struct header {
    char magic[8];
    int64_t at_ps;          /* Virtual time. */
    int64_t sizes[N_FILES]; /* -1: there is no such file. */
};

/* A run that is carried out. */
struct work {
    const struct elsewhere *elsewhere;
    struct run_outcome outcome; /* Where its results are. */
    struct text path;           /* Of the checkpoint. */
    int64_t every_ps;
    pid_t child;
    FILE *commands; /* To its standard input. */
    int output;     /* Of it. */
    struct err *err;
};

enum st
checkpoint_parse(const char *text, int64_t *every_ps, struct err *err)
{
    const size_t n = strlen(EVERY);

    if (strncmp(text, EVERY, n) != 0 ||
        run_parse_time(text + n, every_ps, err) || *every_ps <= 0) {
        err_set(err, ST_INVALID, "usage",
                "--checkpoint: '%.40s' is no interval", text);
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

/* Files -------------------------------------------------------------------- */

/* Copies 'n' bytes, or up to the end if it is negative; returns how many,
 * negative: it failed. */
static int64_t
copy(FILE *from, FILE *to, int64_t n)
{
    char buffer[COPY_SIZE];
    int64_t done = 0;

    while (n < 0 || done < n) {
        const size_t most =
            n < 0 || n - done > COPY_SIZE ? COPY_SIZE : (size_t)(n - done);
        const size_t got = fread(buffer, 1, most, from);

        if (got == 0) {
            break;
        }
        if (fwrite(buffer, 1, got, to) != got) {
            return -1;
        }
        done += (int64_t)got;
    }
    return ferror(from) || (n >= 0 && done < n) ? -1 : done;
}

/* Appends the results file number 'i' to 'file'; its size, -1 if there is none,
 * is stored in '*size'. */
static enum st
save_file(const struct work *work, size_t i, FILE *file, int64_t *size)
{
    struct text path = {0};
    FILE *from;
    enum st st = ST_OK;

    text_addf(&path, "%s%s", work->outcome.path, suffixes[i]);
    from = fopen(text_string(&path), "re");
    *size = from ? copy(from, file, -1) : -1;
    if (from && *size < 0) {
        st = fail(work, text_string(&path));
    }
    if (from) {
        (void)fclose(from);
    }
    text_fini(&path);
    return st;
}

/* Puts a results file back, into the file that the process has open. */
static enum st
load_file(const struct work *work, size_t i, FILE *file, int64_t size)
{
    struct text path = {0};
    FILE *to;
    bool failed;

    if (size < 0) {
        return ST_OK;
    }
    text_addf(&path, "%s%s", work->outcome.path, suffixes[i]);
    to = fopen(text_string(&path), "r+e");
    failed = !to || copy(file, to, size) != size || fflush(to) ||
             ftruncate(fileno(to), size);
    if (to) {
        failed = fclose(to) || failed;
    }
    if (failed) {
        const enum st st = fail(work, text_string(&path));

        text_fini(&path);
        return st;
    }
    text_fini(&path);
    return ST_OK;
}

/* The process ---------------------------------------------------------------
 */

/* Reads what the process says up to its next prompt.  Returns false at its end.
 */
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
        if (n > 0 && memcmp(last, PROMPT, strlen(PROMPT)) == 0) {
            return true;
        }
    }
    return false;
}

/* In the new process: executes the command. */
static void
execute(const char *const *command, const int input[2], const int output[2])
{
    (void)setenv("LD_BIND_NOW", "1", 1); /* Code does not change later. */
    if (process_image_prepare() && dup2(input[0], STDIN_FILENO) >= 0 &&
        dup2(output[1], STDOUT_FILENO) >= 0) {
        (void)close(input[0]);
        (void)close(input[1]);
        (void)close(output[0]);
        (void)close(output[1]);
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
        execute(command, input, output);
    }
    (void)close(input[0]);
    (void)close(output[1]);
    work->output = output[0];
    work->commands = fdopen(input[1], "w");
    return work->child < 0 || !work->commands ? fail(work, "fork") : ST_OK;
}

/* Lets the run go on up to 'at_ps'. */
static void
go_on(const struct work *work, int64_t at_ps)
{
    fprintf(work->commands, "continue %" PRId64 "ps\n", at_ps);
    fflush(work->commands);
}

/* Checkpoints -------------------------------------------------------------- */

/* Writes the checkpoint of virtual time 'at_ps', whole or not at all. */
static enum st
save(const struct work *work, int64_t at_ps)
{
    struct header header = {.at_ps = at_ps};
    struct text path = {0};
    FILE *file;
    enum st st;

    text_addf(&path, "%s.new", work->path.bytes);
    file = fopen(text_string(&path), "w+e");
    if (!file) {
        st = fail(work, text_string(&path));
        text_fini(&path);
        return st;
    }
    memcpy(header.magic, magic, sizeof magic);
    (void)fwrite(&header, sizeof header, 1, file);
    st = process_image_save(work->child, file, work->err);
    for (size_t i = 0; !st && i < N_FILES; i++) {
        st = save_file(work, i, file, &header.sizes[i]);
    }
    if (!st) {
        rewind(file);
        (void)fwrite(&header, sizeof header, 1, file);
    }
    if (!st && (fflush(file) || fsync(fileno(file)))) {
        st = fail(work, text_string(&path));
    }
    (void)fclose(file);
    if (!st && rename(text_string(&path), work->path.bytes)) {
        st = fail(work, work->path.bytes);
    }
    text_fini(&path);
    return st;
}

/* Puts the run where its checkpoint is, and stores that time in '*at_ps'; 0:
 * there is none that fits, which is said. */
static enum st
load(const struct work *work, int64_t *at_ps)
{
    FILE *file = fopen(work->path.bytes, "re");
    struct header header;
    enum st st;

    *at_ps = 0;
    if (!file) {
        return ST_OK;
    }
    st = fread(&header, sizeof header, 1, file) == 1 &&
                 memcmp(header.magic, magic, sizeof magic) == 0
             ? process_image_load(work->child, file, work->err)
             : err_set(work->err, ST_INVALID, "checkpoint",
                       "%s is no checkpoint", work->path.bytes);
    if (st == ST_INVALID) {
        (void)fclose(file);
        fprintf(stderr, "orchlab: the run begins again: %s\n",
                work->err->reason);
        return ST_OK;
    }
    for (size_t i = 0; !st && i < N_FILES; i++) {
        st = load_file(work, i, file, header.sizes[i]);
    }
    (void)fclose(file);
    *at_ps = header.at_ps;
    return st;
}

/* Drives the process to its end, and stores how it ended. */
static enum st
drive_run(struct work *work, int *status)
{
    int64_t at_ps = 0;
    enum st st = ST_OK;
    bool waits = await_prompt(work);

    st = waits ? load(work, &at_ps) : ST_OK;
    if (!st && at_ps && !work->elsewhere->manner->quiet) {
        fprintf(stderr,
                "The run goes on from its checkpoint at %" PRId64 " us\n",
                at_ps / 1000000);
    }
    while (!st && waits) {
        at_ps += work->every_ps;
        go_on(work, at_ps);
        waits = await_prompt(work);
        st = waits ? save(work, at_ps) : ST_OK;
    }
    if (st) {
        (void)kill(work->child, SIGKILL);
    }
    while (waitpid(work->child, status, 0) < 0 && errno == EINTR) {
    }
    return st;
}

/* Makes the results one plain file.  A process that an image was put into can
 * leave them in WAL mode: its locks are those of the one before. */
static enum st
make_plain(const struct work *work)
{
    struct database *database = NULL;
    enum st st = database_open(work->outcome.path, true, &database, work->err);

    st = st ? st
            : database_run(database, "PRAGMA journal_mode = DELETE", work->err);
    database_close(database);
    return st;
}

/* Carries out the run in a process of its own. */
static enum st
carry_out(struct work *work, size_t number, struct executor_end *end)
{
    const char **command = elsewhere_command(work->elsewhere);
    struct text text = {0};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before[2];
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
        /* Signals are for the run, which ends as interrupted. */
        (void)sigaction(SIGINT, &ignore, &before[0]);
        (void)sigaction(SIGPIPE, &ignore, &before[1]);
        st = drive_run(work, &status);
        (void)sigaction(SIGINT, &before[0], NULL);
        (void)sigaction(SIGPIPE, &before[1], NULL);
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

enum st
checkpoint_carry_out(const struct elsewhere *elsewhere, int64_t every_ps,
                     const struct executor_end ***ends, struct err *err)
{
    const struct run_plan *plan = elsewhere->plan;
    struct work work = {
        .elsewhere = elsewhere, .every_ps = every_ps, .err = err};
    struct executor_end *end = arena_alloc(plan->arena, 1, sizeof *end);
    bool exists = false;
    enum st st;

    *ends = NULL;
    if (!process_image_is_built()) {
        return err_set(err, ST_UNSUPPORTED, "usage",
                       "--checkpoint needs Linux on x86-64, and an orchlab "
                       "without sanitizers");
    }
    if (plan->n_chosen != 1) {
        return err_set(err, ST_INVALID, "usage",
                       "--checkpoint is for one run, and %zu are chosen",
                       plan->n_chosen);
    }
    st = run_one_locate(elsewhere->manner, plan, plan->chosen[0], plan->arena,
                        &work.outcome, err);
    if (!st && work.outcome.captures) {
        st = err_set(err, ST_UNSUPPORTED, "usage",
                     "a run with captures has no checkpoints");
    }
    if (!st && !elsewhere->manner->again) {
        st = run_one_exists(elsewhere->manner, plan, plan->chosen[0], &exists,
                            err);
    }
    if (st || exists) {
        return st;
    }
    text_addf(&work.path, "%.*s.checkpoint",
              (int)(strlen(work.outcome.path) - strlen(RESULTS)),
              work.outcome.path);
    st = carry_out(&work, plan->plan.runs[plan->chosen[0]].number, end);
    if (!st &&
        !run_one_exists(elsewhere->manner, plan, plan->chosen[0], &exists,
                        err) &&
        exists) {
        st = make_plain(&work);
        (void)unlink(work.path.bytes);
        text_add(&work.path, ".new"); /* Of one that was killed. */
        (void)unlink(work.path.bytes);
    }
    text_fini(&work.path);
    if (!st) {
        *ends = arena_alloc(plan->arena, 1, sizeof(void *));
        (*ends)[0] = end;
    }
    return st;
}
