/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_STAGE_H
#define ORCHD_ORCHCTL_STAGE_H

/* Where breakpoint scenarios and probes run, as options say: on the switch
 * behind orchd (--live), or on one in this process that --chips, --sai and
 * --yang-dir describe. */

struct bench;
struct client;
struct invocation;

struct stage {
    const struct invocation *invocation;
    struct client *client; /* NULL: in this process. */
    int code;              /* What to exit with if there is no bench. */
};

/* Makes the bench.  NULL: there is none; it has said why, and 'code' is set.
 * 'context' is a struct stage, for struct cases_options. */
struct bench *stage_open(void *context);

/* Ends the bench of stage_open(), which may be NULL. */
void stage_close(void *context, struct bench *bench);

#endif /* orchctl/stage.h */
