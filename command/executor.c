/* SPDX-License-Identifier: Apache-2.0 */

/* Gives runs to GNU parallel or Slurm and reads how they ended. */

#include <config.h>

#include "command/executor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

enum {
    REPORT_MS = 1000,
    MAX_JOBS = 65536,
    LINE_SIZE = 4096,
    END_SIZE = 256,   /* Of most lines about an end. */
    MAX_TASKS = 1000, /* Slurm's limit, unless MaxArraySize says otherwise. */
    MAX_WORDS = 12,
    MAX_HOSTS = 64, /* Shown; the others are not. */
    HOST_SIZE = 64,
    MAX_FAILED = 101 /* The exit code of parallel if more have failed. */
};

/* A task while it is carried out. */
struct work {
    const struct executor *executor;
    const struct executor_task *task;
    struct arena *arena;
    struct executor_end *ends;
    struct text folder, commands, ended, script; /* Paths. */
    int lock;     /* The folder, locked; or -1. */
    FILE *reader; /* Of 'ended'. */
    size_t n_ended, n_reported;
    /* Where runs have ended, in the order of the first of each. */
    struct {
        char name[HOST_SIZE];
        size_t n;
    } hosts[MAX_HOSTS];
    size_t n_hosts;
    struct err *err;
};

/* Choice ------------------------------------------------------------------- */

/* Returns whether each item of 'hosts', separated by commas, has a name: of an
 * empty one parallel says that it has found a bug. */
static bool
names_all(const char *hosts)
{
    while (hosts) {
        hosts += strspn(hosts, " \t");
        if (*hosts == ',' || !*hosts) {
            return false;
        }
        hosts = strchr(hosts, ',');
        hosts = hosts ? hosts + 1 : NULL;
    }
    return true;
}

/* Returns whether 'hosts', the text after "ssh:", names hosts: itself, or the
 * file of that name.  Parallel would take none for this machine. */
static bool
names_host(const char *hosts)
{
    char line[LINE_SIZE];
    bool found = false;
    struct stat status;
    FILE *file;

    if (stat(hosts, &status)) {
        return names_all(hosts);
    }
    file = S_ISREG(status.st_mode) ? fopen(hosts, "re") : NULL;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *word = line + strspn(line, " \t\n");

        found = *word && *word != '#';
    }
    if (file) {
        (void)fclose(file);
    }
    return found;
}

enum st
executor_parse(const char *text, struct arena *arena, struct executor *executor,
               struct err *err)
{
    static const char *const forms[] = {
        "local",        "local:JOBS",
        "ssh:HOST,...", "ssh:FILE (a host in each line)",
        "slurm",        "slurm:PARTITION"};
    struct choices choices;
    uint64_t jobs;
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);

    *executor = (struct executor){.kind = EXECUTOR_NONE};
    if (length == 5 && !strncmp(text, "local", length)) {
        if (colon && parse_u64(colon + 1, 1, MAX_JOBS, &jobs)) {
            return err_set(err, ST_INVALID, "executor",
                           "'%.40s' is not a number of jobs; allowed: 1 to %d",
                           colon + 1, MAX_JOBS);
        }
        executor->kind = EXECUTOR_LOCAL;
        executor->jobs = colon ? arena_strdup(arena, colon + 1) : NULL;
        return ST_OK;
    }
    if (length == 3 && !strncmp(text, "ssh", length) && colon && colon[1]) {
        if (!names_host(colon + 1)) {
            err_set(err, ST_INVALID, "executor",
                    strspn(colon + 1, ", \t") == strlen(colon + 1) ||
                            !access(colon + 1, F_OK)
                        ? "'%.40s' names no host"
                        : "'%.40s' has a comma without a host",
                    text);
            err_set_field(err, "executor", text,
                          "ssh:HOST,..., ssh:FILE (a host in each line)");
            return ST_INVALID;
        }
        executor->kind = EXECUTOR_SSH;
        executor->hosts = arena_strdup(arena, colon + 1);
        return ST_OK;
    }
    if (length == 5 && !strncmp(text, "slurm", length) &&
        (!colon || colon[1])) {
        executor->kind = EXECUTOR_SLURM;
        executor->partition = colon ? arena_strdup(arena, colon + 1) : NULL;
        return ST_OK;
    }
    err_set(err, ST_INVALID, "executor", "there is no executor '%.40s'", text);
    choices_init(&choices, text);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        choices_add(&choices, forms[i]);
    }
    return choices_explain(&choices, "executor", err);
}

/* Commands ----------------------------------------------------------------- */

/* Adds 'word' as one word of a shell. */
static void
add_word(struct text *line, const char *word)
{
    text_add_char(line, '\'');
    for (; *word; word++) {
        if (*word == '\'') {
            text_add(line, "'\\''");
        } else {
            text_add_char(line, *word);
        }
    }
    text_add(line, "' ");
}

/* Writes a line of shell for each run: it carries out the run and appends its
 * number, its exit code, the host and the last line on its standard error,
 * if possible of the program and not of a launcher, to 'ended'. */
static enum st
write_commands(struct work *work)
{
    const struct executor_task *task = work->task;
    FILE *file = fopen(text_string(&work->commands), "we");
    struct text words = {0}, ended = {0};
    bool failed = !file;

    for (const char *const *word = task->command; *word; word++) {
        add_word(&words, *word);
    }
    add_word(&ended, text_string(&work->ended));
    for (size_t i = 0; file && i < task->n; i++) {
        fprintf(
            file,
            "e=$(%s%zu </dev/null 2>&1 >/dev/null); "
            "printf '%%s %%s %%s %%s\\n' %zu "
            "$? \"${SLURMD_NODENAME:-$(uname -n)}\" "
            "\"$(printf %%s \"$e\" | grep '^orch[a-z]*: ' | tail -n 1 | grep . "
            "|| printf %%s \"$e\" | tail -n 1)\" "
            ">>%s\n",
            text_string(&words), task->numbers[i], task->numbers[i],
            text_string(&ended));
    }
    if (file) {
        failed = ferror(file) != 0;
        failed = fclose(file) || failed;
    }
    text_fini(&words);
    text_fini(&ended);
    return failed
               ? err_set(work->err, ST_IO, "unwritable", "cannot write %s: %s",
                         text_string(&work->commands), strerror(errno))
               : ST_OK;
}

/* Returns how many tasks the array of Slurm has. */
static size_t
n_tasks(const struct work *work)
{
    return work->task->n < MAX_TASKS ? work->task->n : MAX_TASKS;
}

/* Writes the script of each task: every so-many-th command, one after the
 * other. */
static enum st
write_script(const struct work *work)
{
    FILE *file = fopen(text_string(&work->script), "we");
    struct text commands = {0};
    bool failed = !file;

    if (file) {
        add_word(&commands, text_string(&work->commands));
        fprintf(file,
                "#!/bin/sh\n"
                "sed -n \"$((SLURM_ARRAY_TASK_ID + 1))~%zup\" %s| sh\n",
                n_tasks(work), text_string(&commands));
        failed = ferror(file) != 0;
        failed = fclose(file) || failed;
        text_fini(&commands);
    }
    return failed
               ? err_set(work->err, ST_IO, "unwritable", "cannot write %s: %s",
                         text_string(&work->script), strerror(errno))
               : ST_OK;
}

/* Makes the folder of the command, for this command only. */
static enum st
begin(struct work *work)
{
    const struct executor_task *task = work->task;
    const char *folder;
    enum st st;
    int fd;

    text_addf(&work->folder, "%s/%s-runs", task->folder, task->name);
    folder = text_string(&work->folder);
    text_addf(&work->commands, "%s/commands", folder);
    text_addf(&work->ended, "%s/ended", folder);
    text_addf(&work->script, "%s/script", folder);
    if ((mkdir(folder, 0777) && errno != EEXIST) ||
        (work->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
        return err_set(work->err, ST_IO, "unwritable",
                       "cannot create folder %s: %s", folder, strerror(errno));
    }
    if (flock(work->lock, LOCK_EX | LOCK_NB)) {
        err_set(work->err, ST_EXISTS, "busy",
                "another command carries out runs of '%s' into %s", task->name,
                task->folder);
        err_set_remedy(work->err, "wait for it, or name another folder with "
                                  "--results");
        return ST_EXISTS;
    }
    fd = open(text_string(&work->ended), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
              0666);
    /* Room to say why runs have failed if that is because the disk is full. */
    if (fd >= 0 &&
        fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)(task->n * END_SIZE)) &&
        errno == ENOSPC) {
        err_set(work->err, ST_IO, "unwritable", "cannot write %s: %s",
                text_string(&work->ended), strerror(errno));
        (void)close(fd);
        (void)unlink(text_string(&work->ended));
        (void)rmdir(folder);
        return ST_IO;
    }
    work->reader = fd < 0 ? NULL : fdopen(fd, "r");
    st = work->reader
             ? write_commands(work)
             : err_set(work->err, ST_IO, "unwritable", "cannot write %s: %s",
                       text_string(&work->ended), strerror(errno));
    return st || work->executor->kind != EXECUTOR_SLURM ? st
                                                        : write_script(work);
}

static void
finish(struct work *work)
{
    if (work->reader) {
        (void)fclose(work->reader);
        (void)unlink(text_string(&work->commands));
        (void)unlink(text_string(&work->ended));
        (void)unlink(text_string(&work->script));
        (void)rmdir(text_string(&work->folder));
    }
    if (work->lock >= 0) {
        (void)close(work->lock);
    }
    text_fini(&work->folder);
    text_fini(&work->commands);
    text_fini(&work->ended);
    text_fini(&work->script);
}

/* Ends --------------------------------------------------------------------- */

/* Counts a run that has ended on 'host'. */
static void
count_host(struct work *work, const char *host)
{
    size_t i = 0;

    while (i < work->n_hosts && strcmp(work->hosts[i].name, host) != 0) {
        i++;
    }
    if (i == MAX_HOSTS) {
        return;
    }
    if (i == work->n_hosts) {
        (void)text_format(work->hosts[i].name, HOST_SIZE, "%s", host);
        work->hosts[work->n_hosts++].n = 0;
    }
    work->hosts[i].n++;
}

/* Takes what "NUMBER CODE HOST REASON" says of a run. */
static void
take_end(struct work *work, char *line)
{
    const struct executor_task *task = work->task;
    char *rest = NULL;
    const char *number = strtok_r(line, " ", &rest);
    const char *code = strtok_r(NULL, " ", &rest);
    const char *host = strtok_r(NULL, " ", &rest);
    uint64_t run, status;

    if (!host || parse_u64(number, 0, SIZE_MAX, &run) ||
        parse_u64(code, 0, UINT8_MAX, &status)) {
        return;
    }
    for (size_t i = 0; i < task->n; i++) {
        if (task->numbers[i] == run) {
            if (!work->ends[i].ended) {
                work->n_ended++;
                count_host(work, host);
            }
            work->ends[i] = (struct executor_end){
                true, (int)status, arena_strdup(work->arena, host),
                arena_strdup(work->arena, rest)};
            return;
        }
    }
}

/* Reads the lines that have been added. */
static void
read_ends(struct work *work)
{
    char line[LINE_SIZE];
    long at;

    clearerr(work->reader);
    while (at = ftell(work->reader), fgets(line, sizeof line, work->reader)) {
        char *end = strchr(line, '\n');

        if (!end && strlen(line) + 1 < sizeof line) {
            /* The rest is not there yet. */
            (void)fseek(work->reader, at, SEEK_SET);
            return;
        }
        line[strcspn(line, "\n")] = '\0';
        take_end(work, line);
    }
}

static void
report(struct work *work)
{
    FILE *progress = work->task->progress;

    if (!progress || work->n_ended == work->n_reported) {
        return;
    }
    fprintf(progress, "%zu of %zu runs have ended", work->n_ended,
            work->task->n);
    for (size_t i = 0;
         i < work->n_hosts && work->executor->kind != EXECUTOR_LOCAL; i++) {
        fprintf(progress, "%s %s %zu", i ? "," : ":", work->hosts[i].name,
                work->hosts[i].n);
    }
    fputs("\n", progress);
    work->n_reported = work->n_ended;
}

/* Carrying out ------------------------------------------------------------- */

/* Fills 'words' with the command of parallel, which reads its standard input.
 * Without a number of jobs as many run as there are processors for their ranks.
 */
static void
make_parallel(const struct work *work, const char *words[MAX_WORDS])
{
    const struct executor *executor = work->executor;
    const unsigned int ranks = work->task->ranks;
    size_t n = 0;

    words[n++] = "parallel";
    words[n++] = "--halt";
    words[n++] = "never";
    if (executor->jobs) {
        words[n++] = "--jobs";
        words[n++] = executor->jobs;
    } else if (ranks > 1) {
        struct text share = {0};

        text_addf(&share, "%u%%", ranks < 100 ? 100 / ranks : 1);
        words[n++] = "--jobs";
        words[n++] = arena_strdup(work->arena, text_string(&share));
        text_fini(&share);
    }
    if (executor->kind == EXECUTOR_SSH) {
        words[n++] = access(executor->hosts, R_OK) ? "-S" : "--sshloginfile";
        words[n++] = executor->hosts;
    }
    words[n] = NULL;
}

/* Fills 'words' with the command of sbatch. */
static void
make_sbatch(const struct work *work, const char *words[MAX_WORDS])
{
    const struct executor *executor = work->executor;
    struct text array = {0}, name = {0}, partition = {0}, tasks = {0};
    size_t n = 0;

    text_addf(&array, "--array=0-%zu", n_tasks(work) - 1);
    text_addf(&name, "--job-name=%s-runs", work->task->name);
    words[n++] = "sbatch";
    words[n++] = "--wait";
    words[n++] = "--output=/dev/null";
    words[n++] = arena_strdup(work->arena, text_string(&name));
    words[n++] = arena_strdup(work->arena, text_string(&array));
    if (executor->partition) {
        text_addf(&partition, "--partition=%s", executor->partition);
        words[n++] = arena_strdup(work->arena, text_string(&partition));
    }
    if (work->task->ranks > 1) {
        text_addf(&tasks, "--ntasks=%u", work->task->ranks);
        words[n++] = arena_strdup(work->arena, text_string(&tasks));
    }
    words[n++] = text_string(&work->script);
    words[n] = NULL;
    text_fini(&array);
    text_fini(&name);
    text_fini(&partition);
    text_fini(&tasks);
}

/* Says that the program is not there. */
static enum st
explain_missing(const struct work *work)
{
    const bool slurm = work->executor->kind == EXECUTOR_SLURM;

    err_set(work->err, ST_NOT_FOUND, slurm ? "sbatch" : "parallel",
            "%s is not installed", slurm ? "sbatch of Slurm" : "GNU parallel");
    err_set_remedy(work->err,
                   "apt install %s, or leave out --executor: runs one after "
                   "the other",
                   slurm ? "slurm-client" : "parallel");
    return ST_NOT_FOUND;
}

/* Starts the program that carries out the commands. */
static enum st
start(const struct work *work, pid_t *child)
{
    const char *words[MAX_WORDS];
    posix_spawn_file_actions_t actions;
    int error;

    if (work->executor->kind == EXECUTOR_SLURM) {
        make_sbatch(work, words);
    } else {
        make_parallel(work, words);
    }
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_addopen(
            &actions, STDIN_FILENO, text_string(&work->commands), O_RDONLY, 0);
        /* Standard output is for reports of runs. */
        error = error ? error
                      : posix_spawn_file_actions_adddup2(
                            &actions, STDERR_FILENO, STDOUT_FILENO);
        error = error ? error
                      : posix_spawnp(child, words[0], &actions, NULL,
                                     (char **)words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (error == ENOENT) {
        return explain_missing(work);
    }
    return error ? err_set(work->err, ST_IO, "executor", "cannot start %s: %s",
                           words[0], strerror(error))
                 : ST_OK;
}

/* Judges how the program has ended. */
static enum st
judge_status(const struct work *work, int status)
{
    const bool slurm = work->executor->kind == EXECUTOR_SLURM;

    /* The code of parallel is how many commands were killed; that of sbatch
     * is 1 if it could not submit them. */
    if (work->n_ended == work->task->n ||
        (!slurm && WIFEXITED(status) && WEXITSTATUS(status) <= MAX_FAILED)) {
        return ST_OK;
    }
    err_set(work->err, ST_IO, "executor",
            "%s has %s before all runs were carried out: %zu of %zu",
            slurm ? "sbatch" : "parallel",
            WIFSIGNALED(status) ? "been killed" : "ended", work->n_ended,
            work->task->n);
    err_set_remedy(work->err, "give the same command again: complete runs are "
                              "not repeated");
    return ST_IO;
}

/* Waits for 'child', and reports meanwhile.  Sbatch looks seldom whether its
 * jobs have ended, so it need not be waited for when all runs have. */
static enum st
attend(struct work *work, pid_t child)
{
    /* Without a descriptor (an old kernel) its end is noticed later. */
    struct pollfd end = {pidfd_open(child, 0), POLLIN, 0};
    pid_t ended;
    int status = 0;

    while ((ended = waitpid(child, &status, WNOHANG)) == 0 ||
           (ended < 0 && errno == EINTR)) {
        (void)poll(&end, 1, REPORT_MS);
        read_ends(work);
        report(work);
        if (work->executor->kind == EXECUTOR_SLURM &&
            work->n_ended == work->task->n) {
            (void)kill(child, SIGKILL);
        }
    }
    if (end.fd >= 0) {
        (void)close(end.fd);
    }
    read_ends(work);
    report(work);
    return judge_status(work, status);
}

enum st
executor_carry_out(const struct executor *executor,
                   const struct executor_task *task, struct arena *arena,
                   struct executor_end **ends, struct err *err)
{
    struct work work = {.executor = executor,
                        .task = task,
                        .arena = arena,
                        .ends = arena_alloc(arena, task->n, sizeof **ends),
                        .lock = -1,
                        .err = err};
    pid_t child;
    enum st st;

    for (size_t i = 0; i < task->n; i++) {
        work.ends[i] = (struct executor_end){.host = "", .reason = ""};
    }
    st = begin(&work);
    st = st ? st : start(&work, &child);
    st = st ? st : attend(&work, child);
    finish(&work);
    *ends = work.ends;
    return st;
}
