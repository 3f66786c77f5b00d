/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HTTP_HTTP_RESPONSE_H
#define ORCHD_HTTP_HTTP_RESPONSE_H

/* The head of an answer: its status, and what browsers may do with it. */

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "orchd/http/http_request.h"

struct text;

struct http_response {
    enum http_status status;
    const char *type;    /* Content-Type; NULL: there is no body. */
    size_t length;       /* Of the body. */
    bool endless;        /* It ends with the connection. */
    bool is_page;        /* A part of a page for browsers; else data. */
    const char *headers; /* Further lines with their ends; NULL: none. */
    const char *allow;   /* Methods that the page has instead; NULL: see
                          * 'status'. */
};

/* Appends the head, with its empty line. */
void http_response_head(const struct http_response *response, time_t now,
                        struct text *head);

/* Appends a line that says what 'status' means, a body for refusals. */
void http_response_explain(enum http_status status, struct text *body);

#endif /* orchd/http/http_response.h */
