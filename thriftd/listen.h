/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_LISTEN_H
#define ORCHD_THRIFTD_LISTEN_H

/* Where the server listens: a TCP address as text.
 *
 *   PORT            at 127.0.0.1
 *   ADDRESS:PORT    an IPv4 address
 *   [ADDRESS]:PORT  an IPv6 address
 *
 * Names are not resolved.  Port 0 lets the system choose a free one. */

#include <stdbool.h>

#include "base/status.h"

/* Room for "[ADDRESS]:PORT". */
enum { LISTEN_TEXT_SIZE = 64 };

struct listen_place {
    int fd;                      /* Owned by the caller. */
    char text[LISTEN_TEXT_SIZE]; /* The address with its port. */
    bool is_loopback;            /* Only this machine can connect. */
};

/* Listens at 'address' and fills '*place'.  ST_INVALID: 'address' is none;
 * ST_EXISTS: another process listens there; ST_IO: the system refuses.  All
 * fill 'err'. */
enum st listen_at(const char *address, struct listen_place *place,
                  struct err *err) ST_WARN_UNUSED;

/* Returns whether 'address' has the form of an address. */
bool listen_is_address(const char *address);

#endif /* thriftd/listen.h */
