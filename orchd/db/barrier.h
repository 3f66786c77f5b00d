/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_BARRIER_H
#define ORCHD_DB_BARRIER_H

/* Knows when everything that anybody wrote before has been read.
 *
 * Internal to db/.  Problem: a writer has its answer from Redis, but the
 * notification of its write may still be on its way to us, and after that the
 * row itself.  Idea: Redis sends to a subscriber in the order in which things
 * happened.  So a token published now is heard after all notifications of what
 * happened before; and one round trip on the command connection after that,
 * the rows that these made dirty are here.  Where Redis sends no notifications
 * a complete reading begun after the request does the same.
 *
 * The same token shows whether the subscription is alive. */

#include <stdint.h>

#include "orchd/db/redis_types.h"

struct barriers;
struct link;
struct loop;
struct reader;

/* Creates an empty list of barriers.  'deaf' is called when a token was not
 * heard within REDIS_STALL_NS. */
struct barriers *barriers_create(struct loop *loop, struct reader *reader,
                                 void (*deaf)(void *context), void *context);

/* Frees 'barriers' after telling all that wait ST_IO.  Accepts NULL. */
void barriers_destroy(struct barriers *barriers);

/* The private channel to subscribe to. */
const char *barriers_channel(const struct barriers *barriers);

/* Gives the list a link whose subscription works, 'notified' or not; or, with
 * NULL, takes it away and tells all that wait ST_IO. */
void barriers_attach(struct barriers *barriers, struct link *link,
                     bool notified);

/* Adds a barrier; 'done' may be NULL, if only to see that the subscription is
 * alive.  Without a link 'done' is told ST_IO at once. */
void barriers_add(struct barriers *barriers, redis_done_fn *done,
                  void *context);

/* A message on the private channel; a complete reading has ended. */
void barriers_heard(struct barriers *barriers, const char *token);
void barriers_reading_ended(struct barriers *barriers);

#endif /* orchd/db/barrier.h */
