/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_DRY_RUN_BENCH_H
#define ORCHD_OFFLINE_DRY_RUN_BENCH_H

/* What one scenario runs on: a flow of its own with a PFC watchdog, and a rig
 * on its switch.  Private to this folder. */

#include "breakpoint/target.h"
#include "offline/dry_run_watchdog.h"
#include "offline/row_log.h"
#include "orchd/testbench/testbench.h"

struct pipeline;

struct dry_run_bench {
    struct testbench rig;  /* First: what the runner holds.  It has no switch
                            * before the first configuration. */
    struct target_ops ops; /* Those of the rig, with the watchdog. */
    struct dry_run_watchdog watch;
    struct pipeline *local;
    struct row_log_book answers;
    const char *sai; /* Path of the library, for messages. */
};

/* Makes 'stand', which is zeroed but for 'local', 'sai' and 'answers', a
 * target. */
void dry_run_bench_init(struct dry_run_bench *stand);

/* Ends what 'stand' holds, so that it can begin anew. */
void dry_run_bench_fini(struct dry_run_bench *stand);

#endif /* offline/dry_run_bench.h */
