/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_PORT_RATES_H
#define ORCHD_TELEMETRY_PORT_RATES_H

/* Rates and pauses, computed from the counters of ports.
 *
 * Publishes rates (counter_rows.h), and in the row COUNTERS:oid of the port
 * what "pfcstat --history" reads for each priority n that was ever paused:
 *
 *   EST_PORT_STAT_PFC_n_RECENT_PAUSE_TIMESTAMP  when the last one began, in us
 *                                               since 1970: the time of the
 *                                               reading before the one that
 *                                               showed it
 *   EST_PORT_STAT_PFC_n_RECENT_PAUSE_TIME_US    for how long, by the clock of
 * the switch EST_PORT_STAT_PFC_n_RX_PAUSE_DURATION_US    total time; only if
 * the switch does not count it EST_PORT_STAT_PFC_n_ON2OFF_RX_PKTS number of
 * pauses; only if the switch does not count it
 *
 * The last two are estimated from the frames for priorities with flow control
 * only: a frame for another priority pauses nothing.
 *
 * If the drop reasons are known, each reading of group PORT_BUFFER_DROP also
 * publishes, for each reason that has occurred,
 *
 *   SOFTASIC_PORT_STAT_DROP_reason_PKTS */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/pfc.h"
#include "orchd/telemetry/polling/pause.h"
#include "orchd/telemetry/polling/rates.h"

#define PORT_RATES_REASONS 32 /* The most drop reasons. */

struct live_reading;
struct polled_object;
struct polled_time;
struct counter_list;
struct loop;
struct port_rates;
struct redis;

/* Reads for which reasons a port dropped packets, which SAI does not report. */
struct drop_source {
    uint32_t n;               /* Reasons, at most PORT_RATES_REASONS. */
    const char *const *names; /* "headroom-pool". */

    /* Stores the packets that 'port' has dropped, by reason.  Returns false,
     * and stores nothing, if that is unknown. */
    bool (*read)(void *context, sai_object_id_t port, uint64_t *packets);
    void *context;
};

/* The results of one port. */
struct port_sums {
    struct rates rates;
    struct pause_history received[PFC_N_PRIORITIES];
    struct pause_history sent[PFC_N_PRIORITIES];
    uint64_t drops[PORT_RATES_REASONS]; /* When PORT_BUFFER_DROP was read. */
};

/* Creates port rates without ports; both arguments are borrowed. */
struct port_rates *port_rates_create(struct loop *loop, struct redis *redis);

/* Frees 'port_rates'.  Accepts NULL. */
void port_rates_destroy(struct port_rates *port_rates);

/* Sets the source of drop reasons, which is copied; NULL: none. */
void port_rates_set_drops(struct port_rates *port_rates,
                          const struct drop_source *source);

/* Returns the source of drop reasons; it has no reasons if none was set. */
const struct drop_source *port_rates_drops(const struct port_rates *port_rates);

/* Handles a new value of a port attribute: uses the speed and the priorities
 * with flow control, and ignores others. */
void port_rates_attribute(struct port_rates *port_rates, sai_object_id_t oid,
                          sai_attr_id_t id, const sai_attribute_value_t *value);

/* Handles new counters of a port; the arguments are those of 'values' in struct
 * poller_listener.  Without 'old', publishes again what was published before.
 */
void port_rates_update(struct port_rates *port_rates, sai_object_id_t oid,
                       const struct counter_list *list, const uint64_t *values,
                       const uint64_t *old, const struct polled_time *at,
                       const struct polled_time *old_at);

/* Stores how many PFC frames of 'priority' the polled object 'port' had
 * received, or sent, when it was last read.  Returns false, and stores nothing,
 * if that was not read. */
bool port_rates_frames(const struct polled_object *port, int priority,
                       bool sent, uint64_t *value);

/* Stores the pauses of 'priority' that a port, which was read for group PORT,
 * had received, or sent.  Returns false if the switch does not count their
 * frames. */
bool port_rates_live(const struct live_reading *port, int priority, bool sent,
                     struct pause_reading *reading);

/* Handles the removal of a port. */
void port_rates_gone(struct port_rates *port_rates, sai_object_id_t oid);

/* Returns the results of a port, or NULL. */
const struct port_sums *port_rates_get(const struct port_rates *port_rates,
                                       sai_object_id_t oid);

#endif /* orchd/telemetry/port_rates.h */
