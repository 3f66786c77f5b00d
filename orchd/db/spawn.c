/* SPDX-License-Identifier: Apache-2.0 */

/* fork, exec, and a pidfd that reports the end of the child.  (SIGCHLD would be
 * shared with vendor libraries that have their own children.) */

#include <config.h>

#include "orchd/db/spawn.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/dbconfig_file.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/own_directory.h"
#include "process/socket.h"

/* The socket in the directory of the server. */
#define SOCKET_NAME "redis.sock"

/* After this time the back-off starts from the minimum again. */
#define GROWN_UP_NS (INT64_C(10) * 1000 * 1000 * 1000)

struct spawn {
    struct loop *loop;
    struct log *log;
    char directory[108];
    bool own_directory; /* Created here, so also removed here. */
    int directory_fd;   /* What is done there is done through this. */
    char socket[108];
    bool wrote_config; /* The file of dbconfig_file.h. */
    pid_t pid;         /* 0 while there is no server. */
    int pidfd;
    struct event *gone;
    int output; /* What the server prints; -1 while there is none. */
    struct event *printed;
    char line[256]; /* The last line that it has printed, */
    size_t length;  /* and how much of it has arrived. */
    struct timer restart;
    int64_t started;
    int64_t backoff;
};

/* Creates a directory of our own. */
static enum st
make_directory(struct spawn *spawn, struct err *err)
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    bool made;

    parent = parent && !access(parent, W_OK) ? parent : "/tmp";
    made = text_format(spawn->directory, sizeof spawn->directory,
                       "%s/orchd-redis-XXXXXX", parent) &&
           mkdtemp(spawn->directory);
    spawn->own_directory = made;
    if (made) {
        spawn->directory_fd = open(
            spawn->directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    return spawn->directory_fd >= 0
               ? ST_OK
               : err_set(err, ST_IO, "redis-spawn",
                         "cannot use directory %s: %s", spawn->directory,
                         strerror(errno));
}

/* Chooses the directory and creates it. */
static enum st
choose_directory(struct spawn *spawn, const char *directory, struct err *err)
{
    enum st status =
        *directory ? own_directory_open(directory, "--redis spawn",
                                        &spawn->directory_fd, spawn->directory,
                                        sizeof spawn->directory, err)
                   : make_directory(spawn, err);

    if (!status && !text_format(spawn->socket, sizeof spawn->socket, "%s/%s",
                                spawn->directory, SOCKET_NAME)) {
        status = err_set(err, ST_IO, "redis-spawn",
                         "--redis spawn: %s is too long for a socket",
                         spawn->directory);
        err_set_remedy(err, "use a directory with a shorter path");
    }
    return status;
}

/* In the child: becomes redis-server, or writes errno to 'report'. */
_Noreturn static void
become_server(const struct spawn *spawn, pid_t parent, int output, int report)
{
    int problem;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(1); /* The parent died before prctl() took effect. */
    }
    setpgid(0, 0); /* So that ^C in the terminal reaches only orchd. */
    signal(SIGPIPE, SIG_DFL);
    /* Relative to the directory that was checked, whatever its path leads to
     * now; what it prints goes to our log. */
    if (fchdir(spawn->directory_fd) || dup2(output, STDOUT_FILENO) < 0) {
        problem = errno;
        (void)!write(report, &problem, sizeof problem);
        _exit(126);
    }
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    execlp("redis-server", "redis-server", "--port", "0", "--unixsocket",
           SOCKET_NAME, "--unixsocketperm", "700", "--logfile", "",
           "--loglevel", "warning", "--save", "", "--appendonly", "no",
           "--daemonize", "no", "--databases", "16", "--notify-keyspace-events",
           "AKE", (char *)NULL);
    problem = errno;
    if (write(report, &problem, sizeof problem) < 0) {
        _exit(126);
    }
    _exit(127);
}

/* Starts a server.  Returns 0 or an errno. */
static int
start(struct spawn *spawn)
{
    pid_t parent = getpid();
    int report[2], output[2], problem = 0;
    pid_t pid;

    if (pipe2(report, O_CLOEXEC)) {
        return errno;
    }
    if (pipe2(output, O_CLOEXEC)) {
        problem = errno;
        close(report[0]);
        close(report[1]);
        return problem;
    }
    pid = fork();
    if (pid == 0) {
        become_server(spawn, parent, output[1], report[1]);
    }
    close(output[1]);
    close(report[1]);
    if (pid < 0) {
        problem = errno;
    } else if (read(report[0], &problem, sizeof problem) <= 0) {
        problem = 0; /* Closed by exec: the server runs. */
    }
    close(report[0]);
    if (problem) {
        if (pid > 0) {
            waitpid(pid, NULL, 0);
        }
        close(output[0]);
        return problem;
    }
    spawn->pidfd = pidfd_open(pid, 0);
    if (spawn->pidfd < 0) {
        /* No free descriptor, or no such system call: a server that cannot be
         * watched is worse than none. */
        problem = errno;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        close(output[0]);
        return problem;
    }
    (void)fcntl(output[0], F_SETFL, O_NONBLOCK);
    spawn->output = output[0];
    spawn->length = 0;
    spawn->line[0] = '\0';
    spawn->pid = pid;
    spawn->started = loop_now(spawn->loop);
    return 0;
}

/* Stops watching a server, which has ended or is being ended. */
static void
unwatch(struct spawn *spawn)
{
    if (spawn->gone) {
        event_free(spawn->gone);
        spawn->gone = NULL;
    }
    if (spawn->printed) {
        event_free(spawn->printed);
        spawn->printed = NULL;
    }
    if (spawn->pidfd >= 0) {
        close(spawn->pidfd);
        spawn->pidfd = -1;
    }
    if (spawn->output >= 0) {
        close(spawn->output);
        spawn->output = -1;
    }
}

/* Adds a character to the line that the server prints. */
static void
add_character(struct spawn *spawn, char c)
{
    if (c == '\n') {
        log_write(spawn->log, LOG_DEBUG, "redis-server", spawn->socket, "%s",
                  spawn->line);
        spawn->length = 0;
    } else if (spawn->length < sizeof spawn->line - 1) {
        spawn->line[spawn->length++] = c;
        spawn->line[spawn->length] = '\0';
    }
}

/* The server has printed something, or has closed its output. */
static void
on_printed(evutil_socket_t fd, short what, void *spawn_)
{
    struct spawn *spawn = spawn_;
    char bytes[1024];
    ssize_t n;

    (void)what;
    while ((n = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            add_character(spawn, bytes[i]);
        }
    }
    if (n == 0) {
        event_del(spawn->printed);
    }
}

/* The server has ended. */
static void
on_gone(evutil_socket_t fd, short what, void *spawn_)
{
    struct spawn *spawn = spawn_;
    int status = 0;

    (void)fd;
    (void)what;
    waitpid(spawn->pid, &status, 0);
    on_printed(spawn->output, EV_READ, spawn);
    unwatch(spawn);
    spawn->pid = 0;
    log_write(spawn->log, LOG_WARN, "redis-died", spawn->socket,
              "the private redis-server ended (%s %d) and its data is gone; "
              "another one is started, and the ASIC keeps what it has; the "
              "server's last line: %s",
              WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
              spawn->line);
    if (loop_now(spawn->loop) - spawn->started > GROWN_UP_NS) {
        spawn->backoff = SPAWN_BACKOFF_MIN_NS;
    }
    timeline_set(loop_timeline(spawn->loop), &spawn->restart,
                 loop_now(spawn->loop) + spawn->backoff);
    spawn->backoff *= 2;
    if (spawn->backoff > SPAWN_BACKOFF_MAX_NS) {
        spawn->backoff = SPAWN_BACKOFF_MAX_NS;
    }
}

/* Lets the loop report the end of the server. */
static void
watch(struct spawn *spawn)
{
    orch_assert(spawn->pidfd >= 0);
    spawn->gone = event_new(loop_base(spawn->loop), spawn->pidfd, EV_READ,
                            on_gone, spawn);
    spawn->printed = event_new(loop_base(spawn->loop), spawn->output,
                               EV_READ | EV_PERSIST, on_printed, spawn);
    orch_assert(spawn->gone && spawn->printed);
    event_add(spawn->gone, NULL);
    event_add(spawn->printed, NULL);
}

/* Starts the next server. */
static void
on_restart(struct timer *timer, int64_t when)
{
    struct spawn *spawn = timer->owner;
    int problem = start(spawn);

    (void)when;
    if (!problem) {
        watch(spawn);
        return;
    }
    log_write(spawn->log, LOG_ERROR, "redis-spawn", spawn->socket,
              "redis-server cannot be started: %s", strerror(problem));
    timeline_set(loop_timeline(spawn->loop), timer,
                 loop_now(spawn->loop) + SPAWN_BACKOFF_MAX_NS);
}

/* Explains why redis-server cannot be started. */
static enum st
explain(int problem, struct err *err)
{
    if (problem != ENOENT) {
        return err_set(err, ST_IO, "redis-spawn",
                       "redis-server cannot be started: %s", strerror(problem));
    }
    err_set(err, ST_NOT_FOUND, "redis-spawn",
            "redis-server is not installed (not found in PATH)");
    err_set_remedy(err, "apt-get install redis-server, or use --redis "
                        "unix:PATH for one that runs elsewhere");
    return ST_NOT_FOUND;
}

enum st
spawn_create(struct loop *loop, struct log *log, const struct dbconfig *config,
             const char *directory, struct spawn **spawn_out, struct err *err)
{
    struct spawn *spawn = check_calloc(1, sizeof *spawn);
    enum st status;
    int problem;

    spawn->loop = loop;
    spawn->log = log;
    spawn->pidfd = spawn->output = -1;
    spawn->backoff = SPAWN_BACKOFF_MIN_NS;
    spawn->restart.fire = on_restart;
    spawn->restart.owner = spawn;
    spawn->directory_fd = -1;
    status = choose_directory(spawn, directory, err);
    /* redis-server replaces a socket file, which would cut off a server that
     * already uses it. */
    if (!status && socket_is_served(spawn->socket)) {
        status = err_set(err, ST_EXISTS, "redis-spawn",
                         "a Redis serves at %s already", spawn->socket);
        err_set_remedy(err, "use --redis unix:%s, or another directory",
                       spawn->socket);
        close(spawn->directory_fd);
        free(spawn);
        return status;
    }
    if (!status) {
        status = dbconfig_file_write(spawn->directory_fd, spawn->directory,
                                     config, spawn->socket, err);
        spawn->wrote_config = !status;
    }
    problem = status ? 0 : start(spawn);
    if (problem) {
        status = explain(problem, err);
    }
    if (status) {
        spawn_destroy(spawn);
        return status;
    }
    watch(spawn);
    *spawn_out = spawn;
    return ST_OK;
}

void
spawn_destroy(struct spawn *spawn)
{
    if (!spawn) {
        return;
    }
    timeline_cancel(loop_timeline(spawn->loop), &spawn->restart);
    unwatch(spawn);
    if (spawn->pid > 0) {
        /* It has nothing to save, so it need not shut down cleanly. */
        kill(spawn->pid, SIGKILL);
        waitpid(spawn->pid, NULL, 0);
    }
    if (spawn->directory_fd >= 0) {
        unlinkat(spawn->directory_fd, SOCKET_NAME, 0);
        if (spawn->wrote_config) {
            dbconfig_file_remove(spawn->directory_fd);
        }
        close(spawn->directory_fd);
    }
    if (spawn->own_directory) {
        rmdir(spawn->directory);
    }
    free(spawn);
}

const char *
spawn_socket(const struct spawn *spawn)
{
    return spawn->socket;
}
