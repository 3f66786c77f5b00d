/* SPDX-License-Identifier: Apache-2.0 */

/* Connections that read a head, send an answer, and wait until the client has
 * read it. */

#include <config.h>

#include "orchd/http/http_server.h"

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
#include "orchd/http/http_address.h"
#include "orchd/http/http_exchange.h"
#include "orchd/http/http_listen.h"
#include "orchd/http/http_request.h"
#include "orchd/http/http_response.h"
#include "process/acceptor.h"
#include "process/loop.h"
#include "process/socket.h"

/* How often the server looks for connections whose time is over. */
#define SWEEP_NS HTTP_NS_PER_S

/* What a connection waits for. */
enum state {
    STATE_HEAD,   /* The rest of its request. */
    STATE_WORK,   /* Its page. */
    STATE_ANSWER, /* That the client reads the answer, and disconnects. */
    STATE_STREAM, /* That the client disconnects. */
};

/* A connection and its request.  What the client sends after that is
 * dropped. */
struct http_exchange {
    struct http_server *server;
    struct http_exchange *next, **link; /* New ones are at the front. */
    struct bufferevent *socket;
    int64_t deadline;
    enum state state;
    bool is_head;                    /* The method is HEAD. */
    const struct http_waiter *waits; /* Of STATE_WORK and STATE_STREAM. */
    void *waiter;
};

struct http_server {
    struct loop *loop;
    struct acceptor *acceptor;
    struct listening_socket place; /* 'fd' only, for TCP. */
    bool is_unix;
    const struct http_page *pages;
    void *context;
    struct http_exchange *exchanges;
    size_t n_streams;   /* Which the acceptor does not count. */
    struct timer sweep; /* Pending while there are connections. */
};

/* Ends the connection, and tells who waits for it. */
static void
exchange_free(struct http_exchange *exchange)
{
    struct http_server *server = exchange->server;

    if (exchange->waits) {
        exchange->waits->gone(exchange->waiter);
    }
    *exchange->link = exchange->next;
    if (exchange->next) {
        exchange->next->link = exchange->link;
    }
    bufferevent_free(exchange->socket);
    if (exchange->state == STATE_STREAM) {
        server->n_streams--;
    } else {
        acceptor_release(server->acceptor);
    }
    free(exchange);
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

/* Returns whether 'page' has 'path'. */
static bool
page_has(const struct http_page *page, const char *path)
{
    const size_t length = strlen(page->path);

    /* "/" is one page; other paths that end so stand for all below. */
    return length > 1 && page->path[length - 1] == '/'
               ? !strncmp(page->path, path, length)
               : !strcmp(page->path, path);
}

/* Finds the page of a request, or else sets what it supports. */
static enum http_status
find_page(const struct http_server *server, const struct http_request *request,
          const struct http_page **page, const char **allow)
{
    enum http_status status = HTTP_STATUS_NOT_FOUND;

    for (*page = server->pages; (*page)->path; (*page)++) {
        if (page_has(*page, request->path)) {
            if ((*page)->writes == (request->method == HTTP_POST)) {
                return HTTP_STATUS_OK;
            }
            *allow = (*page)->writes ? "POST" : "GET, HEAD";
            status = HTTP_STATUS_METHOD;
        }
    }
    return status;
}

static void
free_bytes(const void *data, size_t length, void *bytes)
{
    (void)data;
    (void)length;
    free(bytes);
}

/* Sends 'text', and ends it. */
static void
send_text(const struct http_exchange *exchange, struct text *text)
{
    const size_t length = text->length;
    char *bytes = text_take(text);

    if (length) {
        orch_assert(
            !evbuffer_add_reference(bufferevent_get_output(exchange->socket),
                                    bytes, length, free_bytes, bytes));
    } else {
        free(bytes);
    }
}

/* Sends the head of 'response'. */
static void
send_head(const struct http_exchange *exchange,
          const struct http_response *response)
{
    struct text head = {0};

    http_response_head(
        response, (time_t)(loop_wall(exchange->server->loop) / HTTP_NS_PER_S),
        &head);
    send_text(exchange, &head);
}

void
http_exchange_answer(struct http_exchange *exchange,
                     struct http_response *response, struct text *body)
{
    orch_assert(exchange->state == STATE_HEAD || exchange->state == STATE_WORK);
    exchange->state = STATE_ANSWER;
    exchange->waits = NULL;
    exchange->deadline = loop_now(exchange->server->loop) + HTTP_SEND_NS;
    response->length = body->length;
    send_head(exchange, response);
    if (exchange->is_head || !response->type) {
        text_clear(body);
    }
    send_text(exchange, body);
}

/* Sends an answer that explains 'status'. */
static void
refuse(struct http_exchange *exchange, enum http_status status,
       const char *allow)
{
    struct http_response response = {
        .status = status, .type = "text/plain; charset=utf-8", .allow = allow};
    struct text body = {0};

    http_response_explain(status, &body);
    http_exchange_answer(exchange, &response, &body);
}

void
http_exchange_refuse(struct http_exchange *exchange, enum http_status status)
{
    refuse(exchange, status, NULL);
}

void
http_exchange_wait(struct http_exchange *exchange,
                   const struct http_waiter *waits, void *waiter)
{
    orch_assert(exchange->state == STATE_HEAD);
    exchange->state = STATE_WORK;
    exchange->waits = waits;
    exchange->waiter = waiter;
    exchange->deadline = loop_now(exchange->server->loop) + HTTP_WORK_NS;
}

bool
http_exchange_stream(struct http_exchange *exchange, const char *type,
                     const struct http_waiter *waits, void *waiter)
{
    const struct http_response response = {
        .status = HTTP_STATUS_OK, .type = type, .endless = true};
    const int size = HTTP_STREAM_BYTES;
    struct http_server *server = exchange->server;

    orch_assert(exchange->state == STATE_HEAD);
    if (server->n_streams == HTTP_STREAMS_MAX) {
        http_exchange_refuse(exchange, HTTP_STATUS_UNAVAILABLE);
        return false;
    }
    server->n_streams++;
    acceptor_release(server->acceptor);
    exchange->state = STATE_STREAM;
    exchange->waits = waits;
    exchange->waiter = waiter;
    exchange->deadline = loop_now(server->loop) + HTTP_SEND_NS;
    /* What the kernel holds is old when the client reads it. */
    (void)setsockopt(bufferevent_getfd(exchange->socket), SOL_SOCKET, SO_SNDBUF,
                     &size, sizeof size);
    send_head(exchange, &response);
    return true;
}

void
http_exchange_write(struct http_exchange *exchange, struct text *text)
{
    orch_assert(exchange->state == STATE_STREAM);
    if (http_exchange_is_idle(exchange)) {
        exchange->deadline = loop_now(exchange->server->loop) + HTTP_SEND_NS;
    }
    send_text(exchange, text);
}

bool
http_exchange_is_idle(const struct http_exchange *exchange)
{
    return !evbuffer_get_length(bufferevent_get_output(exchange->socket));
}

int
http_exchange_fd(const struct http_exchange *exchange)
{
    return bufferevent_getfd(exchange->socket);
}

bool
http_exchange_is_gone(const struct http_exchange *exchange)
{
    struct pollfd poll_fd = {.fd = http_exchange_fd(exchange)};

    return poll(&poll_fd, 1, 0) > 0 && poll_fd.revents & (POLLHUP | POLLERR);
}

/* Prints the answer of a page. */
static void
print_page(struct http_exchange *exchange, const struct http_page *page)
{
    struct http_response response = {.status = HTTP_STATUS_OK,
                                     .type = page->type};
    struct text body = {0};

    if (!page->print(exchange->server->context, &body)) {
        response.status = HTTP_STATUS_UNAVAILABLE;
    }
    http_exchange_answer(exchange, &response, &body);
}

/* Answers a request of 'length' bytes. */
static void
answer(struct http_exchange *exchange, char *head, size_t length)
{
    const struct http_server *server = exchange->server;
    const struct http_page *page = NULL;
    const char *allow = NULL;
    struct http_request request;
    enum http_status status = http_request_parse(head, length, &request);

    if (status == HTTP_STATUS_OK) {
        exchange->is_head = request.method == HTTP_HEAD;
        status = check_access(server, &request);
    }
    if (status == HTTP_STATUS_OK) {
        status = find_page(server, &request, &page, &allow);
    }
    if (status != HTTP_STATUS_OK) {
        exchange->is_head = false;
        refuse(exchange, status, allow);
    } else if (page->print) {
        print_page(exchange, page);
    } else {
        page->serve(server->context, exchange, &request);
        orch_assert(exchange->state != STATE_HEAD);
    }
}

/* Answers the request that begins the input, once its head is complete. */
static void
serve(struct http_exchange *exchange)
{
    struct evbuffer *input = bufferevent_get_input(exchange->socket);
    char head[HTTP_HEAD_MAX + 1];
    const ev_ssize_t n = evbuffer_copyout(input, head, HTTP_HEAD_MAX);
    const size_t length = n > 0 ? http_head_length(head, (size_t)n) : 0;

    if (length) {
        head[length] = '\0';
        evbuffer_drain(input, evbuffer_get_length(input));
        answer(exchange, head, length);
    } else if (n == HTTP_HEAD_MAX) {
        evbuffer_drain(input, evbuffer_get_length(input));
        refuse(exchange, HTTP_STATUS_HEAD, NULL);
    }
}

static void
on_readable(struct bufferevent *socket, void *exchange_)
{
    struct http_exchange *exchange = exchange_;
    struct evbuffer *input = bufferevent_get_input(socket);

    if (exchange->state != STATE_HEAD) {
        evbuffer_drain(input, evbuffer_get_length(input));
    } else {
        serve(exchange);
    }
}

/* All is sent.  Closing a socket whose client still sends would reset the
 * connection, and the client could lose the answer; so this only ends our side,
 * and the client or the deadline ends the connection. */
static void
on_drained(struct bufferevent *socket, void *exchange_)
{
    struct http_exchange *exchange = exchange_;

    if (exchange->state == STATE_ANSWER) {
        (void)shutdown(bufferevent_getfd(socket), SHUT_WR);
    } else if (exchange->state == STATE_STREAM) {
        exchange->deadline = INT64_MAX;
        exchange->waits->drained(exchange->waiter);
    }
}

/* The client has ended its side, or the connection broke. */
static void
on_end(struct bufferevent *socket, short what, void *exchange_)
{
    struct http_exchange *exchange = exchange_;
    const struct evbuffer *output = bufferevent_get_output(socket);

    /* A client may end its side after its request and wait for the answer. */
    if (what & BEV_EVENT_EOF && exchange->state != STATE_STREAM &&
        (evbuffer_get_length(output) || exchange->state == STATE_WORK)) {
        bufferevent_disable(socket, EV_READ);
        return;
    }
    exchange_free(exchange);
}

/* Implements timer_fn: closes the connections whose time is over. */
static void
on_sweep(struct timer *timer, int64_t when)
{
    struct http_server *server = timer->owner;
    struct http_exchange *exchange, *next;

    for (exchange = server->exchanges; exchange; exchange = next) {
        next = exchange->next;
        if (when >= exchange->deadline) {
            exchange_free(exchange);
        }
    }
    if (server->exchanges) {
        timeline_set(loop_timeline(server->loop), timer, when + SWEEP_NS);
    }
}

/* A client has connected; see struct acceptor_user. */
static void
accept_client(void *server_, int fd)
{
    struct http_server *server = server_;
    struct http_exchange *exchange = check_calloc(1, sizeof *exchange);
    const int64_t now = loop_now(server->loop);

    exchange->server = server;
    exchange->deadline = now + HTTP_HEAD_NS;
    exchange->socket = bufferevent_socket_new(loop_base(server->loop), fd,
                                              BEV_OPT_CLOSE_ON_FREE);
    orch_assert(exchange->socket);
    exchange->next = server->exchanges;
    exchange->link = &server->exchanges;
    if (exchange->next) {
        exchange->next->link = &exchange->next;
    }
    server->exchanges = exchange;
    bufferevent_setcb(exchange->socket, on_readable, on_drained, on_end,
                      exchange);
    bufferevent_setwatermark(exchange->socket, EV_READ, 0, HTTP_HEAD_MAX);
    bufferevent_enable(exchange->socket, EV_READ | EV_WRITE);
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
    struct http_exchange *oldest = NULL;

    for (struct http_exchange *exchange = server->exchanges; exchange;
         exchange = exchange->next) {
        const struct evbuffer *output =
            bufferevent_get_output(exchange->socket);

        /* Also one that has got its answer and does not disconnect. */
        if (exchange->state == STATE_HEAD ||
            (exchange->state == STATE_ANSWER && !evbuffer_get_length(output))) {
            oldest = exchange;
        }
    }
    if (oldest) {
        exchange_free(oldest);
    }
    return oldest != NULL;
}

/* No connection is free; see struct acceptor_user. */
static void
refuse_client(void *server_, int fd)
{
    const struct http_server *server = server_;
    struct http_response response = {.status = HTTP_STATUS_UNAVAILABLE,
                                     .type = "text/plain; charset=utf-8"};
    struct text head = {0}, body = {0};

    http_response_explain(response.status, &body);
    response.length = body.length;
    http_response_head(
        &response, (time_t)(loop_wall(server->loop) / HTTP_NS_PER_S), &head);
    text_add(&head, text_string(&body));
    (void)!send(fd, head.bytes, head.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    text_fini(&head);
    text_fini(&body);
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
    const enum st st = http_listen(address, group, &made->place, err);

    if (st) {
        free(made);
        return st;
    }
    made->loop = loop;
    made->is_unix = address->is_unix;
    made->pages = pages;
    made->context = context;
    made->sweep.fire = on_sweep;
    made->sweep.owner = made;
    made->acceptor = acceptor_create(loop, log, made->place.fd, &user);
    *server = made;
    return ST_OK;
}

/* Answers a request whose page is not there yet, and sends what is left, as far
 * as that is possible without blocking. */
static void
finish(struct http_exchange *exchange)
{
    struct evbuffer *output = bufferevent_get_output(exchange->socket);

    if (exchange->state == STATE_WORK) {
        exchange->waits->gone(exchange->waiter);
        http_exchange_refuse(exchange, HTTP_STATUS_UNAVAILABLE);
    }
    (void)evbuffer_unfreeze(output, 1);
    (void)evbuffer_write(output, http_exchange_fd(exchange));
}

void
http_server_destroy(struct http_server *server)
{
    if (server) {
        timeline_cancel(loop_timeline(server->loop), &server->sweep);
        while (server->exchanges) {
            finish(server->exchanges);
            exchange_free(server->exchanges);
        }
        acceptor_destroy(server->acceptor);
        close(server->place.fd);
        if (server->is_unix) {
            socket_remove(&server->place);
        }
        free(server);
    }
}
