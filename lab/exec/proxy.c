/* SPDX-License-Identifier: Apache-2.0 */

/* Communicators that another process carries out. */

#include <config.h>

#include "lab/exec/proxy.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "lab/exec/communicator.h"

/* MPI counts the units of 8 bytes of an exchange with an int: 16 GiB.  There
 * is more room, for the sizes, and because parcels begin at whole units. */
#define ROOM_BYTES (UINT64_C(1) << 35)

/* Far from the program, its heap, libraries and stack; from what sanitizers
 * use, too. */
#define CLIENT_ADDRESS ((void *)UINT64_C(0x200000000000))

enum { UNIT = sizeof(uint64_t), MAGIC = 0x6f726368 };

/* The functions of a communicator. */
enum function {
    NO_FUNCTION,
    MINIMUM,
    SUM,
    EXCHANGE,
    EXCHANGE_NEIGHBORS,
    SET_NEIGHBORS,
};

/* The memory; 'out' is from the client, and has its answer if that has the same
 * size. */
struct shared {
    uint32_t magic;
    uint32_t n_ranks, rank;
    uint32_t function;
    uint64_t n_values;
    uint64_t has_left;
    char out[ROOM_BYTES];
    char in[ROOM_BYTES];
};

struct proxy_server {
    struct communicator *comm;
    struct shared *shared;
    int file;
    struct parcel *out, *in; /* By rank. */
};

struct proxy {
    struct communicator comm;
    struct shared *shared;
    int requests, answers;
};

/* Parcels ------------------------------------------------------------------ */

/* Copies the parcels to all 'n' ranks but 'self' into 'room': their sizes, then
 * their bytes. */
static void
pack(char *room, const struct parcel *parcels, uint32_t n, uint32_t self)
{
    uint64_t *sizes = (uint64_t *)(void *)room;
    uint64_t units = n;

    for (uint32_t r = 0; r < n; r++) {
        sizes[r] = r == self ? 0 : parcels[r].n;
        orch_assert(sizes[r] <= ROOM_BYTES - units * UNIT);
        if (sizes[r]) {
            memcpy(sizes + units, parcels[r].bytes, sizes[r]);
        }
        units += (sizes[r] + UNIT - 1) / UNIT;
    }
}

/* Describes the parcels in 'room', which stay there. */
static void
unpack(const char *room, struct parcel *parcels, uint32_t n)
{
    const uint64_t *sizes = (const uint64_t *)(const void *)room;
    uint64_t units = n;

    for (uint32_t r = 0; r < n; r++) {
        parcels[r] = (struct parcel){sizes + units, sizes[r]};
        units += (sizes[r] + UNIT - 1) / UNIT;
    }
}

/* The server --------------------------------------------------------------- */

static enum st
fail(struct err *err, const char *what)
{
    return err_set(err, ST_IO, "ranks",
                   "cannot %s memory for two processes of a rank: %s", what,
                   strerror(errno));
}

enum st
proxy_server_create(struct communicator *comm, struct proxy_server **server,
                    struct err *err)
{
    struct proxy_server *made = check_calloc(1, sizeof *made);
    const size_t size = sizeof *made->shared;
    enum st st = ST_OK;

    made->comm = comm;
    made->out = check_calloc(comm->n_ranks, sizeof *made->out);
    made->in = check_calloc(comm->n_ranks, sizeof *made->in);
    made->file = memfd_create("orchlab-rank", MFD_CLOEXEC);
    made->shared = MAP_FAILED;
    if (made->file < 0 || ftruncate(made->file, (off_t)size)) {
        st = fail(err, "make");
    } else {
        made->shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_NORESERVE, made->file, 0);
        st = made->shared == MAP_FAILED ? fail(err, "map") : ST_OK;
    }
    if (st) {
        proxy_server_destroy(made);
        return st;
    }
    made->shared->magic = MAGIC;
    made->shared->n_ranks = comm->n_ranks;
    made->shared->rank = comm->rank;
    *server = made;
    return ST_OK;
}

void
proxy_server_destroy(struct proxy_server *server)
{
    if (!server) {
        return;
    }
    if (server->shared != MAP_FAILED) {
        (void)munmap(server->shared, sizeof *server->shared);
    }
    if (server->file >= 0) {
        (void)close(server->file);
    }
    free(server->out);
    free(server->in);
    free(server);
}

int
proxy_server_file(const struct proxy_server *server)
{
    return server->file;
}

bool
proxy_server_has_left(const struct proxy_server *server)
{
    return server->shared->has_left != 0;
}

/* Carries out an exchange that 'function' does. */
static void
carry_out_exchange(struct proxy_server *server,
                   void (*function)(struct communicator *comm,
                                    const struct parcel *out,
                                    struct parcel *in))
{
    struct communicator *comm = server->comm;

    unpack(server->shared->out, server->out, comm->n_ranks);
    function(comm, server->out, server->in);
    pack(server->shared->in, server->in, comm->n_ranks, comm->rank);
}

void
proxy_server_answer(struct proxy_server *server, int answers)
{
    struct communicator *comm = server->comm;
    struct shared *shared = server->shared;
    void *out = shared->out;
    ssize_t n;

    switch ((enum function)shared->function) {
    case NO_FUNCTION:
        return;
    case MINIMUM:
        comm->minimum(comm, out, shared->n_values);
        break;
    case SUM:
        comm->sum(comm, out, shared->n_values);
        break;
    case EXCHANGE:
        carry_out_exchange(server, comm->exchange);
        break;
    case EXCHANGE_NEIGHBORS:
        carry_out_exchange(server, comm->exchange_neighbors);
        break;
    case SET_NEIGHBORS:
        comm->set_neighbors(comm, out);
        break;
    }
    shared->function = NO_FUNCTION;
    do {
        n = write(answers, "", 1); /* If nobody reads it, its end is seen. */
    } while (n < 0 && errno == EINTR);
}

/* The client --------------------------------------------------------------- */

/* Has the server carry out 'function', and waits for that. */
static void
ask(struct communicator *comm, enum function function)
{
    const struct proxy *proxy = (const struct proxy *)comm;
    char byte = PROXY_REQUEST;
    ssize_t n;

    proxy->shared->function = function;
    do {
        n = write(proxy->requests, &byte, 1);
    } while (n < 0 && errno == EINTR);
    if (n == 1) {
        do {
            n = read(proxy->answers, &byte, 1);
        } while (n < 0 && errno == EINTR);
    }
    if (n != 1) {
        _exit(EXIT_FAILURE);
    }
}

/* Has the server replace 'n' values. */
static void
replace(struct communicator *comm, enum function function, void *values,
        size_t n)
{
    struct shared *shared = ((struct proxy *)comm)->shared;

    orch_assert(n <= ROOM_BYTES / UNIT);
    memcpy(shared->out, values, n * UNIT);
    shared->n_values = n;
    ask(comm, function);
    memcpy(values, shared->out, n * UNIT);
}

static void
take_minimum(struct communicator *comm, int64_t *values, size_t n)
{
    replace(comm, MINIMUM, values, n);
}

static void
take_sum(struct communicator *comm, uint64_t *values, size_t n)
{
    replace(comm, SUM, values, n);
}

static void
carry_over(struct communicator *comm, enum function function,
           const struct parcel *out, struct parcel *in)
{
    struct shared *shared = ((struct proxy *)comm)->shared;

    pack(shared->out, out, comm->n_ranks, comm->rank);
    ask(comm, function);
    unpack(shared->in, in, comm->n_ranks);
}

static void
exchange(struct communicator *comm, const struct parcel *out, struct parcel *in)
{
    carry_over(comm, EXCHANGE, out, in);
}

static void
exchange_neighbors(struct communicator *comm, const struct parcel *out,
                   struct parcel *in)
{
    carry_over(comm, EXCHANGE_NEIGHBORS, out, in);
}

static void
set_neighbors(struct communicator *comm, const bool *are)
{
    memcpy(((struct proxy *)comm)->shared->out, are,
           comm->n_ranks * sizeof *are);
    ask(comm, SET_NEIGHBORS);
}

enum st
proxy_open(int file, int requests, int answers, struct communicator **comm,
           struct err *err)
{
    struct proxy *proxy;
    struct shared *shared;
    struct stat found;

    if (fstat(file, &found) || found.st_size != (off_t)sizeof *shared) {
        return err_set(err, ST_INVALID, "ranks",
                       PROXY_VARIABLE " is for processes that orchlab starts: "
                                      "descriptor %d is another file",
                       file);
    }
    shared = mmap(CLIENT_ADDRESS, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
    if (shared == MAP_FAILED) {
        return fail(err, "map");
    }
    orch_assert(shared == CLIENT_ADDRESS && shared->magic == MAGIC);
    (void)close(file);
    proxy = check_calloc(1, sizeof *proxy);
    proxy->shared = shared;
    proxy->requests = requests;
    proxy->answers = answers;
    proxy->comm = (struct communicator){
        .n_ranks = shared->n_ranks,
        .rank = shared->rank,
        .minimum = take_minimum,
        .sum = take_sum,
        .exchange = exchange,
        .exchange_neighbors = exchange_neighbors,
        .set_neighbors = set_neighbors,
    };
    *comm = &proxy->comm;
    return ST_OK;
}

bool
proxy_is(const struct communicator *comm)
{
    return comm && comm->minimum == take_minimum;
}

void
proxy_close(struct communicator *comm)
{
    struct proxy *proxy = (struct proxy *)comm;

    proxy->shared->has_left = 1;
    (void)munmap(proxy->shared, sizeof *proxy->shared);
    free(proxy);
}
