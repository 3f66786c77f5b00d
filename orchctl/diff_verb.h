/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_DIFF_VERB_H
#define ORCHD_ORCHCTL_DIFF_VERB_H

/* "orchctl asic diff": two snapshots, of "asic snapshot --json" or of
 * "breakpoint run --save", object by object. */

#include "orchctl/verb.h"

/* Does all of it, and returns the exit code: CONTROL_NO if they differ. */
int asic_diff(struct invocation *invocation);

#endif /* orchctl/diff_verb.h */
