/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_BENCH_SELECT_H
#define ORCHD_ORCHCTL_BENCH_SELECT_H

/* Selects, by options, where breakpoint scenarios and probes run: on the switch
 * behind orchd (--live), or on one in this process that --chips, --sai and
 * --yang-dir describe. */

struct bench;
struct client;
struct invocation;
struct shipped_lookups;

struct bench_select {
    const struct invocation *invocation;
    struct client *client;           /* NULL: in this process. */
    int code;                        /* The exit code if there is no bench. */
    struct shipped_lookups *shipped; /* Read for the first switch; NULL: not
                                      * yet. */
};

/* Opens the bench.  On failure prints the reason, sets 'code' and returns NULL.
 * 'context' is a struct bench_select, for struct case_runner_options. */
struct bench *bench_select_open(void *context);

/* Closes the bench of bench_select_open(), which may be NULL. */
void bench_select_close(void *context, struct bench *bench);

#endif /* orchctl/bench_select.h */
