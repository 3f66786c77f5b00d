/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_TARGET_H
#define ORCHD_OFFLINE_OFFLINE_TARGET_H

/* What one scenario runs on: a flow of its own with a PFC watchdog, and a
 * testbench on its switch.  Private to this folder. */

#include "breakpoint/target.h"
#include "offline/offline_watchdog.h"
#include "offline/row_log.h"
#include "orchd/testbench/testbench.h"

struct pipeline;

struct offline_target {
    struct testbench testbench; /* First: what the runner holds.  It has no
                                 * switch before the first configuration. */
    struct target_ops ops;      /* Those of the testbench, with the watchdog. */
    struct offline_watchdog watchdog;
    struct pipeline *pipeline;
    struct row_log answers;
    const char *sai; /* Path of the library, for messages. */
};

/* Makes 'offline', which is zeroed but for 'pipeline', 'sai' and 'answers', a
 * target. */
void offline_target_init(struct offline_target *offline);

/* Ends what 'offline' holds, so that it can begin anew. */
void offline_target_fini(struct offline_target *offline);

#endif /* offline/offline_target.h */
