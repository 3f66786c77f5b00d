/* SPDX-License-Identifier: Apache-2.0 */

/* The ranks of MPI.
 *
 * Each exchange is two collectives: how many bytes follow, and the bytes.  An
 * error of MPI ends the processes of all ranks, as MPI does by default. */

#include <config.h>

#include "lab/exec/launch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "lab/builder/experiment.h"
#include "lab/exec/communicator.h"
#include "lab/exec/partition.h"

/* Data are counted in units of 8 bytes: MPI counts with an int. */
enum { UNIT = sizeof(uint64_t) };

/* One kind of exchange: with all ranks, or with neighbors. */
struct exchange {
    MPI_Comm comm;
    uint32_t self;
    int n;           /* Ranks that it concerns, ... */
    uint32_t *ranks; /* ... in order. */
    uint64_t *out_bytes, *in_bytes;
    int *out_counts, *in_counts;
    int *out_places, *in_places;
    uint64_t *out, *in;
    size_t out_units, in_units; /* Room. */
};

struct mpi_communicator {
    struct communicator comm;
    struct exchange all, neighbors;
    struct launch_stats stats;
    double seconds; /* In functions of MPI. */
};

static void
minimum(struct communicator *comm, int64_t *values, size_t n)
{
    const double start = MPI_Wtime();

    MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_INT64_T, MPI_MIN,
                  MPI_COMM_WORLD);
    ((struct mpi_communicator *)comm)->seconds += MPI_Wtime() - start;
}

static void
sum(struct communicator *comm, uint64_t *values, size_t n)
{
    (void)comm;
    MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
}

/* Exchange ----------------------------------------------------------------- */

/* Sets counts and places of 'bytes' for 'n' ranks; returns the units. */
static size_t
place(const uint64_t *bytes, int n, int *counts, int *places)
{
    uint64_t units = 0;

    for (int i = 0; i < n; i++) {
        const uint64_t count = (bytes[i] + UNIT - 1) / UNIT;

        orch_assert(units + count <= INT_MAX);
        places[i] = (int)units;
        counts[i] = (int)count;
        units += count;
    }
    return units;
}

static void
make_room(uint64_t **units, size_t *room, size_t n)
{
    if (n > *room) {
        *room = 2 * n;
        *units = check_realloc(*units, *room * UNIT);
    }
}

/* Puts what goes out into one piece. */
static void
pack(struct exchange *exchange, const struct parcel *out)
{
    size_t n;

    for (int i = 0; i < exchange->n; i++) {
        exchange->out_bytes[i] = exchange->ranks[i] == exchange->self
                                     ? 0
                                     : out[exchange->ranks[i]].n;
    }
    n = place(exchange->out_bytes, exchange->n, exchange->out_counts,
              exchange->out_places);
    make_room(&exchange->out, &exchange->out_units, n + 1);
    for (int i = 0; i < exchange->n; i++) {
        if (exchange->out_bytes[i]) {
            memcpy(exchange->out + exchange->out_places[i],
                   out[exchange->ranks[i]].bytes, exchange->out_bytes[i]);
        }
    }
}

/* Exchanges 'out', and stores what comes in 'in', of 'n' ranks. */
static void
carry_out(struct exchange *exchange, bool is_graph, uint32_t n,
          const struct parcel *out, struct parcel *in)
{
    pack(exchange, out);
    if (is_graph) {
        MPI_Neighbor_alltoall(exchange->out_bytes, 1, MPI_UINT64_T,
                              exchange->in_bytes, 1, MPI_UINT64_T,
                              exchange->comm);
    } else {
        MPI_Alltoall(exchange->out_bytes, 1, MPI_UINT64_T, exchange->in_bytes,
                     1, MPI_UINT64_T, exchange->comm);
    }
    make_room(&exchange->in, &exchange->in_units,
              place(exchange->in_bytes, exchange->n, exchange->in_counts,
                    exchange->in_places) +
                  1);
    if (is_graph) {
        MPI_Neighbor_alltoallv(exchange->out, exchange->out_counts,
                               exchange->out_places, MPI_UINT64_T, exchange->in,
                               exchange->in_counts, exchange->in_places,
                               MPI_UINT64_T, exchange->comm);
    } else {
        MPI_Alltoallv(exchange->out, exchange->out_counts, exchange->out_places,
                      MPI_UINT64_T, exchange->in, exchange->in_counts,
                      exchange->in_places, MPI_UINT64_T, exchange->comm);
    }
    memset(in, 0, n * sizeof *in);
    for (int i = 0; i < exchange->n; i++) {
        in[exchange->ranks[i]] = (struct parcel){
            exchange->in + exchange->in_places[i], exchange->in_bytes[i]};
    }
}

static void
exchange_all(struct communicator *comm, const struct parcel *out,
             struct parcel *in)
{
    carry_out(&((struct mpi_communicator *)comm)->all, false, comm->n_ranks,
              out, in);
}

static void
exchange_neighbors(struct communicator *comm, const struct parcel *out,
                   struct parcel *in)
{
    struct mpi_communicator *mpi = (struct mpi_communicator *)comm;
    const double start = MPI_Wtime();

    carry_out(&mpi->neighbors, true, comm->n_ranks, out, in);
    mpi->seconds += MPI_Wtime() - start;
    mpi->stats.windows++;
    for (int i = 0; i < mpi->neighbors.n; i++) {
        mpi->stats.bytes += mpi->neighbors.out_bytes[i];
    }
}

/* Creation ----------------------------------------------------------------- */

/* Prepares 'exchange' among the ranks r of 'n' with 'are[r]' (NULL: all). */
static void
prepare(struct exchange *exchange, uint32_t n, const bool *are)
{
    exchange->ranks = check_calloc(n, sizeof *exchange->ranks);
    for (uint32_t r = 0; r < n; r++) {
        if (!are || are[r]) {
            exchange->ranks[exchange->n++] = r;
        }
    }
    exchange->out_bytes = check_calloc(n, sizeof *exchange->out_bytes);
    exchange->in_bytes = check_calloc(n, sizeof *exchange->in_bytes);
    exchange->out_counts = check_calloc(n, sizeof *exchange->out_counts);
    exchange->in_counts = check_calloc(n, sizeof *exchange->in_counts);
    exchange->out_places = check_calloc(n, sizeof *exchange->out_places);
    exchange->in_places = check_calloc(n, sizeof *exchange->in_places);
}

static void
release(struct exchange *exchange)
{
    free(exchange->ranks);
    free(exchange->out_bytes);
    free(exchange->in_bytes);
    free(exchange->out_counts);
    free(exchange->in_counts);
    free(exchange->out_places);
    free(exchange->in_places);
    free(exchange->out);
    free(exchange->in);
    *exchange = (struct exchange){0};
}

/* Leaves the graph of neighbors, if there is one. */
static void
forget_neighbors(struct mpi_communicator *mpi)
{
    if (mpi->neighbors.ranks) {
        MPI_Comm_free(&mpi->neighbors.comm);
        release(&mpi->neighbors);
    }
}

static void
set_neighbors(struct communicator *comm, const bool *are)
{
    struct mpi_communicator *mpi = (struct mpi_communicator *)comm;
    struct exchange *neighbors = &mpi->neighbors;
    int *ranks, *weights;

    forget_neighbors(mpi);
    prepare(neighbors, comm->n_ranks, are);
    neighbors->self = comm->rank;
    ranks = check_calloc(comm->n_ranks, sizeof *ranks);
    weights = check_calloc(comm->n_ranks, sizeof *weights);
    for (int i = 0; i < neighbors->n; i++) {
        ranks[i] = (int)neighbors->ranks[i];
        weights[i] = 1;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors->n, ranks, weights,
                                   neighbors->n, ranks, weights, MPI_INFO_NULL,
                                   0, &neighbors->comm);
    free(ranks);
    free(weights);
}

bool
launch_is_built(void)
{
    return true;
}

const char *
launch_library(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    for (char *c = version; *c; c++) {
        *c = (char)(*c == '\t' ? ' ' : *c);
    }
    return version;
}

enum st
launch_start(uint32_t n, struct communicator **comm, struct err *err)
{
    struct mpi_communicator *mpi;
    int n_ranks, rank;

    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if ((uint32_t)n_ranks != n) {
        err_set(err, ST_UNSUPPORTED, "ranks",
                "the launcher has started %u ranks, but %s of this orchlab "
                "knows %d: they are of different MPI libraries",
                (unsigned int)n, launch_library(), n_ranks);
        err_set_remedy(err, "use the mpirun of that library");
        MPI_Finalize();
        return ST_UNSUPPORTED;
    }
    mpi = check_calloc(1, sizeof *mpi);
    mpi->comm = (struct communicator){.n_ranks = (uint32_t)n_ranks,
                                      .rank = (uint32_t)rank,
                                      .minimum = minimum,
                                      .sum = sum,
                                      .exchange = exchange_all,
                                      .exchange_neighbors = exchange_neighbors,
                                      .set_neighbors = set_neighbors};
    prepare(&mpi->all, mpi->comm.n_ranks, NULL);
    mpi->all.comm = MPI_COMM_WORLD;
    mpi->all.self = mpi->comm.rank;
    *comm = &mpi->comm;
    return ST_OK;
}

void
launch_take_stats(struct communicator *comm, struct launch_stats *stats)
{
    struct mpi_communicator *mpi = (struct mpi_communicator *)comm;

    *stats = mpi->stats;
    stats->ns = (int64_t)(mpi->seconds * 1e9);
    mpi->stats = (struct launch_stats){0};
    mpi->seconds = 0;
}

void
launch_end(struct communicator *comm, int code)
{
    struct mpi_communicator *mpi = (struct mpi_communicator *)comm;

    if (code) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    forget_neighbors(mpi);
    MPI_Finalize();
    release(&mpi->all);
    free(mpi);
}

enum st
launch_divide(struct communicator *comm, const struct experiment *experiment,
              struct arena *arena, const uint32_t **owners, struct err *err)
{
    const uint32_t n = experiment->topology.n_nodes;
    int64_t *ranks = arena_alloc(arena, (size_t)n + 1, sizeof *ranks);
    uint32_t *made = arena_alloc(arena, n, sizeof *made);

    /* That of rank 0 counts: it is less than what all others have. */
    for (uint32_t i = 0; i <= n; i++) {
        ranks[i] = INT64_MAX;
    }
    if (comm->rank == 0) {
        ranks[n] = partition_make(experiment, comm->n_ranks, arena, made);
        for (uint32_t i = 0; i < n; i++) {
            ranks[i] = made[i];
        }
    }
    comm->minimum(comm, ranks, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        made[i] = (uint32_t)ranks[i];
    }
    *owners = made;
    return ranks[n] ? ST_OK
                    : err_set(err, ST_INVALID, "ranks",
                              "the %u nodes of the fabric cannot be divided "
                              "among %u ranks",
                              (unsigned int)n, (unsigned int)comm->n_ranks);
}
