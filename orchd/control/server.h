/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SERVER_H
#define ORCHD_CONTROL_SERVER_H

/* A server of lines over a Unix stream socket; it does not interpret the lines.
 *
 * Each connection has one request in progress at a time: the server neither
 * reads its socket nor handles its next line until the request is answered and
 * the answer is sent.  So answers are in order, a client that does not read
 * delays only itself, and memory is bounded: one request and one answer for
 * each of at most SERVER_CLIENTS_MAX connections. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define SERVER_CLIENTS_MAX 64

struct event_base;
struct request;
struct server;

/* Called with each line, NUL-terminated and without its line end; 'line' is
 * borrowed for the call.  The callee answers 'request' once, now or later. */
typedef void server_line_fn(void *context, struct request *request,
                            const char *line, size_t length);

/* The answers to a line that is longer than 'limit' bytes, and to a client
 * beyond SERVER_CLIENTS_MAX; static. */
struct server_texts {
    const char *too_long;
    const char *too_many;
};

/* Listens on 'path', mode 0660; creates its directory if it is missing, and
 * replaces a stale socket file.  ST_EXISTS: another process listens there.
 * ST_INVALID: 'path' is too long, or is not a socket.  ST_IO: a system call
 * failed.  All fill 'err'.  'base' and 'texts' are borrowed.  The process has
 * to ignore SIGPIPE. */
enum st server_create(struct event_base *base, const char *path, size_t limit,
                      const struct server_texts *texts, server_line_fn *line,
                      void *context, struct server **server,
                      struct err *err) ST_WARN_UNUSED;

/* Sets a function that is called, with the context of the server, when a
 * connection that may have made requests has ended and none of its requests is
 * in progress. */
typedef void server_gone_fn(void *context, const struct request *request);
void server_on_gone(struct server *server, server_gone_fn *gone);

/* Sends pending answers as far as possible without blocking, closes all
 * connections and removes the socket file.  Requests without an answer must not
 * be answered after this.  Accepts NULL. */
void server_destroy(struct server *server);

/* Answers 'request' with 'text', which has no line end, and ends it.  Only ends
 * it if the client has disconnected. */
void request_reply(struct request *request, const char *text);

#endif /* orchd/control/server.h */
