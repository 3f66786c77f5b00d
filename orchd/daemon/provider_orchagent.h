/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_PROVIDER_ORCHAGENT_H
#define ORCHD_DAEMON_PROVIDER_ORCHAGENT_H

/* The provider beside a running SONiC, in the place of buffermgrd: orchagent
 * programs the switch.
 *
 * orchd/orchagent/delivery.h publishes the buffer tables in APPL_DB, and judges
 * rows by ASIC_DB.  Rows of QoS tables stay where orchagent reads them, in
 * CONFIG_DB; they are judged in the same way. */

#include "orchd/daemon/provider.h"

extern const struct provider_kind provider_orchagent;

#endif /* orchd/daemon/provider_orchagent.h */
