/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_COUNTERS_H
#define ORCHD_TELEMETRY_COUNTERS_H

/* Counters and watermarks: polled as CONFIG_DB says, published in COUNTERS_DB.
 *
 * Internal to the publisher.  Connects the pure parts of
 * orchd/telemetry/polling with Redis and the loop:
 *
 *   FLEX_COUNTER_TABLE|group   enables a group and sets its interval; both take
 *                              effect at once
 *   WATERMARK_TABLE|TELEMETRY_INTERVAL   after how many seconds the PERIODIC
 *                              watermarks are cleared, while those of queues or
 *                              priority groups are polled
 *   WATERMARK_CLEAR_REQUEST    a channel: ["USER"|"PERSISTENT", class] clears
 *                              watermarks
 * (orchd/telemetry/polling/watermarks.h)
 *
 * When a group is disabled, its last values stay, and its row in
 * FLEX_COUNTER_GROUP_TABLE gets 'stale_since'.  COUNTERS_DB
 * WATERMARK_LAST_RESET_TIME says when watermarks were cleared: "USER:PG_SHARED"
 * or "PERIODIC" -> time.
 *
 * SAI cannot tell when its watermarks were last cleared, so orchd does not
 * continue the watermarks of a previous run. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#define COUNTERS_CLEAR_CHANNEL "WATERMARK_CLEAR_REQUEST"

struct polled_object_id;
struct counters;
struct drop_source;
struct log;
struct loop;
struct poller;
struct poller_clock;
struct port_rates;
struct redis;
struct row_status;
struct sai_backend;
struct watermarks;

/* Creates counters without objects.  All arguments are borrowed; 'log' may be
 * NULL. */
struct counters *counters_create(struct loop *loop, struct log *log,
                                 struct redis *redis);

/* Frees 'counters'; the databases stay as they are.  Accepts NULL. */
void counters_destroy(struct counters *counters);

/* Sets the switch to read, borrowed, the source of its drop reasons
 * (port_rates.h), and its clock (poller_set_clock()); NULL if there is none. */
void counters_attach(struct counters *counters, struct sai_backend *backend,
                     const struct drop_source *drops,
                     const struct poller_clock *clock);

/* Redis may have lost or kept any key: writes everything again in the next
 * turns, and removes the keys of objects that no longer exist. */
void counters_restart(struct counters *counters);

/* Handle the new status of a row of any table; the removal of a row. */
void counters_row(struct counters *counters, const struct row_status *status);
void counters_row_gone(struct counters *counters,
                       const struct row_status *status);

/* Add an object; remove it with all its rows. */
void counters_add(struct counters *counters, const struct polled_object_id *id);
void counters_remove(struct counters *counters, sai_object_id_t oid);

/* Handles a request to clear watermarks; logs an invalid one. */
void counters_clear_request(struct counters *counters, const char *payload);

/* Reads the slice that is due.  Returns whether more is due. */
bool counters_turn(struct counters *counters, int64_t now);

/* Handles a new value of a port attribute; uses speed and flow control. */
void counters_port_attribute(struct counters *counters, sai_object_id_t oid,
                             sai_attr_id_t id,
                             const sai_attribute_value_t *value);

/* Return the parts, borrowed, for orchctl and metrics. */
const struct poller *counters_poller(const struct counters *counters);
const struct watermarks *counters_watermarks(const struct counters *counters);

const struct port_rates *counters_ports(const struct counters *counters);

#endif /* orchd/telemetry/counters.h */
