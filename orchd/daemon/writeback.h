/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_WRITEBACK_H
#define ORCHD_DAEMON_WRITEBACK_H

/* Derived rows of the traditional model, written into CONFIG_DB as well: for
 * programs that look for them there.
 *
 * What is written comes back as news.  It must not be taken for the user's: it
 * would stay when what it was derived from changes.  So each row that was
 * written is known with its content, and is taken for what it is as long as it
 * has that.  One that somebody else has changed is his from then on; one that
 * somebody deletes is not written again until it changes.
 *
 * At the start it is not known what an earlier run has written.  Rows that are
 * just what is derived are taken to be that. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

struct agent;
struct redis;
struct row_status;
struct writeback;

/* Creates one that writes through 'redis', which is borrowed. */
struct writeback *writeback_create(struct redis *redis);

/* Frees 'writeback'; what was written stays.  Accepts NULL. */
void writeback_destroy(struct writeback *writeback);

/* Returns whether a row of CONFIG_DB, as it is now, is one that was written. */
bool writeback_row(struct writeback *writeback, enum table table,
                   const char *key, const struct field *fields, size_t n);

/* The answer to a row is now 'status'; 'gone': it has none any more. */
void writeback_status(void *writeback, const struct row_status *status,
                      bool gone);

/* Calls 'adopted' for each row that the user is taken to have but that is just
 * what 'agent' derives: from now on it counts as written.  To be called when
 * 'agent' has settled. */
void writeback_adopt(struct writeback *writeback, const struct agent *agent,
                     void (*adopted)(void *context, enum table table,
                                     const char *key),
                     void *context);

#endif /* orchd/daemon/writeback.h */
