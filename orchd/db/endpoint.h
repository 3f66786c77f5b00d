/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_ENDPOINT_H
#define ORCHD_DB_ENDPOINT_H

/* The address of Redis as the user gives it: "unix:PATH", "tcp:HOST:PORT", or
 * "spawn[:DIR]" for a private server. */

#include "base/status.h"

enum endpoint_kind {
    ENDPOINT_UNIX,
    ENDPOINT_TCP,
    ENDPOINT_SPAWN,
};

/* Room for the path of a socket of Redis: one byte less than the system has,
 * because hiredis 0.14 ends a path of that length with whatever its stack has.
 */
#define ENDPOINT_PATH_SIZE 107

struct endpoint {
    enum endpoint_kind kind;
    /* UNIX: the socket.  SPAWN: the directory, "" for a default. */
    char path[ENDPOINT_PATH_SIZE];
    char host[64]; /* TCP: a name or an address, IPv6 without brackets. */
    int port;      /* TCP. */

    /* How to log in (AUTH); borrowed.  The endpoint has no password: each
     * connection reads the file again, so that it can be replaced. */
    const char *user;          /* NULL: the default user. */
    const char *password_file; /* NULL: do not log in. */
};

/* Size of a buffer for the text of any endpoint. */
#define ENDPOINT_TEXT_SIZE 128

/* Parses 'text' ("tcp:[::1]:6379" for IPv6).  On ST_INVALID 'err' has the
 * reason and the right form, and '*endpoint' is left alone. */
enum st endpoint_parse(const char *text, struct endpoint *endpoint,
                       struct err *err) ST_WARN_UNUSED;

/* Writes 'endpoint' to 'buffer' of ENDPOINT_TEXT_SIZE bytes, in the form that
 * endpoint_parse() reads. */
void endpoint_format(const struct endpoint *endpoint, char *buffer);

/* Replaces the host name of a TCP endpoint by its address. May wait for a name
 * server; ST_NOT_FOUND if the host is unknown. */
enum st endpoint_resolve(struct endpoint *endpoint,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchd/db/endpoint.h */
