/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_CLIENTS_H
#define ORCHD_SAIHOSTD_CLIENTS_H

/* The clients of a host: sockets around the sessions of sai/remote/sai_host.h.
 *
 * The host stops reading from a client that does not read its answers, and
 * disconnects a client that does not read its notices.  So memory is bounded
 * for each of at most CLIENTS_MAX clients; further connections are closed at
 * once. */

#include "base/status.h"

#define CLIENTS_MAX 64

struct clients;
struct event_base;
struct sai_host;
struct log;

/* Listens on 'path', as socket_listen() says.  All is borrowed. */
enum st clients_create(struct event_base *base, struct log *log,
                       struct sai_host *host, const char *path,
                       struct clients **clients,
                       struct err *err) ST_WARN_UNUSED;

/* Disconnects all clients and removes the socket.  Accepts NULL. */
void clients_destroy(struct clients *clients);

#endif /* saihostd/clients.h */
