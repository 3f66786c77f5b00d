/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_SERVER_H
#define ORCHD_HTTP_HTTP_SERVER_H

/* A small HTTP/1.1 server for a table of pages.
 *
 * It answers one request per connection and closes it, so a connection lives
 * for HTTP_HEAD_NS until its request has arrived and HTTP_SEND_NS until the
 * answer is read, however slowly its client sends and reads.  A page that
 * answers later has HTTP_WORK_NS between the two.  At most HTTP_CLIENTS_MAX are
 * served at a time (process/acceptor.h); further ones replace the oldest one
 * whose request has not arrived, or are refused with 503.  HTTP_STREAMS_MAX
 * streams, which do not end, come on top of them.  Requests have no body.
 *
 * On TCP anybody on the machine can connect, and the pages of a browser can
 * make it connect, too.  So a TCP listener serves pages that only read,
 * whatever the table says, and checks Host and Origin (http_request.h).  Access
 * from other machines, encryption and authentication are the task of a reverse
 * proxy.
 *
 * Why not libevent's evhttp: it limits neither the number of connections nor
 * the total time of a request (each byte starts its timeout again), and spins
 * when descriptors run out. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define HTTP_CLIENTS_MAX 32
#define HTTP_STREAMS_MAX 16

/* What the kernel keeps of a stream that its client does not read. */
#define HTTP_STREAM_BYTES (128 * 1024)

#define HTTP_NS_PER_S INT64_C(1000000000)
#define HTTP_HEAD_NS  (5 * HTTP_NS_PER_S)
#define HTTP_WORK_NS  (30 * HTTP_NS_PER_S)
#define HTTP_SEND_NS  (30 * HTTP_NS_PER_S)

struct http_address;
struct http_exchange;
struct http_request;
struct http_server;
struct log;
struct loop;
struct text;

/* A page. */
struct http_page {
    const char *path; /* NULL ends a table.  "/NAME/" is all below that. */
    const char *type; /* Content-Type; NULL for one that serves. */

    /* POST instead of GET and HEAD, on Unix sockets only. */
    bool writes;

    /* Appends the content to 'text'.  Returns whether that is a success: 200,
     * or 503 with the content as the reason. */
    bool (*print)(void *context, struct text *text);

    /* Instead of 'print', answers by itself (http_exchange.h). */
    void (*serve)(void *context, struct http_exchange *exchange,
                  const struct http_request *request);
};

/* Listens at 'address' and serves 'pages' in 'loop'; a Unix socket belongs to
 * 'group' (NULL: see socket_listen()).  All but 'address' is borrowed; 'log'
 * may be NULL.  ST_EXISTS, ST_INVALID or ST_IO, with a reason in 'err', if it
 * cannot.  Free '*server' with http_server_destroy(). */
enum st http_server_create(struct loop *loop, struct log *log,
                           const struct http_address *address,
                           const char *group, const struct http_page *pages,
                           void *context, struct http_server **server,
                           struct err *err) ST_WARN_UNUSED;

/* Answers requests in progress with 503, closes all connections, and frees
 * 'server'.  Accepts NULL. */
void http_server_destroy(struct http_server *server);

#endif /* orchd/http/http_server.h */
