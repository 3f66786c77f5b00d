/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/http/http_address.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

#define ALLOWED "PORT, ADDRESS:PORT, [IPV6]:PORT or unix:PATH"

/* Fills 'err'. */
static enum st
bad(const char *text, const char *why, struct err *err)
{
    err_set(err, ST_INVALID, "http", "http: '%.100s' %s", text, why);
    err_set_field(err, "http", text, ALLOWED);
    err_set_remedy(err, "for example 127.0.0.1:9478");
    return ST_INVALID;
}

/* Parses "unix:PATH". */
static enum st
parse_unix(const char *text, struct http_address *address, struct err *err)
{
    const char *path = text + strlen("unix:");

    address->is_unix = true;
    if (!*path || !text_copy(address->path, sizeof address->path, path)) {
        return bad(text, "has no path, or one that is too long for a socket",
                   err);
    }
    (void)text_copy(address->text, sizeof address->text, text);
    return ST_OK;
}

/* Converts the text of an address; false if it is none. */
static bool
convert(struct http_address *address, const char *name, bool v6, in_port_t port)
{
    if (v6) {
        address->socket.v6.sin6_family = AF_INET6;
        address->socket.v6.sin6_port = htons(port);
        return inet_pton(AF_INET6, name, &address->socket.v6.sin6_addr) == 1;
    }
    address->socket.v4.sin_family = AF_INET;
    address->socket.v4.sin_port = htons(port);
    return inet_pton(AF_INET, strcmp(name, "localhost") ? name : "127.0.0.1",
                     &address->socket.v4.sin_addr) == 1;
}

enum st
http_address_parse(const char *text, struct http_address *address,
                   struct err *err)
{
    const char *colon = strrchr(text, ':');
    const char *port_text = colon ? colon + 1 : text;
    char name[64] = "127.0.0.1";
    bool v6 = false;
    uint64_t port;

    memset(address, 0, sizeof *address);
    if (!strncmp(text, "unix:", 5)) {
        return parse_unix(text, address, err);
    }
    if (parse_u64(port_text, 1, UINT16_MAX, &port)) {
        return bad(text, "has no port from 1 to 65535", err);
    }
    if (colon) {
        v6 = *text == '[' && colon[-1] == ']';
        if (colon == text ||
            !text_format(name, sizeof name, "%.*s",
                         (int)(colon - text) - 2 * v6, text + v6)) {
            return bad(text, "has no address before the port", err);
        }
    }
    if (!convert(address, name, v6, (in_port_t)port)) {
        return bad(text,
                   "has no IP address before the port (names are not "
                   "resolved)",
                   err);
    }
    (void)text_format(address->text, sizeof address->text,
                      v6 ? "http://[%s]:%u" : "http://%s:%u", name,
                      (unsigned int)port);
    return ST_OK;
}

socklen_t
http_address_size(const struct http_address *address)
{
    return address->socket.any.sa_family == AF_INET6
               ? sizeof address->socket.v6
               : sizeof address->socket.v4;
}
