/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LINT_VERB_H
#define ORCHD_ORCHCTL_LINT_VERB_H

/* "orchctl config lint": checks a file on a switch in this process, or lets
 * orchd check the configuration in force. */

struct invocation;

/* Runs the verb and returns the exit code: 1 if there is a warning. */
int config_lint(struct invocation *invocation);

#endif /* orchctl/lint_verb.h */
