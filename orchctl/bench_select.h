/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_BENCH_SELECT_H
#define ORCHD_ORCHCTL_BENCH_SELECT_H

/* Where breakpoint scenarios and probes run, as options say: on the switch
 * behind orchd (--live), or on one in this process that --chips, --sai and
 * --yang-dir describe. */

struct bench;
struct client;
struct invocation;

struct bench_select {
    const struct invocation *invocation;
    struct client *client; /* NULL: in this process. */
    int code;              /* What to exit with if there is no bench. */
};

/* Makes the bench.  NULL: there is none; it has said why, and 'code' is set.
 * 'context' is a struct bench_select, for struct case_runner_options. */
struct bench *bench_select_open(void *context);

/* Ends the bench of bench_select_open(), which may be NULL. */
void bench_select_close(void *context, struct bench *bench);

#endif /* orchctl/bench_select.h */
