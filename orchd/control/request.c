/* SPDX-License-Identifier: Apache-2.0 */

/* Calls the functions of who made the request. */

#include <config.h>

#include "orchd/control/request.h"

#include <stddef.h>

void
request_reply(struct request *request, const char *text)
{
    request->ops->reply(request, text);
}

bool
request_is_gone(const struct request *request)
{
    return request->ops->is_gone(request);
}

const struct peer *
request_peer(const struct request *request)
{
    return request->peer;
}

void
request_keep(struct request *request, bool keep)
{
    if (request->ops->keep) {
        request->ops->keep(request, keep);
    }
}
