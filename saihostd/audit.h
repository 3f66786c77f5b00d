/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_AUDIT_H
#define ORCHD_SAIHOSTD_AUDIT_H

/* The audit log of a host: which user has changed what on the switch.
 *
 * A client makes thousands of calls.  Of each verb and outcome ("done",
 * "failed") the first of a connection is a line with the code "audit" at once,
 * and when the connection ends another line has the number of the others.  So
 * no call is left out, and no line is suppressed.  A call that a client makes
 * although it may only read is a line with the code "denied", which is limited
 * as any other. */

#include <stdint.h>

struct log;
struct peer;
struct session_last;

/* More than there are verbs with their outcomes. */
enum { AUDIT_ENTRIES = 24 };

/* The audit of one connection.  All zeros at first. */
struct audit {
    struct audit_entry {
        const char *verb; /* Static. */
        const char *outcome;
        uint64_t n;
    } entries[AUDIT_ENTRIES];
    uint32_t n;
};

/* Notes what the last message of the client 'peer' has done. */
void audit_note(struct audit *audit, struct log *log, const struct peer *peer,
                const struct session_last *last);

/* The connection ends. */
void audit_end(struct audit *audit, struct log *log, const struct peer *peer);

#endif /* saihostd/audit.h */
