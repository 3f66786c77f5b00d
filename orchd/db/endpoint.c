/* SPDX-License-Identifier: Apache-2.0 */

/* Parses the addresses of Redis. */

#include <config.h>

#include "orchd/db/endpoint.h"

#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#include "base/parse.h"
#include "base/text.h"

#define FORMS "unix:PATH, tcp:HOST:PORT or spawn[:DIR]"

/* A spawned Redis creates a socket in its directory. */
#define PATH_MAX_SPAWN                                                         \
    (sizeof((struct endpoint *)0)->path - (sizeof "/redis.sock" - 1))

/* Reports why 'text' is not an endpoint. */
static enum st
bad(const char *text, const char *why, struct err *err)
{
    err_set(err, ST_INVALID, "endpoint", "'%s' %s", text, why);
    err_set_field(err, "redis", text, FORMS);
    err_set_remedy(err, "write it as %s", FORMS);
    return ST_INVALID;
}

/* Parses what follows "tcp:".  The last colon separates host and port, so an
 * IPv6 address needs no brackets, but may have them. */
static enum st
parse_tcp(const char *text, const char *rest, struct endpoint *endpoint,
          struct err *err)
{
    const char *colon = strrchr(rest, ':');
    size_t length;
    uint64_t port;

    if (!colon || parse_u64(colon + 1, 1, 65535, &port)) {
        return bad(text, "has no port in 1..65535", err);
    }
    length = (size_t)(colon - rest);
    if (length >= 2 && rest[0] == '[' && rest[length - 1] == ']') {
        rest++;
        length -= 2;
    }
    if (length == 0 || length >= sizeof endpoint->host) {
        return bad(text, "has no usable host", err);
    }
    memset(endpoint, 0, sizeof *endpoint);
    endpoint->kind = ENDPOINT_TCP;
    memcpy(endpoint->host, rest, length);
    endpoint->port = (int)port;
    return ST_OK;
}

/* Parses the path of a socket or of a directory for one. */
static enum st
parse_path(const char *text, const char *rest, enum endpoint_kind kind,
           struct endpoint *endpoint, struct err *err)
{
    size_t limit =
        kind == ENDPOINT_SPAWN ? PATH_MAX_SPAWN : sizeof endpoint->path;

    if (!*rest) {
        return bad(text, "has no path", err);
    }
    if (strlen(rest) >= limit) {
        return bad(text, "has a path that is too long for a socket", err);
    }
    memset(endpoint, 0, sizeof *endpoint);
    endpoint->kind = kind;
    text_copy(endpoint->path, sizeof endpoint->path, rest);
    return ST_OK;
}

enum st
endpoint_parse(const char *text, struct endpoint *endpoint, struct err *err)
{
    if (!strncmp(text, "unix:", 5)) {
        return parse_path(text, text + 5, ENDPOINT_UNIX, endpoint, err);
    }
    if (!strncmp(text, "tcp:", 4)) {
        return parse_tcp(text, text + 4, endpoint, err);
    }
    if (!strncmp(text, "spawn:", 6)) {
        return parse_path(text, text + 6, ENDPOINT_SPAWN, endpoint, err);
    }
    if (!strcmp(text, "spawn")) {
        memset(endpoint, 0, sizeof *endpoint);
        endpoint->kind = ENDPOINT_SPAWN;
        return ST_OK;
    }
    return bad(text, "is not an address of Redis", err);
}

void
endpoint_format(const struct endpoint *endpoint, char *buffer)
{
    switch (endpoint->kind) {
    case ENDPOINT_UNIX:
        text_format(buffer, ENDPOINT_TEXT_SIZE, "unix:%s", endpoint->path);
        break;
    case ENDPOINT_TCP:
        text_format(buffer, ENDPOINT_TEXT_SIZE,
                    strchr(endpoint->host, ':') ? "tcp:[%s]:%d" : "tcp:%s:%d",
                    endpoint->host, endpoint->port);
        break;
    case ENDPOINT_SPAWN:
        text_format(buffer, ENDPOINT_TEXT_SIZE, "spawn%s%s",
                    *endpoint->path ? ":" : "", endpoint->path);
        break;
    }
}

enum st
endpoint_resolve(struct endpoint *endpoint, struct err *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char host[sizeof endpoint->host];
    int code;

    if (endpoint->kind != ENDPOINT_TCP) {
        return ST_OK;
    }
    code = getaddrinfo(endpoint->host, NULL, &hints, &found);
    if (!code) {
        code = getnameinfo(found->ai_addr, found->ai_addrlen, host, sizeof host,
                           NULL, 0, NI_NUMERICHOST);
        freeaddrinfo(found);
    }
    if (code) {
        return err_set(err, ST_NOT_FOUND, "endpoint", "host %s: %s",
                       endpoint->host, gai_strerror(code));
    }
    text_copy(endpoint->host, sizeof endpoint->host, host);
    return ST_OK;
}
