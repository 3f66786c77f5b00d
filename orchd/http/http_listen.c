/* SPDX-License-Identifier: Apache-2.0 */

/* Sockets of the server, and what helps if one cannot be had. */

#include <config.h>

#include "orchd/http/http_listen.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "orchd/http/http_address.h"
#include "process/socket.h"

/* With a short queue the kernel drops the SYN of a client in a burst, and the
 * client tries again only after a second. */
#define BACKLOG 1024

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

/* Returns what helps against a failure to listen on a TCP address. */
static const char *
remedy_of(int cause)
{
    switch (cause) {
    case EADDRINUSE:
        return "stop what listens there (ss -ltnp), or choose another port: "
               "--http ADDRESS:PORT";
    case EADDRNOTAVAIL:
        return "choose an address of this machine (ip address), or 127.0.0.1: "
               "--http ADDRESS:PORT";
    case EACCES:
        return "choose a port from 1024 on, or let a reverse proxy have this "
               "one: --http ADDRESS:PORT";
    default:
        return "choose another address: --http ADDRESS:PORT";
    }
}

enum st
http_listen(const struct http_address *address, const char *group,
            struct listening_socket *place, struct err *err)
{
    static const struct socket_words words = {"http", "server", "--http"};

    if (address->is_unix) {
        return socket_listen(address->path, BACKLOG, group, &words, place, err);
    }
    place->fd = listen_tcp(address);
    if (place->fd < 0) {
        const int cause = errno;
        const enum st st = cause == EADDRINUSE ? ST_EXISTS : ST_IO;

        err_set(err, st, "http", "cannot serve %s: %s", address->text,
                strerror(cause));
        err_set_remedy(err, "%s", remedy_of(cause));
        return st;
    }
    return ST_OK;
}
