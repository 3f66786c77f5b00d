/* SPDX-License-Identifier: Apache-2.0 */

/* Parses an address, and listens on it. */

#include <config.h>

#include "thriftd/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"

#define BACKLOG 64

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t
size_of(const union address *address)
{
    return address->any.sa_family == AF_INET6 ? sizeof address->v6
                                              : sizeof address->v4;
}

static bool
parse(const char *text, union address *address)
{
    const char *colon = strrchr(text, ':');
    const bool v6 = *text == '[';
    char host[LISTEN_TEXT_SIZE] = "127.0.0.1";
    uint64_t port;

    memset(address, 0, sizeof *address);
    if (parse_u64(colon ? colon + 1 : text, 0, UINT16_MAX, &port)) {
        return false;
    }
    if (colon) {
        if (colon - text < 2 + v6 || (v6 && colon[-1] != ']') ||
            !text_format(host, sizeof host, "%.*s",
                         (int)(colon - text) - 2 * v6, text + v6)) {
            return false;
        }
    }
    if (v6) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((in_port_t)port);
        return inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1;
    }
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons((in_port_t)port);
    return inet_pton(AF_INET, host, &address->v4.sin_addr) == 1;
}

bool
listen_is_address(const char *text)
{
    union address address;

    return parse(text, &address);
}

/* Writes the address that a socket has got. */
static void
describe(const union address *address, struct listen_place *place)
{
    const bool v6 = address->any.sa_family == AF_INET6;
    char host[INET6_ADDRSTRLEN] = "";

    (void)inet_ntop(address->any.sa_family,
                    v6 ? (const void *)&address->v6.sin6_addr
                       : (const void *)&address->v4.sin_addr,
                    host, sizeof host);
    (void)text_format(place->text, sizeof place->text, v6 ? "[%s]:%u" : "%s:%u",
                      host,
                      ntohs(v6 ? address->v6.sin6_port : address->v4.sin_port));
    place->is_loopback = v6 ? IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr)
                            : ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
}

enum st
listen_at(const char *text, struct listen_place *place, struct err *err)
{
    const int on = 1;
    union address address;
    socklen_t size = sizeof address;
    int fd;

    if (!parse(text, &address)) {
        err_set(err, ST_INVALID, "listen",
                "'%.100s' is no address to listen at", text);
        err_set_field(err, "listen", text, "PORT, ADDRESS:PORT or [IPV6]:PORT");
        err_set_remedy(err, "for example 127.0.0.1:9092");
        return ST_INVALID;
    }
    fd = socket(address.any.sa_family,
                SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        bind(fd, &address.any, size_of(&address)) || listen(fd, BACKLOG) ||
        getsockname(fd, &address.any, &size)) {
        const int cause = errno;
        const enum st st = cause == EADDRINUSE ? ST_EXISTS : ST_IO;

        err_set(err, st, "listen", "cannot listen at %s: %s", text,
                strerror(cause));
        err_set_remedy(err, "choose another one with --listen ADDRESS:PORT; ss "
                            "-ltnp lists those in use");
        if (fd >= 0) {
            close(fd);
        }
        return st;
    }
    place->fd = fd;
    describe(&address, place);
    return ST_OK;
}
