/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_LOCK_H
#define ORCHD_ORCHLAB_RUN_LOCK_H

/* Only one process at a time carries out a run: the one that holds the lock of
 * its results.
 *
 * The lock is that of the file "RESULTS.lock" (flock(2)), which exists while a
 * run goes on.  The kernel takes it from a process that dies. */

#include <stdbool.h>

#include "base/status.h"

struct run_lock;

/* Waits for the lock of the results at 'path' and stores it in '*lock'; sets
 * '*waited' if another process had it.  ST_IO: the file cannot be made. */
enum st run_lock_take(const char *path, struct run_lock **lock, bool *waited,
                      struct err *err) ST_WARN_UNUSED;

/* Gives the lock back and removes its file.  Accepts NULL. */
void run_lock_give(struct run_lock *lock);

#endif /* orchlab/run_lock.h */
