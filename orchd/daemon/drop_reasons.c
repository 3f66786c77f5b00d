/* SPDX-License-Identifier: Apache-2.0 */

/* The drop reasons of softasic. */

#include <config.h>

#include "orchd/daemon/drop_reasons.h"

#include <string.h>

#include "orchd/telemetry/port_rates.h"
#include "vendors/softasic/softasic.h"

static const char *const names[SOFTASIC_N_DROPS] = {
#define X(member, slug, is_egress) slug,
    SOFTASIC_DROP_LIST(X)
#undef X
        [SOFTASIC_DROP_INTERFACE] = "interface",
};

_Static_assert(SOFTASIC_N_DROPS <= PORT_RATES_REASONS, "there is room for all");

static bool
read_drops(void *ops_, sai_object_id_t port, uint64_t *packets)
{
    const struct softasic_ops *ops = ops_;
    struct softasic_port_state state;

    if (ops->port_state(port, &state) != SAI_STATUS_SUCCESS) {
        return false;
    }
    memcpy(packets, state.n_drops, sizeof state.n_drops);
    return true;
}

void
drop_reasons_source(const struct softasic_ops *ops, struct drop_source *source)
{
    *source = (struct drop_source){.n = ops ? SOFTASIC_N_DROPS : 0,
                                   .names = names,
                                   .read = read_drops,
                                   .context = (void *)(uintptr_t)ops};
}
