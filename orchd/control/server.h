/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SERVER_H
#define ORCHD_CONTROL_SERVER_H

/* Lines in, lines out, over a Unix stream socket.
 *
 * Knows nothing of what the lines say.  Each connection has one request under
 * way at a time: its next line is not looked at, and its socket not read,
 * until that is answered and the answer has gone out.  So answers are in order,
 * a client that does not read holds up only itself, and memory is bounded: one
 * request and one answer per connection, for at most SERVER_CLIENTS_MAX. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define SERVER_CLIENTS_MAX 64

struct event_base;
struct request;
struct server;

/* Called with each line, without its end and terminated; 'line' is borrowed
 * for the call.  'request' is to be answered once, now or later. */
typedef void server_line_fn(void *context, struct request *request,
                            const char *line, size_t length);

/* Returns the answer to a line that is longer than 'limit' bytes, and to a
 * connection too many; static. */
struct server_texts {
    const char *too_long;
    const char *too_many;
};

/* Listens on 'path', mode 0660, in a directory that is made if it is missing.
 * A socket file there that nobody listens to is replaced.  ST_EXISTS: somebody
 * does.  ST_INVALID: 'path' is too long, or is no socket.  ST_IO: the system
 * refused.  All fill 'err'.  'base' and 'texts' are borrowed.  The process has
 * to ignore SIGPIPE. */
enum st server_create(struct event_base *base, const char *path, size_t limit,
                      const struct server_texts *texts, server_line_fn *line,
                      void *context, struct server **server,
                      struct err *err) ST_WARN_UNUSED;

/* Has 'gone' called with the context of the server when a connection has ended
 * that may have made requests, none of which is under way any more. */
typedef void server_gone_fn(void *context, const struct request *request);
void server_on_gone(struct server *server, server_gone_fn *gone);

/* Closes all connections, after what can be sent of answers at once, and
 * removes the socket file.  Requests that are not answered yet must not be
 * answered any more.  Accepts NULL. */
void server_destroy(struct server *server);

/* Answers 'request' with 'text', which has no line end, and ends it.  Does
 * nothing else if the client is gone. */
void request_reply(struct request *request, const char *text);

/* Returns whether the client that asked is gone. */
bool request_abandoned(const struct request *request);

#endif /* orchd/control/server.h */
