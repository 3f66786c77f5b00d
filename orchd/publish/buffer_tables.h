/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_BUFFER_TABLES_H
#define ORCHD_PUBLISH_BUFFER_TABLES_H

/* The buffer tables where the other programs of SONiC look for them.
 *
 * Internal to publish/.  Three places, each of which says something else:
 *
 *   APPL_DB        BUFFER_*_TABLE:key       what is in force of each row of the
 *                                           six buffer tables
 *   APPL_STATE_DB  BUFFER_POOL_TABLE:name   xoff, of pools that have one
 *                  BUFFER_PROFILE_TABLE:..  all of a profile that has xoff
 *   STATE_DB       BUFFER_POOL_TABLE|name   all of a pool
 *                  BUFFER_PROFILE_TABLE|..  all of a profile
 *
 * What is in force is written as soon as there is an answer to its row; the two
 * others only when the row is applied, and they then keep what they have until
 * it is applied again or gone.  So who waits for an object to be programmed
 * looks there, and who waits for one to be gone may look anywhere.
 *
 * A row that binds nothing (of a port that is shut, or has a cable of 0 m) is
 * not in APPL_DB: there are programs that wait for it to go.
 *
 * Where the buffer tables are pushed into APPL_DB by others, nothing is written
 * there.
 *
 * A key is written only if its content changed.  A field that is gone is
 * removed in the same atomic step. */

struct redis;
struct row_status;
struct buffer_tables;

/* Creates tables that are written through 'redis', which is borrowed. */
struct buffer_tables *buffer_tables_create(struct redis *redis);

/* Frees 'tables'; what was written stays.  Accepts NULL. */
void buffer_tables_destroy(struct buffer_tables *tables);

/* Forgets what was written, and removes what is there and is not written again
 * before it is come across. */
void buffer_tables_restart(struct buffer_tables *tables);

/* The answer to a row, of whatever table, is now 'status'. */
void buffer_tables_row(struct buffer_tables *tables,
                       const struct row_status *status);

/* The row is gone, from the ASIC as well.  Of 'status', table and key count. */
void buffer_tables_gone(struct buffer_tables *tables,
                        const struct row_status *status);

#endif /* orchd/publish/buffer_tables.h */
