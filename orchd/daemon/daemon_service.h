/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_SERVICE_H
#define ORCHD_DAEMON_DAEMON_SERVICE_H

/* What the daemon reports to its service manager (process/notify.h).
 *
 * It is ready when it has judged its first configuration: CONFIG_DB was read
 * completely, and each row has an answer, which may be that it waits, is
 * rejected, or that there is no switch.  An empty CONFIG_DB is judged as well,
 * because a user may load a configuration only after the start. */

#include <stddef.h>
#include <stdint.h>

struct control_state;
struct daemon;

/* Implements notify_describe_fn: "Rows: 234 applied, 1 rejected", and what is
 * in the way: Redis, the switch, removals that are held back. */
void daemon_service_describe(void *daemon, char *buffer, size_t size);

/* Reports what has changed.  Call it at the end of each turn. */
void daemon_service_turn(const struct daemon *daemon,
                         const struct control_state *state, int64_t now);

#endif /* orchd/daemon/daemon_service.h */
