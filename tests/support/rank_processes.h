/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_RANK_PROCESSES_H
#define ORCHD_TESTS_SUPPORT_RANK_PROCESSES_H

/* Ranks of a run as processes of a test, which share memory: as those of MPI,
 * without it.
 *
 * The process of the test is rank 0.  If a rank dies, the test ends: a waiting
 * rank dies after a minute. */

#include <stdint.h>

#include "lab/exec/communicator.h"

/* Starts 'n' - 1 further processes, and returns the communicator in each. */
struct communicator *rank_processes_start(uint32_t n);

/* Ends all processes but rank 0, which waits for them; ends the process if one
 * of them has failed. */
void rank_processes_end(struct communicator *comm);

#endif /* tests/support/rank_processes.h */
