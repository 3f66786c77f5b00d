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
#include "orchd/control/request.h"
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
struct connection {
    struct request request;
    struct server *server;
    struct bufferevent *socket; /* NULL: the client has disconnected. */
    struct text input;          /* What came after the last line taken. */
    size_t scanned;             /* Bytes of it known to hold no line end. */
    bool busy;                  /* A request waits for its answer. */
    bool taking;                /* connection_take() is on the stack. */
    bool finished;              /* The client will send no more. */
    bool closing;               /* Closed when the output has gone out. */
    bool kept;                  /* Not closed because it is idle. */
    int64_t since;              /* When it last made progress. */
    struct peer peer;
    struct connection *next, *previous;
};

struct server {
    struct loop *loop;
    struct acceptor *acceptor; /* NULL: the server is being destroyed. */
    struct connection *connections;
    struct timer sweep; /* Pending while there are connections. */
    size_t limit;
    const struct server_texts *texts;
    server_line_fn *line;
    server_gone_fn *gone; /* May be NULL. */
    void *context;
    struct listening_socket place;
};

static void connection_take(struct connection *connection);

/* Removes a connection from the list and frees it. */
static void
connection_free(struct connection *connection)
{
    struct server *server = connection->server;

    if (server->gone) {
        server->gone(server->context, &connection->request);
    }
    if (connection->previous) {
        connection->previous->next = connection->next;
    } else {
        server->connections = connection->next;
    }
    if (connection->next) {
        connection->next->previous = connection->previous;
    }
    if (connection->socket) {
        bufferevent_free(connection->socket);
    }
    text_fini(&connection->input);
    peer_fini(&connection->peer);
    free(connection);
    if (server->acceptor) {
        acceptor_release(server->acceptor);
    }
}

/* Ends the connection; frees it unless a request or connection_take() still
 * uses it. */
static void
connection_close(struct connection *connection)
{
    if (connection->socket) {
        bufferevent_free(connection->socket);
        connection->socket = NULL;
    }
    if (!connection->busy && !connection->taking) {
        connection_free(connection);
    }
}

/* Sends 'text' and a line end. */
static void
connection_send(struct connection *connection, const char *text)
{
    connection->since = loop_now(connection->server->loop);
    bufferevent_write(connection->socket, text, strlen(text));
    bufferevent_write(connection->socket, "\n", 1);
}

/* Answers with 'text', after which the connection ends. */
static void
connection_refuse(struct connection *connection, const char *text)
{
    connection->closing = true;
    bufferevent_disable(connection->socket, EV_READ);
    connection_send(connection, text);
}

/* Returns whether the client has not read all of its answers yet. */
static bool
connection_output_pending(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_output(connection->socket)) > 0;
}

/* Finds the end of the first line of the input; NULL if it has not arrived.
 * Searches each byte once. */
static char *
connection_line_end(struct connection *connection)
{
    struct text *input = &connection->input;
    char *end = input->length > connection->scanned
                    ? memchr(input->bytes + connection->scanned, '\n',
                             input->length - connection->scanned)
                    : NULL;

    if (!end) {
        connection->scanned = input->length;
    }
    return end;
}

/* Passes on the line of the input that ends at 'end'. */
static void
connection_take_line(struct connection *connection, char *end)
{
    struct text *input = &connection->input;
    size_t length = (size_t)(end - input->bytes);
    struct text rest = {0};

    text_add_bytes(&rest, end + 1, input->length - length - 1);
    *end = '\0';
    connection->busy = true;
    connection->server->line(connection->server->context, &connection->request,
                             input->bytes, length);
    text_fini(input);
    *input = rest;
    connection->scanned = 0;
    connection->since = loop_now(connection->server->loop);
}

/* Passes on lines until one is not answered at once, or its answer cannot be
 * sent at once.  Then waits for that, or else for more input. */
static void
connection_take(struct connection *connection)
{
    bool ready = true;
    char *end = NULL;

    connection->taking = true;
    while (connection->socket &&
           (ready = !connection->busy && !connection->closing &&
                    !connection_output_pending(connection)) &&
           (end = connection_line_end(connection)) &&
           (size_t)(end - connection->input.bytes) <=
               connection->server->limit) {
        connection_take_line(connection, end);
    }
    connection->taking = false;
    if (!connection->socket) {
        connection_close(connection);
    } else if (!ready) {
        bufferevent_disable(connection->socket, EV_READ);
    } else if (connection->input.length > connection->server->limit) {
        connection_refuse(connection, connection->server->texts->too_long);
    } else if (connection->finished) {
        connection_close(connection);
    } else {
        bufferevent_enable(connection->socket, EV_READ);
    }
}

/* Implements request_ops.reply. */
static void
connection_reply(struct request *request, const char *text)
{
    struct connection *connection = (struct connection *)request;

    orch_assert(connection->busy);
    connection->busy = false;
    if (connection->socket) {
        connection_send(connection, text);
    }
    if (!connection->taking) {
        connection_take(connection);
    }
}

/* Moves the input to a buffer of our own: libevent would search its buffer from
 * the beginning each time, which is quadratic for a long line. */
static void
on_readable(struct bufferevent *socket, void *context)
{
    struct connection *connection = context;
    struct evbuffer *input = bufferevent_get_input(socket);
    size_t n = evbuffer_get_length(input);
    struct text *text = &connection->input;

    if (text->length == 0) {
        connection->since = loop_now(connection->server->loop);
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
    connection_take(connection);
}

/* All output has been sent. */
static void
on_drained(struct bufferevent *socket, void *context)
{
    struct connection *connection = context;

    (void)socket;
    if (connection->closing) {
        connection_close(connection);
    } else {
        connection_take(connection);
    }
}

/* The client has closed, or half closed, its side, or the connection broke. */
static void
on_gone(struct bufferevent *socket, short what, void *context)
{
    struct connection *connection = context;

    (void)socket;
    /* A client may shut its sending side and still wait for answers. */
    if (what & BEV_EVENT_EOF) {
        connection->finished = true;
        if (!connection->taking && !connection->closing) {
            connection_take(connection);
        }
        return;
    }
    connection_close(connection);
}

/* Returns how long the connection may stay as it is. */
static int64_t
connection_patience(const struct connection *connection)
{
    if (connection_output_pending(connection)) {
        return SERVER_DRAIN_NS;
    }
    if (connection->busy || connection->kept) {
        return INT64_MAX;
    }
    return connection->input.length ? SERVER_LINE_NS : SERVER_IDLE_NS;
}

/* Implements timer_fn: closes connections whose time is over. */
static void
on_sweep(struct timer *timer, int64_t when)
{
    struct server *server = timer->owner;
    struct connection *connection, *next;

    for (connection = server->connections; connection; connection = next) {
        next = connection->next;
        if (connection->socket &&
            when - connection->since >= connection_patience(connection)) {
            connection_close(connection);
        }
    }
    if (server->connections) {
        timeline_set(loop_timeline(server->loop), timer, when + SWEEP_NS);
    }
}

/* Returns whether the connection only waits for its client. */
static bool
connection_is_idle(const struct connection *connection)
{
    return connection->socket && !connection->busy && !connection->taking &&
           !connection->kept;
}

/* Closes the connection that is idle for longest; see struct acceptor_user. */
static bool
evict_client(void *context)
{
    struct server *server = context;
    struct connection *oldest = NULL;

    for (struct connection *connection = server->connections; connection;
         connection = connection->next) {
        if (connection_is_idle(connection) &&
            (!oldest || connection->since < oldest->since)) {
            oldest = connection;
        }
    }
    if (!oldest || loop_now(server->loop) - oldest->since < SERVER_GRACE_NS) {
        return false;
    }
    connection_close(oldest);
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

/* Implements request_ops.is_gone. */
static bool
connection_is_gone(const struct request *request)
{
    const struct connection *connection = (const struct connection *)request;
    struct pollfd poll_fd = {.events = 0};

    if (!connection->socket) {
        return true;
    }
    /* The loop does not read from a client whose request is in progress. */
    poll_fd.fd = bufferevent_getfd(connection->socket);
    return poll(&poll_fd, 1, 0) > 0 && poll_fd.revents & (POLLHUP | POLLERR);
}

/* Implements request_ops.keep. */
static void
connection_keep(struct request *request, bool keep)
{
    struct connection *connection = (struct connection *)request;

    connection->kept = keep;
    connection->since = loop_now(connection->server->loop);
}

static const struct request_ops connection_ops = {
    .reply = connection_reply,
    .is_gone = connection_is_gone,
    .keep = connection_keep,
};

/* A client has connected. */
static void
accept_client(void *context, int fd)
{
    struct server *server = context;
    struct connection *connection = check_calloc(1, sizeof *connection);

    connection->request.ops = &connection_ops;
    connection->request.peer = &connection->peer;
    connection->server = server;
    connection->since = loop_now(server->loop);
    peer_read(fd, &connection->peer);
    connection->socket = bufferevent_socket_new(loop_base(server->loop), fd,
                                                BEV_OPT_CLOSE_ON_FREE);
    orch_assert(connection->socket);
    connection->next = server->connections;
    if (connection->next) {
        connection->next->previous = connection;
    }
    server->connections = connection;
    if (!timer_pending(&server->sweep)) {
        timeline_set(loop_timeline(server->loop), &server->sweep,
                     connection->since + SWEEP_NS);
    }
    bufferevent_setcb(connection->socket, on_readable, on_drained, on_gone,
                      connection);
    bufferevent_enable(connection->socket, EV_READ | EV_WRITE);
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
send_rest(const struct connection *connection)
{
    struct evbuffer *output;
    evutil_socket_t fd;

    if (connection->socket) {
        fd = bufferevent_getfd(connection->socket);
        output = bufferevent_get_output(connection->socket);
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
    for (struct connection *r = server->connections; r; r = r->next) {
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
    while (server->connections) {
        send_rest(server->connections);
        connection_free(server->connections);
    }
    free(server);
}
