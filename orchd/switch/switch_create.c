/* SPDX-License-Identifier: Apache-2.0 */

/* Adds the hwsku to the profile, loads the library and finds the chip. */

#include <config.h>

#include "orchd/switch/switch_create.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/platform.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/softasic.h"

#define KEY_CHIP   "SOFTASIC_MODEL"
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
switch_create_names_chip(const struct loader_options *options)
{
    return profile_value(options, KEY_CHIP) || profile_value(options, KEY_HOST);
}

const char *
switch_create_model(const struct loader_options *options)
{
    return profile_value(options, KEY_CHIP);
}

const char *
switch_create_chips(const struct loader_options *options)
{
    const char *directory = profile_value(options, KEY_CHIPS);

    return directory ? directory : PKGDATADIR "/chips";
}

const char *
switch_create_host(const struct loader_options *options)
{
    const char *host = profile_value(options, KEY_HOST);

    return host ? host : profile_value(options, KEY_REMOTE);
}

/* Adds a remedy to the error of a library that refused, or has no host. */
static void
advise(const struct loader_options *options, struct err *err)
{
    const char *host = switch_create_host(options);

    if (host && (!strcmp(err->code, "sai-refused") ||
                 !strcmp(err->code, "sai-no-host"))) {
        err_set_remedy(err,
                       "check that softasicd or saihostd runs with --socket "
                       "%s, and read its log; orchd then connects",
                       host);
    } else if (host && !strcmp(err->code, "sai-owned")) {
        err_set_remedy(err,
                       "end the other client of %s, which the log of the host "
                       "names; orchd then connects",
                       host);
    }
}

/* Checks whether the host of the switch listens.  If not, there is no need to
 * load the library, whose error would say less. */
static enum st
look_for_host(const struct loader_options *options, struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *host = switch_create_host(options);
    int fd, error = 0;

    if (!host || !text_copy(address.sun_path, sizeof address.sun_path, host)) {
        return ST_OK; /* The library will report it. */
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 &&
        connect(fd, (const struct sockaddr *)&address, sizeof address)) {
        error = errno;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return error == ENOENT || error == ECONNREFUSED
               ? err_set(err, ST_DEVICE, "sai-no-host",
                         "the host of the switch is not running: %s: %s", host,
                         strerror(error))
               : ST_OK;
}

enum st
switch_create_open(const struct loader_options *options, const char *hwsku,
                   uint32_t n, const sai_attribute_t *attributes,
                   struct loader **loader, struct err *err)
{
    const size_t n_profile = options->n_profile;
    struct loader_pair *profile = check_calloc(n_profile + 1, sizeof *profile);
    struct loader_options complete = *options;
    struct loader *opened = NULL;
    enum st status;

    complete.n_profile = 0;
    if (hwsku) {
        profile[complete.n_profile++] = (struct loader_pair){KEY_HWSKU, hwsku};
    }
    for (size_t i = 0; i < n_profile; i++) {
        profile[complete.n_profile++] = options->profile[i];
    }
    complete.profile = profile;
    status = look_for_host(&complete, err);
    if (!status) {
        status = loader_open(&complete, &opened, err);
    }
    if (!status) {
        status = loader_create_switch(opened, n, attributes, err);
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
switch_create_chip(const struct loader_options *options, struct loader *loader,
                   const char *hwsku, struct chip **chip, struct err *err)
{
    const char *directory = switch_create_chips(options);
    void *symbol = loader_symbol(loader, SOFTASIC_OPS_SYMBOL);
    const struct softasic_ops *ops = NULL;
    struct softasic_chip description;
    softasic_ops_fn *get_ops;

    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    if (ops && ops->chip(&description) == SAI_STATUS_SUCCESS) {
        return chip_file_load(directory, description.name, chip, err);
    }
    if (!hwsku) {
        return err_set(err, ST_NOT_FOUND, "chip", "the chip is unknown");
    }
    return chip_file_find(directory, hwsku, chip, err);
}

void
switch_create_parameters(const struct chip *chip,
                         struct dynamic_state_chip *parameters)
{
    const struct platform *platform = platform_find(chip->platform);

    *parameters = (struct dynamic_state_chip){
        .known = true, .asic = platform_headroom_params(platform, chip)};
    if (platform->names_generations) {
        text_copy(parameters->name, sizeof parameters->name, chip->name);
    } else {
        /* The last character of the name does not tell a generation. */
        text_format(parameters->name, sizeof parameters->name, "%.58s-asic",
                    chip->name);
    }
}
