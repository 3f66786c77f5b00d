/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_REQUEST_H
#define ORCHD_HTTP_HTTP_REQUEST_H

/* The head of an HTTP request (RFC 9112), parsed strictly.
 *
 * Requests come from anybody who can reach the socket, so the parser accepts
 * only what clients really send: one request line, whole header lines,
 * printable bytes.  What other servers read in different ways (folded lines,
 * blanks before a colon, two Host headers, a body with Transfer-Encoding) is
 * refused.
 *
 * It also answers whether a browser may have been tricked into sending the
 * request.  A page on the Web can make a browser connect to 127.0.0.1, and by
 * DNS rebinding even read the answer; but then Host has the name of that page,
 * and Origin, if it is there, is not ours. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The longest head, including the empty line; scrapers send far less. */
#define HTTP_HEAD_MAX 8192

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST };

/* Points into the head. */
struct http_request {
    enum http_method method;
    const char *path;            /* Begins with '/'; without the query. */
    const char *query;           /* After '?'; "" if there is none. */
    const char *host;            /* "" if there is none (HTTP/1.0). */
    const char *origin;          /* NULL: no such header. */
    const char *if_none_match;   /* The same; see http_request_has(). */
    const char *accept_encoding; /* The same; http_request_takes_gzip(). */
};

/* The status codes that this folder uses. */
enum http_status {
    HTTP_STATUS_OK = 200,
    HTTP_STATUS_NOT_MODIFIED = 304,
    HTTP_STATUS_BAD = 400,
    HTTP_STATUS_FORBIDDEN = 403,
    HTTP_STATUS_NOT_FOUND = 404,
    HTTP_STATUS_METHOD = 405,
    HTTP_STATUS_BODY = 413,
    HTTP_STATUS_MISDIRECTED = 421,
    HTTP_STATUS_HEAD = 431,
    HTTP_STATUS_NOT_IMPLEMENTED = 501,
    HTTP_STATUS_UNAVAILABLE = 503,
    HTTP_STATUS_VERSION = 505,
};

/* Returns the length of the head at the beginning of the 'length' bytes of
 * 'text', including its empty line; 0 if that has not arrived. */
size_t http_head_length(const char *text, size_t length);

/* Parses a head of 'length' bytes, as http_head_length() returned it, which it
 * changes.  Returns HTTP_STATUS_OK, or the status to refuse it with. */
enum http_status
http_request_parse(char *head, size_t length,
                   struct http_request *request) ST_WARN_UNUSED;

/* Returns whether the Host of 'request' cannot be a name that another
 * site controls: it is "localhost" or the literal of an IP address, with or
 * without a port.  (A request without Host, by HTTP/1.0, comes from no
 * browser.) */
bool http_request_is_local(const struct http_request *request);

/* Returns whether the request comes from a page of another site: it has an
 * Origin that is not that of its Host. */
bool http_request_is_foreign(const struct http_request *request);

/* Returns whether the client has a copy with this entity tag, which includes
 * its quotes. */
bool http_request_has(const struct http_request *request, const char *etag);

/* Returns whether the client asks for gzip (RFC 9110, 12.5.3) by name, with a
 * weight that is not 0.  (By "*" it may get anything, and so what is plain.) */
bool http_request_takes_gzip(const struct http_request *request);

#endif /* orchd/http/http_request.h */
