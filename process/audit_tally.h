/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_AUDIT_TALLY_H
#define ORCHD_PROCESS_AUDIT_TALLY_H

/* The calls of one connection in the audit log.
 *
 * A client makes thousands of calls.  Of each verb and outcome the first of a
 * connection is a line with the code "audit" at once, and when the connection
 * ends another line has the number of the others.  So no call is left out, and
 * no line is suppressed. */

#include <stddef.h>

struct audit_tally_entry;
struct log;
struct peer;

/* Zeroed, it is empty. */
struct audit_tally {
    struct audit_tally_entry *entries; /* Owned. */
    size_t n;
};

/* Counts a call of 'verb' by 'peer' with 'outcome' ("done", or what failed),
 * and writes its line to 'log' (NULL: nowhere) if it is the first of its kind.
 * Both texts are copied, and cut if they are long. */
void audit_tally_note(struct audit_tally *tally, struct log *log,
                      const struct peer *peer, const char *verb,
                      const char *outcome);

/* The connection of 'peer' ends: writes the counts, and empties '*tally'. */
void audit_tally_end(struct audit_tally *tally, struct log *log,
                     const struct peer *peer);

/* Empties '*tally' without a line. */
void audit_tally_fini(struct audit_tally *tally);

#endif /* process/audit_tally.h */
