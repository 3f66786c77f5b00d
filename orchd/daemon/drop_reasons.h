/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DROP_REASONS_H
#define ORCHD_DAEMON_DROP_REASONS_H

/* Reads how many packets the twin has dropped for each reason, for COUNTERS_DB
 * and orchctl. */

struct drop_source;
struct softasic_ops;

/* Fills in a source (orchd/telemetry/port_rates.h) that asks 'ops', borrowed.
 * If 'ops' is NULL, because the libsai is not softasic, the source has no
 * reasons. */
void drop_reasons_source(const struct softasic_ops *ops,
                         struct drop_source *source);

#endif /* orchd/daemon/drop_reasons.h */
