/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_STATUS_H
#define ORCHD_DAEMON_DAEMON_STATUS_H

/* What orchd is and works on: for "orchctl status" as JSON, and the switch also
 * in STATE_DB, ORCHD_SWITCH|global. */

#include <jansson.h>
#include <stdint.h>

struct agent;
struct log;
struct publisher;
struct redis;
struct switch_identity;
struct tester_watch;

/* Where the parts of the status come from.  All pointers are borrowed. */
struct daemon_status_sources {
    const struct switch_identity *identity; /* NULL: there is no switch. */
    const struct publisher *publisher;
    const char *history; /* What is wrong with the history; "": nothing. */
    const char *seccomp; /* struct confinement's text. */
    const struct tester_watch *testers;
    int64_t uptime_ns;
};

/* Returns a new object: {"version": "0.1.0", "pid": 7, "uptime_seconds": 12,
 * "switch": {"simulated": true, "library": "/usr/lib/...", "chip": "th",
 * "chosen": "hwsku ...", "warning": ""} or null,
 * "last_error": "", "counters": [{"group": "PORT", "milliseconds": 1000}],
 * "history": "", "seccomp": "on", "testers": []}.  "counters" has the groups
 * that are polled; "history" says what is wrong with the history of CONFIG_DB,
 * "seccomp" whether system calls are limited, or why not; "testers" is what
 * tester_watch_json() returns. */
json_t *daemon_status_json(const struct daemon_status_sources *sources);

/* Writes the description of the switch to STATE_DB; NULL: removes it. */
void daemon_status_publish(struct redis *redis,
                           const struct switch_identity *identity);

/* Says which switch this is: in the log, in STATE_DB, and at the row
 * DEVICE_METADATA of 'agent' if it is not the chip of the hwsku. */
void daemon_status_announce(struct log *log, struct redis *redis,
                            struct agent *agent,
                            const struct switch_identity *identity);

#endif /* orchd/daemon/daemon_status.h */
