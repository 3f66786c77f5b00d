/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/ssd.h"

#include "base/check.h"

#define PS_PER_BYTE_AT_1_BPS UINT64_C(8000000000000)

__extension__ typedef unsigned __int128 u128;

void
ssd_init(struct ssd *ssd, uint32_t n_channels)
{
    orch_assert(n_channels && n_channels <= SSD_CHANNELS_MAX);
    *ssd = (struct ssd){.n_channels = n_channels};
}

int64_t
ssd_access(struct ssd *ssd, int64_t now_ps, int64_t latency_ps)
{
    int64_t *earliest = &ssd->free_ps[0];
    int64_t start_ps;

    for (uint32_t i = 1; i < ssd->n_channels; i++) {
        if (ssd->free_ps[i] < *earliest) {
            earliest = &ssd->free_ps[i];
        }
    }
    start_ps = *earliest > now_ps ? *earliest : now_ps;
    if (start_ps - now_ps > ssd->longest_wait_ps) {
        ssd->longest_wait_ps = start_ps - now_ps;
    }
    ssd->n_accesses++;
    *earliest = start_ps + latency_ps;
    return *earliest;
}

int64_t
ssd_transfer(struct ssd *ssd, int64_t now_ps, uint64_t bytes, uint64_t rate_bps)
{
    int64_t start_ps = ssd->bus_free_ps > now_ps ? ssd->bus_free_ps : now_ps;

    ssd->bytes += bytes;
    if (rate_bps) {
        start_ps += (int64_t)((u128)bytes * PS_PER_BYTE_AT_1_BPS / rate_bps);
    }
    ssd->bus_free_ps = start_ps;
    return start_ps;
}
