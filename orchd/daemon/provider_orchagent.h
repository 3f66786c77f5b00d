/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_PROVIDER_ORCHAGENT_H
#define ORCHD_DAEMON_PROVIDER_ORCHAGENT_H

/* The provider beside a running SONiC, in the place of buffermgrd: orchagent
 * programs the switch.
 *
 * It publishes the buffer tables in APPL_DB (orchd/orchagent/appl_tables.h),
 * and hands over a backend that confirms by ASIC_DB what orchagent made of them
 * (orchd/orchagent/evidence.h).  Rows of QoS tables stay where orchagent reads
 * them, in CONFIG_DB; they are judged in the same way.
 *
 * Publishing does not depend on the switch: orchagent holds ports back until it
 * has their buffers.  The switch is usable once ASIC_DB has it with all ports
 * of CONFIG_DB, or has some of them for PROVIDER_ORCHAGENT_PATIENCE_NS.
 *
 * A restarted orchagent does not read again what was published before it
 * started, and another failure may lose a row as well.  So orchd publishes
 * those rows again that ASIC_DB does not confirm: at first after
 * PROVIDER_ORCHAGENT_REPEAT_LOST_NS if it did before, else after
 * PROVIDER_ORCHAGENT_REPEAT_MIN_NS; then, as long as ASIC_DB does not change,
 * with doubling intervals up to PROVIDER_ORCHAGENT_REPEAT_MAX_NS. */

#include <stdint.h>

#include "orchd/daemon/provider.h"

#define PROVIDER_ORCHAGENT_PATIENCE_NS    (INT64_C(10) * 1000 * 1000 * 1000)
#define PROVIDER_ORCHAGENT_REPEAT_LOST_NS (INT64_C(100) * 1000 * 1000)
#define PROVIDER_ORCHAGENT_REPEAT_MIN_NS  (INT64_C(1) * 1000 * 1000 * 1000)
#define PROVIDER_ORCHAGENT_REPEAT_MAX_NS  (INT64_C(60) * 1000 * 1000 * 1000)

extern const struct provider_kind provider_orchagent;

#endif /* orchd/daemon/provider_orchagent.h */
