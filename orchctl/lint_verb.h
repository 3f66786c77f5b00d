/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LINT_VERB_H
#define ORCHD_ORCHCTL_LINT_VERB_H

/* What "orchctl config lint" does: with a file on a switch of its own, without
 * one by asking orchd. */

struct invocation;

/* Runs the verb; returns the exit code: 1 if there is a warning. */
int config_lint(struct invocation *invocation);

#endif /* orchctl/lint_verb.h */
