/* SPDX-License-Identifier: Apache-2.0 */

/* Ranks whose calls another process carries out: each rank of the test has a
 * client. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"
#include "lab/exec/proxy.h"
#include "tests/support/rank_processes.h"

enum { N_RANKS = 3, LARGE = 3 << 20, TURNS = 4 };

/* A rank, its server, and pipes from and to its client. */
struct bench {
    struct communicator *comm;
    struct proxy_server *server;
    int requests[2], answers[2];
};

/* Returns how many bytes rank 'from' sends to 'to' at 'turn': nothing, odd
 * sizes, whole units, and more than what others send. */
static size_t
size_of(int turn, uint32_t from, uint32_t to)
{
    const size_t sizes[TURNS] = {0, 1 + from + 3 * to, 8 * (from + 1),
                                 LARGE + 8 * from + to};

    return from == to ? 0 : sizes[turn];
}

/* Exchanges at all turns, or with 'is_near' only between ranks 0 and 1. */
static void
exchange(struct communicator *comm, bool is_near)
{
    struct parcel out[N_RANKS], in[N_RANKS];
    const uint32_t self = comm->rank;
    char *bytes = check_malloc(2 * LARGE);

    memset(bytes, 'a' + (int)self, 2 * LARGE);
    for (int turn = 0; turn < TURNS; turn++) {
        for (uint32_t r = 0; r < N_RANKS; r++) {
            const bool is_left_out = is_near && (r > 1 || self > 1);

            out[r] = (struct parcel){bytes,
                                     is_left_out ? 0 : size_of(turn, self, r)};
        }
        out[self].n = 77; /* Goes nowhere. */
        (is_near ? comm->exchange_neighbors : comm->exchange)(comm, out, in);
        for (uint32_t r = 0; r < N_RANKS; r++) {
            const bool is_left_out = is_near && (r > 1 || self > 1);
            const char *got = in[r].bytes;

            orch_assert(in[r].n ==
                        (is_left_out ? 0 : size_of(turn, r, self)));
            orch_assert((uintptr_t)got % 8 == 0);
            for (size_t i = 0; i < in[r].n; i++) {
                orch_assert(got[i] == 'a' + (int)r);
            }
        }
    }
    free(bytes);
}

/* Calls each function of 'comm'. */
static void
call_all(struct communicator *comm)
{
    const int64_t self = comm->rank;
    int64_t values[] = {self, -self, INT64_MAX, 5};
    uint64_t counts[] = {(uint64_t)self, UINT64_C(1) << 40, 1};
    const bool are[N_RANKS] = {self == 1, self == 0, false};

    orch_assert(comm->n_ranks == N_RANKS);
    comm->minimum(comm, values, 3);
    orch_assert(values[0] == 0 && values[1] == 1 - N_RANKS);
    orch_assert(values[2] == INT64_MAX && values[3] == 5);
    comm->sum(comm, counts, 2);
    orch_assert(counts[0] == 3 && counts[1] == UINT64_C(3) << 40);
    orch_assert(counts[2] == 1);
    exchange(comm, false);
    comm->set_neighbors(comm, are);
    exchange(comm, true);
}

static void
open_bench(struct bench *bench, uint32_t n_ranks)
{
    bench->comm = rank_processes_start(n_ranks);
    orch_assert(!proxy_server_create(bench->comm, &bench->server, NULL));
    orch_assert(!pipe(bench->requests) && !pipe(bench->answers));
}

static void
close_bench(struct bench *bench)
{
    (void)close(bench->requests[0]);
    (void)close(bench->answers[1]);
    proxy_server_destroy(bench->server);
    rank_processes_end(bench->comm);
}

/* Starts a client; returns its communicator in it, NULL in the server. */
static struct communicator *
start_client(struct bench *bench, pid_t *pid)
{
    struct communicator *client = NULL;

    (void)fflush(NULL);
    *pid = fork();
    orch_assert(*pid >= 0);
    if (*pid) {
        (void)close(bench->requests[1]);
        (void)close(bench->answers[0]);
        return NULL;
    }
    (void)close(bench->requests[0]);
    (void)close(bench->answers[1]);
    orch_assert(!proxy_open(proxy_server_file(bench->server),
                            bench->requests[1], bench->answers[0], &client,
                            NULL));
    orch_assert(proxy_is(client) && client->rank == bench->comm->rank);
    return client;
}

/* Answers the client up to its end; returns its exit code. */
static int
serve(struct bench *bench, pid_t pid)
{
    char said[64];
    int status;
    ssize_t n;

    while ((n = read(bench->requests[0], said, sizeof said)) > 0) {
        orch_assert(said[n - 1] == PROXY_REQUEST);
        orch_assert(!proxy_server_has_left(bench->server));
        proxy_server_answer(bench->server, bench->answers[1]);
    }
    orch_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void
test_calls_are_carried_out(void **state)
{
    struct bench bench;
    struct communicator *client;
    pid_t pid;

    (void)state;
    open_bench(&bench, N_RANKS);
    client = start_client(&bench, &pid);
    if (client) {
        call_all(client);
        proxy_close(client);
        _exit(0);
    }
    orch_assert(serve(&bench, pid) == 0);
    orch_assert(proxy_server_has_left(bench.server));
    /* A byte that asks for nothing. */
    proxy_server_answer(bench.server, -1);
    close_bench(&bench);
}

static void
test_a_client_ends_with_its_server(void **state)
{
    struct bench bench;
    struct communicator *client;
    int64_t value = 0;
    pid_t pid;

    (void)state;
    open_bench(&bench, 1);
    client = start_client(&bench, &pid);
    if (client) {
        client->minimum(client, &value, 1);
        _exit(0);
    }
    (void)close(bench.answers[1]); /* It is killed. */
    bench.answers[1] = -1;
    while (read(bench.requests[0], &value, 1) > 0) {
    }
    assert_int_equal(serve(&bench, pid), EXIT_FAILURE);
    assert_false(proxy_server_has_left(bench.server));
    close_bench(&bench);
}

static void
test_other_files_are_refused(void **state)
{
    struct communicator *comm = NULL;
    struct err err = {0};
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(proxy_open(ends[0], 1, 0, &comm, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, PROXY_VARIABLE));
    (void)close(ends[0]);
    (void)close(ends[1]);
    assert_int_equal(proxy_open(ends[0], 1, 0, &comm, NULL), ST_INVALID);
    assert_null(comm);
}

static void
test_others_are_no_proxies(void **state)
{
    struct communicator *comm = rank_processes_start(1);

    (void)state;
    assert_false(proxy_is(comm));
    assert_false(proxy_is(NULL));
    rank_processes_end(comm);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_carried_out),
        cmocka_unit_test(test_a_client_ends_with_its_server),
        cmocka_unit_test(test_other_files_are_refused),
        cmocka_unit_test(test_others_are_no_proxies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
