/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_ADDRESS_H
#define ORCHD_HTTP_HTTP_ADDRESS_H

/* Where to listen for HTTP, as text:
 *
 *   PORT            at 127.0.0.1
 *   ADDRESS:PORT    an IPv4 address, or "localhost"
 *   [ADDRESS]:PORT  an IPv6 address
 *   unix:PATH       a Unix socket
 *
 * Names are not resolved: which address a name has can change, and whom a
 * service listens to should not. */

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "base/status.h"
#include "process/socket.h"

struct http_address {
    bool is_unix;
    char path[SOCKET_PATH_SIZE]; /* If 'is_unix'. */
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } socket;                        /* If not. */
    char text[SOCKET_PATH_SIZE + 8]; /* As a client would write it. */
};

/* Parses 'text'.  ST_INVALID: 'err' says what is allowed. */
enum st http_address_parse(const char *text, struct http_address *address,
                           struct err *err) ST_WARN_UNUSED;

/* Returns the size of 'socket'. */
socklen_t http_address_size(const struct http_address *address);

#endif /* orchd/http/http_address.h */
