/* SPDX-License-Identifier: Apache-2.0 */

/* One more entry in the profile. */

#include <config.h>

#include "orchd/local/switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/model.h"
#include "orchd/platform/platform.h"
#include "twin/chip/chip.h"
#include "vendors/softasic/softasic.h"

#define KEY_MODEL  "SOFTASIC_MODEL"
#define KEY_HOST   "SOFTASIC_SOCKET"
#define KEY_REMOTE "SAI_REMOTE_SOCKET"
#define KEY_HWSKU  "SONIC_HWSKU"
#define KEY_CHIPS  "SOFTASIC_MODEL_DIR"

/* Returns the value of a profile entry, the last one of several, or NULL. */
static const char *
profile_value(const struct loader_options *options, const char *key)
{
    for (size_t i = options->n_profile; i > 0; i--) {
        if (!strcmp(options->profile[i - 1].key, key)) {
            return options->profile[i - 1].value;
        }
    }
    return NULL;
}

bool
switch_has_model(const struct loader_options *options)
{
    return profile_value(options, KEY_MODEL) ||
           profile_value(options, KEY_HOST);
}

/* Says what to do about a library that did not want to; it cannot say itself
 * that its host is not there. */
static void
advise(const struct loader_options *options, struct err *err)
{
    const char *host = profile_value(options, KEY_HOST);

    host = host ? host : profile_value(options, KEY_REMOTE);
    if (host && !strcmp(err->code, "sai-refused")) {
        err_set_remedy(err,
                       "see that softasicd or saihostd runs with --socket "
                       "%s, and what it says; orchd takes it up then",
                       host);
    }
}

enum st
switch_open(const struct loader_options *options, const char *hwsku,
            struct loader **loader, struct err *err)
{
    size_t n = options->n_profile;
    struct loader_pair *profile = check_calloc(n + 1, sizeof *profile);
    struct loader_options complete = *options;
    struct loader *opened = NULL;
    enum st status;

    complete.n_profile = 0;
    if (hwsku) {
        profile[complete.n_profile++] = (struct loader_pair){KEY_HWSKU, hwsku};
    }
    for (size_t i = 0; i < n; i++) {
        profile[complete.n_profile++] = options->profile[i];
    }
    complete.profile = profile;
    status = loader_open(&complete, &opened, err);
    if (!status) {
        status = loader_create_switch(opened, 0, NULL, err);
    }
    free(profile);
    if (status) {
        loader_close(opened);
        advise(options, err);
        return status;
    }
    *loader = opened;
    return ST_OK;
}

enum st
switch_chip(const struct loader_options *options, struct loader *loader,
            const char *hwsku, struct chip **chip, struct err *err)
{
    const char *directory = profile_value(options, KEY_CHIPS);
    void *symbol = loader_symbol(loader, SOFTASIC_OPS_SYMBOL);
    const struct softasic_ops *ops = NULL;
    struct softasic_chip description;
    softasic_ops_fn *get_ops;

    directory = directory ? directory : PKGDATADIR "/chips";
    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    if (ops && ops->chip(&description) == SAI_STATUS_SUCCESS) {
        return chip_load(directory, description.name, chip, err);
    }
    if (!hwsku) {
        return err_set(err, ST_NOT_FOUND, "chip",
                       "it is not known which chip this is");
    }
    return chip_find(directory, hwsku, chip, err);
}

void
switch_parameters(const struct chip *chip, struct model_chip *parameters)
{
    const struct model_headroom_params *params = &chip->headroom_params;
    struct platform_asic *asic = &parameters->asic;

    *parameters = (struct model_chip){.known = true};
    asic->cell_bytes =
        params->cell_size_bytes ? params->cell_size_bytes : chip->cell_bytes;
    asic->pipeline_latency_milli_kb = params->pipeline_latency_milli_kb;
    asic->mac_phy_delay_milli_kb = params->mac_phy_delay_milli_kb;
    asic->peer_response_time_milli_kb = params->peer_response_time_milli_kb;
    asic->port_reserved_shp_cells = params->port_reserved_shp_cells;
    asic->port_max_shp_cells = params->port_max_shp_cells;
    if (platform_find(chip->platform)->names_generations) {
        platform_asic_infer(chip->name, asic);
        text_copy(parameters->name, sizeof parameters->name, chip->name);
    } else {
        /* The last character of the name is not to tell a generation. */
        text_format(parameters->name, sizeof parameters->name, "%.58s-asic",
                    chip->name);
    }
}
