/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_FEED_H
#define ORCHD_DAEMON_FEED_H

/* Feeds rows of the database into intent: rows that exist at once, removals
 * only when the gate (db/gate.h) trusts them. */

#include <stdbool.h>

#include "orchd/db/redis.h"

struct feed;
struct intent;
struct log;
struct loop;

/* Creates a feed into 'intent', whose removals it holds back (intent_hold())
 * until the gate opens.  All arguments are borrowed. */
struct feed *feed_create(struct loop *loop, struct log *log,
                         struct intent *intent);

/* Frees 'feed'.  Accepts NULL. */
void feed_destroy(struct feed *feed);

/* Handlers of database events; see struct redis_listener. */
void feed_row(struct feed *feed, enum table table, const char *key,
              const struct field *fields, size_t n);
void feed_bad_row(struct feed *feed, enum table table, const char *key,
                  const struct err *err);
void feed_reading_begin(struct feed *feed);
void feed_reading_end(struct feed *feed, const struct redis_reading *reading);
void feed_initialized(struct feed *feed, bool initialized);
void feed_flushed(struct feed *feed);
void feed_link_down(struct feed *feed);

/* Opens the gate: an operator confirms that CONFIG_DB is complete. */
void feed_resume(struct feed *feed);

/* Returns why removals are held back, as a sentence; "" if they are not. */
const char *feed_hold(const struct feed *feed);

/* Returns whether removals are held back only until CONFIG_DB has been quiet
 * for a while. */
bool feed_is_opening(const struct feed *feed);

#endif /* orchd/daemon/feed.h */
