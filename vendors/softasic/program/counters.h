/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_COUNTERS_H
#define ORCHD_SOFTASIC_PROGRAM_COUNTERS_H

/* SAI's counters, read from the twin.
 *
 * One table per object type lists the counters and how each is derived from
 * those of the twin.  To clear a counter (packets, bytes, drops) the module
 * records its value in the 'data' of the object, which is allocated at the
 * first clear, so clearing one counter does not affect others.  A watermark is
 * cleared in the twin and restarts at the current occupancy.  Clearing a gauge
 * does nothing.
 *
 * Not supported, because the twin does not have them: levels in percent, WRED
 * by pools, and egress drops by VLAN.  What VOQs count says system_ports.h;
 * their credits have no watchdog, so it deletes nothing.
 *
 * DROPPED of a queue, and the egress discards of a port, count all drops there;
 * WRED_DROPPED counts those of them by WRED. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Reads 'n' counters of 'item' into 'values' (NULL: only clears).  'mode' is
 * SAI_STATS_MODE_READ or _READ_AND_CLEAR, else SAI_STATUS_INVALID_PARAMETER.
 * Returns SAI_STATUS_INVALID_PARAMETER for a counter that does not exist, and
 * SAI_STATUS_NOT_SUPPORTED for one that is not supported; then nothing is
 * written or cleared. */
sai_status_t counters_read(struct asic *asic, struct objects_item *item,
                           uint32_t n, const sai_stat_id_t *ids,
                           sai_stats_mode_t mode, uint64_t *values);

/* Clears all counters of 'item'. */
void counters_clear_all(struct asic *asic, struct objects_item *item);

/* Frees the recorded values of 'item'. */
void counters_free(struct objects_item *item);

/* Returns how many counters 'type' supports, and stores up to 'capacity' of
 * them in 'ids' (may be NULL). */
uint32_t counters_list(sai_object_type_t type, uint32_t capacity,
                       sai_stat_id_t *ids);

#endif /* vendors/softasic/program/counters.h */
