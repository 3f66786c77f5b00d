/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DROP_REASONS_H
#define ORCHD_DAEMON_DROP_REASONS_H

/* Why the twin drops packets, for those who publish it. */

struct drop_source;
struct softasic_ops;

/* Fills in a source (orchd/telemetry/port_rates.h) that asks 'ops', borrowed;
 * one without reasons if that is NULL, because the libsai is another one. */
void drop_reasons_source(const struct softasic_ops *ops,
                         struct drop_source *source);

#endif /* orchd/daemon/drop_reasons.h */
