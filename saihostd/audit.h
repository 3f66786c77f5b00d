/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_AUDIT_H
#define ORCHD_SAIHOSTD_AUDIT_H

/* The audit log of a host: which user has changed what on the switch.
 *
 * A call that changes something is counted with the others of its verb and
 * outcome ("done", "failed") on the connection (process/audit_tally.h).  A call
 * that a client makes although it may only read is a line with the code
 * "denied", which is limited as any other. */

struct audit_tally;
struct log;
struct peer;
struct session_last;

/* Notes what the last message of the client 'peer' has done. */
void audit_note(struct audit_tally *tally, struct log *log,
                const struct peer *peer, const struct session_last *last);

#endif /* saihostd/audit.h */
