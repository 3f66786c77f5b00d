/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_BARRIER_H
#define ORCHD_DB_BARRIER_H

/* Barriers: a barrier is passed when every earlier write to CONFIG_DB has been
 * read.
 *
 * Internal to db/.  Problem: a writer has its answer from Redis, but the
 * notification of its write may still be on its way to orchd, and then the row
 * itself.  Idea: Redis sends to a subscriber in order.  So orchd publishes a
 * token, which arrives after the notifications of all earlier writes; and one
 * round trip on the command connection later, the rows that these made dirty
 * have arrived.  If Redis sends no notifications, or another client has
 * disabled them for a while, a complete reading started after the request does
 * the same.
 *
 * The token also shows whether the subscription works. */

#include <stdint.h>

#include "orchd/db/redis_types.h"

struct barriers;
struct link;
struct loop;
struct reader;

/* Creates an empty list of barriers.  'deaf' is called when a token has not
 * arrived within REDIS_STALL_NS. */
struct barriers *barriers_create(struct loop *loop, struct reader *reader,
                                 void (*deaf)(void *context), void *context);

/* Ends all pending barriers with ST_IO, and frees 'barriers'.  Accepts NULL. */
void barriers_destroy(struct barriers *barriers);

/* Returns the private channel to subscribe to. */
const char *barriers_channel(const struct barriers *barriers);

/* Sets the link, whose subscription works; 'notified' says whether Redis sends
 * notifications.  NULL removes the link and ends all pending barriers with
 * ST_IO. */
void barriers_attach(struct barriers *barriers, struct link *link,
                     bool notified);

/* Adds a barrier.  'done' may be NULL, to check only that the subscription
 * works.  Without a link 'done' is called with ST_IO at once. */
void barriers_add(struct barriers *barriers, redis_done_fn *done,
                  void *context);

/* Notifications may have been lost: starts a complete reading, and makes all
 * pending barriers wait for its end.  Needs a link. */
void barriers_distrust(struct barriers *barriers);

/* Handle a message on the private channel; the end of a complete reading. */
void barriers_heard(struct barriers *barriers, const char *token);
void barriers_reading_ended(struct barriers *barriers);

#endif /* orchd/db/barrier.h */
