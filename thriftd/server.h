/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_SERVER_H
#define ORCHD_THRIFTD_SERVER_H

/* The TCP server: connections around tbinary.h and rpc.h.
 *
 * A call takes the host of the switch a few microseconds, and at most 5 s if it
 * hangs, so calls of all connections are made one after the other, one in each
 * turn of the loop.  Each connection is a
 * tester of its own for the host (rpc_switch.h), which ends with it.
 *
 * TCP has no credentials, so anybody who can reach the address can change what
 * a tester can.  Loopback, the default, keeps other machines out, and not the
 * other users of this one; a network namespace of a test bed keeps both out.
 *
 * Limits: SERVER_CLIENTS_MAX connections, where a new one replaces the one that
 * is idle for longest (at least a second); a message of 64 KiB, which must be
 * complete SERVER_MESSAGE_S after its first byte; answers that are read within
 * SERVER_MESSAGE_S.  A connection that breaks the protocol is closed, because
 * its next message cannot be found. */

#include "base/status.h"

#define SERVER_CLIENTS_MAX 32
#define SERVER_MESSAGE_S   10

struct log;
struct loop;
struct object_names;
struct server;

/* Serves on 'fd', which listens and is borrowed like all else, for the switch
 * at 'socket' with ports called 'names'. */
struct server *server_create(struct loop *loop, struct log *log, int fd,
                             const char *socket,
                             const struct object_names *names);

/* Closes all connections.  Accepts NULL. */
void server_destroy(struct server *server);

#endif /* thriftd/server.h */
