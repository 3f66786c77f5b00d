/* SPDX-License-Identifier: Apache-2.0 */

/* A line server on libevent's bufferevents. */

#include <config.h>

#include "orchd/control/server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "process/acceptor.h"
#include "process/loop.h"
#include "process/peer.h"
#include "process/socket.h"

/* An input buffer larger than this is not kept between requests. */
#define KEEP_BYTES ((size_t)64 * 1024)

/* How often the server looks for connections that have been idle too long. */
#define SWEEP_NS SERVER_NS_PER_S

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
    bool kept;                  /* Not closed because it is idle. */
    int64_t since;              /* When it last made progress. */
    struct peer peer;
    struct request *next, *previous;
};

struct server {
    struct loop *loop;
    struct acceptor *acceptor; /* NULL: the server is being destroyed. */
    struct request *requests;
    struct timer sweep; /* Pending while there are connections. */
    size_t limit;
    const struct server_texts *texts;
    server_line_fn *line;
    server_gone_fn *gone; /* May be NULL. */
    void *context;
    struct listening_socket place;
};

static void request_take(struct request *request);

/* Removes a connection from the list and frees it. */
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
    if (request->socket) {
        bufferevent_free(request->socket);
    }
    text_fini(&request->input);
    peer_fini(&request->peer);
    free(request);
    if (server->acceptor) {
        acceptor_release(server->acceptor);
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
    request->since = loop_now(request->server->loop);
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
    request->since = loop_now(request->server->loop);
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

    if (text->length == 0) {
        request->since = loop_now(request->server->loop);
        if (text->size > KEEP_BYTES) {
            text_fini(text);
        }
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

/* Returns how long the connection may stay as it is. */
static int64_t
request_patience(const struct request *request)
{
    if (request_output_pending(request)) {
        return SERVER_DRAIN_NS;
    }
    if (request->busy || request->kept) {
        return INT64_MAX;
    }
    return request->input.length ? SERVER_LINE_NS : SERVER_IDLE_NS;
}

/* Implements timer_fn: closes connections whose time is over. */
static void
on_sweep(struct timer *timer, int64_t when)
{
    struct server *server = timer->owner;
    struct request *request, *next;

    for (request = server->requests; request; request = next) {
        next = request->next;
        if (request->socket &&
            when - request->since >= request_patience(request)) {
            request_close(request);
        }
    }
    if (server->requests) {
        timeline_set(loop_timeline(server->loop), timer, when + SWEEP_NS);
    }
}

/* Returns whether the connection only waits for its client. */
static bool
request_is_idle(const struct request *request)
{
    return request->socket && !request->busy && !request->taking &&
           !request->kept;
}

/* Closes the connection that is idle for longest; see struct acceptor_user. */
static bool
evict_client(void *context)
{
    struct server *server = context;
    struct request *oldest = NULL;

    for (struct request *request = server->requests; request;
         request = request->next) {
        if (request_is_idle(request) &&
            (!oldest || request->since < oldest->since)) {
            oldest = request;
        }
    }
    if (!oldest || loop_now(server->loop) - oldest->since < SERVER_GRACE_NS) {
        return false;
    }
    request_close(oldest);
    return true;
}

/* No connection is free for this client. */
static void
refuse_client(void *context, int fd)
{
    const struct server *server = context;
    struct text text = {0};

    text_add(&text, server->texts->too_many);
    text_add_char(&text, '\n');
    (void)!send(fd, text.bytes, text.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    text_fini(&text);
}

/* A client has connected. */
static void
accept_client(void *context, int fd)
{
    struct server *server = context;
    struct request *request = check_calloc(1, sizeof *request);

    request->server = server;
    request->since = loop_now(server->loop);
    peer_read(fd, &request->peer);
    request->socket = bufferevent_socket_new(loop_base(server->loop), fd,
                                             BEV_OPT_CLOSE_ON_FREE);
    orch_assert(request->socket);
    request->next = server->requests;
    if (request->next) {
        request->next->previous = request;
    }
    server->requests = request;
    if (!timer_pending(&server->sweep)) {
        timeline_set(loop_timeline(server->loop), &server->sweep,
                     request->since + SWEEP_NS);
    }
    bufferevent_setcb(request->socket, on_readable, on_drained, on_gone,
                      request);
    bufferevent_enable(request->socket, EV_READ | EV_WRITE);
}

enum st
server_create(struct loop *loop, struct log *log,
              const struct server_options *options, struct server **server,
              struct err *err)
{
    const struct socket_words words = {options->name, "orchd", options->option};
    struct server *made = check_calloc(1, sizeof *made);
    const struct acceptor_user user = {
        .name = options->name,
        .limit = SERVER_CLIENTS_MAX,
        .accept = accept_client,
        .refuse = refuse_client,
        .evict = evict_client,
        .context = made,
    };
    const enum st st = socket_listen(options->path, SERVER_CLIENTS_MAX,
                                     options->group, &words, &made->place, err);

    if (st) {
        free(made);
        return st;
    }
    made->loop = loop;
    made->limit = options->limit;
    made->texts = options->texts;
    made->line = options->line;
    made->context = options->context;
    made->sweep.fire = on_sweep;
    made->sweep.owner = made;
    made->acceptor = acceptor_create(loop, log, made->place.fd, &user);
    *server = made;
    return ST_OK;
}

bool
request_is_gone(const struct request *request)
{
    struct pollfd poll_fd = {.events = 0};

    if (!request->socket) {
        return true;
    }
    /* The loop does not read from a client whose request is in progress. */
    poll_fd.fd = bufferevent_getfd(request->socket);
    return poll(&poll_fd, 1, 0) > 0 && poll_fd.revents & (POLLHUP | POLLERR);
}

const struct peer *
request_peer(const struct request *request)
{
    return &request->peer;
}

void
request_keep(struct request *request, bool keep)
{
    request->kept = keep;
    request->since = loop_now(request->server->loop);
}

/* The kernel resets a connection that is closed before all was read that its
 * client has sent; an end of file is what a client expects.  The number of
 * reads bounds how long a client can send. */
static void
discard_input(evutil_socket_t fd)
{
    char rest[16384];

    for (int reads = 0;
         reads < 64 && recv(fd, rest, sizeof rest, MSG_DONTWAIT) > 0; reads++) {
    }
}

/* Before the connection is closed. */
static void
send_rest(const struct request *request)
{
    struct evbuffer *output;
    evutil_socket_t fd;

    if (request->socket) {
        fd = bufferevent_getfd(request->socket);
        output = bufferevent_get_output(request->socket);
        (void)evbuffer_unfreeze(output, 1);
        (void)evbuffer_write(output, fd);
        discard_input(fd);
    }
}

void
server_on_gone(struct server *server, server_gone_fn *gone)
{
    server->gone = gone;
}

void
server_finish(struct server *server)
{
    for (struct request *r = server->requests; r; r = r->next) {
        r->closing = true;
    }
}

void
server_destroy(struct server *server)
{
    if (!server) {
        return;
    }
    server->gone = NULL;
    timeline_cancel(loop_timeline(server->loop), &server->sweep);
    acceptor_destroy(server->acceptor);
    server->acceptor = NULL;
    close(server->place.fd);
    socket_remove(&server->place);
    while (server->requests) {
        send_rest(server->requests);
        request_free(server->requests);
    }
    free(server);
}
