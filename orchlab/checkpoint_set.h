/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_CHECKPOINT_SET_H
#define ORCHD_ORCHLAB_CHECKPOINT_SET_H

/* The checkpoints of all ranks of a run: a file of each (checkpoint_file.h).
 *
 * All or none: a checkpoint gets its name when all ranks have written theirs.
 * Names change one by one, so a kill can leave some ranks with a file more than
 * others.  But each keeps the last one that all have until all have the next,
 * and a run goes on from the latest that all have.
 *
 * Both functions are collective: all ranks call them, while their processes
 * stand at the same virtual time.  A run on one rank is a set of one. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "orchlab/checkpoint_file.h"

struct communicator;

struct checkpoint_set {
    struct communicator *comm;   /* NULL: one rank. */
    struct checkpoint_file file; /* Of this rank. */
    const char *other;           /* Where another number of ranks has one. */
    bool quiet;                  /* Only says what is unusual. */
    int64_t saved_ps; /* Of the last one that all ranks have; -1: none. */
    bool is_current;  /* That one has its first name, not "....old". */
};

/* Puts the run where the latest checkpoint is that all ranks have, and stores
 * that time in '*at_ps'; 0: the run begins.  Says on standard error from where
 * it goes on, and what is wrong with checkpoints.  Fails as
 * checkpoint_file_load() does, or because another rank has failed. */
enum st checkpoint_set_load(struct checkpoint_set *set, pid_t child,
                            int64_t *at_ps, struct err *err) ST_WARN_UNUSED;

/* Writes a checkpoint.  If that fails on a rank, it says so on standard error,
 * and the run goes on with the one before. */
void checkpoint_set_save(struct checkpoint_set *set, pid_t child,
                         int64_t at_ps);

#endif /* orchlab/checkpoint_set.h */
