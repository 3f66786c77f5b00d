/* SPDX-License-Identifier: Apache-2.0 */

/* fork, exec, and a pidfd to wait for the end of a child. */

#include <config.h>

#include "lab/publish/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END_PATIENCE_MS = 5000, SIGNALLED = 128 };

/* In the child: makes it depend on 'parent', and on no terminal. */
static void
settle(pid_t parent)
{
    const int nothing = open("/dev/null", O_RDONLY);

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(1); /* The parent died before prctl() took effect. */
    }
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (nothing > STDIN_FILENO) {
        dup2(nothing, STDIN_FILENO);
    }
}

/* Watches the child 'pid', or fails because of 'problem', an errno. */
static enum st
watch(pid_t pid, int problem, const char *what, struct child *child,
      struct err *err)
{
    int pidfd = -1;

    if (!problem) {
        pidfd = pidfd_open(pid, 0);
        problem = pidfd < 0 ? errno : 0;
    }
    if (problem) {
        if (pid > 0) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
        }
        return err_set(err, problem == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "child-start", "cannot start %s: %s", what,
                       strerror(problem));
    }
    *child = (struct child){pid, pidfd};
    return ST_OK;
}

/* In the child: becomes the program, or writes errno to 'report'. */
_Noreturn static void
become(const char *const *argv, const char *log_path, pid_t parent, int report)
{
    const int log =
        open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int problem;

    settle(parent);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        /* execvp() leaves the words alone, although its type does not say
         * so. */
        execvp(argv[0], (char *const *)(uintptr_t)argv);
    }
    problem = errno;
    if (write(report, &problem, sizeof problem) < 0) {
        _exit(126);
    }
    _exit(127);
}

enum st
child_start(const char *const *argv, const char *log_path, struct child *child,
            struct err *err)
{
    const pid_t parent = getpid();
    int report[2], problem = 0;
    pid_t pid;

    if (pipe2(report, O_CLOEXEC)) {
        return watch(0, errno, argv[0], child, err);
    }
    pid = fork();
    if (pid == 0) {
        become(argv, log_path, parent, report[1]);
    }
    problem = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0 && read(report[0], &problem, sizeof problem) <= 0) {
        problem = 0; /* Closed by exec: the program runs. */
    }
    close(report[0]);
    return watch(pid, problem, argv[0], child, err);
}

enum st
child_copy(int (*run)(void *context), void *context, struct child *child,
           struct err *err)
{
    const pid_t parent = getpid();
    const pid_t pid = fork();

    if (pid == 0) {
        settle(parent);
        /* Without exit handlers: what they would end belongs to the parent. */
        _exit(run(context));
    }
    return watch(pid, pid < 0 ? errno : 0, "a copy of this process", child,
                 err);
}

bool
child_wait(struct child *child, int timeout_ms, int *code)
{
    struct pollfd ended = {.fd = child->pidfd, .events = POLLIN};
    int status = 0;

    if (poll(&ended, 1, timeout_ms) <= 0) {
        return false;
    }
    waitpid(child->pid, &status, 0);
    close(child->pidfd);
    *child = (struct child){0, -1};
    *code =
        WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
    return true;
}

void
child_end(struct child *child)
{
    int code;

    if (child->pid == 0) {
        return;
    }
    kill(child->pid, SIGTERM);
    if (!child_wait(child, END_PATIENCE_MS, &code)) {
        kill(child->pid, SIGKILL);
        (void)child_wait(child, -1, &code);
    }
}
