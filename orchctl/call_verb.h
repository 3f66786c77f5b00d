/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CALL_VERB_H
#define ORCHD_ORCHCTL_CALL_VERB_H

/* "orchctl sai call": one SAI call on the switch of a host, without orchd.
 *
 * The call is written as in a record (sai/trace/trace.h), from the operation
 * on.  A call that changes nothing is made as a reader, beside whoever writes.
 * One that does needs that nobody else writes, or, with "--rescue", a host that
 * lets a second client do so. */

#include "orchctl/verb.h"

extern const struct option call_options[];

/* Implements the verb; returns the exit code. */
int call_verb_run(struct invocation *invocation);

#endif /* orchctl/call_verb.h */
