/* SPDX-License-Identifier: Apache-2.0 */

/* Digests what the results of a run follow from. */

#include <config.h>

#include "orchlab/run_key.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "lab/builder/experiment.h"
#include "lab/exec/run_settings.h"

static enum st
digest_file(const char *path, uint64_t *digest, struct err *err)
{
    FILE *file = fopen(path, "re");
    char buffer[4096];
    size_t n;

    if (!file) {
        return err_set(err, ST_IO, "unreadable", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    while ((n = fread(buffer, 1, sizeof buffer, file))) {
        *digest = digest_bytes(*digest, buffer, n);
    }
    (void)fclose(file);
    return ST_OK;
}

static int
is_model(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');

    return ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".json"));
}

static enum st
digest_folder(const char *folder, uint64_t *digest, struct err *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_model, alphasort);
    enum st st = ST_OK;

    if (n < 0) {
        return err_set(err, ST_IO, "unreadable", "cannot read folder %s: %s",
                       folder, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        struct text path = {0};

        text_addf(&path, "%s/%s", folder, entries[i]->d_name);
        *digest = digest_text(*digest, entries[i]->d_name);
        st = st ? st : digest_file(text_string(&path), digest, err);
        text_fini(&path);
        free(entries[i]);
    }
    free(entries);
    return st;
}

enum st
run_key_models(const struct run_options *options, uint64_t *digest,
               struct err *err)
{
    enum st st;

    *digest = digest_text(DIGEST_START, PACKAGE_VERSION);
    st = digest_folder(options->chips_dir, digest, err);
    st = st ? st : digest_folder(options->configs_dir, digest, err);
    st = st ? st : digest_folder(options->nics_dir, digest, err);
    if (st) {
        err_set_remedy(err, "see --chips, --configs and --nics in orchlab run "
                            "--help");
    }
    return st;
}

enum st
run_key(uint64_t models, const struct experiment *experiment,
        char key[RUN_KEY_SIZE], struct err *err)
{
    const uint64_t topology = topology_digest(&experiment->topology);
    const struct fabric_spec *fabric = &experiment->scenario.fabric;
    uint64_t digest = digest_text(models, experiment->scenario.text);
    enum st st = ST_OK;

    digest = digest_bytes(digest, &topology, sizeof topology);
    for (size_t i = 0; !st && i < fabric->n_roles; i++) {
        const char *config = fabric->roles[i].config;

        if (config && (strchr(config, '/') || strstr(config, ".json"))) {
            st = digest_file(config, &digest, err);
        }
    }
    text_format(key, RUN_KEY_SIZE, "%016" PRIx64, digest);
    return st;
}
