/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_SCAN_H
#define ORCHD_DB_SCAN_H

/* Scans the keys of a database in small steps, so that Redis serves other
 * clients in between.
 *
 * Internal to db/.  Redis guarantees that a key that exists during the whole
 * scan is reported, possibly twice; a key that is added or deleted meanwhile
 * may be reported. */

#include "base/status.h"

struct link;

/* A NUL in a key as this function gets it, and as subscriptions report it. */
#define SCAN_NUL "\\x00"

/* Called for each key; one with a NUL is escaped by text_add_escaped().
 * Commands that it sends over the link are answered before the next batch of
 * keys. */
typedef void scan_key_fn(void *context, const char *key);

/* Called once, at the end, with ST_OK; ST_IO if the link went down; ST_INVALID
 * if Redis refused, with its message in 'error'. */
typedef void scan_done_fn(void *context, enum st status, const char *error);

/* Scans the keys of database 'number' that match 'pattern' (NULL: all). */
void scan_keys(struct link *link, int number, const char *pattern,
               scan_key_fn *key, scan_done_fn *done, void *context);

#endif /* orchd/db/scan.h */
