/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_RELOAD_H
#define ORCHD_DAEMON_DAEMON_RELOAD_H

/* Reads the configuration of the daemon again, while it runs.
 *
 * The settings of SETTINGS_RELOADED_LIST take effect at once.  The others, and
 * a file that is no longer named, need a restart: their values in force stay,
 * and "orchctl show settings" says what waits.  If any line is wrong, nothing
 * changes. */

#include <jansson.h>

struct daemon;

/* Reads the configuration, and the files that the settings name, again.
 * Returns a new object:
 *   {"file": PATH or null,
 *    "applied": [{"key", "from", "to", "source"}],   in force now
 *    "restart": [...],                               need a restart
 *    "problems": [{"reason", "allowed", "remedy"}]}  nothing has changed
 * and logs the same. */
json_t *daemon_reload(struct daemon *daemon);

/* Returns a new object {"file": ..., "settings": [{"key", "value", "source",
 * "origin": "default", "file", "environment" or "option", "default",
 * "allowed", "change": "reload" or "restart"}]}; one that waits for a restart
 * also has "next", the value it will have. */
json_t *daemon_reload_show(const struct daemon *daemon);

/* Passes the settings about drift to the agent. */
void daemon_reload_drift(struct daemon *daemon);

/* Frees what daemon_reload() has kept. */
void daemon_reload_end(struct daemon *daemon);

#endif /* orchd/daemon/daemon_reload.h */
