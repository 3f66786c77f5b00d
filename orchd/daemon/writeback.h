/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_WRITEBACK_H
#define ORCHD_DAEMON_WRITEBACK_H

/* Writes the derived rows of the traditional model to CONFIG_DB as well, for
 * programs that look for them there.
 *
 * A row that orchd writes comes back as a notification.  It must not be taken
 * for a user-owned row, which would stay when its inputs change.  So orchd
 * remembers the content of each row that it writes, and treats a row with that
 * content as derived.  A row that a user edits becomes user-owned; a row that a
 * user deletes is not written again until its derived content changes.
 *
 * After a restart orchd does not know what a previous run has written.  It
 * adopts rows whose content equals the derived one. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

struct agent;
struct redis;
struct row_status;
struct writeback;

/* Creates a writeback that writes through 'redis', which is borrowed. */
struct writeback *writeback_create(struct redis *redis);

/* Frees 'writeback'; the rows in CONFIG_DB stay.  Accepts NULL. */
void writeback_destroy(struct writeback *writeback);

/* Handles a row of CONFIG_DB as it is now.  Returns whether orchd has written
 * it. */
bool writeback_row(struct writeback *writeback, enum table table,
                   const char *key, const struct field *fields, size_t n);

/* Handles a new status of a row; 'gone': the row and its status are removed. */
void writeback_status(void *writeback, const struct row_status *status,
                      bool gone);

/* Calls 'adopted' for each row that counts as user-owned although its content
 * is what 'agent' derives, and treats it as written by orchd from then on. Call
 * it when 'agent' has settled. */
void writeback_adopt(struct writeback *writeback, const struct agent *agent,
                     void (*adopted)(void *context, enum table table,
                                     const char *key),
                     void *context);

#endif /* orchd/daemon/writeback.h */
