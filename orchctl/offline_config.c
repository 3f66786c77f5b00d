/* SPDX-License-Identifier: Apache-2.0 */

/* Passes options and files to offline/pipeline. */

#include <config.h>

#include "orchctl/offline_config.h"

#include <string.h>

#include "base/arena.h"
#include "offline/pipeline.h"
#include "orchd/daemon/apply_settings.h"
#include "orchd/daemon/settings.h"
#include "orchd/files/config_file.h"
#include "orchd/reconcile/agent.h"

/* Reads the settings of the options, as orchd would. */
static enum st
read_settings(const struct invocation *invocation, struct settings *settings,
              struct err *err)
{
    const json_t *pairs = json_object_get(invocation->arguments, "set");
    const char *file = verb_option(invocation, "config", NULL);
    const char *lookup = verb_option(invocation, "lookup", NULL);
    enum st status = file ? settings_load(settings, file, err) : ST_OK;
    const json_t *pair;
    size_t i;

    json_array_foreach(pairs, i, pair)
    {
        status =
            status ? status
                   : settings_set_pair(settings, json_string_value(pair), err);
    }
    return status || !lookup
               ? status
               : settings_set(settings, "lookup_file", lookup, err);
}

enum st
offline_config_open(const struct invocation *invocation,
                    const struct listener *listener,
                    struct offline_config *config, struct err *err)
{
    const struct {
        const char *option, *key;
    } names[] = {
        {"chips", "SOFTASIC_MODEL_DIR"},
        {"model", "SOFTASIC_MODEL"},
    };
    struct loader_pair profile[sizeof names / sizeof *names];
    struct settings settings;
    struct pipeline_options options = {
        .yang_dir = verb_option(invocation, "yang-dir", PKGDATADIR "/yang"),
        .sai = verb_option(invocation, "sai", PKGLIBDIR "/libsai-softasic.so"),
        .profile = profile,
        .listener = listener,
    };
    enum st status;

    memset(config, 0, sizeof *config);
    settings_init(&settings);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = verb_option(invocation, names[i].option, NULL);

        if (value) {
            profile[options.n_profile++] =
                (struct loader_pair){names[i].key, value};
        }
    }
    status = read_settings(invocation, &settings, err);
    options.strict = settings.strict;
    if (!status) {
        status = pipeline_create(&options, &config->pipeline, err);
    }
    if (!status) {
        status = settings_apply(&settings, pipeline_agent(config->pipeline),
                                &config->parameters, err);
    }
    settings_fini(&settings);
    return status;
}

enum st
offline_config_load(struct offline_config *config, const char *path,
                    json_t **tables, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct field_row *rows = NULL;
    json_t *root = NULL;
    size_t n = 0;
    enum st status = config_file_read(path, &root, err);

    status = status ? status : config_file_rows(root, arena, &rows, &n, err);
    if (!status) {
        pipeline_set_rows(config->pipeline, rows, n);
    }
    arena_destroy(arena);
    if (!status && !config->started) {
        status = pipeline_start(config->pipeline, err);
        config->started = !status;
        if (!status && config->parameters.known) {
            agent_set_chip(pipeline_agent(config->pipeline),
                           &config->parameters);
        }
    }
    if (!status) {
        pipeline_settle(config->pipeline);
    }
    if (!status && tables) {
        *tables = json_incref(root);
    }
    json_decref(root);
    return status;
}

void
offline_config_close(struct offline_config *config)
{
    pipeline_destroy(config->pipeline);
    memset(config, 0, sizeof *config);
}
