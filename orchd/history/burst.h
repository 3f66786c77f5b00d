/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_BURST_H
#define ORCHD_HISTORY_BURST_H

/* Decides which changes of CONFIG_DB belong to one generation.
 *
 * Problem: a configuration arrives in many turns, and the agent may be settled
 * between any two of them; a generation of each would be of no use to people.
 *
 * Idea: a generation is a burst of changes.  A burst is complete
 *   - when a load is: the client that writes rows through orchd brackets them
 *     with burst_begin_load() and burst_end_load(); what changed before is a
 *     burst of its own, if it is settled; or
 *   - when a client waits for what it has written (config sync); or
 *   - when CONFIG_DB has been quiet for BURST_QUIET_NS and all of it has been
 *     read: the rows may still be on their way.
 * While a load is in progress, no burst ends.  It becomes a generation at the
 * end of the next turn in which everything is applied or answered.
 *
 * Pure: it has a timeline, and the owner asks Redis. */

#include <stdbool.h>
#include <stdint.h>

#define BURST_QUIET_NS (INT64_C(500) * 1000 * 1000)

struct burst;
struct history;
struct timeline;

/* Called when CONFIG_DB has been quiet: the owner calls burst_read() when
 * everything written before has been read. */
typedef void burst_quiet_fn(void *context);

/* Creates a burst of the changes that 'history' has not marked yet.  All
 * arguments are borrowed.  Free it with burst_destroy(). */
struct burst *burst_create(struct timeline *timeline,
                           const struct history *history, burst_quiet_fn *quiet,
                           void *context);

/* Frees 'burst'.  Accepts NULL. */
void burst_destroy(struct burst *burst);

/* A row was handed to the history. */
void burst_row(struct burst *burst, int64_t now);

/* Everything that was written before the call of 'quiet' has been read. */
void burst_read(struct burst *burst);

/* A client waits for what has changed.  Accepts NULL, as do the next two. */
void burst_complete(struct burst *burst);

/* A load begins; and ends: it has been written and read, or has failed.
 * 'comment' is the one on its generation, copied; NULL: none. */
void burst_begin_load(struct burst *burst);
void burst_end_load(struct burst *burst, const char *comment);

/* Call it at the end of each turn; 'settled': everything read is applied or
 * answered.  Returns whether the changes so far are a generation; the owner
 * marks it in the history. */
bool burst_is_over(struct burst *burst, bool settled);

/* Returns the comment on the generation that is over, NULL if there is none,
 * and forgets it.  The caller frees it. */
char *burst_take_comment(struct burst *burst);

#endif /* orchd/history/burst.h */
