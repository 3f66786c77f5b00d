/* SPDX-License-Identifier: Apache-2.0 */

/* A line server on libevent's bufferevents. */

#include <config.h>

#include "orchd/control/server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "process/socket.h"

/* An input buffer larger than this is not kept between requests. */
#define KEEP_BYTES ((size_t)64 * 1024)

/* A connection and its request: each connection has one at a time.  It outlives
 * its socket until that request is answered. */
struct request {
    struct server *server;
    struct bufferevent *socket; /* NULL: the client has disconnected. */
    struct text input;          /* What came after the last line taken. */
    size_t scanned;             /* Bytes of it known to hold no line end. */
    bool busy;                  /* A request waits for its answer. */
    bool taking;                /* request_take() is on the stack. */
    bool finished;              /* The client will send no more. */
    bool closing;               /* Closed when the output has gone out. */
    struct request *next, *previous;
};

struct server {
    struct event_base *base;
    struct evconnlistener *listener;
    struct request *requests;
    size_t n_requests;
    size_t limit;
    const struct server_texts *texts;
    server_line_fn *line;
    server_gone_fn *gone; /* May be NULL. */
    void *context;
    struct listening_socket place;
};

static void request_take(struct request *request);

/* Removes a connection from the list and frees it.  A new client may be waiting
 * for a free connection. */
static void
request_free(struct request *request)
{
    struct server *server = request->server;

    if (server->gone) {
        server->gone(server->context, request);
    }
    if (request->previous) {
        request->previous->next = request->next;
    } else {
        server->requests = request->next;
    }
    if (request->next) {
        request->next->previous = request->previous;
    }
    server->n_requests--;
    if (request->socket) {
        bufferevent_free(request->socket);
    }
    text_fini(&request->input);
    free(request);
    if (server->listener) {
        evconnlistener_enable(server->listener);
    }
}

/* Ends the connection; frees it unless a request or request_take() still uses
 * it. */
static void
request_close(struct request *request)
{
    if (request->socket) {
        bufferevent_free(request->socket);
        request->socket = NULL;
    }
    if (!request->busy && !request->taking) {
        request_free(request);
    }
}

/* Sends 'text' and a line end. */
static void
request_send(struct request *request, const char *text)
{
    bufferevent_write(request->socket, text, strlen(text));
    bufferevent_write(request->socket, "\n", 1);
}

/* Answers with 'text', after which the connection ends. */
static void
request_refuse(struct request *request, const char *text)
{
    request->closing = true;
    bufferevent_disable(request->socket, EV_READ);
    request_send(request, text);
}

/* Returns whether the client has not read all of its answers yet. */
static bool
request_output_pending(const struct request *request)
{
    return evbuffer_get_length(bufferevent_get_output(request->socket)) > 0;
}

/* Finds the end of the first line of the input; NULL if it has not arrived.
 * Searches each byte once. */
static char *
request_line_end(struct request *request)
{
    struct text *input = &request->input;
    char *end = input->length > request->scanned
                    ? memchr(input->bytes + request->scanned, '\n',
                             input->length - request->scanned)
                    : NULL;

    if (!end) {
        request->scanned = input->length;
    }
    return end;
}

/* Passes on the line of the input that ends at 'end'. */
static void
request_take_line(struct request *request, char *end)
{
    struct text *input = &request->input;
    size_t length = (size_t)(end - input->bytes);
    struct text rest = {0};

    text_add_bytes(&rest, end + 1, input->length - length - 1);
    *end = '\0';
    request->busy = true;
    request->server->line(request->server->context, request, input->bytes,
                          length);
    text_fini(input);
    *input = rest;
    request->scanned = 0;
}

/* Passes on lines until one is not answered at once, or its answer cannot be
 * sent at once.  Then waits for that, or else for more input. */
static void
request_take(struct request *request)
{
    bool ready = true;
    char *end = NULL;

    request->taking = true;
    while (request->socket &&
           (ready = !request->busy && !request->closing &&
                    !request_output_pending(request)) &&
           (end = request_line_end(request)) &&
           (size_t)(end - request->input.bytes) <= request->server->limit) {
        request_take_line(request, end);
    }
    request->taking = false;
    if (!request->socket) {
        request_close(request);
    } else if (!ready) {
        bufferevent_disable(request->socket, EV_READ);
    } else if (request->input.length > request->server->limit) {
        request_refuse(request, request->server->texts->too_long);
    } else if (request->finished) {
        request_close(request);
    } else {
        bufferevent_enable(request->socket, EV_READ);
    }
}

void
request_reply(struct request *request, const char *text)
{
    orch_assert(request->busy);
    request->busy = false;
    if (request->socket) {
        request_send(request, text);
    }
    if (!request->taking) {
        request_take(request);
    }
}

/* Moves the input to a buffer of our own: libevent would search its buffer from
 * the beginning each time, which is quadratic for a long line. */
static void
on_readable(struct bufferevent *socket, void *context)
{
    struct request *request = context;
    struct evbuffer *input = bufferevent_get_input(socket);
    size_t n = evbuffer_get_length(input);
    struct text *text = &request->input;

    if (text->length == 0 && text->size > KEEP_BYTES) {
        text_fini(text);
    }
    while (n) {
        char bytes[4096];
        int got = evbuffer_remove(input, bytes, sizeof bytes);

        if (got <= 0) {
            break;
        }
        text_add_bytes(text, bytes, (size_t)got);
        n -= (size_t)got;
    }
    request_take(request);
}

/* All output has been sent. */
static void
on_drained(struct bufferevent *socket, void *context)
{
    struct request *request = context;

    (void)socket;
    if (request->closing) {
        request_close(request);
    } else {
        request_take(request);
    }
}

/* The client has closed, or half closed, its side, or the connection broke. */
static void
on_gone(struct bufferevent *socket, short what, void *context)
{
    struct request *request = context;

    (void)socket;
    /* A client may shut its sending side and still wait for answers. */
    if (what & BEV_EVENT_EOF) {
        request->finished = true;
        if (!request->taking && !request->closing) {
            request_take(request);
        }
        return;
    }
    request_close(request);
}

/* A client has connected. */
static void
on_client(struct evconnlistener *listener, evutil_socket_t fd,
          struct sockaddr *address, int length, void *context)
{
    struct server *server = context;
    struct request *request = check_calloc(1, sizeof *request);

    (void)address;
    (void)length;
    request->server = server;
    request->socket =
        bufferevent_socket_new(server->base, fd, BEV_OPT_CLOSE_ON_FREE);
    orch_assert(request->socket);
    request->next = server->requests;
    if (request->next) {
        request->next->previous = request;
    }
    server->requests = request;
    server->n_requests++;
    bufferevent_setcb(request->socket, on_readable, on_drained, on_gone,
                      request);
    bufferevent_enable(request->socket, EV_READ | EV_WRITE);
    if (server->n_requests > SERVER_CLIENTS_MAX) {
        request_refuse(request, server->texts->too_many);
        /* Refused clients must not pile up either. */
        evconnlistener_disable(listener);
    }
}

/* Out of descriptors: listen again when a connection ends. */
static void
on_accept_failed(struct evconnlistener *listener, void *context)
{
    struct server *server = context;

    if (server->n_requests) {
        evconnlistener_disable(listener);
    }
}

/* Binds the server to 'path'. */
static enum st
server_listen(struct server *server, const char *path, struct err *err)
{
    static const struct socket_words words = {"control", "orchd", "--control"};
    const enum st st =
        socket_listen(path, SERVER_CLIENTS_MAX, &words, &server->place, err);

    if (st) {
        return st;
    }
    server->listener = evconnlistener_new(
        server->base, on_client, server,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, -1, server->place.fd);
    orch_assert(server->listener);
    evconnlistener_set_error_cb(server->listener, on_accept_failed);
    return ST_OK;
}

enum st
server_create(struct event_base *base, const char *path, size_t limit,
              const struct server_texts *texts, server_line_fn *line,
              void *context, struct server **server, struct err *err)
{
    struct server *made = check_calloc(1, sizeof *made);
    enum st st;

    made->base = base;
    made->limit = limit;
    made->texts = texts;
    made->line = line;
    made->context = context;
    st = server_listen(made, path, err);
    if (st) {
        free(made);
        return st;
    }
    *server = made;
    return ST_OK;
}

/* Sends pending answers as far as that is possible without blocking. */
static void
send_rest(const struct request *request)
{
    struct evbuffer *output;

    if (request->socket) {
        output = bufferevent_get_output(request->socket);
        (void)evbuffer_unfreeze(output, 1);
        (void)evbuffer_write(output, bufferevent_getfd(request->socket));
    }
}

void
server_on_gone(struct server *server, server_gone_fn *gone)
{
    server->gone = gone;
}

void
server_destroy(struct server *server)
{
    if (!server) {
        return;
    }
    server->gone = NULL;
    evconnlistener_free(server->listener);
    server->listener = NULL;
    socket_remove(&server->place);
    while (server->requests) {
        send_rest(server->requests);
        request_free(server->requests);
    }
    free(server);
}
