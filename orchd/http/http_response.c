/* SPDX-License-Identifier: Apache-2.0 */

/* Status lines and headers. */

#include <config.h>

#include "orchd/http/http_response.h"

#include <time.h>

#include "base/text.h"

/* What every answer has. */
#define COMMON_HEADERS                                                         \
    "Connection: close\r\n"                                                    \
    "Cross-Origin-Resource-Policy: same-origin\r\n"                            \
    "Referrer-Policy: no-referrer\r\n"                                         \
    "X-Content-Type-Options: nosniff\r\n"                                      \
    "X-Frame-Options: DENY\r\n"

/* What is for programs: nothing in it may run, be framed, or be kept. */
#define DATA_HEADERS                                                           \
    "Cache-Control: no-store\r\n"                                              \
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"

/* What is for browsers: uses nothing from elsewhere, and nothing inline, and is
 * kept only if the server says that it is the same. */
#define PAGE_HEADERS                                                           \
    "Cache-Control: no-cache\r\n"                                              \
    "Content-Security-Policy: default-src 'self'; base-uri 'none'; "           \
    "form-action 'none'; frame-ancestors 'none'\r\n"

static const struct {
    enum http_status status;
    const char *phrase;
    const char *explanation;
} phrases[] = {
    {HTTP_STATUS_OK, "OK", ""},
    {HTTP_STATUS_NOT_MODIFIED, "Not Modified", ""},
    {HTTP_STATUS_BAD, "Bad Request", "this is not an HTTP/1.1 request"},
    {HTTP_STATUS_FORBIDDEN, "Forbidden",
     "pages of other sites may not use this server, and over TCP it is "
     "read-only"},
    {HTTP_STATUS_NOT_FOUND, "Not Found", "there is no such page; see /"},
    {HTTP_STATUS_METHOD, "Method Not Allowed",
     "this page does not support this method"},
    {HTTP_STATUS_BODY, "Content Too Large", "requests have no body"},
    {HTTP_STATUS_MISDIRECTED, "Misdirected Request",
     "the Host header must be localhost or an IP address; a reverse proxy has "
     "to set it"},
    {HTTP_STATUS_HEAD, "Request Header Fields Too Large",
     "the head of the request is longer than 8192 bytes"},
    {HTTP_STATUS_NOT_IMPLEMENTED, "Not Implemented",
     "only GET, HEAD and POST are supported, and no Transfer-Encoding"},
    {HTTP_STATUS_UNAVAILABLE, "Service Unavailable",
     "too many clients; try again later"},
    {HTTP_STATUS_VERSION, "HTTP Version Not Supported",
     "only HTTP/1.0 and HTTP/1.1 are supported"},
};

/* Returns the row of 'status'. */
static size_t
phrase_of(enum http_status status)
{
    size_t i = 0;

    while (phrases[i].status != status) {
        i++;
    }
    return i;
}

void
http_response_head(const struct http_response *response, time_t now,
                   struct text *head)
{
    char date[64] = "";
    struct tm utc;

    if (gmtime_r(&now, &utc)) {
        (void)strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    }
    text_addf(head, "HTTP/1.1 %d %s\r\nDate: %s\r\n", (int)response->status,
              phrases[phrase_of(response->status)].phrase, date);
    if (response->type) {
        text_addf(head, "Content-Type: %s\r\n", response->type);
    }
    if (response->type && !response->endless) {
        text_addf(head, "Content-Length: %zu\r\n", response->length);
    }
    text_add(head, COMMON_HEADERS);
    text_add(head, response->is_page ? PAGE_HEADERS : DATA_HEADERS);
    if (response->headers) {
        text_add(head, response->headers);
    }
    if (response->allow) {
        text_addf(head, "Allow: %s\r\n", response->allow);
    }
    if (response->status == HTTP_STATUS_UNAVAILABLE) {
        text_add(head, "Retry-After: 1\r\n");
    }
    text_add(head, "\r\n");
}

void
http_response_explain(enum http_status status, struct text *body)
{
    const size_t row = phrase_of(status);

    text_addf(body, "%d %s: %s\n", (int)status, phrases[row].phrase,
              phrases[row].explanation);
}
