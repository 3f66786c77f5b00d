/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROBE_PREDICTION_H
#define ORCHD_ORCHCTL_PROBE_PREDICTION_H

/* What a probe should have found, as far as configuration tells.
 *
 * It is worked out (breakpoint/thresholds.h) from the rows in force, the chip's
 * description and the size of what is shared, which the switch tells of its
 * pool.  It cannot be told where something else bounds a group or queue too: a
 * profile list of the port, others that hold part of a partitioned pool, an
 * egress pool that is not its own. */

#include <stdbool.h>
#include <stdint.h>

#include "breakpoint/probe.h"

struct bench;
struct target;
struct text;

/* Works out the packet that 'options' ask for, knowing from 'result' which
 * group or queue it is of.  Appends to 'basis' the rows it follows from, also
 * if it returns false because it cannot be told. */
bool probe_prediction_packet(struct bench *bench, struct target *target,
                             const struct probe_options *options,
                             const struct probe_result *result,
                             struct text *basis, uint64_t *packet);

#endif /* orchctl/probe_prediction.h */
