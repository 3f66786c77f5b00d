/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CREDITS_VERB_H
#define ORCHD_ORCHCTL_CREDITS_VERB_H

/* "orchctl headroom credits": the buffer that a lossless class needs with PFC
 * and with credits (base/credits_need.h), as a table, JSON or a picture. */

#include "orchctl/verb.h"

/* The options of the verb, and what it does; returns the exit code. */
extern const struct option credits_options[];
int credits_run(struct invocation *invocation);

#endif /* orchctl/credits_verb.h */
