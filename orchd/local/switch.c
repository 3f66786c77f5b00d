/* SPDX-License-Identifier: Apache-2.0 */

/* One more entry in the profile. */

#include <config.h>

#include "orchd/local/switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define KEY_MODEL "SOFTASIC_MODEL"
#define KEY_HWSKU "SONIC_HWSKU"

bool
switch_has_model(const struct loader_options *options)
{
    for (size_t i = 0; i < options->n_profile; i++) {
        if (!strcmp(options->profile[i].key, KEY_MODEL)) {
            return true;
        }
    }
    return false;
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
        return status;
    }
    *loader = opened;
    return ST_OK;
}
