/* SPDX-License-Identifier: Apache-2.0 */

/* What a call of other ranks takes longer if another process carries it out
 * (lab/exec/proxy.h): a server whose communicator sends back what it gets, and
 * a client that calls it.  Both wait for each other, so one processor is
 * enough; prints microseconds of a reduction and of exchanges. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "lab/exec/communicator.h"
#include "lab/exec/proxy.h"

enum { N_RANKS = 2, CALLS = 2000, VALUES = 5, LARGEST = 4000000 };

static int64_t
now_ns(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void
keep(struct communicator *comm, int64_t *values, size_t n)
{
    (void)comm;
    (void)values;
    (void)n;
}

static void
send_back(struct communicator *comm, const struct parcel *out,
          struct parcel *in)
{
    (void)comm;
    memcpy(in, out, N_RANKS * sizeof *in);
}

static void
call(struct communicator *comm)
{
    static const size_t sizes[] = {0, 4000, 40000, 400000, LARGEST};
    static char bytes[LARGEST];
    struct parcel out[N_RANKS] = {{0}}, in[N_RANKS];
    int64_t values[VALUES] = {0};
    int64_t start_ns = now_ns();

    for (int i = 0; i < CALLS; i++) {
        comm->minimum(comm, values, VALUES);
    }
    printf("{\"reduction_us\": %.1f}\n",
           (double)(now_ns() - start_ns) / 1e3 / CALLS);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        out[1] = (struct parcel){bytes, sizes[k]};
        comm->exchange_neighbors(comm, out, in); /* Maps the memory. */
        start_ns = now_ns();
        for (int i = 0; i < CALLS; i++) {
            comm->exchange_neighbors(comm, out, in);
        }
        printf("{\"bytes\": %zu, \"exchange_us\": %.1f}\n", sizes[k],
               (double)(now_ns() - start_ns) / 1e3 / CALLS);
    }
}

int
main(void)
{
    struct communicator comm = {.n_ranks = N_RANKS,
                                .minimum = keep,
                                .exchange_neighbors = send_back};
    struct communicator *client;
    struct proxy_server *server;
    int requests[2], answers[2];
    char said;

    orch_assert(!proxy_server_create(&comm, &server, NULL));
    orch_assert(!pipe(requests) && !pipe(answers));
    if (fork() == 0) {
        (void)close(requests[0]);
        (void)close(answers[1]);
        orch_assert(!proxy_open(proxy_server_file(server), requests[1],
                                answers[0], &client, NULL));
        call(client);
        (void)fflush(stdout);
        proxy_close(client);
        _exit(0);
    }
    (void)close(requests[1]);
    while (read(requests[0], &said, 1) > 0) {
        proxy_server_answer(server, answers[1]);
    }
    (void)wait(NULL);
    proxy_server_destroy(server);
    return 0;
}
