/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_QUERY_H
#define ORCHD_HTTP_HTTP_QUERY_H

/* The query of a URL: "name=value&name=value", each percent-encoded, and '+'
 * for a blank, as forms of browsers write it.
 *
 * A name may occur several times, and a value may be missing: "name" and
 * "name=" are the same.  Decoded text has no control characters. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define HTTP_QUERY_MAX 256 /* Pairs. */

struct http_pair {
    char *name, *value;
};

struct http_query {
    char *text; /* Owned; holds all names and values. */
    struct http_pair *pairs;
    size_t n;
};

/* Parses 'text', which is not changed.  ST_INVALID: a percent sign is not
 * followed by two hexadecimal digits, a character is decoded that is not
 * allowed, a name is empty, or there are more than HTTP_QUERY_MAX pairs.  End
 * '*query' with http_query_fini() in any case. */
enum st http_query_parse(const char *text,
                         struct http_query *query) ST_WARN_UNUSED;
void http_query_fini(struct http_query *query);

/* Decodes one percent-encoded text in place.  False: see http_query_parse(). */
bool http_query_decode(char *text) ST_WARN_UNUSED;

#endif /* orchd/http/http_query.h */
