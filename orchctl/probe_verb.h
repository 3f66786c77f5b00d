/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROBE_VERB_H
#define ORCHD_ORCHCTL_PROBE_VERB_H

/* "orchctl breakpoint probe"; the search itself is breakpoint/probe.h. */

#include "orchctl/verb.h"

extern const struct option probe_verb_options[];

/* The detailed help text. */
extern const char probe_verb_details[];

/* Runs the verb and returns the exit code: 1 if there is no such threshold, or
 * the results contradict each other. */
int probe_verb_run(struct invocation *invocation);

#endif /* orchctl/probe_verb.h */
