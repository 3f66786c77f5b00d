/* SPDX-License-Identifier: Apache-2.0 */

/* Checks of commands that use the history. */

#include <config.h>

#include "orchd/control/history_check.h"

#include <string.h>

#include "orchd/control/command.h"
#include "orchd/history/history.h"

bool
history_check_kept(struct call *call)
{
    const struct control_services *services = &call->context->services;
    struct err err = {0};

    if (services->history) {
        return true;
    }
    err_set(&err, ST_UNSUPPORTED, "no-history",
            "orchd keeps no history of CONFIG_DB");
    err_set_remedy(&err, "start it with --state-dir DIR");
    if (services->history_trouble && services->history_trouble->status) {
        err = *services->history_trouble;
    }
    call_no(call, &err, NULL);
    return false;
}

bool
history_check_comment(struct call *call)
{
    const char *comment = call_text(call, "comment", NULL);
    struct err err = {0};

    if (!comment) {
        return true;
    }
    if (strlen(comment) > HISTORY_COMMENT_MAX) {
        err_set(&err, ST_INVALID, "usage",
                "the comment has %zu bytes, more than %d", strlen(comment),
                HISTORY_COMMENT_MAX);
        err_set_field(&err, "comment", NULL, "at most 1000 bytes");
        call_usage(call, &err);
        return false;
    }
    return history_check_kept(call);
}
