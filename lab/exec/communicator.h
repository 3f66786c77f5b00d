/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_COMMUNICATOR_H
#define ORCHD_LAB_EXEC_COMMUNICATOR_H

/* How the ranks of a run reach each other.
 *
 * A run on several ranks is one process per rank, each with a part of the
 * fabric (lab/exec/run_ranks.c).  The words are those of MPI, which
 * mpi_communicator.h uses; tests use sockets between processes of their own.
 *
 * All functions are collective: each rank calls the same ones in the same
 * order, and none returns before all ranks that it concerns have called it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes for a rank, or from it. */
struct parcel {
    const void *bytes;
    size_t n;
};

struct communicator {
    uint32_t n_ranks;
    uint32_t rank;

    /* Replaces each of 'n' values by the least (the sum) of all ranks. */
    void (*minimum)(struct communicator *comm, int64_t *values, size_t n);
    void (*sum)(struct communicator *comm, uint64_t *values, size_t n);

    /* Sends 'out[r]' to each rank r, and stores what each has sent to this one
     * in 'in[r]'; borrowed until the next call.  Both are arrays of 'n_ranks',
     * and nothing goes to the own rank. */
    void (*exchange)(struct communicator *comm, const struct parcel *out,
                     struct parcel *in);

    /* Does the same among neighbors only: nothing goes to other ranks, and
     * their 'in[r]' is empty. */
    void (*exchange_neighbors)(struct communicator *comm,
                               const struct parcel *out, struct parcel *in);

    /* Says which ranks are neighbors of this one: 'are[r]'.  The relation is
     * symmetric. */
    void (*set_neighbors)(struct communicator *comm, const bool *are);
};

#endif /* lab/exec/communicator.h */
