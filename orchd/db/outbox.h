/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_OUTBOX_H
#define ORCHD_DB_OUTBOX_H

/* The commands published in one turn of the loop, sorted by database.
 *
 * Internal to db/.  The status of one row is written to two databases and a
 * channel, and each change of database needs a SELECT: in the original order
 * every third command would be one.  So the outbox collects commands and sends
 * them one database after the other.
 *
 * Commands to the same database keep their order.  The order of the databases
 * is the one readers rely on: first the results of a row (ASIC_DB, COUNTERS_DB
 * and the mirrors of intent), then its status (STATE_DB), and last the
 * messages, which wake readers up.  Pure: sends nothing. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/db/dbconfig.h"

struct link_args;
struct outbox;

/* Instead of a database: messages, which belong to none. */
#define OUTBOX_MESSAGES N_DATABASES

/* Called with each command in RESP format, 'length' bytes that are valid for
 * the call.  Must not add commands. */
typedef void outbox_send_fn(void *context, enum database database,
                            const char *command, size_t length);

/* Returns an empty outbox.  End with outbox_destroy(), which accepts NULL. */
struct outbox *outbox_create(void);
void outbox_destroy(struct outbox *outbox);

/* Adds a command for 'database', or OUTBOX_MESSAGES; the strings are copied. */
void outbox_add(struct outbox *outbox, enum database database,
                const struct link_args *args);

/* Return whether the outbox is empty; whether it has so much that it should be
 * sent now. */
bool outbox_empty(const struct outbox *outbox);
bool outbox_full(const struct outbox *outbox);

/* Passes all commands to 'send', and empties the outbox. */
void outbox_flush(struct outbox *outbox, outbox_send_fn *send, void *context);

/* Empties the outbox. */
void outbox_clear(struct outbox *outbox);

#endif /* orchd/db/outbox.h */
