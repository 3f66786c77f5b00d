/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SWITCH_STACK_H
#define ORCHD_DAEMON_SWITCH_STACK_H

/* The way to the switch: its libsai, taken over by content if the switch is
 * older than orchd (sai/stack/adoption.h), and before it the chain
 * (sai/stack/chain.h) with what the options say about it. */

#include <stdbool.h>

struct agent;
struct chain;
struct loader;
struct log;
struct options;
struct publisher;
struct sai_backend;
struct switch_stack;

/* Opens the way to the switch of 'loader', which was created for 'hwsku' (""
 * or NULL: for none).  A file of faults or a record that is of no use is told
 * in the log and done without.  If objects are taken over, 'publisher' knows
 * their names, and 'agent' is told of its heritage.  All that is handed over is
 * borrowed. */
struct switch_stack *switch_stack_create(const struct options *options,
                                         struct log *log, struct loader *loader,
                                         const char *hwsku, struct agent *agent,
                                         const struct publisher *publisher);

/* Closes the way, not the library.  Accepts NULL. */
void switch_stack_destroy(struct switch_stack *takeover);

/* Returns the chain, which lives as long as 'takeover'. */
struct chain *switch_stack_chain(const struct switch_stack *takeover);

/* Returns whether objects of the switch still wait for somebody who wants
 * them. */
bool switch_stack_is_open(const struct switch_stack *takeover);

/* Ends that, once everything that is wanted has been asked for.  First what is
 * left of rows that are gone is taken back: then false is returned, and this is
 * to be called again when the agent has done so.  Then what nobody has asked
 * for is removed. */
bool switch_stack_end(struct switch_stack *takeover);

/* Says once, in the log, that a record has ended before its time. */
void switch_stack_watch_record(struct switch_stack *takeover);

#endif /* orchd/daemon/switch_stack.h */
