/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_ACCEPTOR_H
#define ORCHD_PROCESS_ACCEPTOR_H

/* Accepts the connections of a listening socket, so that no client can take all
 * of them, or all descriptors of the process.
 *
 * A listener has a fixed number of connections.  The last one is kept for the
 * owner of the process and for root, who can therefore always connect to a Unix
 * socket.  When no connection is free, the acceptor asks its user to end one
 * that is idle; if there is none, the new client is refused and closed at once,
 * so that it does not wait in the queue of the kernel before others.
 *
 * When the process has no descriptor left, libevent's own listener would spin
 * and warn in each turn.  This one refuses the client by means of a descriptor
 * that it holds in reserve, and pauses for ACCEPTOR_PAUSE_NS, doubled up to
 * ACCEPTOR_PAUSE_MAX_NS while the shortage lasts.  The log has one line when
 * the first pause begins, and one when the listener works again. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCEPTOR_PAUSE_NS     (INT64_C(100) * 1000 * 1000)
#define ACCEPTOR_PAUSE_MAX_NS (INT64_C(1000) * 1000 * 1000)

/* Connections accepted or refused in one turn of the loop: fewer than a
 * listener has, so that the request of a new client is read before many others
 * come. */
#define ACCEPTOR_BATCH 8

struct acceptor;
struct log;
struct loop;

/* What the user of an acceptor does with clients. */
struct acceptor_user {
    const char *name; /* Of the listener, for the log: "control". */
    size_t limit;     /* Connections, at least 2. */

    /* A client has connected; the callee owns 'fd', which is non-blocking, and
     * calls acceptor_release() when it has closed it. */
    void (*accept)(void *context, int fd);

    /* No connection is free.  The callee may send() a short answer with
     * MSG_DONTWAIT; the acceptor closes 'fd'.  May be NULL. */
    void (*refuse)(void *context, int fd);

    /* Ends one connection that is idle, with acceptor_release().  Returns
     * whether there was one.  May be NULL. */
    bool (*evict)(void *context);

    void *context;
};

/* Accepts from 'fd', which listens, is non-blocking and stays the caller's.
 * 'user' is copied, except its name and context.  'loop' and 'log' are
 * borrowed; 'log' may be NULL. */
struct acceptor *acceptor_create(struct loop *loop, struct log *log, int fd,
                                 const struct acceptor_user *user);

/* Stops accepting.  The connections stay with their owner, who need not release
 * them.  Accepts NULL. */
void acceptor_destroy(struct acceptor *acceptor);

/* One of the connections has been closed. */
void acceptor_release(struct acceptor *acceptor);

/* Return how many connections there are, and how many clients were refused. */
size_t acceptor_count(const struct acceptor *acceptor);
uint64_t acceptor_refused(const struct acceptor *acceptor);

#endif /* process/acceptor.h */
