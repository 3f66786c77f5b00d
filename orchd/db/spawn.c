/* SPDX-License-Identifier: Apache-2.0 */

/* fork, exec, and a pidfd that reports the end of the child.  (SIGCHLD would be
 * shared with vendor libraries that have their own children.) */

#include <config.h>

#include "orchd/db/spawn.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "process/log.h"
#include "process/loop.h"

/* After this time the back-off starts from the minimum again. */
#define GROWN_UP_NS (INT64_C(10) * 1000 * 1000 * 1000)

struct spawn {
    struct loop *loop;
    struct log *log;
    char directory[108];
    bool own_directory; /* Created here, so also removed here. */
    char socket[108];
    pid_t pid; /* 0 while there is no server. */
    int pidfd;
    struct event *gone;
    struct timer restart;
    int64_t started;
    int64_t backoff;
};

/* Chooses the directory and creates it. */
static enum st
make_directory(struct spawn *spawn, const char *directory, struct err *err)
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    char absolute[PATH_MAX]; /* redis-server changes its directory. */
    bool made;

    if (*directory) {
        made = text_copy(spawn->directory, sizeof spawn->directory, directory);
        made = made && (!mkdir(directory, 0700) || errno == EEXIST) &&
               realpath(directory, absolute);
        if (made &&
            !text_copy(spawn->directory, sizeof spawn->directory, absolute)) {
            errno = ENAMETOOLONG;
            made = false;
        }
    } else {
        parent = parent && !access(parent, W_OK) ? parent : "/tmp";
        made = text_format(spawn->directory, sizeof spawn->directory,
                           "%s/orchd-redis-XXXXXX", parent);
        made = made && mkdtemp(spawn->directory);
        spawn->own_directory = made;
    }
    made = made && text_format(spawn->socket, sizeof spawn->socket,
                               "%s/redis.sock", spawn->directory);
    if (!made) {
        return err_set(err, ST_IO, "redis-spawn", "cannot use directory %s: %s",
                       spawn->directory, strerror(errno));
    }
    return ST_OK;
}

/* redis-server replaces a socket file, which would cut off a server that
 * already uses it. */
static bool
somebody_serves(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool served;

    text_copy(address.sun_path, sizeof address.sun_path, path);
    served = fd >= 0 &&
             !connect(fd, (const struct sockaddr *)&address, sizeof address);
    close(fd);
    return served;
}

/* In the child: becomes redis-server, or writes errno to 'report'. */
_Noreturn static void
become_server(const struct spawn *spawn, pid_t parent, int report)
{
    int problem;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(1); /* The parent died before prctl() took effect. */
    }
    setpgid(0, 0); /* So that ^C in the terminal reaches only orchd. */
    signal(SIGPIPE, SIG_DFL);
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    execlp("redis-server", "redis-server", "--port", "0", "--unixsocket",
           spawn->socket, "--unixsocketperm", "700", "--dir", spawn->directory,
           "--logfile", "redis.log", "--save", "", "--appendonly", "no",
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
    int report[2], problem = 0;
    pid_t pid;

    if (pipe2(report, O_CLOEXEC)) {
        return errno;
    }
    pid = fork();
    if (pid == 0) {
        become_server(spawn, parent, report[1]);
    }
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
        return problem;
    }
    spawn->pidfd = pidfd_open(pid, 0);
    if (spawn->pidfd < 0) {
        /* No free descriptor, or no such system call: a server that cannot be
         * watched is worse than none. */
        problem = errno;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        return problem;
    }
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
    if (spawn->pidfd >= 0) {
        close(spawn->pidfd);
        spawn->pidfd = -1;
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
    unwatch(spawn);
    spawn->pid = 0;
    log_write(spawn->log, LOG_WARN, "redis-died", spawn->socket,
              "the private redis-server ended (%s %d) and its data is gone; "
              "another one is started, and the ASIC keeps what it has",
              WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
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
    orch_assert(spawn->gone);
    event_add(spawn->gone, NULL);
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
spawn_create(struct loop *loop, struct log *log, const char *directory,
             struct spawn **spawn_out, struct err *err)
{
    struct spawn *spawn = check_calloc(1, sizeof *spawn);
    enum st status;
    int problem;

    spawn->loop = loop;
    spawn->log = log;
    spawn->pidfd = -1;
    spawn->backoff = SPAWN_BACKOFF_MIN_NS;
    spawn->restart.fire = on_restart;
    spawn->restart.owner = spawn;
    status = make_directory(spawn, directory, err);
    if (!status && somebody_serves(spawn->socket)) {
        status = err_set(err, ST_EXISTS, "redis-spawn",
                         "a Redis serves at %s already", spawn->socket);
        err_set_remedy(err, "use --redis unix:%s, or another directory",
                       spawn->socket);
        free(spawn);
        return status;
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

/* Removes file 'name' of the server's directory. */
static void
remove_file(const struct spawn *spawn, const char *name)
{
    char path[160];

    text_format(path, sizeof path, "%s/%s", spawn->directory, name);
    unlink(path);
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
    remove_file(spawn, "redis.sock");
    remove_file(spawn, "redis.log");
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
