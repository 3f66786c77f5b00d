/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_PAGE_H
#define ORCHD_PAGE_PAGE_H

/* The live page: its files (page_files.h), the verbs that it calls (page_api.h)
 * and the events that it draws (page_events.h).
 *
 * It has no model of its own: what it shows is what the verbs of the control
 * socket answer. */

#include <stdbool.h>

struct control;
struct http_exchange;
struct http_request;
struct loop;
struct page;
struct page_identity;

/* Where the parts come from.  Copied; what it points to is borrowed. */
struct page_options {
    const char *directory; /* The files of the page. */
    const char *charts;    /* Those of dygraphs. */
    struct loop *loop;
    struct control *control;
    void (*identify)(void *context, struct page_identity *identity);
    void *context;
};

/* Creates the page.  Destroy it after the server that has its exchanges, and
 * before 'control'. */
struct page *page_create(const struct page_options *options);

/* Frees 'page'.  Accepts NULL. */
void page_destroy(struct page *page);

/* Returns whether there is a page: a file "index.html". */
bool page_has_index(const struct page *page);

/* Answer requests to "/" and "/page/...", "/api/..." and "/events". */
void page_serve_file(struct page *page, struct http_exchange *exchange,
                     const struct http_request *request);
void page_serve_api(struct page *page, struct http_exchange *exchange,
                    const struct http_request *request);
void page_serve_events(struct page *page, struct http_exchange *exchange,
                       const struct http_request *request);

#endif /* orchd/page/page.h */
