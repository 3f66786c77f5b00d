/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_PROVIDER_SAI_H
#define ORCHD_DAEMON_PROVIDER_SAI_H

/* The provider that drives a libsai: it creates the switch
 * (orchd/daemon/daemon_switch.h), builds the stack of backends around it
 * (orchd/daemon/switch_stack.h), and adopts the objects that a previous run
 * left there. */

#include "orchd/daemon/provider.h"

extern const struct provider_kind provider_sai;

#endif /* orchd/daemon/provider_sai.h */
