/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_ROWS_H
#define ORCHD_DB_ROWS_H

/* Writes many rows into CONFIG_DB in one step.
 *
 * Internal to db/.  See redis_write_rows() for what it does.  To replace the
 * database it first scans the keys, so a row that another client adds during
 * the scan may survive. */

#include <stdbool.h>

#include "orchd/db/redis_types.h"

struct link;

/* The key that SONiC sets to 1 as soon as CONFIG_DB is filled. */
#define ROWS_INITIALIZED_KEY "CONFIG_DB_INITIALIZED"

/* Writes 'n' rows over 'link' into database 'number', whose keys use
 * 'separator', and if 'fills' sets ROWS_INITIALIZED_KEY.  'done' is called
 * once, from the loop. */
void rows_write(struct link *link, int number, char separator,
                const struct field_row *rows, size_t n, enum redis_write mode,
                bool fills, redis_done_fn *done, void *context);

#endif /* orchd/db/rows.h */
