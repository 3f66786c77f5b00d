/* SPDX-License-Identifier: Apache-2.0 */

/* libevent's HTTP server with two pages. */

#include <config.h>

#include "orchd/telemetry/metrics/exporter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/http.h>

#include "base/check.h"
#include "base/text.h"
#include "process/loop.h"

#define ADDRESS "127.0.0.1"

/* The most bytes of a request; scrapers send far less. */
#define REQUEST_MAX 8192

/* Seconds after which an idle client is disconnected. */
#define PATIENCE_S 30

static const char index_page[] =
    "<!DOCTYPE html><title>orchd</title><p><a href=\"/metrics\">metrics</a>\n";

struct exporter {
    struct evhttp *http;
    exporter_fn *answer;
    void *context;
};

static void
free_page(const void *data, size_t length, void *page)
{
    (void)data;
    (void)length;
    free(page);
}

/* Sends 'page', which is freed afterwards. */
static void
send_page(struct evhttp_request *request, const char *type, char *page)
{
    struct evbuffer *buffer = evhttp_request_get_output_buffer(request);

    evhttp_add_header(evhttp_request_get_output_headers(request),
                      "Content-Type", type);
    orch_assert(
        !evbuffer_add_reference(buffer, page, strlen(page), free_page, page));
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

static void
on_metrics(struct evhttp_request *request, void *exporter_)
{
    struct exporter *exporter = exporter_;
    struct text text = {0};

    exporter->answer(exporter->context, &text);
    send_page(request, "text/plain; version=0.0.4; charset=utf-8",
              text_take(&text));
}

static void
on_index(struct evhttp_request *request, void *exporter)
{
    (void)exporter;
    send_page(request, "text/html; charset=utf-8", check_strdup(index_page));
}

enum st
exporter_create(struct loop *loop, uint16_t port, exporter_fn *answer,
                void *context, struct exporter **exporter, struct err *err)
{
    struct evhttp *http = evhttp_new(loop_base(loop));

    orch_assert(http);
    evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
    evhttp_set_max_headers_size(http, REQUEST_MAX);
    evhttp_set_max_body_size(http, REQUEST_MAX);
    evhttp_set_timeout(http, PATIENCE_S);
    if (evhttp_bind_socket(http, ADDRESS, port)) {
        const int error = errno;

        evhttp_free(http);
        err_set(err, error == EADDRINUSE ? ST_EXISTS : ST_IO, "metrics",
                "cannot serve metrics at " ADDRESS ":%u: %s",
                (unsigned int)port, strerror(error));
        err_set_remedy(err, "choose another port: --set metrics_port=PORT");
        return err ? err->status : ST_IO;
    }
    *exporter = check_calloc(1, sizeof **exporter);
    (*exporter)->http = http;
    (*exporter)->answer = answer;
    (*exporter)->context = context;
    orch_assert(!evhttp_set_cb(http, "/metrics", on_metrics, *exporter));
    orch_assert(!evhttp_set_cb(http, "/", on_index, *exporter));
    return ST_OK;
}

void
exporter_destroy(struct exporter *exporter)
{
    if (exporter) {
        evhttp_free(exporter->http);
        free(exporter);
    }
}
