/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SILENT_COMMANDS_H
#define ORCHD_DB_SILENT_COMMANDS_H

/* Detects commands of other clients that change what orchd relies on, and that
 * Redis reports to no client: SWAPDB and CONFIG SET.
 *
 * Internal to db/.  Redis counts its commands, and returns the counts (INFO
 * commandstats) in some tens of microseconds.  So orchd checks every
 * SILENT_COMMANDS_INTERVAL_NS, and at each barrier, whether the counts have
 * changed.  They do not say which databases were exchanged or what was set: an
 * unnecessary reading does no harm.  Redis counts CONFIG SET since version 7.
 */

#include <stdint.h>

#define SILENT_COMMANDS_INTERVAL_NS (INT64_C(1) * 1000 * 1000 * 1000)

struct link;
struct loop;
struct silent_commands;

/* The listener: called once after one or more such commands. */
struct silent_commands_listener {
    void (*swapped)(void *context);
    void (*configured)(void *context);
    void *context;
};

/* Creates a watcher.  'listener' is copied. */
struct silent_commands *
silent_commands_create(struct loop *loop,
                       const struct silent_commands_listener *listener);

/* Frees 'commands', whose link must be closed before.  Accepts NULL. */
void silent_commands_destroy(struct silent_commands *commands);

/* Sets the link over which to ask, and asks; NULL: there is none. */
void silent_commands_attach(struct silent_commands *commands,
                            struct link *link);

/* Checks now instead of when the interval has passed.  Needs a link. */
void silent_commands_check(struct silent_commands *commands);

/* Excepts a CONFIG SET that the caller sends over the link before anything
 * else. */
void silent_commands_except(struct silent_commands *commands);

#endif /* orchd/db/silent_commands.h */
