/* SPDX-License-Identifier: Apache-2.0 */

/* Options and files for orchd/local. */

#include <config.h>

#include "orchctl/dryrun.h"

#include <string.h>

#include "base/arena.h"
#include "orchd/agent.h"
#include "orchd/derive/lookup.h"
#include "orchd/document/config_file.h"
#include "orchd/document/lookup_file.h"
#include "orchd/local/local.h"

/* Returns an option's value, or 'otherwise'. */
static const char *
option(const struct invocation *invocation, const char *name,
       const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(invocation->arguments, name));

    return text ? text : otherwise;
}

enum st
dryrun_open(const struct invocation *invocation,
            const struct observer *observer, struct dryrun *dryrun,
            struct err *err)
{
    const struct {
        const char *option, *key;
    } names[] = {
        {"chips", "SOFTASIC_MODEL_DIR"},
        {"model", "SOFTASIC_MODEL"},
    };
    struct loader_pair profile[sizeof names / sizeof *names];
    struct local_options options = {
        .yang_dir = option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .profile = profile,
        .observer = observer,
    };

    const char *path = option(invocation, "lookup", NULL);
    struct lookup lookup = {0};
    enum st status;

    memset(dryrun, 0, sizeof *dryrun);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = option(invocation, names[i].option, NULL);

        if (value) {
            profile[options.n_profile++] =
                (struct loader_pair){names[i].key, value};
        }
    }
    status = local_create(&options, &dryrun->local, err);
    if (!status && path) {
        status = lookup_file_read(path, &lookup, err);
        agent_set_lookup(local_agent(dryrun->local), &lookup);
    }
    return status;
}

enum st
dryrun_load(struct dryrun *dryrun, const char *path, json_t **tables,
            struct err *err)
{
    struct arena *arena = arena_create(0);
    struct field_row *rows = NULL;
    json_t *root = NULL;
    size_t n = 0;
    enum st status = config_file_read(path, &root, err);

    status = status ? status : config_file_rows(root, arena, &rows, &n, err);
    if (!status) {
        local_set_rows(dryrun->local, rows, n);
    }
    arena_destroy(arena);
    if (!status && !dryrun->started) {
        status = local_start(dryrun->local, err);
        dryrun->started = !status;
    }
    if (!status) {
        local_settle(dryrun->local);
    }
    if (!status && tables) {
        *tables = json_incref(root);
    }
    json_decref(root);
    return status;
}

void
dryrun_close(struct dryrun *dryrun)
{
    local_destroy(dryrun->local);
    memset(dryrun, 0, sizeof *dryrun);
}
