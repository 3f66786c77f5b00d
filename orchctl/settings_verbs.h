/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SETTINGS_VERBS_H
#define ORCHD_ORCHCTL_SETTINGS_VERBS_H

/* "orchctl show settings": prints the settings of orchd as a table. */

#include <jansson.h>

struct invocation;

/* Prints the reply of "show settings" (orchd/daemon/daemon_reload.h). */
void settings_verbs_print(const struct invocation *invocation,
                          const json_t *data);

#endif /* orchctl/settings_verbs.h */
