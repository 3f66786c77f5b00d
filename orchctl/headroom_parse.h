/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_PARSE_H
#define ORCHD_ORCHCTL_HEADROOM_PARSE_H

/* Parses ports, speeds, cables and priorities on the command line. */

#include <stdint.h>

#include "base/status.h"
#include "orchctl/headroom_plan.h"

/* Parses a group of ports, "32x100G/4@300m": how many (1), speed
 * with 'M', 'G' or 'T' (a larger number than the highest speed in Gb/s needs no
 * unit and means Mb/s), lanes (those of 'group', which are left alone without),
 * and the length of the cable in 'm' or 'km', of at most 1,000 km.
 * ST_INVALID: 'err' says which part is wrong, and what it may be. */
enum st headroom_parse_group(const char *text, struct plan_group *group,
                             struct err *err) ST_WARN_UNUSED;

/* Parses a comma-separated list of different priorities in 0..7 as a mask. */
enum st headroom_parse_priorities(const char *text, uint32_t *mask,
                                  struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/headroom_parse.h */
