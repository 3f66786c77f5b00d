/* SPDX-License-Identifier: Apache-2.0 */

/* Switches to run scenarios on. */

#include <config.h>

#include "orchctl/stage.h"

#include <stddef.h>

#include "offline/dry_run.h"
#include "orchctl/client.h"
#include "orchctl/live.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

/* Returns an option's value, or 'otherwise'. */
static const char *
option(const struct invocation *invocation, const char *name,
       const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(invocation->arguments, name));

    return text ? text : otherwise;
}

struct bench *
stage_open(void *context)
{
    struct stage *stage = context;
    const struct invocation *invocation = stage->invocation;
    const struct dry_run_options options = {
        .yang_dir = option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .chips = option(invocation, "chips", PKGDATADIR "/chips"),
    };
    struct bench *bench = NULL;
    struct err err = {0};

    if (!json_is_true(json_object_get(invocation->arguments, "live"))) {
        if (dry_run_create(&options, &bench, &err)) {
            verb_complain(&err);
            stage->code = CONTROL_USAGE;
        }
        return bench;
    }
    if (client_connect(invocation->control, invocation->timeout_seconds,
                       &stage->client, &err)) {
        verb_complain(&err);
        stage->code = CONTROL_UNREACHABLE;
        return NULL;
    }
    return live_create(stage->client, json_is_true(json_object_get(
                                          invocation->arguments, "configure")));
}

void
stage_close(void *context, struct bench *bench)
{
    struct stage *stage = context;

    if (stage->client) {
        live_destroy(bench);
        client_close(stage->client);
        stage->client = NULL;
    } else if (bench) {
        dry_run_destroy(bench);
    }
}
