/* SPDX-License-Identifier: Apache-2.0 */

/* A build without MPI. */

#include <config.h>

#include "lab/exec/launch.h"

bool
launch_is_built(void)
{
    return false;
}

const char *
launch_library(void)
{
    return "";
}

static enum st
fail(struct err *err)
{
    err_set(err, ST_UNSUPPORTED, "ranks",
            "this orchlab was built without MPI, so that it has one rank only");
    err_set_remedy(err, "configure it with --with-mpi, or start it without "
                        "mpirun");
    return ST_UNSUPPORTED;
}

enum st
launch_start(uint32_t n, struct communicator **comm, struct err *err)
{
    (void)n;
    (void)comm;
    return fail(err);
}

void
launch_take_stats(struct communicator *comm, struct launch_stats *stats)
{
    (void)comm;
    *stats = (struct launch_stats){0};
}

void
launch_end(struct communicator *comm, int code)
{
    (void)comm;
    (void)code;
}

enum st
launch_divide(struct communicator *comm, const struct experiment *experiment,
              struct arena *arena, const uint32_t **owners, struct err *err)
{
    (void)comm;
    (void)experiment;
    (void)arena;
    (void)owners;
    return fail(err);
}
