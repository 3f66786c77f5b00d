/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_STORM_VERB_H
#define ORCHD_ORCHCTL_STORM_VERB_H

/* "orchctl sai storm": starts and stops a storm of pause frames at a port of a
 * switch in softasicd, without orchd, as a tester.  So it works beside any
 * control plane.  The port is named by its first lane. */

#include "orchctl/verb.h"

extern const struct option storm_verb_options[];

/* Implements the verb; returns the exit code. */
int storm_verb_run(struct invocation *invocation);

#endif /* orchctl/storm_verb.h */
