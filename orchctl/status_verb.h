/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_STATUS_VERB_H
#define ORCHD_ORCHCTL_STATUS_VERB_H

/* "orchctl status": prints the page for people. */

#include <jansson.h>

struct invocation;

void status_verb_print(const struct invocation *invocation, const json_t *data);

#endif /* orchctl/status_verb.h */
