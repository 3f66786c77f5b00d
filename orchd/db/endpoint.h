/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_ENDPOINT_H
#define ORCHD_DB_ENDPOINT_H

/* Where Redis is, as the user says it: "unix:PATH", "tcp:HOST:PORT" or
 * "spawn[:DIR]" for one of our own. */

#include "base/status.h"

enum endpoint_kind {
    ENDPOINT_UNIX,
    ENDPOINT_TCP,
    ENDPOINT_SPAWN,
};

struct endpoint {
    enum endpoint_kind kind;
    char path[108]; /* UNIX: the socket.  SPAWN: the directory, "" for one of
                     * orchd's choice. */
    char host[64];  /* TCP: a name or an address, IPv6 without brackets. */
    int port;       /* TCP. */
};

/* Room for the text of any endpoint. */
#define ENDPOINT_TEXT_SIZE 128

/* Parses 'text' ("tcp:[::1]:6379" for IPv6).  On ST_INVALID 'err' says what is
 * wrong with it and what would be right, and '*endpoint' is left alone. */
enum st endpoint_parse(const char *text, struct endpoint *endpoint,
                       struct err *err) ST_WARN_UNUSED;

/* Writes 'endpoint' as endpoint_parse() reads it into 'buffer' of
 * ENDPOINT_TEXT_SIZE bytes. */
void endpoint_format(const struct endpoint *endpoint, char *buffer);

/* Replaces the host of a TCP endpoint by its address, if it is not one yet.
 * May wait for a name server; ST_NOT_FOUND if that knows no such host. */
enum st endpoint_resolve(struct endpoint *endpoint,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchd/db/endpoint.h */
