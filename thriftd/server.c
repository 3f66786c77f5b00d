/* SPDX-License-Identifier: Apache-2.0 */

/* Takes messages from libevent's buffers and writes answers to them. */

#include <config.h>

#include "thriftd/server.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "process/acceptor.h"
#include "process/log.h"
#include "process/loop.h"
#include "thriftd/rpc.h"
#include "thriftd/rpc_switch.h"
#include "thriftd/tbinary.h"

/* Reading from a client pauses while so many bytes of its answers wait. */
#define OUTPUT_PAUSE ((size_t)256 * 1024)

/* A client that has been idle for less is not replaced. */
#define IDLE_NS (INT64_C(1000) * 1000 * 1000)

struct peer_client {
    struct server *server;
    struct peer_client *next, **link;
    struct bufferevent *socket;
    struct event *late; /* Its message is not complete, or its answers are not
                         * read, in time. */
    struct rpc_switch *rpc;
    int64_t active_ns; /* When it sent something last. */
    char name[96];
};

struct server {
    struct loop *loop;
    struct log *log;
    const char *socket;
    const struct object_names *names;
    struct acceptor *acceptor;
    struct arena *arena; /* For a message. */
    struct text out;     /* For an answer. */
    struct peer_client *first;
};

static void
client_free(struct peer_client *client)
{
    *client->link = client->next;
    if (client->next) {
        client->next->link = client->link;
    }
    acceptor_release(client->server->acceptor);
    rpc_switch_destroy(client->rpc);
    event_free(client->late);
    bufferevent_free(client->socket);
    free(client);
}

/* Answers the next message of the input.  Returns whether there was one;
 * '*bad' is why the client must be closed. */
static bool
answer_one(const struct peer_client *client, const char **bad)
{
    struct server *server = client->server;
    struct evbuffer *input = bufferevent_get_input(client->socket);
    const size_t n = evbuffer_get_length(input);
    const size_t most = n < TBINARY_BYTES_MAX ? n : TBINARY_BYTES_MAX;
    struct tbinary_message message;
    enum tbinary_outcome outcome;
    size_t length = 0;

    if (!n) {
        return false;
    }
    arena_reset(server->arena);
    outcome = tbinary_read(evbuffer_pullup(input, (ssize_t)most), most,
                           server->arena, &message, &length, bad);
    if (outcome == TBINARY_WHOLE) {
        text_clear(&server->out);
        rpc_answer(client->rpc, server->log, client->name, &message,
                   &server->out);
        evbuffer_drain(input, length);
        bufferevent_write(client->socket, server->out.bytes,
                          server->out.length);
    }
    return outcome == TBINARY_WHOLE;
}

/* Handles one message, unless too many answers wait; the next one in a later
 * turn, because the switch may need its time for each. */
static void
serve(struct peer_client *client)
{
    static const struct timeval patience = {.tv_sec = SERVER_MESSAGE_S};
    const struct evbuffer *output = bufferevent_get_output(client->socket);
    const struct evbuffer *input = bufferevent_get_input(client->socket);
    const char *bad = NULL;
    const bool answered =
        evbuffer_get_length(output) < OUTPUT_PAUSE && answer_one(client, &bad);

    if (bad) {
        log_write(client->server->log, LOG_WARN, "rpc-refused", client->name,
                  "the connection was closed: %s", bad);
        client_free(client);
        return;
    }
    if (evbuffer_get_length(output) >= OUTPUT_PAUSE) {
        bufferevent_disable(client->socket, EV_READ);
    } else {
        bufferevent_enable(client->socket, EV_READ);
    }
    if (!evbuffer_get_length(input) && !evbuffer_get_length(output)) {
        event_del(client->late);
    } else if (answered || !event_pending(client->late, EV_TIMEOUT, NULL)) {
        event_add(client->late, &patience);
    }
    if (answered && evbuffer_get_length(input)) {
        bufferevent_trigger(client->socket, EV_READ,
                            BEV_TRIG_IGNORE_WATERMARKS |
                                BEV_TRIG_DEFER_CALLBACKS);
    }
}

static void
on_readable(struct bufferevent *socket, void *client_)
{
    struct peer_client *client = client_;

    (void)socket;
    client->active_ns = loop_now(client->server->loop);
    serve(client);
}

/* All output was sent. */
static void
on_drained(struct bufferevent *socket, void *client_)
{
    (void)socket;
    serve(client_);
}

static void
on_disconnect(struct bufferevent *socket, short what, void *client_)
{
    struct peer_client *client = client_;

    (void)socket;
    (void)what;
    log_write(client->server->log, LOG_INFO, "rpc-gone", client->name,
              "the client has disconnected");
    client_free(client);
}

static void
on_late(evutil_socket_t fd, short what, void *client_)
{
    struct peer_client *client = client_;

    (void)fd;
    (void)what;
    log_write(client->server->log, LOG_WARN, "rpc-refused", client->name,
              "the connection was closed: its message was not complete, or its "
              "answer not read, for %d s",
              SERVER_MESSAGE_S);
    client_free(client);
}

/* Disconnects the client that has been idle for longest; see struct
 * acceptor_user. */
static bool
evict_client(void *server_)
{
    struct server *server = server_;
    struct peer_client *oldest = NULL;

    for (struct peer_client *client = server->first; client;
         client = client->next) {
        if (!oldest || client->active_ns <= oldest->active_ns) {
            oldest = client;
        }
    }
    if (!oldest || loop_now(server->loop) - oldest->active_ns < IDLE_NS) {
        return false;
    }
    log_write(server->log, LOG_WARN, "rpc-refused", oldest->name,
              "the connection was closed: it was idle, and %d others exist",
              SERVER_CLIENTS_MAX - 1);
    client_free(oldest);
    return true;
}

/* Writes the address of the peer of 'fd'. */
static void
describe_peer(int fd, char *name, size_t size)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
    socklen_t length = sizeof address;
    char host[INET6_ADDRSTRLEN] = "?";
    unsigned int port = 0;

    if (!getpeername(fd, &address.any, &length)) {
        const bool v6 = address.any.sa_family == AF_INET6;

        (void)inet_ntop(address.any.sa_family,
                        v6 ? (const void *)&address.v6.sin6_addr
                           : (const void *)&address.v4.sin_addr,
                        host, sizeof host);
        port = ntohs(v6 ? address.v6.sin6_port : address.v4.sin_port);
    }
    (void)text_format(name, size, "thrift client %s port %u", host, port);
}

/* A client has connected; see struct acceptor_user. */
static void
accept_client(void *server_, int fd)
{
    const int on = 1;
    struct server *server = server_;
    struct peer_client *client = check_calloc(1, sizeof *client);
    struct event_base *base = loop_base(server->loop);

    client->server = server;
    describe_peer(fd, client->name, sizeof client->name);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    client->rpc =
        rpc_switch_create(server->socket, server->names, client->name);
    client->socket = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
    client->late = evtimer_new(base, on_late, client);
    orch_assert(client->socket && client->late);
    client->active_ns = loop_now(server->loop);
    client->next = server->first;
    client->link = &server->first;
    if (client->next) {
        client->next->link = &client->next;
    }
    server->first = client;
    bufferevent_setcb(client->socket, on_readable, on_drained, on_disconnect,
                      client);
    bufferevent_setwatermark(client->socket, EV_READ, 0,
                             2 * (size_t)TBINARY_BYTES_MAX);
    bufferevent_enable(client->socket, EV_READ | EV_WRITE);
    log_write(server->log, LOG_INFO, "rpc-connected", client->name,
              "a client has connected");
}

struct server *
server_create(struct loop *loop, struct log *log, int fd, const char *socket,
              const struct object_names *names)
{
    struct server *server = check_calloc(1, sizeof *server);
    const struct acceptor_user user = {
        .name = "thrift",
        .limit = SERVER_CLIENTS_MAX,
        .accept = accept_client,
        .evict = evict_client,
        .context = server,
    };

    server->loop = loop;
    server->log = log;
    server->socket = socket;
    server->names = names;
    server->arena = arena_create(0);
    server->acceptor = acceptor_create(loop, log, fd, &user);
    return server;
}

void
server_destroy(struct server *server)
{
    if (server) {
        while (server->first) {
            client_free(server->first);
        }
        acceptor_destroy(server->acceptor);
        arena_destroy(server->arena);
        text_fini(&server->out);
        free(server);
    }
}
