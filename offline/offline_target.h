/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_TARGET_H
#define ORCHD_OFFLINE_OFFLINE_TARGET_H

/* The switch that one scenario runs on: a pipeline with a PFC watchdog, and a
 * test bench on its switch.  Private to this folder. */

#include "breakpoint/target.h"
#include "offline/offline_trace.h"
#include "offline/offline_watchdog.h"
#include "offline/row_log.h"
#include "orchd/testbench/testbench.h"

struct pipeline;

struct offline_target {
    struct testbench testbench; /* First: the runner's target.  It has no switch
                                 * before the first configuration. */
    struct target_ops ops;      /* Of the test bench, plus the watchdog. */
    struct offline_watchdog watchdog;
    struct pipeline *pipeline;
    struct row_log answers;
    const char *sai; /* Path of the library, for messages. */
    /* Where the sink of traces is; NULL: nothing is traced.  Borrowed. */
    const struct trace_sink *const *sink;
    struct offline_trace trace;
};

/* Makes 'offline' a target.  It has to be zeroed except 'pipeline', 'sai',
 * 'sink' and 'answers'. */
void offline_target_init(struct offline_target *offline);

/* Frees the contents of 'offline' and zeroes it. */
void offline_target_fini(struct offline_target *offline);

#endif /* offline/offline_target.h */
