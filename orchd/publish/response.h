/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_RESPONSE_H
#define ORCHD_PUBLISH_RESPONSE_H

/* Messages to programs that wait for the result of a row.
 *
 * Internal to publish/.  When a row is applied, refused or removed, orchd
 * publishes a message on the channel APPL_DB_<TABLE>_RESPONSE_CHANNEL, in the
 * format that SONiC's programs expect: a JSON array of a status, the key,
 * "err_str" and the text of the error, then the fields and values in force.
 * <TABLE> is the name of the table in APPL_DB, or in CONFIG_DB if APPL_DB has
 * no such table.
 *
 * A row that waits has no result yet, and no message. */

struct redis;
struct row_status;

/* Publishes 'status' if it is a result. */
void response_send(struct redis *redis, const struct row_status *status);

/* Publishes that a row is removed.  Uses only table and key of 'status'. */
void response_send_gone(struct redis *redis, const struct row_status *status);

#endif /* orchd/publish/response.h */
