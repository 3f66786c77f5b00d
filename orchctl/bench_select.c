/* SPDX-License-Identifier: Apache-2.0 */

/* Opens the bench that the options select. */

#include <config.h>

#include "orchctl/bench_select.h"

#include <stddef.h>

#include "offline/offline_bench.h"
#include "orchctl/client.h"
#include "orchctl/live_bench.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"

struct bench *
bench_select_open(void *context)
{
    struct bench_select *select = context;
    const struct invocation *invocation = select->invocation;
    const struct offline_bench_options options = {
        .yang_dir = verb_option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = verb_option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .chips = verb_option(invocation, "chips", PKGDATADIR "/chips"),
    };
    struct bench *bench = NULL;
    struct err err = {0};

    if (!json_is_true(json_object_get(invocation->arguments, "live"))) {
        if (offline_bench_create(&options, &bench, &err)) {
            verb_complain(&err);
            select->code = CONTROL_USAGE;
        }
        return bench;
    }
    if (client_connect(invocation->control, invocation->timeout_seconds,
                       &select->client, &err)) {
        verb_complain(&err);
        select->code = CONTROL_UNREACHABLE;
        return NULL;
    }
    return live_bench_create(
        select->client,
        json_is_true(json_object_get(invocation->arguments, "configure")));
}

void
bench_select_close(void *context, struct bench *bench)
{
    struct bench_select *select = context;

    if (select->client) {
        live_bench_destroy(bench);
        client_close(select->client);
        select->client = NULL;
    } else if (bench) {
        offline_bench_destroy(bench);
    }
}
