/* SPDX-License-Identifier: Apache-2.0 */

/* Lists the providers. */

#include <config.h>

#include "orchd/daemon/provider_kinds.h"

#include "orchd/daemon/provider_orchagent.h"
#include "orchd/daemon/provider_sai.h"
#include "orchd/daemon/settings.h"

const struct provider_kind *
provider_kinds_get(const struct settings *settings)
{
    static const struct provider_kind *const kinds[] = {
        [SETTINGS_OUTPUT_SAI] = &provider_sai,
        [SETTINGS_OUTPUT_ORCHAGENT] = &provider_orchagent,
    };

    return kinds[settings->output];
}
