/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_BUFFER_TABLES_H
#define ORCHD_PUBLISH_BUFFER_TABLES_H

/* Copies of the buffer tables for other programs of SONiC.
 *
 * Internal to publish/.  There are three copies with different contents:
 *
 *   APPL_DB        BUFFER_*_TABLE:key       each row of the six buffer tables
 *                                           as the ASIC has it
 *   APPL_STATE_DB  BUFFER_POOL_TABLE:name   xoff, of pools that have one
 *                  BUFFER_PROFILE_TABLE:..  all of a profile that has xoff
 *   STATE_DB       BUFFER_POOL_TABLE|name   all of a pool
 *                  BUFFER_PROFILE_TABLE|..  all of a profile
 *
 * A row that waits, or whose new content is wrong or refused, is there with the
 * last content that was applied, or not at all.  APPL_DB loses the row when its
 * object disappears; the two other copies stay until the row is removed.
 *
 * A row that binds nothing (of a port that is shut down, or has a cable of 0 m)
 * is not in APPL_DB, because some programs wait until it is removed.
 *
 * If other programs write the buffer tables to APPL_DB, orchd writes nothing
 * there.
 *
 * A key is written only if its content has changed; obsolete fields are removed
 * in the same atomic step. */

struct redis;
struct row_status;
struct buffer_tables;

/* Creates tables that write through 'redis', which is borrowed. */
struct buffer_tables *buffer_tables_create(struct redis *redis);

/* Frees 'tables'; the databases stay as they are.  Accepts NULL. */
void buffer_tables_destroy(struct buffer_tables *tables);

/* Forgets what was written, and starts to remove all keys that are not written
 * again before the sweep reaches them. */
void buffer_tables_restart(struct buffer_tables *tables);

/* Handles the new status of a row of any table. */
void buffer_tables_row(struct buffer_tables *tables,
                       const struct row_status *status);

/* Handles the removal of a row, which is no longer on the ASIC either.  Uses
 * only table and key of 'status'. */
void buffer_tables_gone(struct buffer_tables *tables,
                        const struct row_status *status);

#endif /* orchd/publish/buffer_tables.h */
