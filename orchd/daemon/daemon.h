/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_H
#define ORCHD_DAEMON_DAEMON_H

/* The daemon: connects its parts and runs them in turns.
 *
 *   redis -> feed -> intent -> agent -> SAI
 *                              agent -> publisher -> redis
 *   control -> redis, agent
 *
 * In one turn the daemon reads the rows that arrived, creates the switch as
 * soon as its model is known, lets the agent work, and publishes the results.
 */

#include "base/status.h"

struct options;
struct settings;

/* Runs the daemon until a signal stops it.  Fails, with reason and remedy in
 * 'err', if it cannot start: ST_INVALID and ST_NOT_FOUND if an option or a
 * setting is the cause.  SIGHUP and "orchctl config-file reload" read what
 * 'options' say again, and change '*settings'. */
enum st daemon_run(const struct options *options, struct settings *settings,
                   struct err *err) ST_WARN_UNUSED;

#endif /* orchd/daemon/daemon.h */
