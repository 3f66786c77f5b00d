/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_PROVIDER_KINDS_H
#define ORCHD_DAEMON_PROVIDER_KINDS_H

/* The list of providers (orchd/daemon/provider.h). */

struct provider_kind;
struct settings;

/* Returns the kind that the setting "output" selects. */
const struct provider_kind *provider_kinds_get(const struct settings *settings);

#endif /* orchd/daemon/provider_kinds.h */
