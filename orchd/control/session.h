/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SESSION_H
#define ORCHD_CONTROL_SESSION_H

/* A breakpoint scenario that a client runs on the switch behind orchd.
 *
 * What a scenario changes is put back: rows of CONFIG_DB as they were written
 * before, and what a rig has done (orchd/testbench): blocked ports, attributes,
 * generators.  It is orchd that remembers and puts back, and the session
 * belongs to the connection: however a client ends, by the end of its work, by
 * an interrupt or by a crash, its connection ends with it, and the session with
 * that.  The same if orchd is told to stop.  (A daemon that is killed puts
 * nothing back.)
 *
 * There is one session at a time, as two scenarios would see each other. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/field.h"

struct call;
struct command_context;
struct request;
struct testbench;
struct session;

/* Creates a session that is nobody's, on the switch of 'context', borrowed. */
struct session *session_create(struct command_context *context);

/* Frees 'session', which is nobody's, or to be forgotten.  Accepts NULL. */
void session_destroy(struct session *session);

/* Gives the session to the client that makes 'call'; if another one has it,
 * ends 'call' with that as the reason.  Returns the rig on the switch as it is
 * now, NULL if the call has ended. */
struct testbench *session_take(struct session *session, struct call *call);

/* What rows that are given mean for those that are there. */
enum session_mode {
    SESSION_EXACT, /* Each is just that; others stay. */
    SESSION_ADD, /* Fields are added to those of the row, or replaced; one whose
                  * value is NULL goes. */
    SESSION_ALL, /* Each is just that, and every other row of the tables that
                  * orchd knows goes. */
};

/* Writes 'n' 'rows' (copied; 'fields' NULL: it is to go) into CONFIG_DB,
 * remembers what was there before, and calls 'done' when they are applied or
 * judged.  Of DEVICE_METADATA, fields that are not given stay in any mode: they
 * say which switch this is.  If Redis fails, 'call' ends with that. */
void session_configure(struct session *session, struct call *call,
                       const struct field_row *rows, size_t n,
                       enum session_mode mode, void (*done)(struct call *call));

/* Puts everything back and calls 'done' when rows are applied or judged; what
 * could not be put back ends 'call' with the reason.  The client keeps the
 * session. */
void session_restore(struct session *session, struct call *call,
                     void (*done)(struct call *call));

/* The client of 'request' is gone: puts everything back that it had changed, if
 * it had the session, which is nobody's then. */
void session_leave(struct session *session, const struct request *request);

/* The same whoever had it; while Redis can still be written. */
void session_stop(struct session *session);

/* Returns, once, what could not be put back for a client that was gone, "" for
 * nothing; the caller frees it. */
char *session_take_left(struct session *session);

#endif /* orchd/control/session.h */
