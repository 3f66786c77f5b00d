/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CALL_VERB_H
#define ORCHD_ORCHCTL_CALL_VERB_H

/* "orchctl sai call": makes one SAI call on the switch of a SAI host, without
 * orchd.
 *
 * The operands have the format of a record (sai/trace/trace.h), from the
 * operation on.  A call that only reads connects as a reader, beside the client
 * that writes.  A call that writes needs a host without another writing client,
 * or, with "--rescue", a host that allows a second one.  With "--tester" it
 * may change what sai/remote/tester_rule.h says. */

#include "orchctl/verb.h"

extern const struct option call_options[];

/* Implements the verb; returns the exit code. */
int call_verb_run(struct invocation *invocation);

#endif /* orchctl/call_verb.h */
