/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_COUNTERS_H
#define ORCHD_SOFTASIC_PROGRAM_COUNTERS_H

/* SAI's counters, read from the twin.
 *
 * One table per object type says which counters there are and how each comes
 * from what the twin counts.  A counter (packets, bytes, drops) is cleared by
 * remembering its value, which is the 'data' of the object from the first
 * clearing on, so that clearing one never touches another.  A watermark is
 * cleared in the twin and restarts at the present occupancy.  Clearing a
 * gauge does nothing.
 *
 * Not offered, because the twin does not keep them: total watermarks of PGs
 * and queues (WATERMARK_BYTES; the shared and headroom ones are there), levels
 * in percent, trimming, WRED by pools, and what queues drop by VLANs.
 *
 * DROPPED of a queue, and what a port discards at egress, are all drops there;
 * WRED_DROPPED are those of them that WRED made. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Reads 'n' counters of 'item' into 'values' (NULL: only clears).  'mode' is
 * SAI_STATS_MODE_READ or _READ_AND_CLEAR, else SAI_STATUS_INVALID_PARAMETER.
 * A counter that does not exist is SAI_STATUS_INVALID_PARAMETER, one that is
 * not offered SAI_STATUS_NOT_SUPPORTED; then nothing is written or cleared. */
sai_status_t counters_read(struct daemon_switch *asic,
                           struct objects_item *item, uint32_t n,
                           const sai_stat_id_t *ids, sai_stats_mode_t mode,
                           uint64_t *values);

/* Clears all counters of 'item'. */
void counters_clear_all(struct daemon_switch *asic, struct objects_item *item);

/* Frees what is remembered of 'item'. */
void counters_forget(struct objects_item *item);

/* Returns how many counters 'type' offers; 'ids' (may be NULL) receives up to
 * 'capacity' of them. */
uint32_t counters_list(sai_object_type_t type, uint32_t capacity,
                       sai_stat_id_t *ids);

#endif /* vendors/softasic/program/counters.h */
