/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_TARGET_H
#define ORCHD_REHEARSE_TARGET_H

/* The verbs of a scenario (breakpoint/target.h) on the switch of a stand:
 * CONFIG_DB rows go through the flow, traffic and time to softasic, counters
 * come from SAI. */

#include "breakpoint/target.h"

extern const struct target_ops rehearse_target_ops;

#endif /* orchd/rehearse/target.h */
