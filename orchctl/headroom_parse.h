/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_PARSE_H
#define ORCHD_ORCHCTL_HEADROOM_PARSE_H

/* What people type for ports, speeds, cables and priorities. */

#include <stdint.h>

#include "base/status.h"
#include "orchctl/headroom_plan.h"

/* Reads a group of ports, "32x100G/4@300m": how many (1), speed in Mb/s or with
 * 'M', 'G' or 'T', lanes (those of 'group', which are left alone without), and
 * the length of the cable in 'm' or 'km', of at most 1,000 km.  ST_INVALID:
 * 'err' says which part is wrong, and what it may be. */
enum st headroom_parse_group(const char *text, struct plan_group *group,
                             struct err *err) ST_WARN_UNUSED;

/* Reads a comma list of priorities, each 0..7 and none twice, as a mask. */
enum st headroom_parse_priorities(const char *text, uint32_t *mask,
                                  struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/headroom_parse.h */
