/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HISTORY_VERBS_H
#define ORCHD_ORCHCTL_HISTORY_VERBS_H

/* The verbs of "orchctl config" that are about the configuration as it was, and
 * as it is; config_verbs.c has their rows. */

#include <jansson.h>

#include "base/status.h"

struct invocation;

/* Run "history", "rollback" and "save", and return the exit code. */
int config_history(struct invocation *invocation);
int config_rollback(struct invocation *invocation);
int config_save(struct invocation *invocation);

/* For "comment". */
enum st history_prepare_comment(struct invocation *invocation, struct err *err);
void history_print_comment(const struct invocation *invocation,
                           const json_t *data);

#endif /* orchctl/history_verbs.h */
