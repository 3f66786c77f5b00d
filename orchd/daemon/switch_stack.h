/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SWITCH_STACK_H
#define ORCHD_DAEMON_SWITCH_STACK_H

/* The stack of SAI backends between orchd and the switch: the libsai, adoption
 * (sai/stack/adoption.h) if the switch already ran before orchd started (warm
 * restart), and the chain (sai/stack/chain.h) that the options configure. */

#include <stdbool.h>

struct agent;
struct chain;
struct loader;
struct log;
struct settings;
struct publisher;
struct switch_stack;

/* Builds the stack on the switch of 'loader', which was created with 'hwsku'
 * ("" or NULL: with none).  A file of fault rules or a record that cannot be
 * used is logged and left out.  In a warm restart 'publisher' provides the
 * names of the objects, and 'agent' adopts them.  All arguments are borrowed.
 */
struct switch_stack *switch_stack_create(const struct settings *settings,
                                         struct log *log, struct loader *loader,
                                         const char *hwsku, struct agent *agent,
                                         const struct publisher *publisher);

/* Frees 'stack', but does not close the library.  Accepts NULL. */
void switch_stack_destroy(struct switch_stack *stack);

/* Returns the chain, which belongs to 'stack'. */
struct chain *switch_stack_chain(const struct switch_stack *stack);

/* Returns whether adoption is still active: rows that come may adopt objects of
 * the switch. */
bool switch_stack_is_open(const struct switch_stack *stack);

/* Ends adoption; call it once the agent has programmed all rows.  The first
 * call may find stale settings of rows that no longer exist: it then returns
 * false, and is to be called again when the agent has undone them.  Else
 * removes the stale objects, which no row has adopted, and returns true. */
bool switch_stack_end(struct switch_stack *stack);

/* Once adoption has ended and nothing is left to do: looks for stale settings
 * and objects again when rows that stood in the way, because they were rejected
 * or waited, are in force or gone.  Returns whether the agent has work left:
 * settings to undo, or what failed because stale objects were in the way. */
bool switch_stack_tidy(struct switch_stack *stack);

/* Logs once that the recorder has stopped because of an error. */
void switch_stack_watch_record(struct switch_stack *stack);

#endif /* orchd/daemon/switch_stack.h */
