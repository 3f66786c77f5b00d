/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROBE_PREDICTION_H
#define ORCHD_ORCHCTL_PROBE_PREDICTION_H

/* Predicts the result of a probe from the configuration.
 *
 * It computes the result (breakpoint/thresholds.h) from the rows in force, the
 * chip file, and the size of the shared memory, which the switch reports for
 * the pool.  There is no prediction if a group or queue has another limit: a
 * profile list of the port, other users of a partitioned pool, or an egress
 * pool that is not its own. */

#include <stdbool.h>
#include <stdint.h>

#include "breakpoint/probe.h"

struct bench;
struct target;
struct text;

/* Stores the number of the packet that 'options' search for; 'result' tells the
 * group or queue.  Appends the rows that it follows from to 'basis'.  Returns
 * false if it cannot predict the packet; 'basis' is filled even then. */
bool probe_prediction_packet(struct bench *bench, struct target *target,
                             const struct probe_options *options,
                             const struct probe_result *result,
                             struct text *basis, uint64_t *packet);

#endif /* orchctl/probe_prediction.h */
