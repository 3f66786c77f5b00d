/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SCAN_H
#define ORCHD_DB_SCAN_H

/* Walks the keys of a database, a piece at a time, so that Redis serves others
 * in between.
 *
 * Internal to db/.  What Redis promises: a key that exists all the while is
 * told, possibly twice; one that comes or goes meanwhile may be. */

#include "base/status.h"

struct link;

/* Told each key.  What it sends over the link is answered before the keys that
 * follow are told. */
typedef void scan_key_fn(void *context, const char *key);

/* Told once, at the end: ST_OK; ST_IO if the link went down; ST_INVALID if
 * Redis refused, with its words in 'error'. */
typedef void scan_done_fn(void *context, enum st status, const char *error);

/* Walks the keys of database 'number' that match 'pattern' (NULL: all). */
void scan_keys(struct link *link, int number, const char *pattern,
               scan_key_fn *key, scan_done_fn *done, void *context);

#endif /* orchd/db/scan.h */
