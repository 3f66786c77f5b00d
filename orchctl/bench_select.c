/* SPDX-License-Identifier: Apache-2.0 */

/* Opens the bench that the options select. */

#include <config.h>

#include "orchctl/bench_select.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/check.h"
#include "offline/offline_bench.h"
#include "orchctl/client.h"
#include "orchctl/live_bench.h"
#include "orchctl/offline_config.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/daemon/apply_settings.h"
#include "orchd/daemon/settings.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/files/lookup_file.h"

/* Reads the lookup tables that are shipped with the chips, once. */
static enum st
read_shipped(struct bench_select *select, struct err *err)
{
    struct shipped_lookups *shipped;
    enum st st = ST_OK;

    if (!select->shipped) {
        shipped = check_calloc(1, sizeof *shipped);
        st = lookup_file_read_shipped(
            verb_option(select->invocation, "chips", PKGDATADIR "/chips"),
            shipped, err);
        if (st) {
            free(shipped);
        } else {
            select->shipped = shipped;
        }
    }
    return st;
}

/* Applies the settings of the options to the agent of a new switch. */
static enum st
configure(void *context, struct agent *agent,
          struct dynamic_state_chip *parameters, struct err *err)
{
    struct bench_select *select = context;
    struct shipped_lookups copy = {0};
    struct settings settings;
    enum st st =
        offline_config_settings(select->invocation, NULL, &settings, err);

    st = st ? st : read_shipped(select, err);
    if (!st) {
        shipped_lookups_copy(&copy, select->shipped);
        st = settings_apply_shipped(&settings, &copy, agent, parameters, err);
    }
    shipped_lookups_fini(&copy);
    settings_fini(&settings);
    return st;
}

/* Checks the settings before anything runs, and reads those of the bench. */
static enum st
read_settings(const struct invocation *invocation,
              struct offline_bench_options *options, struct err *err)
{
    struct settings settings;
    enum st st = offline_config_settings(invocation, NULL, &settings, err);

    options->strict = settings.strict;
    settings_fini(&settings);
    return st;
}

/* A switch behind orchd has the settings of orchd. */
static bool
has_settings(const struct invocation *invocation)
{
    return json_object_get(invocation->arguments, "set") ||
           json_object_get(invocation->arguments, "lookup");
}

struct bench *
bench_select_open(void *context)
{
    struct bench_select *select = context;
    const struct invocation *invocation = select->invocation;
    struct offline_bench_options options = {
        .yang_dir = verb_option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = verb_option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .chips = verb_option(invocation, "chips", PKGDATADIR "/chips"),
        .configure = configure,
        .context = select,
    };
    struct bench *bench = NULL;
    struct err err = {0};

    if (!json_is_true(json_object_get(invocation->arguments, "live"))) {
        if (read_settings(invocation, &options, &err) ||
            offline_bench_create(&options, &bench, &err)) {
            verb_complain(&err);
            select->code = CONTROL_USAGE;
        }
        return bench;
    }
    if (has_settings(invocation)) {
        err_set(&err, ST_INVALID, "usage",
                "--set and --lookup cannot be combined with --live: the switch "
                "behind orchd has the settings of orchd");
        verb_complain(&err);
        select->code = CONTROL_USAGE;
        return NULL;
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
    if (select->shipped) {
        shipped_lookups_fini(select->shipped);
        free(select->shipped);
        select->shipped = NULL;
    }
}
