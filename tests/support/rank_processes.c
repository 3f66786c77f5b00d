/* SPDX-License-Identifier: Apache-2.0 */

/* Ranks of a run as processes of a test.
 *
 * Parcels are in a file in memory for each pair of ranks.  All ranks wait at a
 * barrier when they have written, and again when they have read. */

#include <config.h>

#include "tests/support/rank_processes.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

enum { RANKS_MAX = 8, VALUES_MAX = 64, SECONDS_MAX = 60 };

/* What all processes see. */
struct shared {
    pthread_barrier_t barrier;
    int64_t values[RANKS_MAX][VALUES_MAX];
    size_t sizes[RANKS_MAX][RANKS_MAX]; /* From, to. */
};

struct rank {
    struct communicator comm;
    struct shared *shared;
    int files[RANKS_MAX][RANKS_MAX];
    char *received[RANKS_MAX];
    pid_t children[RANKS_MAX];
    bool are_neighbors[RANKS_MAX];
};

static void
meet(const struct rank *rank)
{
    (void)alarm(SECONDS_MAX);
    pthread_barrier_wait(&rank->shared->barrier);
    (void)alarm(0);
}

static void
share_values(const struct rank *rank, const void *values, size_t n)
{
    orch_assert(n <= VALUES_MAX);
    memcpy(rank->shared->values[rank->comm.rank], values, n * sizeof(int64_t));
    meet(rank);
}

static void
take_minimum(struct communicator *comm, int64_t *values, size_t n)
{
    struct rank *rank = (struct rank *)comm;

    share_values(rank, values, n);
    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        for (size_t i = 0; i < n; i++) {
            const int64_t value = rank->shared->values[r][i];

            values[i] = value < values[i] ? value : values[i];
        }
    }
    meet(rank);
}

static void
take_sum(struct communicator *comm, uint64_t *values, size_t n)
{
    struct rank *rank = (struct rank *)comm;

    share_values(rank, values, n);
    memset(values, 0, n * sizeof *values);
    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        for (size_t i = 0; i < n; i++) {
            values[i] += (uint64_t)rank->shared->values[r][i];
        }
    }
    meet(rank);
}

static void
exchange(struct communicator *comm, const struct parcel *out, struct parcel *in)
{
    struct rank *rank = (struct rank *)comm;
    struct shared *shared = rank->shared;
    const uint32_t self = comm->rank;

    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        shared->sizes[self][r] = r == self ? 0 : out[r].n;
        orch_assert(pwrite(rank->files[self][r], out[r].bytes,
                           shared->sizes[self][r],
                           0) == (ssize_t)shared->sizes[self][r]);
    }
    meet(rank);
    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        const size_t n = shared->sizes[r][self];

        rank->received[r] = check_realloc(rank->received[r], n + 1);
        orch_assert(pread(rank->files[r][self], rank->received[r], n, 0) ==
                    (ssize_t)n);
        in[r] = (struct parcel){rank->received[r], n};
    }
    meet(rank);
}

/* Fails if something goes to a rank that is no neighbor. */
static void
exchange_neighbors(struct communicator *comm, const struct parcel *out,
                   struct parcel *in)
{
    const struct rank *rank = (const struct rank *)comm;

    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        orch_assert(rank->are_neighbors[r] || !out[r].n);
    }
    exchange(comm, out, in);
}

static void
set_neighbors(struct communicator *comm, const bool *are)
{
    memcpy(((struct rank *)comm)->are_neighbors, are,
           comm->n_ranks * sizeof *are);
}

struct communicator *
rank_processes_start(uint32_t n)
{
    struct rank *rank = check_calloc(1, sizeof *rank);
    pthread_barrierattr_t attributes;

    orch_assert(n <= RANKS_MAX);
    rank->shared = mmap(NULL, sizeof *rank->shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    orch_assert(rank->shared != MAP_FAILED);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&rank->shared->barrier, &attributes, n);
    for (uint32_t i = 0; i < n * n; i++) {
        rank->files[i / n][i % n] = memfd_create("parcels", MFD_CLOEXEC);
        orch_assert(rank->files[i / n][i % n] >= 0);
    }
    rank->comm = (struct communicator){.n_ranks = n,
                                       .minimum = take_minimum,
                                       .sum = take_sum,
                                       .exchange = exchange,
                                       .exchange_neighbors = exchange_neighbors,
                                       .set_neighbors = set_neighbors};
    (void)fflush(NULL);
    for (uint32_t r = 1; r < n; r++) {
        rank->children[r] = fork();
        orch_assert(rank->children[r] >= 0);
        if (!rank->children[r]) {
            rank->comm.rank = r;
            break;
        }
    }
    return &rank->comm;
}

void
rank_processes_end(struct communicator *comm)
{
    struct rank *rank = (struct rank *)comm;
    const uint32_t n = comm->n_ranks;

    if (comm->rank != 0) {
        (void)fflush(NULL);
        _exit(0);
    }
    for (uint32_t r = 1; r < n; r++) {
        int status;

        orch_assert(waitpid(rank->children[r], &status, 0) > 0 && !status);
    }
    for (uint32_t i = 0; i < n * n; i++) {
        (void)close(rank->files[i / n][i % n]);
    }
    for (uint32_t r = 0; r < n; r++) {
        free(rank->received[r]);
    }
    pthread_barrier_destroy(&rank->shared->barrier);
    (void)munmap(rank->shared, sizeof *rank->shared);
    free(rank);
}
