/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_AUDIT_H
#define ORCHD_CONTROL_AUDIT_H

/* The audit log: which user has changed what, and how that ended.
 *
 * Each call of a verb that changes something is counted with the others of its
 * verb and outcome on the connection (process/audit_tally.h).  A call that is
 * refused because of the role of its user is a line with the code "denied",
 * which is limited as any other. */

struct audit;
struct log;
struct request;

/* Creates an audit that writes to 'log' (borrowed; may be NULL). */
struct audit *audit_create(struct log *log);

/* Frees 'audit'.  Accepts NULL. */
void audit_destroy(struct audit *audit);

/* The client of 'request' has called 'noun' 'verb' (static); 'outcome' is
 * "done" or the code of the error. */
void audit_note(struct audit *audit, const struct request *request,
                const char *noun, const char *verb, const char *outcome);

/* The client of 'request' was refused 'noun' 'verb'. */
void audit_deny(struct audit *audit, const struct request *request,
                const char *noun, const char *verb);

/* The connection of 'request' ends. */
void audit_leave(struct audit *audit, const struct request *request);

#endif /* orchd/control/audit.h */
