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

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/control/state.h"

struct agent;
struct chain;
struct chip;
struct history;
struct log;
struct loop;
struct redis;
struct softasic_ops;

/* What the commands need of their surroundings.  All is borrowed and outlives
 * the control. */
struct control_services {
    struct agent *agent;
    struct redis *redis;
    struct history *history; /* NULL: none is kept. */
    struct log *log;         /* Whose levels "log level" shows and sets. */

    /* The operator says that CONFIG_DB is complete: what is missing in it may
     * be removed from the ASIC. */
    void (*resume)(void *context);

    /* Return a new list of what was counted about the port or pool 'name'
     * (NULL: all): why packets were dropped, how priorities were paused, and
     * watermarks.  NULL: nothing
     * is counted here. */
    json_t *(*drops)(void *context, const char *name);
    json_t *(*pauses)(void *context, const char *name);
    json_t *(*watermarks)(void *context, const char *name);
    json_t *(*watchdog)(void *context, const char *name);
    void *context;
};

struct control;

/* Listens on 'path' (at most 107 bytes), and serves in 'loop', which is
 * borrowed.  The socket file of a daemon that is gone is replaced; ST_EXISTS
 * if a live one answers there, ST_IO for everything else, both with a reason
 * in 'err'.  The caller ends '*control' with control_destroy(). */
enum st control_create(struct loop *loop, const char *path,
                       const struct control_services *services,
                       struct control **control,
                       struct err *err) ST_WARN_UNUSED;

/* Puts back what a breakpoint scenario under way has changed.  To be called
 * before control_destroy(), while there is a switch and Redis can be written.
 * Accepts NULL. */
void control_stop(struct control *control);

/* Closes all connections and removes the socket file.  To be called after
 * redis_destroy(), which ends the requests that are pending there.  Accepts
 * NULL. */
void control_destroy(struct control *control);

/* Gives the commands the ASIC behind 'chain' (sai/stack/chain.h), after its
 * switch was created; 'softasic' is NULL on a foreign libsai, 'chip' if it is
 * not known which one it is.  All are borrowed and may be taken back with NULL.
 */
void control_attach(struct control *control, struct chain *chain,
                    const struct softasic_ops *softasic,
                    const struct chip *chip);

/* To be called after each turn of the agent: answers those who wait for it to
 * settle, and goes on with traffic that was asked for.  What 'state' points to
 * is borrowed until the next turn.  Returns whether work is left that needs no
 * further input. */
bool control_turn(struct control *control, const struct control_state *state);

#endif /* orchd/control/control.h */
