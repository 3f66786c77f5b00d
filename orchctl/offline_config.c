/* SPDX-License-Identifier: Apache-2.0 */

/* Passes options and files to offline/pipeline. */

#include <config.h>

#include "orchctl/offline_config.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "offline/pipeline.h"
#include "orchd/daemon/apply_settings.h"
#include "orchd/daemon/settings.h"
#include "orchd/files/config_file.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_identity.h"
#include "twin/chip/yaml/chip_file.h"

enum st
offline_config_settings(const struct invocation *invocation, const char *file,
                        struct settings *settings, struct err *err)
{
    const json_t *pairs = json_object_get(invocation->arguments, "set");
    const char *lookup = verb_option(invocation, "lookup", NULL);
    const json_t *pair;
    enum st status;
    size_t i;

    settings_init(settings);
    status = file ? settings_load(settings, file, err) : ST_OK;
    json_array_foreach(pairs, i, pair)
    {
        status = status ? status
                        : settings_set_pair(settings, json_string_value(pair),
                                            NULL, err);
    }
    return status || !lookup
               ? status
               : settings_set(settings, "lookup_file", lookup, err);
}

/* Checks that the chip of --model exists, of which a library says no more than
 * that it cannot be created. */
static enum st
check_model(const struct invocation *invocation, struct err *err)
{
    const char *model = verb_option(invocation, "model", NULL);
    struct chip *chip = NULL;
    enum st status;

    if (!model) {
        return ST_OK;
    }
    status =
        chip_file_load(verb_option(invocation, "chips", PKGDATADIR "/chips"),
                       model, &chip, err);
    chip_file_destroy(chip);
    if (status == ST_NOT_FOUND) {
        err->status = status = ST_INVALID; /* The option is wrong. */
    }
    return status;
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
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = verb_option(invocation, names[i].option, NULL);

        if (value) {
            profile[options.n_profile++] =
                (struct loader_pair){names[i].key, value};
        }
    }
    status = offline_config_settings(
        invocation, verb_option(invocation, "config", NULL), &settings, err);
    options.strict = settings.strict;
    status = status ? status : check_model(invocation, err);
    if (!status) {
        status = pipeline_create(&options, &config->pipeline, err);
    }
    if (!status) {
        status = settings_apply(
            &settings, verb_option(invocation, "chips", PKGDATADIR "/chips"),
            pipeline_agent(config->pipeline), &config->parameters, err);
    }
    settings_fini(&settings);
    return status;
}

/* Warns that answers are about another chip than that of the hwsku. */
static void
warn_of_chip(const struct pipeline *pipeline)
{
    const char *warning = pipeline_identity(pipeline)->warning;

    if (*warning) {
        fprintf(stderr, "orchctl: warning: %s\n  remedy: %s\n", warning,
                "name the chip with --model, or add a chip file (" DOCDIR
                "/howto/add-a-chip.md)");
    }
}

enum st
offline_config_apply(struct offline_config *config, const json_t *tables,
                     struct err *err)
{
    struct arena *arena = arena_create(0);
    struct field_row *rows = NULL;
    size_t n = 0;
    enum st status = config_file_rows(tables, arena, &rows, &n, err);

    if (!status) {
        pipeline_set_rows(config->pipeline, rows, n);
    }
    arena_destroy(arena);
    if (!status && !config->started) {
        status = pipeline_start(config->pipeline, err);
        config->started = !status;
        if (!status) {
            warn_of_chip(config->pipeline);
        }
        if (!status && config->parameters.known) {
            agent_set_chip(pipeline_agent(config->pipeline),
                           &config->parameters);
        }
    }
    if (!status) {
        pipeline_settle(config->pipeline);
    }
    return status;
}

enum st
offline_config_load(struct offline_config *config, const char *path,
                    json_t **tables, struct err *err)
{
    json_t *root = NULL;
    enum st status = config_file_read(path, &root, err);

    status = status ? status : offline_config_apply(config, root, err);
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
