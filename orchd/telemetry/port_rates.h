/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_PORT_RATES_H
#define ORCHD_TELEMETRY_PORT_RATES_H

/* What follows from the counters of a port: how fast traffic passes, and how it
 * is paused.
 *
 * Internal to publish/, but for those who show it.  Published are rates
 * (counter_rows.h), and in the port's row COUNTERS:oid what "pfcstat --history"
 * reads of each priority n that was ever paused:
 *
 *   EST_PORT_STAT_PFC_n_RECENT_PAUSE_TIMESTAMP  when, in us since 1970
 *   EST_PORT_STAT_PFC_n_RECENT_PAUSE_TIME_US    for how long
 *   EST_PORT_STAT_PFC_n_RX_PAUSE_DURATION_US    paused in all; only where the
 *                                               switch does not count that
 *   EST_PORT_STAT_PFC_n_ON2OFF_RX_PKTS          how often; likewise
 *
 * The last two are estimated from frames of priorities that obey them only: a
 * frame for a priority without flow control pauses nothing.
 *
 * And where somebody knows why packets were dropped, with each reading of group
 * PORT_BUFFER_DROP, for each reason that there was
 *
 *   SOFTASIC_PORT_STAT_DROP_reason_PKTS */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/pfc.h"
#include "orchd/telemetry/polling/pause.h"
#include "orchd/telemetry/polling/rates.h"

#define PORT_RATES_REASONS 32 /* At most, of drops. */

struct polled_object;
struct counter_list;
struct loop;
struct port_rates;
struct redis;

/* Who knows for which reasons a port dropped packets, which SAI does not tell.
 */
struct drop_source {
    uint32_t n;               /* Reasons, at most PORT_RATES_REASONS. */
    const char *const *names; /* "headroom-pool". */

    /* Stores the packets that 'port' dropped since it is there, by reason.
     * Returns false, and stores nothing, if that is not known. */
    bool (*read)(void *context, sai_object_id_t port, uint64_t *packets);
    void *context;
};

/* What is known of one port. */
struct port_sums {
    struct rates rates;
    struct pause_history received[PFC_N_PRIORITIES];
    struct pause_history sent[PFC_N_PRIORITIES];
    uint64_t drops[PORT_RATES_REASONS]; /* When PORT_BUFFER_DROP was read. */
};

/* Creates a watch of no port; all is borrowed. */
struct port_rates *port_rates_create(struct loop *loop, struct redis *redis);

/* Frees 'watch'.  Accepts NULL. */
void port_rates_destroy(struct port_rates *watch);

/* From now on 'source', which is copied, is asked for drops; NULL: nobody. */
void port_rates_set_drops(struct port_rates *watch,
                          const struct drop_source *source);

/* Returns who is asked for drops; nobody if it has no reasons. */
const struct drop_source *port_rates_drops(const struct port_rates *watch);

/* A port has another value of an attribute: its speed and which priorities have
 * flow control are taken in, others are ignored. */
void port_rates_attribute(struct port_rates *watch, sai_object_id_t oid,
                          sai_attr_id_t id, const sai_attribute_value_t *value);

/* Counters of a port were read, as the sink of a poller is told
 * (orchd/telemetry/polling/poller.h). Without 'old' what was published is
 * published again. */
void port_rates_take(struct port_rates *watch, sai_object_id_t oid,
                     const struct counter_list *list, const uint64_t *values,
                     const uint64_t *old, int64_t when, int64_t old_when);

/* Returns how many PFC frames of 'priority' the counted object 'port' received,
 * or sent, when it was read last.  False, and nothing is stored, if it was not.
 */
bool port_rates_frames(const struct polled_object *port, int priority,
                       bool sent, uint64_t *value);

/* The port is gone. */
void port_rates_gone(struct port_rates *watch, sai_object_id_t oid);

/* Returns what is known of a port, or NULL. */
const struct port_sums *port_rates_get(const struct port_rates *watch,
                                       sai_object_id_t oid);

#endif /* orchd/telemetry/port_rates.h */
