/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_BUFFER_VERB_H
#define ORCHD_ORCHCTL_BUFFER_VERB_H

/* "orchctl show buffer". */

#include "orchctl/verb.h"

extern const struct option buffer_verb_options[];

/* Runs it; returns the exit code. */
int buffer_verb_run(struct invocation *invocation);

#endif /* orchctl/buffer_verb.h */
