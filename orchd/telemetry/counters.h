/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_COUNTERS_H
#define ORCHD_TELEMETRY_COUNTERS_H

/* Counters and watermarks: polled as CONFIG_DB says, published in COUNTERS_DB.
 *
 * Internal to publish/.  Puts together the pure parts of
 * orchd/telemetry/polling, Redis and the loop:
 *
 *   FLEX_COUNTER_TABLE|group   switches and times a group; both at once
 *   WATERMARK_TABLE|TELEMETRY_INTERVAL   after how many seconds the PERIODIC
 *                              watermarks restart, while queues or priority
 *                              groups have theirs polled
 *   WATERMARK_CLEAR_REQUEST    a channel: ["USER"|"PERSISTENT", class] lets
 *                              watermarks restart at 0
 * (orchd/telemetry/polling/watermarks.h)
 *
 * The last values of a group that is disabled stay, but its row in
 * FLEX_COUNTER_GROUP_TABLE then has 'stale_since'.  When watermarks restarted
 * is told by COUNTERS_DB WATERMARK_LAST_RESET_TIME: "USER:PG_SHARED" or
 * "PERIODIC" -> time.
 *
 * SAI does not say what it was asked for last, so the watermarks of an earlier
 * run of orchd are not continued. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#define COUNTERS_CLEAR_CHANNEL "WATERMARK_CLEAR_REQUEST"

struct polled_object_place;
struct counters;
struct drop_source;
struct log;
struct loop;
struct poller;
struct port_rates;
struct redis;
struct row_status;
struct sai_backend;
struct watermarks;

/* Creates counters without objects.  All is borrowed; 'log' may be NULL. */
struct counters *counters_create(struct loop *loop, struct log *log,
                                 struct redis *redis);

/* Frees 'counters'; the databases stay as they are.  Accepts NULL. */
void counters_destroy(struct counters *counters);

/* Gives the counters the switch to read, borrowed, and who knows why it drops
 * packets (port_rates.h), NULL if nobody does. */
void counters_attach(struct counters *counters, struct sai_backend *backend,
                     const struct drop_source *drops);

/* Redis may have lost or kept anything: all is written again in the next turns,
 * and what belongs to objects that are not there any more is removed. */
void counters_restart(struct counters *counters);

/* The answer to a row, of whatever table, is now 'status'; a row is gone. */
void counters_row(struct counters *counters, const struct row_status *status);
void counters_row_gone(struct counters *counters,
                       const struct row_status *status);

/* An object is there; it goes, and with it all its rows. */
void counters_add(struct counters *counters,
                  const struct polled_object_place *place);
void counters_remove(struct counters *counters, sai_object_id_t oid);

/* Somebody wants watermarks cleared.  What is no such wish is logged. */
void counters_clear_request(struct counters *counters, const char *payload);

/* Reads what is due.  Returns whether more is. */
bool counters_turn(struct counters *counters, int64_t now);

/* A port has another value of an attribute; of interest are its speed and its
 * flow control. */
void counters_port_attribute(struct counters *counters, sai_object_id_t oid,
                             sai_attr_id_t id,
                             const sai_attribute_value_t *value);

/* For those who show them. */
const struct poller *counters_poller(const struct counters *counters);
const struct watermarks *counters_watermarks(const struct counters *counters);

const struct port_rates *counters_ports(const struct counters *counters);

#endif /* orchd/telemetry/counters.h */
