/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SWAPDB_H
#define ORCHD_DB_SWAPDB_H

/* Notices SWAPDB.
 *
 * Internal to db/.  Redis tells nobody that two databases were exchanged: no
 * keyspace event, no invalidation.  But it counts the commands that it was
 * given, and tells that (INFO commandstats) in some tens of microseconds.  So
 * it is asked every SWAPDB_INTERVAL_NS whether that number has changed.  Of
 * which databases they were it says nothing; to read once more than needed does
 * no harm. */

#include <stdbool.h>
#include <stdint.h>

#define SWAPDB_INTERVAL_NS (INT64_C(1) * 1000 * 1000 * 1000)

struct link;
struct loop;
struct swapdb;

/* Creates a watcher that calls 'swapped' for whatever number of swaps it came
 * across.  All is borrowed. */
struct swapdb *swapdb_create(struct loop *loop, void (*swapped)(void *context),
                             void *context);

/* Frees 'swaps'; its link must be closed before.  Accepts NULL. */
void swapdb_destroy(struct swapdb *swaps);

/* Gives it a new link, over which it asks from now on, or with NULL says that
 * there is none. */
void swapdb_attach(struct swapdb *swaps, struct link *link);

/* Reads the number of swaps in what INFO commandstats has answered; 0 if it
 * mentions none. */
uint64_t swapdb_count(const char *info);

#endif /* orchd/db/swapdb.h */
