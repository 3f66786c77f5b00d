/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_EXPLAIN_H
#define ORCHD_REPORT_EXPLAIN_H

/* How one row of CONFIG_DB is programmed into the ASIC, as JSON:
 *
 *   {"row": "BUFFER_PG|Ethernet0|3-4", "fields": {...},
 *    "objects": [{"object": "BUFFER_PG|Ethernet0|3",
 *                 "oid": "oid:0x1a...", or null if it is not on the ASIC,
 *                 "shadowed_by": "BUFFER_PG|Ethernet0|3", if another row wins,
 *                 "waits_for": "BUFFER_PROFILE|x", if it waits,
 *                 "attributes": [{"attribute": "BUFFER_PROFILE",
 *                                 "field": "profile",
 *                                 "intended": "BUFFER_PROFILE|x",
 *                                 "found": "none", ...}]}, ...]}
 *
 * If the row is derived by means of a lookup table, "from" names the table.  If
 * the dynamic buffer model computed numbers, "derived" has the terms in the
 * order of the calculation, for each port of a BUFFER_PG:
 *
 *   "derived": [{"port": "Ethernet0", "profile": "pg_lossless_...",
 *                "headroom_limit": 300000, "longest_cable_m": 151,
 *                "terms": [{"name": "cable", "value": "631.313",
 *                           "unit": "bytes", "formula": "2 * ...",
 *                           "source": "CABLE_LENGTH"}, ...]}]
 *
 * An object has the attributes that the row sets there: SCHEDULER_PROFILE_ID of
 * QUEUE is one of the scheduler group, WRED_PROFILE_ID one of the queue.  An
 * object on which the content of the row sets nothing is left out.
 *
 * Values are those of ASIC_DB, with object names instead of ids.  "found" is
 * read back, and absent if the switch does not return it. */

#include <jansson.h>

#include "orchd/intent/table.h"

struct agent;
struct sai_backend;

/* Explains the row 'key' of 'table'; 'backend' is NULL while there is no
 * switch.  Returns NULL if there is no such row.  The caller releases the
 * result. */
json_t *explain_row(struct agent *agent, struct sai_backend *backend,
                    enum table table, const char *key);

#endif /* orchd/report/explain.h */
