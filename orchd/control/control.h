/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_CONTROL_H
#define ORCHD_CONTROL_CONTROL_H

/* The control socket: what orchctl talks to.
 *
 * Requests are lines of JSON on a Unix stream socket, each answered by one
 * line; protocol.h describes them, commands.h lists them.  This is the only way
 * to give orders to the daemon (the socket's mode, 0660, is the access control;
 * there is deliberately no second channel through Redis).
 *
 * Control owns no policy.  It reads the agent, asks SAI for facts, and hands
 * everything that changes something to one of the services below. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct agent;
struct event_base;
struct softasic_ops;
struct sai_backend;

/* One row for CONFIG_DB, as ConfigDBConnector would store it. */
struct control_row {
    const char *table;
    const char *key;
    const struct field *fields; /* orchd/intent/intent.h */
    size_t n_fields;            /* A row without fields gets "NULL" = "NULL". */
};

/* Tells the outcome of something that was started: ST_OK, or what went wrong
 * in 'err' (borrowed). */
typedef void control_done_fn(void *context, enum st status,
                             const struct err *err);

/* What the commands need of their surroundings.  'agent' is borrowed and
 * outlives the control; a function may be NULL where the daemon has no such
 * thing, and the commands that need it then say so. */
struct control_services {
    struct agent *agent;

    /* Writes 'n' rows into CONFIG_DB in one go; with 'replace' all other rows
     * of the database are removed with them.  The rows are borrowed for the
     * call.  'done' is called once, later or from within: after the database
     * has answered, or when it could not be reached. */
    void (*write_rows)(void *context, const struct control_row *rows, size_t n,
                       bool replace, control_done_fn *done, void *waiter);

    /* Calls 'done' (as above) after everything that was written to CONFIG_DB
     * before this call has been handed to the agent. */
    void (*barrier)(void *context, control_done_fn *done, void *waiter);

    /* The operator says that CONFIG_DB is complete: what is missing in it may
     * be removed from the ASIC. */
    void (*resume)(void *context);

    /* The agent has work: give it a turn soon. */
    void (*wake)(void *context);

    void *context; /* For all of these. */
};

struct control;

/* Listens on 'path' (at most 107 bytes), and serves in 'base', which is
 * borrowed.  The socket file of a daemon that is gone is replaced; ST_EXISTS
 * if a live one answers there, ST_IO for everything else, both with a reason
 * in 'err'.  The caller ends '*control' with control_destroy(). */
enum st control_create(struct event_base *base, const char *path,
                       const struct control_services *services,
                       struct control **control,
                       struct err *err) ST_WARN_UNUSED;

/* Closes all connections and removes the socket file.  Outcomes of services
 * that arrive after this are ignored as long as 'base' is not run any more.
 * Accepts NULL. */
void control_destroy(struct control *control);

/* Gives the commands the ASIC, after its switch was created; 'softasic' is NULL
 * on a foreign libsai.  Both are borrowed and may be taken back with NULL. */
void control_attach(struct control *control, struct sai_backend *backend,
                    const struct softasic_ops *softasic);

/* To be called after each turn of the agent: answers those who wait for it to
 * settle. */
void control_turn(struct control *control);

#endif /* orchd/control/control.h */
