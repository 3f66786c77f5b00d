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
 * The kernel lets the user and the group of the socket connect.  Only root, the
 * user of the host and members of that group may write; other users, whom a
 * different mode of the socket may let in, may only read.  The log says who
 * connects as what, and how many changes a client has made. */

#include "base/status.h"

#define CLIENTS_MAX 64

struct clients;
struct log;
struct loop;
struct sai_host;

/* Listens on 'path' for 'group' (NULL: see socket_listen()).  All is
 * borrowed. */
enum st clients_create(struct loop *loop, struct log *log,
                       struct sai_host *host, const char *path,
                       const char *group, struct clients **clients,
                       struct err *err) ST_WARN_UNUSED;

/* Disconnects all clients and removes the socket.  Accepts NULL. */
void clients_destroy(struct clients *clients);

#endif /* saihostd/clients.h */
