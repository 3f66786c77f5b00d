/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_DIFF_VERB_H
#define ORCHD_ORCHCTL_DIFF_VERB_H

/* "orchctl asic diff": compares two snapshots of "asic snapshot --json" or
 * "breakpoint run --save", object by object. */

#include "orchctl/verb.h"

/* Runs the verb and returns the exit code: CONTROL_NO if they differ. */
int asic_diff(struct invocation *invocation);

#endif /* orchctl/diff_verb.h */
