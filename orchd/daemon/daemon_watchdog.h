/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_WATCHDOG_H
#define ORCHD_DAEMON_DAEMON_WATCHDOG_H

/* The PFC watchdog (orchd/watchdog) in the daemon: its store is Redis, its
 * lines go to the log, its events to the publisher, and the loop wakes it when
 * a poll is due. */

#include <stdbool.h>

#include <jansson.h>

#include "orchd/watchdog/pfcwd.h"

struct log;
struct loop;
struct publisher;
struct redis;
struct daemon_watchdog;

/* All are borrowed; 'log' may be NULL. */
struct daemon_watchdog_options {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct agent *agent;
    struct publisher *publisher;
    bool orders; /* APPL_DB PFC_WD_TABLE makes storms, too. */
};

/* Creates one without a switch.  End with daemon_watchdog_destroy(), which
 * accepts NULL. */
struct daemon_watchdog *
daemon_watchdog_create(const struct daemon_watchdog_options *options);
void daemon_watchdog_destroy(struct daemon_watchdog *storms);

/* Returns whether the storms of an earlier run are known, if there are any. */
bool daemon_watchdog_know_past(const struct daemon_watchdog *storms);

/* Gives it the switch, as pfcwd_attach() does.  'own_time': 'clock' is the
 * switch's own, which may stand still. */
void daemon_watchdog_attach(struct daemon_watchdog *storms,
                            struct sai_backend *backend,
                            const struct storm_rule *rule,
                            pfcwd_clock_fn *clock, void *context,
                            bool own_time);

/* The switch tells of dead queues, and so may guard them; to be called before
 * it is given.  It says that a queue is 'dead', or has recovered. */
void daemon_watchdog_guard(struct daemon_watchdog *storms);
void daemon_watchdog_deadlock(struct daemon_watchdog *storms,
                              sai_object_id_t queue, bool dead);

/* Redis is there again; a message came over one of its channels. */
void daemon_watchdog_resync(struct daemon_watchdog *storms);
void daemon_watchdog_message(struct daemon_watchdog *storms,
                             const char *channel, const char *payload);

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
json_t *daemon_watchdog_list(const struct daemon_watchdog *storms,
                             const char *port);

/* To be called after each turn of the agent.  Returns whether the agent has to
 * have another one. */
bool daemon_watchdog_turn(struct daemon_watchdog *storms);

#endif /* orchd/daemon/daemon_watchdog.h */
