/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_ELSEWHERE_H
#define ORCHD_ORCHLAB_ELSEWHERE_H

/* Has the runs of a plan carried out by an executor (executor.h), each by an
 * orchlab of its own. */

#include <jansson.h>

#include "base/status.h"

struct executor_end;
struct run_manner;
struct run_plan;

struct elsewhere {
    const char *where; /* "local:2", as executor_parse() takes it. */
    const struct run_manner *manner;
    const struct run_plan *plan;
    const char *file; /* That the plan was read from. */
    /* What the plan was read with: an array of "PATH=VALUE", and the seed;
     * NULL: none. */
    const json_t *sets;
    const char *seed;
    unsigned int ranks; /* Of each run; 0, 1: one process. */
};

/* Returns the command that carries out a run in a process of its own, without
 * its number; NULL ends it.  From the plan's arena, which has room for
 * ELSEWHERE_MORE further words there. */
enum { ELSEWHERE_MORE = 4 };
const char **elsewhere_command(const struct elsewhere *elsewhere);

/* Carries out the chosen runs that have no complete results, or all of them if
 * 'manner->again'.  Stores in '*ends' an array with the end of each chosen run,
 * NULL for those that were complete before, from the plan's arena; NULL if all
 * were.  ST_UNSUPPORTED: such runs would have to stand still, or be shared
 * among ranks by mpirun already; this build has no MPI for 'ranks'; else fails
 * as executor_parse() and executor_carry_out() do. */
enum st elsewhere_carry_out(const struct elsewhere *elsewhere,
                            const struct executor_end ***ends,
                            struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/elsewhere.h */
