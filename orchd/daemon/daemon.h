/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_H
#define ORCHD_DAEMON_DAEMON_H

/* The daemon: wires its parts together, and runs them in turns.
 *
 *   redis -> feed -> intent -> agent -> SAI
 *                              agent -> publisher -> redis
 *   control -> redis, agent
 *
 * One turn: rows that arrived are read, the switch is created if its model is
 * known by now, the agent works, and what came of it is published. */

#include "base/status.h"

struct options;
struct settings;

/* Runs the daemon until it is told to stop by a signal.  Fails, with the reason
 * and the remedy, if it cannot start: ST_INVALID and ST_NOT_FOUND if an option
 * or a setting is to blame. */
enum st daemon_run(const struct options *options,
                   const struct settings *settings,
                   struct err *err) ST_WARN_UNUSED;

#endif /* orchd/daemon/daemon.h */
