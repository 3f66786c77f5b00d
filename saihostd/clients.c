/* SPDX-License-Identifier: Apache-2.0 */

/* Takes messages from libevent's buffers and writes answers to them. */

#include <config.h>

#include "saihostd/clients.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/check.h"
#include "process/log.h"
#include "process/socket.h"
#include "sai/remote/sai_host.h"

/* The host stops reading from a client when so many bytes of its answers wait,
 * and disconnects it when so many bytes of its notices wait. */
#define OUTPUT_PAUSE ((size_t)1024 * 1024)
#define OUTPUT_MAX   ((size_t)32 * 1024 * 1024)

/* The time in which a client must complete the handshake. */
#define GREETING_S 3

struct client {
    struct clients *clients;
    struct client *next, **link;
    struct bufferevent *socket;
    struct event *silence; /* It has sent no HELLO in time. */
    struct session *session;
    struct wire_out out;
    bool closing; /* When all answers are sent. */
};

struct clients {
    struct event_base *base;
    struct log *log;
    struct sai_host *host;
    struct evconnlistener *listener;
    struct event *notices;
    struct listening_socket place;
    struct client *first;
    size_t n;
};

static void
client_free(struct client *client)
{
    *client->link = client->next;
    if (client->next) {
        client->next->link = client->link;
    }
    client->clients->n--;
    session_close(client->session);
    wire_out_fini(&client->out);
    event_free(client->silence);
    bufferevent_free(client->socket);
    free(client);
}

/* Sends the output of a session to its socket, at once as far as possible,
 * which saves a turn of the loop for each call.  Returns how many bytes are
 * still to be sent. */
static size_t
flush(struct client *client)
{
    const struct evbuffer *waiting = bufferevent_get_output(client->socket);
    struct wire_out *out = &client->out;
    ssize_t sent = 0;

    if (out->length && !evbuffer_get_length(waiting)) {
        sent = send(bufferevent_getfd(client->socket), out->bytes, out->length,
                    MSG_DONTWAIT | MSG_NOSIGNAL);
        sent = sent > 0
                   ? sent
                   : 0; /* If the connection is closed, reading reports it. */
    }
    if ((size_t)sent < out->length) {
        bufferevent_write(client->socket, out->bytes + sent,
                          out->length - (size_t)sent);
    }
    out->length = 0;
    return evbuffer_get_length(waiting);
}

/* Takes the next message out of the input.  Returns false if there is none, or
 * if the client was disconnected. */
static bool
take_message(struct client *client)
{
    struct evbuffer *input = bufferevent_get_input(client->socket);
    uint8_t bytes[MESSAGE_HEADER_BYTES];
    struct message_header header;
    const uint8_t *whole;
    size_t n;

    if (evbuffer_copyout(input, bytes, sizeof bytes) < (ssize_t)sizeof bytes) {
        return false;
    }
    if (!message_header(bytes, &header)) {
        client->closing = true;
        return false;
    }
    n = sizeof bytes + header.n_bytes;
    if (evbuffer_get_length(input) < n) {
        return false;
    }
    whole = evbuffer_pullup(input, (ssize_t)n);
    client->closing =
        !session_message(client->session, &header, whole + sizeof bytes);
    evbuffer_drain(input, n);
    return !client->closing;
}

/* Handles messages until too many answers wait. */
static void
serve(struct client *client)
{
    size_t waiting = flush(client);

    while (!client->closing && waiting < OUTPUT_PAUSE && take_message(client)) {
        waiting = flush(client);
    }
    waiting = flush(client);
    if (client->closing) {
        log_write(client->clients->log, LOG_WARN, "client-refused",
                  session_name(client->session),
                  "a client was disconnected: %s",
                  session_refusal(client->session));
        bufferevent_disable(client->socket, EV_READ);
        if (waiting == 0) {
            client_free(client);
        }
    } else if (waiting >= OUTPUT_PAUSE) {
        bufferevent_disable(client->socket, EV_READ);
    } else {
        bufferevent_enable(client->socket, EV_READ);
    }
}

static void
on_readable(struct bufferevent *socket, void *client_)
{
    struct client *client = client_;

    (void)socket;
    if (!client->closing) {
        serve(client);
    }
}

/* All output was sent. */
static void
on_drained(struct bufferevent *socket, void *client_)
{
    struct client *client = client_;

    (void)socket;
    if (client->closing) {
        client_free(client);
    } else {
        serve(client);
    }
}

static void
on_disconnect(struct bufferevent *socket, short what, void *client_)
{
    struct client *client = client_;

    (void)socket;
    (void)what;
    /* A client without a name has only probed the socket; that a client no
     * longer receives notifications says nothing that its main connection does
     * not. */
    log_write(client->clients->log,
              *session_name(client->session) &&
                      !session_subscribes(client->session)
                  ? LOG_INFO
                  : LOG_DEBUG,
              "client-gone", session_name(client->session),
              "a client has disconnected; the switch is unchanged");
    client_free(client);
}

/* A client that does not complete the handshake occupies a slot. */
static void
on_silence(evutil_socket_t fd, short what, void *client_)
{
    struct client *client = client_;

    (void)fd;
    (void)what;
    if (!session_is_established(client->session)) {
        log_write(client->clients->log, LOG_WARN, "client-refused", "",
                  "a client was disconnected: it sent no HELLO within %d s",
                  GREETING_S);
        client_free(client);
    }
}

/* Tells a client that has just connected that there is no room, as far as the
 * socket accepts it at once. */
static void
turn_away(const struct clients *clients, evutil_socket_t fd)
{
    struct wire_out out = {0};

    log_write(clients->log, LOG_WARN, "client-refused", "",
              "there are %d clients already", CLIENTS_MAX);
    session_refuse(&out, CLIENTS_MAX);
    (void)!send(fd, out.bytes, out.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    wire_out_fini(&out);
    evutil_closesocket(fd);
}

static void
on_client(struct evconnlistener *listener, evutil_socket_t fd,
          struct sockaddr *address, int length, void *clients_)
{
    static const struct timeval patience = {.tv_sec = GREETING_S};
    struct clients *clients = clients_;
    struct client *client;

    (void)listener;
    (void)address;
    (void)length;
    if (clients->n == CLIENTS_MAX) {
        turn_away(clients, fd);
        return;
    }
    client = check_calloc(1, sizeof *client);
    client->clients = clients;
    client->socket =
        bufferevent_socket_new(clients->base, fd, BEV_OPT_CLOSE_ON_FREE);
    client->silence = evtimer_new(clients->base, on_silence, client);
    orch_assert(client->socket && client->silence);
    event_add(client->silence, &patience);
    client->session = session_open(clients->host, &client->out);
    client->next = clients->first;
    client->link = &clients->first;
    if (client->next) {
        client->next->link = &client->next;
    }
    clients->first = client;
    clients->n++;
    bufferevent_setcb(client->socket, on_readable, on_drained, on_disconnect,
                      client);
    bufferevent_setwatermark(client->socket, EV_READ, 0,
                             2 * (size_t)MESSAGE_BODY_MAX);
    bufferevent_enable(client->socket, EV_READ | EV_WRITE);
}

static void
on_notices(evutil_socket_t fd, short what, void *clients_)
{
    struct clients *clients = clients_;
    struct client *client, *next;

    (void)fd;
    (void)what;
    sai_host_notify(clients->host);
    for (client = clients->first; client; client = next) {
        next = client->next;
        if (flush(client) > OUTPUT_MAX) {
            log_write(
                clients->log, LOG_WARN, "client-slow",
                session_name(client->session),
                "a client was disconnected: it does not read its notices");
            client_free(client);
        }
    }
}

enum st
clients_create(struct event_base *base, struct log *log, struct sai_host *host,
               const char *path, struct clients **clients, struct err *err)
{
    static const struct socket_words words = {"host", "host", "--socket"};
    struct clients *made = check_calloc(1, sizeof *made);
    enum st status =
        socket_listen(path, CLIENTS_MAX, &words, &made->place, err);

    if (status) {
        free(made);
        return status;
    }
    made->base = base;
    made->log = log;
    made->host = host;
    made->listener = evconnlistener_new(
        base, on_client, made, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC,
        -1, made->place.fd);
    made->notices = event_new(base, sai_host_fd(host), EV_READ | EV_PERSIST,
                              on_notices, made);
    orch_assert(made->listener && made->notices);
    event_add(made->notices, NULL);
    *clients = made;
    return ST_OK;
}

void
clients_destroy(struct clients *clients)
{
    if (clients) {
        evconnlistener_free(clients->listener);
        event_free(clients->notices);
        socket_remove(&clients->place);
        while (clients->first) {
            client_free(clients->first);
        }
        free(clients);
    }
}
