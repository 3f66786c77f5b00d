/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SERVER_H
#define ORCHD_CONTROL_SERVER_H

/* A server of lines over a Unix stream socket; it does not interpret the lines.
 *
 * Each connection has one request in progress at a time: the server neither
 * reads its socket nor handles its next line until the request is answered and
 * the answer is sent.  So answers are in order, a client that does not read
 * delays only itself, and memory is bounded: one request and one answer for
 * each of at most SERVER_CLIENTS_MAX connections.
 *
 * No client can keep others out: a connection ends after SERVER_IDLE_NS without
 * a request, SERVER_LINE_NS after the first byte of a line that does not end,
 * and after SERVER_DRAIN_NS in which the client has read nothing of its answer.
 * When all connections are taken, a new client replaces the one that is idle
 * for longest, if that is at least SERVER_GRACE_NS. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define SERVER_CLIENTS_MAX 64

#define SERVER_NS_PER_S INT64_C(1000000000)
#define SERVER_IDLE_NS  (600 * SERVER_NS_PER_S)
#define SERVER_LINE_NS  (10 * SERVER_NS_PER_S)
#define SERVER_DRAIN_NS (60 * SERVER_NS_PER_S)
#define SERVER_GRACE_NS SERVER_NS_PER_S

struct log;
struct loop;
struct request;
struct server;

/* Called with each line, NUL-terminated and without its line end; 'line' is
 * borrowed for the call.  The callee answers 'request' (request.h) once, now or
 * later. */
typedef void server_line_fn(void *context, struct request *request,
                            const char *line, size_t length);

/* The answers to a line that is longer than 'limit' bytes, and to a client
 * beyond SERVER_CLIENTS_MAX; static. */
struct server_texts {
    const char *too_long;
    const char *too_many;
};

/* What a server is. */
struct server_options {
    const char *name;   /* "control": for messages and the log. */
    const char *option; /* "--control": which option sets the path. */
    const char *path;   /* Of the socket. */
    const char *group;  /* Of the socket; NULL or unknown: the default one. */
    size_t limit;       /* Bytes of a line. */
    const struct server_texts *texts;
    server_line_fn *line;
    void *context;
};

/* Listens on 'path', mode 0660; creates its directory if it is missing, and
 * replaces a stale socket file.  ST_EXISTS: another process listens there.
 * ST_INVALID: 'path' is too long, or is not a socket.  ST_IO: a system call
 * failed.  All fill 'err'.  What 'options' points to, 'loop' and 'log' are
 * borrowed; 'log' may be NULL.  The process has to ignore SIGPIPE. */
enum st server_create(struct loop *loop, struct log *log,
                      const struct server_options *options,
                      struct server **server, struct err *err) ST_WARN_UNUSED;

/* Sets a function that is called, with the context of the server, when a
 * connection that may have made requests has ended and none of its requests is
 * in progress. */
typedef void server_gone_fn(void *context, const struct request *request);
void server_on_gone(struct server *server, server_gone_fn *gone);

/* Takes no more requests from the connections that there are.  Requests in
 * progress may still be answered until server_destroy(). */
void server_finish(struct server *server);

/* Sends pending answers as far as possible without blocking, closes all
 * connections and removes the socket file.  Requests without an answer must not
 * be answered after this.  Accepts NULL. */
void server_destroy(struct server *server);

#endif /* orchd/control/server.h */
