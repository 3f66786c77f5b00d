/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/http/http_exchange.h"
#include "orchd/http/http_request.h"
#include "orchd/http/http_response.h"
#include "orchd/page/page_api.h"
#include "orchd/page/page_events.h"
#include "orchd/page/page_files.h"

struct page {
    struct control *control;
    struct page_files *files;
    struct page_events *events;
};

struct page *
page_create(const struct page_options *options)
{
    struct page *page = check_calloc(1, sizeof *page);

    page->control = options->control;
    page->files = page_files_read(options->directory, options->charts);
    page->events = page_events_create(options->loop, options->control,
                                      page_files_build(page->files),
                                      options->identify, options->context);
    return page;
}

void
page_destroy(struct page *page)
{
    if (page) {
        page_events_destroy(page->events);
        page_files_destroy(page->files);
        free(page);
    }
}

bool
page_has_index(const struct page *page)
{
    return page_files_find(page->files, "index.html") != NULL;
}

/* Answers with a file. */
static void
send_file(struct http_exchange *exchange, const struct http_request *request,
          const struct page_file *file)
{
    const bool is_gzip = file->gzip.bytes && http_request_takes_gzip(request);
    const struct page_form *form = is_gzip ? &file->gzip : &file->plain;
    const bool has = http_request_has(request, form->etag);
    char headers[128];
    struct http_response response = {
        .status = has ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK,
        .type = has ? NULL : file->type,
        .is_page = true,
        .headers = headers,
    };
    struct text body = {0};

    (void)text_format(headers, sizeof headers,
                      "ETag: %s\r\nVary: Accept-Encoding\r\n%s", form->etag,
                      is_gzip && !has ? "Content-Encoding: gzip\r\n" : "");
    if (!has) {
        text_add_bytes(&body, form->bytes, form->length);
    }
    http_exchange_answer(exchange, &response, &body);
}

/* Answers "/" of an orchd that has no page. */
static void
send_index(struct http_exchange *exchange)
{
    struct http_response response = {.status = HTTP_STATUS_OK,
                                     .type = "text/html; charset=utf-8"};
    struct text body = {0};

    text_add(&body, "<!DOCTYPE html><title>orchd</title>"
                    "<p>The files of the page are not installed.\n"
                    "<p><a href=\"/metrics\">metrics</a>\n"
                    "<p><a href=\"/healthz\">health</a>\n");
    http_exchange_answer(exchange, &response, &body);
}

void
page_serve_file(struct page *page, struct http_exchange *exchange,
                const struct http_request *request)
{
    const bool is_index = !strcmp(request->path, "/");
    const char *name =
        is_index ? "index.html" : request->path + strlen("/page/");
    const struct page_file *file = page_files_find(page->files, name);

    if (file) {
        send_file(exchange, request, file);
    } else if (is_index) {
        send_index(exchange);
    } else {
        http_exchange_refuse(exchange, HTTP_STATUS_NOT_FOUND);
    }
}

void
page_serve_api(struct page *page, struct http_exchange *exchange,
               const struct http_request *request)
{
    page_api_serve(page->control, exchange, request);
}

void
page_serve_events(struct page *page, struct http_exchange *exchange,
                  const struct http_request *request)
{
    page_events_serve(page->events, exchange, request);
}
