/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_EXCHANGE_H
#define ORCHD_HTTP_HTTP_EXCHANGE_H

/* A request to a page that answers by itself (http_server.h): at once, later,
 * or with a stream that has no end.
 *
 * The page answers each exchange once: by http_exchange_answer() or
 * http_exchange_refuse(), possibly after http_exchange_wait(), or by
 * http_exchange_stream().
 *
 * Nothing is queued without a limit: who streams writes only while
 * http_exchange_is_idle(), and waits for 'drained' otherwise.  A client that
 * has not read what was written after HTTP_SEND_NS is disconnected. */

#include <stdbool.h>

#include "orchd/http/http_request.h"

struct http_exchange;
struct http_response;
struct text;

/* Who answers later. */
struct http_waiter {
    /* The connection has ended, and the exchange with it. */
    void (*gone)(void *waiter);

    /* The client has read all that was written.  Streams only. */
    void (*drained)(void *waiter);
};

/* Answers with a head and 'body', which this empties; sets the length in
 * 'response'.  The exchange must not be used after this. */
void http_exchange_answer(struct http_exchange *exchange,
                          struct http_response *response, struct text *body);

/* Answers with the text of 'status'. */
void http_exchange_refuse(struct http_exchange *exchange,
                          enum http_status status);

/* The answer comes later, within HTTP_WORK_NS.  'waits' is notified if the
 * connection ends before. */
void http_exchange_wait(struct http_exchange *exchange,
                        const struct http_waiter *waits, void *waiter);

/* Begins a stream.  Returns false if there are HTTP_STREAMS_MAX others, after
 * it has answered so. */
bool http_exchange_stream(struct http_exchange *exchange, const char *type,
                          const struct http_waiter *waits,
                          void *waiter) ST_WARN_UNUSED;

/* Writes to a stream; empties 'text'. */
void http_exchange_write(struct http_exchange *exchange, struct text *text);

/* Returns whether the client has read all that was written. */
bool http_exchange_is_idle(const struct http_exchange *exchange);

/* Returns the socket, for its peer (process/peer.h); borrowed. */
int http_exchange_fd(const struct http_exchange *exchange);

/* Returns whether the client has disconnected.  (One that has only ended its
 * sending side waits for the answer.) */
bool http_exchange_is_gone(const struct http_exchange *exchange);

#endif /* orchd/http/http_exchange.h */
