/* SPDX-License-Identifier: Apache-2.0 */

/* "mpirun -n N orchlab run": N processes that share a run.
 *
 * A process that is killed cannot say so, and launchers either name the rank or
 * do not.  So each rank is the child of a process that only waits for it: that
 * reports what has become of the rank, and ends with its exit code, after which
 * the launcher ends the others. */

#include <config.h>

#include "orchlab/ranks.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"
#include "lab/exec/communicator.h"
#include "lab/exec/launch.h"
#include "lab/exec/proxy.h"

enum { KILLED = 128, HOST_SIZE = 256 };

/* The code of an error that another rank reports. */
#define RANKS_ELSEWHERE "elsewhere"

/* What launchers tell the processes that they start. */
static const struct {
    const char *size, *rank;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI. */
    {"PMI_SIZE", "PMI_RANK"},                         /* MPICH, Slurm. */
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},            /* Slurm with PMIx. */
};

/* Returns how many ranks a launcher has announced, 1 if none has; stores the
 * own one. */
static uint32_t
announced(uint32_t *rank)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const char *size = getenv(launchers[i].size);
        const char *number = getenv(launchers[i].rank);
        uint64_t n, own;

        if (size && number && !parse_u64(size, 1, UINT32_MAX, &n) &&
            !parse_u64(number, 0, n - 1, &own)) {
            *rank = (uint32_t)own;
            return (uint32_t)n;
        }
    }
    return 1;
}

/* The child that is waited for, and whether a signal was passed on to it. */
static volatile sig_atomic_t child;
static volatile sig_atomic_t is_ending;

static void
pass_on(int number)
{
    is_ending = 1;
    if (child) {
        (void)kill((pid_t)child, number);
    }
}

void
ranks_pass_signals(pid_t pid)
{
    const struct sigaction action = {.sa_handler = pass_on,
                                     .sa_flags = SA_RESTART};

    child = (sig_atomic_t)pid;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* Reports the end of the process of a rank, unless a signal was passed on to
 * it; returns the exit code for it. */
static int
report_end(uint32_t rank, pid_t pid, int status)
{
    const bool is_killed = WIFSIGNALED(status);
    char host[HOST_SIZE] = "", how[64];

    text_format(how, sizeof how, "exit code %d", WEXITSTATUS(status));
    (void)gethostname(host, sizeof host - 1);
    if (!is_ending) {
        fprintf(stderr,
                "orchlab: rank %u (process %d on %s) has died: %s; this ends "
                "the run, and its results say 'incomplete' and have what was "
                "recorded before\n",
                (unsigned int)rank, (int)pid, host,
                is_killed ? strsignal(WTERMSIG(status)) : how);
    }
    return is_killed             ? KILLED + WTERMSIG(status)
           : WEXITSTATUS(status) ? WEXITSTATUS(status)
                                 : EXIT_FAILURE;
}

/* Waits for the child, reports its death, and ends with its exit code. */
static void
wait_for_child(uint32_t rank)
{
    int status = 0;

    ranks_pass_signals((pid_t)child);
    while (waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR) {
    }
    _exit(WIFSIGNALED(status) ? report_end(rank, (pid_t)child, status)
                              : WEXITSTATUS(status));
}

void
ranks_lose(struct communicator *comm, pid_t pid, int status)
{
    const int code = report_end(comm->rank, pid, status);

    (void)fflush(NULL);
    launch_end(comm, code);
    _exit(code);
}

enum st
ranks_join(struct communicator **comm, struct err *err)
{
    const char *proxy = getenv(PROXY_VARIABLE);
    uint32_t rank = 0;
    const uint32_t n = announced(&rank);
    const pid_t parent = getpid();
    uint64_t file;

    *comm = NULL;
    if (proxy && !parse_u64(proxy, 0, INT_MAX, &file)) {
        return proxy_open((int)file, STDOUT_FILENO, STDIN_FILENO, comm, err);
    }
    if (n == 1) {
        return ST_OK;
    }
    (void)fflush(NULL);
    child = (sig_atomic_t)(launch_is_built() ? fork() : 0);
    if (child < 0) {
        return err_set(err, ST_IO, "fork", "cannot start a process: %s",
                       strerror(errno));
    }
    if (child) {
        wait_for_child(rank);
    }
    /* No rank outlives the process that the launcher knows. */
    if (launch_is_built()) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(KILLED);
        }
    }
    return launch_start(n, comm, err);
}

void
ranks_leave(struct communicator *comm)
{
    int64_t ignored = 0;

    if (comm) {
        (void)fflush(NULL);
        comm->minimum(comm, &ignored, 1);
        if (proxy_is(comm)) {
            proxy_close(comm);
        } else {
            launch_end(comm, 0);
        }
    }
}

bool
ranks_leads(const struct communicator *comm)
{
    return !comm || comm->rank == 0;
}

enum st
ranks_agree(struct communicator *comm, enum st st, struct err *err)
{
    int64_t speaker;

    if (!comm) {
        return st;
    }
    speaker = st ? comm->rank : comm->n_ranks;
    comm->minimum(comm, &speaker, 1);
    if (speaker == comm->n_ranks || speaker == comm->rank) {
        return st;
    }
    return err_set(err, st ? st : ST_DEVICE, RANKS_ELSEWHERE,
                   "rank %u has failed, and says why", (unsigned int)speaker);
}

bool
ranks_is_silent(const struct communicator *comm, const struct err *err)
{
    return !ranks_leads(comm) && !strcmp(err->code, RANKS_ELSEWHERE);
}

bool
ranks_follow(struct communicator *comm, bool value)
{
    int64_t least = ranks_leads(comm) ? value : 1;

    if (comm) {
        comm->minimum(comm, &least, 1);
    }
    return least;
}
