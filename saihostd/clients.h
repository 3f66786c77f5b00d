/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_CLIENTS_H
#define ORCHD_SAIHOSTD_CLIENTS_H

/* The clients of a host: sockets around the sessions of sai/remote/sai_host.h.
 *
 * The host stops reading from a client that does not read its answers, and
 * disconnects a client that does not read its notices.  So memory is bounded
 * for each of at most CLIENTS_MAX clients.  When all connections are taken, a
 * new client replaces one that has not completed the handshake; if all have, it
 * is refused (process/acceptor.h).
 *
 * There are two sockets, each with connections of its own: one for operators,
 * and beside it one for viewers (base/view_path.h), where everybody may only
 * read. The kernel lets the user and the group of each socket connect.  Only
 * root, the user of the host and members of the operators' group may write;
 * other users, whom a different mode of the socket may let in, may only read
 * (roles.h).  The log says who connects as what, and what a client has changed
 * (audit.h). */

#include <stdbool.h>

#include "base/status.h"

#define CLIENTS_MAX 64

struct clients;
struct log;
struct loop;
struct sai_host;

/* Where a host listens. */
struct clients_sockets {
    const char *path;       /* For operators, */
    const char *group;      /* and their group; NULL: see socket_listen(). */
    bool has_viewers;       /* There is a socket for viewers, */
    const char *view_group; /* and their group; the same. */
};

/* Listens on '*sockets', whose strings are borrowed, as all else is.  Outcomes
 * of socket_listen(); ST_INVALID: also if the path is too long for that of
 * viewers. */
enum st clients_create(struct loop *loop, struct log *log,
                       struct sai_host *host,
                       const struct clients_sockets *sockets,
                       struct clients **clients,
                       struct err *err) ST_WARN_UNUSED;

/* Disconnects all clients and removes the sockets.  Accepts NULL. */
void clients_destroy(struct clients *clients);

#endif /* saihostd/clients.h */
