/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SWAPDB_H
#define ORCHD_DB_SWAPDB_H

/* Detects SWAPDB.
 *
 * Internal to db/.  Redis does not report that two databases were exchanged: no
 * keyspace event, no invalidation.  But it counts its commands, and returns the
 * counts (INFO commandstats) in some tens of microseconds.  So orchd checks
 * every SWAPDB_INTERVAL_NS whether the count of SWAPDB has changed.  The count
 * does not say which databases were exchanged; an unnecessary reading does no
 * harm. */

#include <stdbool.h>
#include <stdint.h>

#define SWAPDB_INTERVAL_NS (INT64_C(1) * 1000 * 1000 * 1000)

struct link;
struct loop;
struct swapdb;

/* Creates a watcher that calls 'swapped' once after one or more swaps.  All
 * arguments are borrowed. */
struct swapdb *swapdb_create(struct loop *loop, void (*swapped)(void *context),
                             void *context);

/* Frees 'swaps', whose link must be closed before.  Accepts NULL. */
void swapdb_destroy(struct swapdb *swaps);

/* Sets the link over which to ask; NULL: there is none. */
void swapdb_attach(struct swapdb *swaps, struct link *link);

/* Returns the number of swaps in an answer to INFO commandstats, 0 if it has
 * none. */
uint64_t swapdb_count(const char *info);

#endif /* orchd/db/swapdb.h */
