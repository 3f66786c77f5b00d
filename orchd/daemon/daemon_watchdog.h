/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_WATCHDOG_H
#define ORCHD_DAEMON_DAEMON_WATCHDOG_H

/* Connects the PFC watchdog (orchd/watchdog) to the daemon: to Redis as its
 * store, to the log, to the publisher for events, and to the loop, which wakes
 * it when a poll is due. */

#include <stdbool.h>

#include <jansson.h>

#include "orchd/watchdog/pfcwd.h"

struct log;
struct loop;
struct publisher;
struct redis;
struct daemon_watchdog;

/* All pointers are borrowed; 'log' may be NULL. */
struct daemon_watchdog_options {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct agent *agent;
    struct publisher *publisher;
    bool orders; /* Rows of APPL_DB PFC_WD_TABLE simulate storms. */
};

/* Creates a watchdog that has no switch yet.  daemon_watchdog_destroy() frees
 * it, and accepts NULL. */
struct daemon_watchdog *
daemon_watchdog_create(const struct daemon_watchdog_options *options);
void daemon_watchdog_destroy(struct daemon_watchdog *watchdog);

/* Returns whether the storms of a previous run have been read from APPL_DB. */
bool daemon_watchdog_know_past(const struct daemon_watchdog *watchdog);

/* Attaches the switch like pfcwd_attach().  'own_time': 'clock' is the time of
 * the switch itself, which may stand still. */
void daemon_watchdog_attach(struct daemon_watchdog *watchdog,
                            struct sai_backend *backend,
                            const struct storm_rule *rule,
                            pfcwd_clock_fn *clock, void *context,
                            bool own_time);

/* Call daemon_watchdog_use_hardware() before the switch is attached, if the
 * switch notifies orchd of deadlocks, so that it may recover queues by itself.
 * daemon_watchdog_deadlock() handles such a notification: 'queue' is 'dead', or
 * has recovered. */
void daemon_watchdog_use_hardware(struct daemon_watchdog *watchdog);
void daemon_watchdog_deadlock(struct daemon_watchdog *watchdog,
                              sai_object_id_t queue, bool dead);

/* Handlers of Redis events: Redis has become reachable; a message has arrived
 * on one of the channels. */
void daemon_watchdog_resync(struct daemon_watchdog *watchdog);
void daemon_watchdog_message(struct daemon_watchdog *watchdog,
                             const char *channel, const char *payload);

/* Returns a new list of the watched queues of 'port' (NULL: of all ports):
 *
 * [{"port": "Ethernet0", "index": 3, "state": "stormed", "detects": "switch",
 * "action": "drop", "poll_ms": 100, "detection_ms": 200, "restoration_ms": 400,
 * "detected": 2, "restored": 1, "tx_packets": 0, "tx_dropped": 57,
 * "rx_packets": 9, "rx_dropped": 0, "last_tx_packets": 0, ..., "paused_us":
 * 120000, "recent_us": 20000}, ...]
 *
 * "detects" is "switch", "orchd", or "nobody" while the big red switch drops;
 * "restoration_ms" is null if storms never end; the last two members exist if a
 * history is kept.  Packet counts are those of the last poll. */
json_t *daemon_watchdog_list(const struct daemon_watchdog *watchdog,
                             const char *port);

/* Adds what Redis has about queue 'index' of 'port', 'queue' on the switch, to
 * the object 'counters', as counters of scenarios (storm_counters.h). */
void daemon_watchdog_add_counters(const struct daemon_watchdog *watchdog,
                                  const char *port, unsigned int index,
                                  sai_object_id_t queue, json_t *counters);

/* Lets the watchdog work; call it after each turn of the agent, which has more
 * work or not ('agent_works').  Returns whether the agent needs another turn.
 */
bool daemon_watchdog_turn(struct daemon_watchdog *watchdog, bool agent_works);

/* Return when the next poll is due, by the clock of the switch, as
 * pfcwd_next(); and whether the agent has still to carry out what the last one
 * found.  A clock that stands still should stand until then. */
int64_t daemon_watchdog_next(const struct daemon_watchdog *watchdog);
bool daemon_watchdog_catching_up(const struct daemon_watchdog *watchdog);

#endif /* orchd/daemon/daemon_watchdog.h */
