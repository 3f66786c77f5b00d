/* SPDX-License-Identifier: Apache-2.0 */

/* Connections that read a head, send an answer, and wait until the client has
 * read it. */

#include <config.h>

#include "orchd/http/http_server.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/http/http_address.h"
#include "orchd/http/http_request.h"
#include "process/acceptor.h"
#include "process/loop.h"
#include "process/socket.h"

/* With a short queue the kernel drops the SYN of a client in a burst, and the
 * client tries again only after a second. */
#define BACKLOG 1024

/* How often the server looks for connections whose time is over. */
#define SWEEP_NS HTTP_NS_PER_S

/* What every answer has.  The pages are for programs: nothing in them may run,
 * be framed, or be kept. */
#define COMMON_HEADERS                                                         \
    "Connection: close\r\n"                                                    \
    "Cache-Control: no-store\r\n"                                              \
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"  \
    "Cross-Origin-Resource-Policy: same-origin\r\n"                            \
    "Referrer-Policy: no-referrer\r\n"                                         \
    "X-Content-Type-Options: nosniff\r\n"                                      \
    "X-Frame-Options: DENY\r\n"

static const struct {
    enum http_status status;
    const char *phrase;
    const char *explanation;
} phrases[] = {
    {HTTP_STATUS_OK, "OK", ""},
    {HTTP_STATUS_BAD, "Bad Request", "this is not an HTTP/1.1 request"},
    {HTTP_STATUS_FORBIDDEN, "Forbidden",
     "pages of other sites may not use this server, and over TCP it is "
     "read-only"},
    {HTTP_STATUS_NOT_FOUND, "Not Found", "there is no such page; see /"},
    {HTTP_STATUS_METHOD, "Method Not Allowed",
     "this page does not support this method"},
    {HTTP_STATUS_BODY, "Content Too Large", "requests have no body"},
    {HTTP_STATUS_MISDIRECTED, "Misdirected Request",
     "the Host header must be localhost or an IP address; a reverse proxy has "
     "to set it"},
    {HTTP_STATUS_HEAD, "Request Header Fields Too Large",
     "the head of the request is longer than 8192 bytes"},
    {HTTP_STATUS_NOT_IMPLEMENTED, "Not Implemented",
     "only GET, HEAD and POST are supported, and no Transfer-Encoding"},
    {HTTP_STATUS_UNAVAILABLE, "Service Unavailable",
     "too many clients; try again later"},
    {HTTP_STATUS_VERSION, "HTTP Version Not Supported",
     "only HTTP/1.0 and HTTP/1.1 are supported"},
};

struct answer {
    const char *allow; /* What the page supports instead; NULL: see status. */
    struct text head, body;
};

struct connection {
    struct http_server *server;
    struct connection *next, **link; /* New ones are at the front. */
    struct bufferevent *socket;
    int64_t deadline;
    bool answered; /* The rest of what the client sends is dropped. */
};

struct http_server {
    struct loop *loop;
    struct acceptor *acceptor;
    struct listening_socket place; /* 'fd' only, for TCP. */
    bool is_unix;
    const struct http_page *pages;
    void *context;
    struct connection *connections;
    struct timer sweep; /* Pending while there are connections. */
};

static void
connection_free(struct connection *connection)
{
    *connection->link = connection->next;
    if (connection->next) {
        connection->next->link = connection->link;
    }
    bufferevent_free(connection->socket);
    acceptor_release(connection->server->acceptor);
    free(connection);
}

/* Returns the row of 'status'. */
static size_t
phrase_of(enum http_status status)
{
    size_t i = 0;

    while (phrases[i].status != status) {
        i++;
    }
    return i;
}

/* Writes the head of an answer with a body of this type. */
static void
print_head(const struct http_server *server, struct answer *answer,
           enum http_status status, const char *type)
{
    const time_t now = (time_t)(loop_wall(server->loop) / HTTP_NS_PER_S);
    char date[64] = "";
    struct tm utc;

    if (gmtime_r(&now, &utc)) {
        (void)strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    }
    text_addf(&answer->head,
              "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: %s\r\n"
              "Content-Length: %zu\r\n" COMMON_HEADERS,
              (int)status, phrases[phrase_of(status)].phrase, date, type,
              answer->body.length);
    if (answer->allow) {
        text_addf(&answer->head, "Allow: %s\r\n", answer->allow);
    }
    if (status == HTTP_STATUS_UNAVAILABLE) {
        text_add(&answer->head, "Retry-After: 1\r\n");
    }
    text_add(&answer->head, "\r\n");
}

/* Writes an answer that explains 'status'. */
static void
print_refusal(const struct http_server *server, struct answer *answer,
              enum http_status status)
{
    const size_t row = phrase_of(status);

    text_addf(&answer->body, "%d %s: %s\n", (int)status, phrases[row].phrase,
              phrases[row].explanation);
    print_head(server, answer, status, "text/plain; charset=utf-8");
}

/* Returns whether a request may be answered at all. */
static enum http_status
check_access(const struct http_server *server,
             const struct http_request *request)
{
    if (http_request_is_foreign(request)) {
        return HTTP_STATUS_FORBIDDEN;
    }
    if (server->is_unix) {
        return HTTP_STATUS_OK;
    }
    if (request->method == HTTP_POST) {
        return HTTP_STATUS_FORBIDDEN;
    }
    return http_request_is_local(request) ? HTTP_STATUS_OK
                                          : HTTP_STATUS_MISDIRECTED;
}

/* Finds the page of a request, or else sets what it supports. */
static enum http_status
find_page(const struct http_server *server, const struct http_request *request,
          const struct http_page **page, const char **allow)
{
    for (*page = server->pages; (*page)->path; (*page)++) {
        if (!strcmp((*page)->path, request->path)) {
            if ((*page)->writes == (request->method == HTTP_POST)) {
                return HTTP_STATUS_OK;
            }
            *allow = (*page)->writes ? "POST" : "GET, HEAD";
            return HTTP_STATUS_METHOD;
        }
    }
    return HTTP_STATUS_NOT_FOUND;
}

/* Writes the answer to the head of a request. */
static void
print_answer(const struct http_server *server, char *head, size_t length,
             struct answer *answer)
{
    const struct http_page *page = NULL;
    struct http_request request;
    enum http_status status = http_request_parse(head, length, &request);

    if (status == HTTP_STATUS_OK) {
        status = check_access(server, &request);
    }
    if (status == HTTP_STATUS_OK) {
        status = find_page(server, &request, &page, &answer->allow);
    }
    if (status != HTTP_STATUS_OK) {
        print_refusal(server, answer, status);
        return;
    }
    if (!page->print(server->context, &answer->body)) {
        status = HTTP_STATUS_UNAVAILABLE;
    }
    print_head(server, answer, status, page->type);
    if (request.method == HTTP_HEAD) {
        text_clear(&answer->body);
    }
}

static void
free_bytes(const void *data, size_t length, void *bytes)
{
    (void)data;
    (void)length;
    free(bytes);
}

/* Appends 'text' to 'output', and ends it. */
static void
send_text(struct evbuffer *output, struct text *text)
{
    const size_t length = text->length;
    char *bytes = text_take(text);

    orch_assert(
        !evbuffer_add_reference(output, bytes, length, free_bytes, bytes));
}

/* Answers the request that begins the input, once its head is complete. */
static void
serve(struct connection *connection)
{
    const struct http_server *server = connection->server;
    struct evbuffer *input = bufferevent_get_input(connection->socket);
    struct evbuffer *output = bufferevent_get_output(connection->socket);
    char head[HTTP_HEAD_MAX + 1];
    const ev_ssize_t n = evbuffer_copyout(input, head, HTTP_HEAD_MAX);
    const size_t length = n > 0 ? http_head_length(head, (size_t)n) : 0;
    struct answer answer = {0};

    if (length) {
        head[length] = '\0';
        print_answer(server, head, length, &answer);
    } else if (n == HTTP_HEAD_MAX) {
        print_refusal(server, &answer, HTTP_STATUS_HEAD);
    } else {
        return;
    }
    connection->answered = true;
    connection->deadline = loop_now(server->loop) + HTTP_SEND_NS;
    evbuffer_drain(input, evbuffer_get_length(input));
    send_text(output, &answer.head);
    send_text(output, &answer.body);
}

static void
on_readable(struct bufferevent *socket, void *connection_)
{
    struct connection *connection = connection_;
    struct evbuffer *input = bufferevent_get_input(socket);

    if (connection->answered) {
        evbuffer_drain(input, evbuffer_get_length(input));
    } else {
        serve(connection);
    }
}

/* All is sent.  Closing a socket whose client still sends would reset the
 * connection, and the client could lose the answer; so this only ends our side,
 * and the client or the deadline ends the connection. */
static void
on_drained(struct bufferevent *socket, void *connection_)
{
    const struct connection *connection = connection_;

    if (connection->answered) {
        (void)shutdown(bufferevent_getfd(socket), SHUT_WR);
    }
}

/* The client has ended its side, or the connection broke. */
static void
on_end(struct bufferevent *socket, short what, void *connection_)
{
    struct connection *connection = connection_;
    const struct evbuffer *output = bufferevent_get_output(socket);

    /* A client may end its side after its request and wait for the answer. */
    if (what & BEV_EVENT_EOF && evbuffer_get_length(output)) {
        bufferevent_disable(socket, EV_READ);
        return;
    }
    connection_free(connection);
}

/* Implements timer_fn: closes the connections whose time is over. */
static void
on_sweep(struct timer *timer, int64_t when)
{
    struct http_server *server = timer->owner;
    struct connection *connection, *next;

    for (connection = server->connections; connection; connection = next) {
        next = connection->next;
        if (when >= connection->deadline) {
            connection_free(connection);
        }
    }
    if (server->connections) {
        timeline_set(loop_timeline(server->loop), timer, when + SWEEP_NS);
    }
}

/* A client has connected; see struct acceptor_user. */
static void
accept_client(void *server_, int fd)
{
    struct http_server *server = server_;
    struct connection *connection = check_calloc(1, sizeof *connection);
    const int64_t now = loop_now(server->loop);

    connection->server = server;
    connection->deadline = now + HTTP_HEAD_NS;
    connection->socket = bufferevent_socket_new(loop_base(server->loop), fd,
                                                BEV_OPT_CLOSE_ON_FREE);
    orch_assert(connection->socket);
    connection->next = server->connections;
    connection->link = &server->connections;
    if (connection->next) {
        connection->next->link = &connection->next;
    }
    server->connections = connection;
    bufferevent_setcb(connection->socket, on_readable, on_drained, on_end,
                      connection);
    bufferevent_setwatermark(connection->socket, EV_READ, 0, HTTP_HEAD_MAX);
    bufferevent_enable(connection->socket, EV_READ | EV_WRITE);
    if (!timer_pending(&server->sweep)) {
        timeline_set(loop_timeline(server->loop), &server->sweep,
                     now + SWEEP_NS);
    }
}

/* Ends the oldest connection without a request; see struct acceptor_user. */
static bool
evict_client(void *server_)
{
    const struct http_server *server = server_;
    struct connection *oldest = NULL;

    for (struct connection *connection = server->connections; connection;
         connection = connection->next) {
        const struct evbuffer *output =
            bufferevent_get_output(connection->socket);

        /* Also one that has got its answer and does not disconnect. */
        if (!connection->answered || !evbuffer_get_length(output)) {
            oldest = connection;
        }
    }
    if (oldest) {
        connection_free(oldest);
    }
    return oldest != NULL;
}

/* No connection is free; see struct acceptor_user. */
static void
refuse_client(void *server, int fd)
{
    struct answer answer = {0};

    print_refusal(server, &answer, HTTP_STATUS_UNAVAILABLE);
    text_add(&answer.head, text_string(&answer.body));
    (void)!send(fd, answer.head.bytes, answer.head.length,
                MSG_DONTWAIT | MSG_NOSIGNAL);
    text_fini(&answer.head);
    text_fini(&answer.body);
}

/* Listens on a TCP address; returns -1 and 'errno' if that fails. */
static int
listen_tcp(const struct http_address *address)
{
    const int on = 1;
    const int fd = socket(address->socket.any.sa_family,
                          SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd >= 0 &&
        (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
         bind(fd, &address->socket.any, http_address_size(address)) ||
         listen(fd, BACKLOG))) {
        const int cause = errno;

        close(fd);
        errno = cause;
        return -1;
    }
    return fd;
}

/* Binds the server to 'address'. */
static enum st
bind_server(struct http_server *server, const struct http_address *address,
            const char *group, struct err *err)
{
    static const struct socket_words words = {"http", "server", "--http"};

    server->is_unix = address->is_unix;
    if (address->is_unix) {
        return socket_listen(address->path, BACKLOG, group, &words,
                             &server->place, err);
    }
    server->place.fd = listen_tcp(address);
    if (server->place.fd < 0) {
        const enum st st = errno == EADDRINUSE ? ST_EXISTS : ST_IO;

        err_set(err, st, "http", "cannot serve %s: %s", address->text,
                strerror(errno));
        err_set_remedy(err, "choose another address: --http ADDRESS:PORT");
        return st;
    }
    return ST_OK;
}

enum st
http_server_create(struct loop *loop, struct log *log,
                   const struct http_address *address, const char *group,
                   const struct http_page *pages, void *context,
                   struct http_server **server, struct err *err)
{
    struct http_server *made = check_calloc(1, sizeof *made);
    const struct acceptor_user user = {
        .name = "http",
        .limit = HTTP_CLIENTS_MAX,
        .accept = accept_client,
        .refuse = refuse_client,
        .evict = evict_client,
        .context = made,
    };
    const enum st st = bind_server(made, address, group, err);

    if (st) {
        free(made);
        return st;
    }
    made->loop = loop;
    made->pages = pages;
    made->context = context;
    made->sweep.fire = on_sweep;
    made->sweep.owner = made;
    made->acceptor = acceptor_create(loop, log, made->place.fd, &user);
    *server = made;
    return ST_OK;
}

void
http_server_destroy(struct http_server *server)
{
    if (server) {
        timeline_cancel(loop_timeline(server->loop), &server->sweep);
        while (server->connections) {
            connection_free(server->connections);
        }
        acceptor_destroy(server->acceptor);
        close(server->place.fd);
        if (server->is_unix) {
            socket_remove(&server->place);
        }
        free(server);
    }
}
