/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROBE_VERB_H
#define ORCHD_ORCHCTL_PROBE_VERB_H

/* What "orchctl breakpoint probe" does; the finding is breakpoint/probe.h. */

#include "orchctl/verb.h"

extern const struct option probe_verb_options[];

/* More help. */
extern const char probe_verb_details[];

/* Runs the verb; returns the exit code: 1 if there is no such threshold, or the
 * switch contradicts itself. */
int probe_verb_run(struct invocation *invocation);

#endif /* orchctl/probe_verb.h */
