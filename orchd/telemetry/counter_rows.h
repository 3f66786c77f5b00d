/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_COUNTER_ROWS_H
#define ORCHD_TELEMETRY_COUNTER_ROWS_H

/* The rows of COUNTERS_DB and FLEX_COUNTER_DB, as the SONiC tools read them.
 *
 * Internal to publish/.
 *
 *   COUNTERS_DB      COUNTERS:oid:0x..               counter -> value
 *                    {USER,PERSISTENT,PERIODIC}_WATERMARKS:oid:0x..
 *                                                    counter -> value
 *                    RATES:oid:0x..                  RX_BPS, RX_PPS, TX_BPS,
 *                                                    TX_PPS; bytes and packets
 *                                                    per second
 *   FLEX_COUNTER_DB  FLEX_COUNTER_GROUP_TABLE:GROUP  how a group is read
 *                    FLEX_COUNTER_TABLE:GROUP:oid:.. what is read of an object
 *
 * Only changes are written, because most counters of most ports do not change.
 */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/polling/watermarks.h"

struct rates;
struct redis;

/* Writes the counters whose values differ from 'old', all if that is NULL. */
void counter_rows_values(struct redis *redis, sai_object_type_t type,
                         sai_object_id_t oid, const struct counter_list *list,
                         const uint64_t *values, const uint64_t *old);

/* Writes one watermark. */
void counter_rows_watermark(struct redis *redis, enum watermark_table table,
                            sai_object_type_t type, sai_object_id_t oid,
                            sai_stat_id_t id, uint64_t value);

/* Writes the rates of a port that differ, as written, from 'old'; all if that
 * is NULL. */
void counter_rows_rates(struct redis *redis, sai_object_id_t oid,
                        const struct rates *rates, const struct rates *old);

/* Describes which counters of an object are polled, and how. */
void counter_rows_describe(struct redis *redis, sai_object_type_t type,
                           sai_object_id_t oid, const struct counter_list *list,
                           sai_stats_mode_t mode);

/* Removes the description of an object in one group. */
void counter_rows_undescribe(struct redis *redis, enum counter_group group,
                             sai_object_id_t oid);

/* Removes all rows of an object in COUNTERS_DB. */
void counter_rows_remove(struct redis *redis, sai_object_id_t oid);

/* How a group is polled. */
struct counter_rows_group {
    bool enabled;
    int64_t milliseconds;
    const char *bulk_chunk_size; /* As in CONFIG_DB; NULL: not set. */
    const char *bulk_chunk_size_per_prefix;
    const char *stale_since; /* When it was disabled; NULL: never. */
};
void counter_rows_group(struct redis *redis, enum counter_group group,
                        const struct counter_rows_group *row);

/* Does the same for the group of the watchdog (orchd/watchdog), which describes
 * its queues itself. */
void counter_rows_storms(struct redis *redis,
                         const struct counter_rows_group *row);

/* Returns the id in a key "FLEX_COUNTER_TABLE:PFC_WD:oid:0x..",
 * SAI_NULL_OBJECT_ID for other keys. */
sai_object_id_t counter_rows_parse_storm(const char *key);

/* Parses a key "FLEX_COUNTER_TABLE:GROUP:oid:0x..".  Returns false, with
 * undefined results, for other keys and for groups that orchd does not poll. */
bool counter_rows_parse(const char *key, enum counter_group *group,
                        sai_object_id_t *oid);

#endif /* orchd/telemetry/counter_rows.h */
