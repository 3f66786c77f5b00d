/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_RESPONSE_H
#define ORCHD_PUBLISH_RESPONSE_H

/* Word to those who wait for the outcome of a row.
 *
 * Internal to publish/.  When a row is applied, refused or gone, a message goes
 * to the channel APPL_DB_<TABLE>_RESPONSE_CHANNEL, as programs of SONiC expect
 * it: a JSON array of a status, the key, "err_str" and the text of the error,
 * and then the fields and values that are in force.  <TABLE> is the name of the
 * table in APPL_DB, or that in CONFIG_DB where APPL_DB has no such table.
 *
 * A row that waits has no outcome yet, and no message. */

struct redis;
struct row_status;

/* Publishes the outcome that 'status' is, if it is one. */
void response_send(struct redis *redis, const struct row_status *status);

/* Publishes that a row is gone.  Of 'status', table and key count. */
void response_send_gone(struct redis *redis, const struct row_status *status);

#endif /* orchd/publish/response.h */
