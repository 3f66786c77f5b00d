/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_TAKEOVER_H
#define ORCHD_DAEMON_TAKEOVER_H

/* The way to the switch: its libsai, taken over by content if the switch is
 * older than orchd (sai/adopt.h), and before it the chain (sai/chain.h) with
 * what the options say about it. */

#include <stdbool.h>

struct agent;
struct chain;
struct loader;
struct log;
struct options;
struct publisher;
struct sai_backend;
struct takeover;

/* Opens the way to the switch of 'loader', which was created for 'hwsku' (""
 * or NULL: for none).  A file of faults or a record that is of no use is told
 * in the log and done without.  If objects are taken over, 'publisher' knows
 * their names, and 'agent' is told of its heritage.  All that is handed over is
 * borrowed. */
struct takeover *takeover_create(const struct options *options, struct log *log,
                                 struct loader *loader, const char *hwsku,
                                 struct agent *agent,
                                 const struct publisher *publisher);

/* Closes the way, not the library.  Accepts NULL. */
void takeover_destroy(struct takeover *takeover);

/* Returns the chain, which lives as long as 'takeover'. */
struct chain *takeover_chain(const struct takeover *takeover);

/* Returns whether objects of the switch still wait for somebody who wants
 * them. */
bool takeover_is_open(const struct takeover *takeover);

/* Ends that, once everything that is wanted has been asked for.  First what is
 * left of rows that are gone is taken back: then false is returned, and this is
 * to be called again when the agent has done so.  Then what nobody has asked
 * for is removed. */
bool takeover_end(struct takeover *takeover);

/* Says once, in the log, that a record has ended before its time. */
void takeover_watch_record(struct takeover *takeover);

#endif /* orchd/daemon/takeover.h */
