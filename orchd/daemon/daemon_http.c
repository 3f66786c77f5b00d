/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/daemon_http.h"

#include "base/text.h"
#include "orchd/daemon/daemon_state.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/startup.h"
#include "orchd/db/redis.h"
#include "orchd/http/http_address.h"
#include "orchd/http/http_server.h"
#include "orchd/page/page.h"
#include "orchd/page/page_events.h"
#include "orchd/telemetry/metrics/metrics.h"
#include "process/log.h"
#include "sai/stack/chain.h"

static bool
print_metrics(void *daemon_, struct text *text)
{
    struct daemon *daemon = daemon_;
    struct chain *chain = daemon_chain(daemon);
    const struct metrics_sources sources = {
        .agent = daemon->agent,
        .publisher = daemon->publisher,
        .redis = daemon->redis,
        .meter = chain ? chain_meter(chain) : NULL,
        .plans = &daemon->plans,
        .started = daemon->started,
    };

    metrics_print(text, &sources);
    return true;
}

/* Whether orchd can do its work: it reaches Redis, and there is a switch. */
static bool
print_health(void *daemon_, struct text *text)
{
    const struct daemon *daemon = daemon_;
    struct redis_status status;

    redis_status(daemon->redis, &status);
    text_addf(text, "redis: %s\n", status.up ? "up" : status.reason);
    text_addf(text, "switch: %s\n", daemon_chain(daemon) ? "up" : "absent");
    return status.up && daemon_chain(daemon);
}

static void
serve_file(void *daemon, struct http_exchange *exchange,
           const struct http_request *request)
{
    page_serve_file(((struct daemon *)daemon)->page, exchange, request);
}

static void
serve_api(void *daemon, struct http_exchange *exchange,
          const struct http_request *request)
{
    page_serve_api(((struct daemon *)daemon)->page, exchange, request);
}

static void
serve_events(void *daemon, struct http_exchange *exchange,
             const struct http_request *request)
{
    page_serve_events(((struct daemon *)daemon)->page, exchange, request);
}

static const struct http_page pages[] = {
    {"/", NULL, false, NULL, serve_file},
    {"/api/", NULL, false, NULL, serve_api},
    {"/api/", NULL, true, NULL, serve_api},
    {"/events", NULL, false, NULL, serve_events},
    {"/healthz", "text/plain; charset=utf-8", false, print_health, NULL},
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", false,
     print_metrics, NULL},
    {"/page/", NULL, false, NULL, serve_file},
    {NULL, NULL, false, NULL, NULL},
};

/* Tells the page about orchd; see struct page_options. */
static void
identify(void *daemon_, struct page_identity *identity)
{
    const struct daemon *daemon = daemon_;

    identity->started = daemon->started;
    identity->has_switch = daemon_chain(daemon) != NULL;
    identity->simulated = identity->has_switch && daemon->identity.simulated;
}

/* Creates the page. */
static void
make_page(struct daemon *daemon)
{
    const struct page_options options = {
        .directory = daemon->settings->page_dir,
        .charts = CHARTSDIR,
        .loop = daemon->loop,
        .control = daemon->control,
        .identify = identify,
        .context = daemon,
    };

    daemon->page = page_create(&options);
}

/* Logs what is served. */
static void
report_ready(const struct daemon *daemon, const struct http_address *address)
{
    if (page_has_index(daemon->page)) {
        log_write(daemon->log, LOG_INFO, "http-ready", address->text,
                  "serving the live page, /metrics and /healthz");
        return;
    }
    log_write(daemon->log, LOG_INFO, "http-ready", address->text,
              "serving /metrics and /healthz");
    log_write(daemon->log, LOG_WARN, "page-missing", daemon->settings->page_dir,
              "there is no live page: index.html cannot be read there");
}

enum st
daemon_http_create(struct daemon *daemon, struct err *err)
{
    const struct settings *settings = daemon->settings;
    struct http_address address;
    const char *where = settings->http;
    const char *group = NULL;
    char port[16];
    enum st status;

    if (settings->metrics_port) {
        (void)text_format(port, sizeof port, "%u",
                          (unsigned int)settings->metrics_port);
        where = port;
    }
    if (!where) {
        return ST_OK;
    }
    status = http_address_parse(where, &address, err);
    if (!status) {
        status = startup_group("http_group", settings->http_group,
                               settings->control_group ? settings->control_group
                                                       : "orchd",
                               &group, err);
    }
    if (!status) {
        make_page(daemon);
        status = http_server_create(daemon->loop, daemon->log, &address, group,
                                    pages, daemon, &daemon->http, err);
    }
    if (!status) {
        report_ready(daemon, &address);
    }
    return status;
}
