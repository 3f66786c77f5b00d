/* SPDX-License-Identifier: Apache-2.0 */

/* Takes messages from libevent's buffers and writes answers to them. */

#include <config.h>

#include "saihostd/clients.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/view_path.h"
#include "process/acceptor.h"
#include "process/audit_tally.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/peer.h"
#include "process/socket.h"
#include "sai/remote/sai_host.h"
#include "saihostd/audit.h"
#include "saihostd/roles.h"

/* The host stops reading from a client when so many bytes of its answers wait,
 * and disconnects it when so many bytes of its notices wait. */
#define OUTPUT_PAUSE ((size_t)1024 * 1024)
#define OUTPUT_MAX   ((size_t)32 * 1024 * 1024)

/* The time in which a client must complete the handshake. */
#define GREETING_S 3

/* One of the sockets. */
struct listener {
    struct clients *clients;
    struct acceptor *acceptor; /* NULL: it does not listen. */
    struct listening_socket place;
    bool views; /* It is for viewers. */
};

struct client {
    struct clients *clients;
    struct listener *listener;
    struct client *next, **link;
    struct bufferevent *socket;
    struct event *silence; /* It has sent no HELLO in time. */
    struct session *session;
    struct wire_out out;
    struct peer peer;
    struct audit_tally audit;
    char refusal[ROLES_TEXT_SIZE]; /* Why it may only read. */
    bool announced;                /* The log has said who it is. */
    bool closing;                  /* When all answers are sent. */
};

struct clients {
    struct loop *loop;
    struct log *log;
    struct sai_host *host;
    struct listener operators, viewers;
    struct roles roles;
    char view_path[SOCKET_PATH_SIZE];
    struct event *notices;
    struct client *first;
};

static void
client_free(struct client *client)
{
    *client->link = client->next;
    if (client->next) {
        client->next->link = client->link;
    }
    acceptor_release(client->listener->acceptor);
    audit_tally_end(&client->audit, client->clients->log, &client->peer);
    peer_fini(&client->peer);
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
    audit_note(&client->audit, client->clients->log, &client->peer,
               session_last(client->session));
    return !client->closing;
}

/* Writes to the log, once the handshake is complete, who the client is. */
static void
announce(struct client *client)
{
    char who[PEER_TEXT_SIZE];

    if (!client->announced && session_is_established(client->session)) {
        client->announced = true;
        peer_describe(&client->peer, who);
        log_write(client->clients->log,
                  session_subscribes(client->session) ? LOG_DEBUG : LOG_INFO,
                  "client-connected", session_name(client->session),
                  "%s has connected as a %s", who,
                  session_role(client->session));
    }
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
    announce(client);
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
              "a %s has disconnected after %llu changes; the switch stays as "
              "it is",
              session_role(client->session),
              (unsigned long long)session_changes(client->session));
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
 * socket accepts it at once; see struct acceptor_user. */
static void
refuse_client(void *listener_, int fd)
{
    const struct listener *listener = listener_;
    const struct clients *clients = listener->clients;
    struct wire_out out = {0};

    log_write(clients->log, LOG_WARN, "client-refused", "",
              "there are %d clients already", CLIENTS_MAX);
    session_refuse(&out, CLIENTS_MAX);
    (void)!send(fd, out.bytes, out.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    wire_out_fini(&out);
}

/* Disconnects the client that has been silent for longest; see struct
 * acceptor_user. */
static bool
evict_client(void *listener_)
{
    const struct listener *listener = listener_;
    struct client *oldest = NULL;

    /* New clients are at the front of the list. */
    for (struct client *client = listener->clients->first; client;
         client = client->next) {
        if (client->listener == listener &&
            !session_is_established(client->session)) {
            oldest = client;
        }
    }
    if (oldest) {
        client_free(oldest);
    }
    return oldest != NULL;
}

/* A client has connected; see struct acceptor_user. */
static void
accept_client(void *listener_, int fd)
{
    static const struct timeval patience = {.tv_sec = GREETING_S};
    struct listener *listener = listener_;
    struct clients *clients = listener->clients;
    struct client *client = check_calloc(1, sizeof *client);
    struct event_base *base = loop_base(clients->loop);

    client->clients = clients;
    client->listener = listener;
    peer_read(fd, &client->peer);
    client->socket = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
    client->silence = evtimer_new(base, on_silence, client);
    orch_assert(client->socket && client->silence);
    event_add(client->silence, &patience);
    client->session = session_open(clients->host, &client->out);
    if (roles_refuse(&clients->roles, &client->peer, listener->views,
                     client->refusal)) {
        session_limit(client->session, client->refusal);
    }
    client->next = clients->first;
    client->link = &clients->first;
    if (client->next) {
        client->next->link = &client->next;
    }
    clients->first = client;
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

/* Listens on 'path' for 'group'. */
static enum st
listen_on(struct clients *clients, struct listener *listener, const char *path,
          const char *group, struct err *err)
{
    static const struct socket_words words = {"host", "host", "--socket"};
    const struct acceptor_user user = {
        .name = listener->views ? "host viewers" : "host",
        .limit = CLIENTS_MAX,
        .accept = accept_client,
        .refuse = refuse_client,
        .evict = evict_client,
        .context = listener,
    };
    enum st status =
        socket_listen(path, CLIENTS_MAX, group, &words, &listener->place, err);

    if (status == ST_OK) {
        listener->clients = clients;
        listener->acceptor = acceptor_create(clients->loop, clients->log,
                                             listener->place.fd, &user);
    }
    return status;
}

/* Listens for viewers beside 'sockets->path'. */
static enum st
listen_for_viewers(struct clients *clients,
                   const struct clients_sockets *sockets, struct err *err)
{
    if (view_path(sockets->path, clients->view_path,
                  sizeof clients->view_path)) {
        return err_set(err, ST_INVALID, "host-path",
                       "the path of the socket for viewers, beside that of "
                       "--socket, is longer than %d bytes",
                       SOCKET_PATH_SIZE - 1);
    }
    clients->viewers.views = true;
    return listen_on(clients, &clients->viewers, clients->view_path,
                     sockets->view_group, err);
}

enum st
clients_create(struct loop *loop, struct log *log, struct sai_host *host,
               const struct clients_sockets *sockets, struct clients **clients,
               struct err *err)
{
    struct clients *made = check_calloc(1, sizeof *made);
    enum st status;

    made->loop = loop;
    made->log = log;
    made->host = host;
    status =
        listen_on(made, &made->operators, sockets->path, sockets->group, err);
    if (status == ST_OK && sockets->has_viewers) {
        status = listen_for_viewers(made, sockets, err);
    }
    if (status) {
        clients_destroy(made);
        return status;
    }
    roles_init(&made->roles, sockets->path);
    made->notices = event_new(loop_base(loop), sai_host_fd(host),
                              EV_READ | EV_PERSIST, on_notices, made);
    orch_assert(made->notices);
    event_add(made->notices, NULL);
    *clients = made;
    return ST_OK;
}

/* Removes the file, so that nobody connects any more. */
static void
remove_file(const struct listener *listener)
{
    if (listener->acceptor) {
        socket_remove(&listener->place);
    }
}

static void
stop_listening(struct listener *listener)
{
    if (listener->acceptor) {
        acceptor_destroy(listener->acceptor);
        close(listener->place.fd);
    }
}

void
clients_destroy(struct clients *clients)
{
    if (!clients) {
        return;
    }
    if (clients->notices) {
        event_free(clients->notices);
    }
    remove_file(&clients->operators);
    remove_file(&clients->viewers);
    while (clients->first) {
        client_free(clients->first);
    }
    stop_listening(&clients->operators);
    stop_listening(&clients->viewers);
    free(clients);
}
