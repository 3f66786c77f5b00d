/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_CONTROL_H
#define ORCHD_CONTROL_CONTROL_H

/* The control socket, which orchctl connects to.
 *
 * Requests are lines of JSON on a Unix stream socket, and each gets one line as
 * its answer; protocol.h describes them, command.h lists them.  This is the
 * only way to command the daemon; there is deliberately no second channel
 * through Redis.
 *
 * There are two sockets, both with mode 0660: one for operators, and one for
 * viewers, who may not change anything (access.h).  Each has connections of its
 * own, so viewers cannot keep operators out.  The log says who changed what
 * (audit.h).
 *
 * Control makes no decisions.  It reads the state of the agent and of SAI, and
 * passes everything that changes something to one of its services (state.h). */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/control/state.h"

struct chain;
struct chip;
struct loop;
struct softasic_ops;

struct control;

/* The sockets: paths of at most 107 bytes, and the groups that may connect. All
 * is borrowed. */
struct control_sockets {
    const char *operators;       /* Path. */
    const char *viewers;         /* Path; NULL: none. */
    const char *operators_group; /* NULL, unknown: the group of orchd. */
    const char *viewers_group;
};

/* Listens on 'sockets', and serves in 'loop', which is borrowed.  Replaces
 * stale socket files; ST_EXISTS if a daemon listens there, ST_IO for other
 * errors, both with a reason in 'err'.  The caller frees '*control' with
 * control_destroy(). */
enum st control_create(struct loop *loop, const struct control_sockets *sockets,
                       const struct control_services *services,
                       struct control **control,
                       struct err *err) ST_WARN_UNUSED;

/* Takes no more requests, and restores what a running breakpoint scenario has
 * changed.  Requests in progress then end with the error orchd-ended, whatever
 * they wait for.  Call it before control_destroy(), while the switch exists and
 * Redis is writable.  Accepts NULL. */
void control_stop(struct control *control);

/* Closes all connections and removes the socket file.  Call it after
 * redis_destroy(), which ends the requests that are pending there.  Accepts
 * NULL. */
void control_destroy(struct control *control);

/* Runs a verb for 'request', which another server than those of 'sockets' has
 * got: as a client of the socket for viewers, if 'views_only', else by the role
 * of its peer.  control_leave() says that its connection ends, once it is
 * answered. */
struct command_texts;
struct request;
void control_run(struct control *control, bool views_only,
                 struct request *request, const struct command_texts *command);
void control_leave(struct control *control, const struct request *request);

/* Returns whether 'peer' may call what changes something. */
struct peer;
bool control_may_write(const struct control *control, const struct peer *peer);

/* Attaches the ASIC behind 'chain' (sai/stack/chain.h), after its switch was
 * created; 'softasic' is NULL on a foreign libsai, 'chip' if the chip is
 * unknown. All are borrowed; a NULL 'chain' detaches the ASIC. */
void control_attach(struct control *control, struct chain *chain,
                    const struct softasic_ops *softasic,
                    const struct chip *chip);

/* Call it after each turn of the agent: answers the clients that wait until the
 * agent has settled, and continues to send traffic.  What 'state' points to is
 * borrowed until the next turn.  Returns whether work is left that needs no
 * further input. */
bool control_turn(struct control *control, const struct control_state *state);

#endif /* orchd/control/control.h */
