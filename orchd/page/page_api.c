/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/page/page_api.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/control.h"
#include "orchd/control/request.h"
#include "orchd/http/http_exchange.h"
#include "orchd/http/http_request.h"
#include "orchd/http/http_response.h"
#include "orchd/page/verb_path.h"
#include "process/peer.h"

/* A call.  It lives until it is answered, whether its client waits or not. */
struct api_call {
    struct request request;
    struct control *control;
    struct http_exchange *exchange; /* NULL: the client has gone. */
    struct peer peer;
};

/* Implements http_waiter.gone. */
static void
on_gone(void *call_)
{
    struct api_call *call = call_;

    call->exchange = NULL;
}

static const struct http_waiter waiter = {.gone = on_gone};

/* Implements request_ops.is_gone. */
static bool
is_gone(const struct request *request)
{
    const struct api_call *call = (const struct api_call *)request;

    return !call->exchange || http_exchange_is_gone(call->exchange);
}

/* Returns the status of an answer. */
static enum http_status
status_of(enum request_outcome outcome)
{
    switch (outcome) {
    case REQUEST_INVALID:
        return HTTP_STATUS_BAD;
    case REQUEST_UNKNOWN:
        return HTTP_STATUS_NOT_FOUND;
    case REQUEST_DENIED:
        return HTTP_STATUS_FORBIDDEN;
    case REQUEST_ANSWERED:
    default:
        return HTTP_STATUS_OK;
    }
}

/* Implements request_ops.reply. */
static void
reply(struct request *request, const char *answer)
{
    struct api_call *call = (struct api_call *)request;
    struct http_response response = {.status = status_of(request->outcome),
                                     .type = "application/json"};
    struct text body = {0};

    if (call->exchange) {
        text_add(&body, answer);
        text_add_char(&body, '\n');
        http_exchange_answer(call->exchange, &response, &body);
    }
    control_leave(call->control, request);
    peer_fini(&call->peer);
    free(call);
}

static const struct request_ops ops = {.reply = reply, .is_gone = is_gone};

/* Answers a request that names no verb. */
static void
refuse(struct http_exchange *exchange)
{
    struct http_response response = {.status = HTTP_STATUS_BAD,
                                     .type = "application/json"};
    struct text body = {0};

    text_add(&body, "{\"exit\":2,\"error\":{\"code\":\"usage\",\"reason\":"
                    "\"a request is /api/NOUN/VERB?name=value&..., "
                    "percent-encoded\"}}\n");
    http_exchange_answer(exchange, &response, &body);
}

void
page_api_serve(struct control *control, struct http_exchange *exchange,
               const struct http_request *request)
{
    struct verb_path verb;
    struct api_call *call;

    if (verb_path_parse(request->path + strlen("/api/"), request->query,
                        &verb)) {
        refuse(exchange);
    } else {
        call = check_calloc(1, sizeof *call);
        call->request.ops = &ops;
        call->request.peer = &call->peer;
        call->control = control;
        call->exchange = exchange;
        peer_read(http_exchange_fd(exchange), &call->peer);
        http_exchange_wait(exchange, &waiter, call);
        control_run(control, request->method != HTTP_POST, &call->request,
                    &verb.texts);
    }
    verb_path_fini(&verb);
}
