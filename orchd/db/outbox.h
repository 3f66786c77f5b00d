/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_OUTBOX_H
#define ORCHD_DB_OUTBOX_H

/* What is published in one turn, sorted by database.
 *
 * Internal to db/.  The answer to one row goes to two databases and to a
 * channel, and Redis has to be told each time which database is meant: sent as
 * they come, every third command would be a SELECT.  So commands are collected
 * here and leave one database after the other.
 *
 * Commands to the same database keep their order.  Among databases the order
 * is that in which a reader may rely on things: what a row became (ASIC_DB,
 * COUNTERS_DB and the mirrors of intent) before the word that it did
 * (STATE_DB), and messages, which wake readers up, last.  Pure: sends
 * nothing. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/db/dbconfig.h"

struct link_args;
struct outbox;

/* In the place of a database: what belongs to none. */
#define OUTBOX_MESSAGES N_DATABASES

/* Is given each command in the form in which Redis reads it (RESP), 'length'
 * bytes that are valid for the call.  May add nothing meanwhile. */
typedef void outbox_send_fn(void *context, enum database database,
                            const char *command, size_t length);

/* Returns an empty outbox.  The caller ends it with outbox_destroy(), which
 * accepts NULL. */
struct outbox *outbox_create(void);
void outbox_destroy(struct outbox *outbox);

/* Adds a command for 'database', or OUTBOX_MESSAGES; the strings are copied. */
void outbox_add(struct outbox *outbox, enum database database,
                const struct link_args *args);

/* Returns whether there is nothing in it; whether there is so much in it that
 * it is better sent now. */
bool outbox_empty(const struct outbox *outbox);
bool outbox_full(const struct outbox *outbox);

/* Hands all commands to 'send', and empties the outbox. */
void outbox_flush(struct outbox *outbox, outbox_send_fn *send, void *context);

/* Empties the outbox. */
void outbox_clear(struct outbox *outbox);

#endif /* orchd/db/outbox.h */
