/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_CREDIT_COUNTERS_H
#define ORCHD_SOFTASIC_PROGRAM_CREDIT_COUNTERS_H

/* The counters of vendors/softasic/cbfc.h, which SAI's metadata does not have:
 * of a port and of its virtual channels, as the twin counts them
 * (twin/switch/port_credit.h). */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Returns whether 'id' is in the range of the extension, used or not. */
bool credit_counters_have(sai_object_type_t type, sai_stat_id_t id);

/* Reads 'n' counters of 'port', all of the extension, into 'values'; they are 0
 * while the port has no credits.  NOT_SUPPORTED: it is the CPU port, or 'mode'
 * clears them.  INVALID_PARAMETER: there is no such counter. */
sai_status_t credit_counters_read(const struct asic *asic,
                                  const struct objects_item *port, uint32_t n,
                                  const sai_stat_id_t *ids,
                                  sai_stats_mode_t mode, uint64_t *values);

#endif /* vendors/softasic/program/credit_counters.h */
