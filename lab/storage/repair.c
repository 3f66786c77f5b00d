/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/repair.h"

#include "base/check.h"

void
repair_init(struct repair *repair)
{
    *repair = (struct repair){.state = REPAIR_READY};
}

bool
repair_allows(const struct repair *repair)
{
    return repair->state == REPAIR_READY || repair->state == REPAIR_RETURNING;
}

void
repair_open(struct repair *repair)
{
    orch_assert(repair_allows(repair));
    repair->n_qps++;
    repair->n_all =
        repair->n_qps > repair->n_all ? repair->n_qps : repair->n_all;
}

void
repair_close(struct repair *repair)
{
    orch_assert(repair->n_qps);
    repair->n_qps--;
}

void
repair_set_regions(struct repair *repair, uint32_t n)
{
    repair->n_regions = n;
}

void
repair_begin(struct repair *repair)
{
    orch_assert(repair->state == REPAIR_READY);
    repair->state = REPAIR_CLOSING;
}

bool
repair_is_closed(const struct repair *repair)
{
    return repair->state == REPAIR_CLOSING && !repair->n_qps &&
           !repair->n_regions;
}

void
repair_unload(struct repair *repair)
{
    if (repair->state == REPAIR_READY) {
        repair_begin(repair);
    }
    orch_assert(repair->state == REPAIR_CLOSING);
    repair->state = REPAIR_UNLOADED;
    repair->n_unloads++;
    repair->qps_left = repair->n_qps;
    repair->regions_left = repair->n_regions;
}

void
repair_load(struct repair *repair)
{
    orch_assert(repair->state == REPAIR_UNLOADED);
    repair->state = REPAIR_RETURNING;
}

bool
repair_is_over(const struct repair *repair)
{
    return repair->state == REPAIR_RETURNING && repair->n_qps == repair->n_all;
}
