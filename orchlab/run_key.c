/* SPDX-License-Identifier: Apache-2.0 */

/* Digests what the results of a run follow from. */

#include <config.h>

#include "orchlab/run_key.h"

#include <inttypes.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "command/file_digest.h"
#include "lab/builder/experiment.h"
#include "lab/exec/run_settings.h"

enum st
run_key_models(const struct run_options *options, uint64_t *digest,
               struct err *err)
{
    enum st st;

    *digest = digest_text(DIGEST_START, PACKAGE_VERSION);
    st = file_digest_models(options->chips_dir, digest, err);
    st = st ? st : file_digest_models(options->configs_dir, digest, err);
    st = st ? st : file_digest_models(options->nics_dir, digest, err);
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
            st = file_digest(config, &digest, err);
        }
    }
    text_format(key, RUN_KEY_SIZE, "%016" PRIx64, digest);
    return st;
}
