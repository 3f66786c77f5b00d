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
#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/table.h"

struct agent;
struct explain;
struct sai_backend;

/* Begins to explain the row 'key' of 'table'.  Returns NULL if there is no such
 * row.  End with explain_end() or, without a result, with explain_destroy(),
 * which accepts NULL. */
struct explain *explain_begin(const struct agent *agent, enum table table,
                              const char *key);
void explain_destroy(struct explain *explain);

/* Explains the next objects of the row, with about 'n' attributes or terms;
 * 'backend' is NULL while there is no switch.  Returns whether some are left.
 *
 * Turns of the agent may come between two calls.  What is said of an object is
 * of one moment; if the row changes meanwhile, the rest is as the row is then,
 * and nothing if it is gone. */
bool explain_continue(struct explain *explain, const struct agent *agent,
                      struct sai_backend *backend, size_t n);

/* Returns what was found, which the caller releases, and frees 'explain'. */
json_t *explain_end(struct explain *explain, struct agent *agent);

#endif /* orchd/report/explain.h */
