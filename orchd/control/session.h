/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SESSION_H
#define ORCHD_CONTROL_SESSION_H

/* A breakpoint scenario that a client runs on the switch behind orchd.
 *
 * orchd restores what a scenario changes: rows of CONFIG_DB, and what the test
 * bench has done (orchd/testbench): blocked ports, attributes, generators.
 * orchd remembers and restores, and the session belongs to the connection: when
 * a client ends, regularly, by an interrupt or by a crash, its connection ends
 * and with it the session.  A session also ends when orchd stops.  (A daemon
 * that is killed restores nothing.)
 *
 * There is one session at a time, because two scenarios would disturb each
 * other. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/field.h"

struct call;
struct command_context;
struct request;
struct testbench;
struct session;

/* Creates a session without an owner on the switch of 'context', borrowed. */
struct session *session_create(struct command_context *context);

/* Frees 'session' without restoring anything.  Accepts NULL. */
void session_destroy(struct session *session);

/* Gives the session to the client that makes 'call'.  Returns the test bench on
 * the current switch; or, if another client has the session, ends 'call' with
 * an error and returns NULL. */
struct testbench *session_take(struct session *session, struct call *call);

/* How given rows combine with existing ones. */
enum session_mode {
    SESSION_EXACT, /* A given row replaces the existing one; others stay. */
    SESSION_ADD,   /* The fields of a given row are added to those of the
                    * existing one, or replace them; a field whose value is NULL
                    * is removed. */
    SESSION_ALL,   /* A given row replaces the existing one, and all other rows
                    * of tables that orchd knows are removed. */
};

/* Writes 'n' 'rows' (copied; 'fields' NULL: remove the row) to CONFIG_DB,
 * remembers the originals, and calls 'done' when the agent has applied or
 * refused them.  In every mode, fields of DEVICE_METADATA that are not given
 * stay, because they identify the switch.  If Redis fails, 'call' ends with the
 * error. */
void session_configure(struct session *session, struct call *call,
                       const struct field_row *rows, size_t n,
                       enum session_mode mode, void (*done)(struct call *call));

/* Restores everything and calls 'done' when the agent has applied or refused
 * the rows; an error ends 'call'.  The client keeps the session. */
void session_restore(struct session *session, struct call *call,
                     void (*done)(struct call *call));

/* The client of 'request' has disconnected: if it has the session, restores
 * everything and ends the session. */
void session_leave(struct session *session, const struct request *request);

/* Does the same whichever client has the session.  Redis must still be
 * writable. */
void session_stop(struct session *session);

/* Returns, once, what could not be restored after a client disconnected, "" for
 * nothing; the caller frees it. */
char *session_take_left(struct session *session);

#endif /* orchd/control/session.h */
