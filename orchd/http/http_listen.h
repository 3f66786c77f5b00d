/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_LISTEN_H
#define ORCHD_HTTP_HTTP_LISTEN_H

/* Listens at an address of http_address.h; for the server only. */

#include "base/status.h"

struct http_address;
struct listening_socket;

/* Listens at 'address', and fills '*place': for TCP only its 'fd'.  A Unix
 * socket belongs to 'group'; outcomes as of socket_listen().  TCP: ST_EXISTS if
 * another process listens there, else ST_IO; 'err' has the code "http". */
enum st http_listen(const struct http_address *address, const char *group,
                    struct listening_socket *place,
                    struct err *err) ST_WARN_UNUSED;

#endif /* orchd/http/http_listen.h */
