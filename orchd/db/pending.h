/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_PENDING_H
#define ORCHD_DB_PENDING_H

/* Pending rows that other programs push into APPL_DB.
 *
 * Internal to db/.  A producer of SONiC (ProducerStateTable) does not write the
 * row TABLE:key itself.  It adds the key to the set TABLE_KEY_SET, for a
 * removal to TABLE_DEL_SET as well, keeps the fields in the hash _TABLE:key,
 * and publishes on the channel TABLE_CHANNEL@0.  The consumer takes the key and
 * updates TABLE:key: it deletes the row if the key is in both sets, then adds
 * the fields of the pending hash.
 *
 * Here one script does this for a batch of keys in one atomic step.  orchd then
 * reads the row like any other, because its hash has changed. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/table.h"

struct link;

/* Pattern of the channels on which producers of the buffer tables publish; the
 * number of the database is to be filled in. */
#define PENDING_CHANNELS "BUFFER_*_TABLE_CHANNEL@%d"

/* Pattern of the keys of the rows. */
#define PENDING_ROWS "BUFFER_*_TABLE:*"

/* Consumes the pending rows for the table of 'channel', or (NULL) for all
 * buffer tables, in database 'number'.  Channels of other tables are
 * ignored. */
void pending_take(struct link *link, int number, const char *channel);

/* Parses a key of APPL_DB: "BUFFER_PG_TABLE:Ethernet0:3-4" is the row
 * "Ethernet0|3-4" of BUFFER_PG.  Returns the name of the row, which the caller
 * frees; NULL if it is not a row of a buffer table. */
char *pending_row(const char *key, enum table *table);

/* Returns whether 'table' is one of the buffer tables of APPL_DB. */
bool pending_has(enum table table);

#endif /* orchd/db/pending.h */
