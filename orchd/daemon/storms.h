/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_STORMS_H
#define ORCHD_DAEMON_STORMS_H

/* The PFC watchdog (orchd/pfcwd) in the daemon: its store is Redis, its lines
 * go to the log, its events to the publisher, and the loop wakes it when a poll
 * is due. */

#include <stdbool.h>

#include <jansson.h>

#include "orchd/pfcwd/pfcwd.h"

struct log;
struct loop;
struct publisher;
struct redis;
struct storms;

/* All are borrowed; 'log' may be NULL. */
struct storms_options {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct agent *agent;
    struct publisher *publisher;
    bool orders; /* APPL_DB PFC_WD_TABLE makes storms, too. */
};

/* Creates one without a switch.  End with storms_destroy(), which accepts
 * NULL. */
struct storms *storms_create(const struct storms_options *options);
void storms_destroy(struct storms *storms);

/* Returns whether the storms of an earlier run are known, if there are any. */
bool storms_know_past(const struct storms *storms);

/* Gives it the switch, as pfcwd_attach() does.  'own_time': 'clock' is the
 * switch's own, which may stand still. */
void storms_attach(struct storms *storms, struct sai_backend *backend,
                   const struct storm_rule *rule, pfcwd_clock_fn *clock,
                   void *context, bool own_time);

/* The switch tells of dead queues, and so may guard them; to be called before
 * it is given.  It says that a queue is 'dead', or has recovered. */
void storms_guard(struct storms *storms);
void storms_deadlock(struct storms *storms, sai_object_id_t queue, bool dead);

/* Redis is there again; a message came over one of its channels. */
void storms_resync(struct storms *storms);
void storms_message(struct storms *storms, const char *channel,
                    const char *payload);

/* Returns a new list of the queues that are watched, of 'port' (NULL: of all):
 *
 * [{"port": "Ethernet0", "index": 3, "state": "stormed", "detects": "switch",
 * "action": "drop", "poll_ms": 100, "detection_ms": 200, "restoration_ms": 400,
 * "detected": 2, "restored": 1, "tx_packets": 0, "tx_dropped": 57,
 * "rx_packets": 9, "rx_dropped": 0, "last_tx_packets": 0, ..., "paused_us":
 * 120000, "recent_us": 20000}, ...]
 *
 * "detects" is "switch", "orchd", or "nobody" while the big red switch drops;
 * "restoration_ms" is null if a storm is never to end; the last two are there
 * where a history is kept.  Packets are as of the last poll. */
json_t *storms_list(const struct storms *storms, const char *port);

/* To be called after each turn of the agent.  Returns whether the agent has to
 * have another one. */
bool storms_turn(struct storms *storms);

#endif /* orchd/daemon/storms.h */
