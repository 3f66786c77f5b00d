/* SPDX-License-Identifier: Apache-2.0 */

/* Registered memory of hosts: a pool that the connections of a host share
 * (lab/storage/slab_pool.h).  The first one that asks makes it. */

#include <config.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"
#include "lab/measure/results.h"
#include "lab/storage/slab_pool.h"

struct slab_pool *
run_memory_of(struct run_host *host)
{
    const struct host_spec *spec = host->profile->spec;
    const struct slab_pool_config config = {
        .slab_bytes = (uint64_t)spec->memory.slab_bytes,
        .limit_bytes = (uint64_t)spec->memory.limit_bytes,
        .page_bytes = (uint32_t)spec->caches.page_bytes,
        .kept_slabs = (uint32_t)spec->memory.kept_slabs};

    if (spec->memory.enabled && !host->memory) {
        orch_assert(slab_pool_create(&config, &host->memory) == ST_OK);
    }
    return host->memory;
}

void
run_memory_destroy(struct run_host *host)
{
    slab_pool_destroy(host->memory);
    host->memory = NULL;
}

static void
describe_host(const struct run_host *host, struct results *results)
{
    struct slab_pool_stats stats;

    slab_pool_get_stats(host->memory, &stats);
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"memory.registered_peak", stats.registered_peak_bytes},
        {"memory.used_peak", stats.used_peak_bytes},
        {"memory.mtt_peak", stats.mtt_peak},
        {"memory.registrations", stats.registrations},
        {"memory.alone", stats.alone},
    };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        results_add_counter(results, host->node, 0, SINK_NONE, counters[i].name,
                            counters[i].value);
    }
}

void
run_memory_describe(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        if (run->hosts[i].memory) {
            describe_host(&run->hosts[i], results);
        }
    }
}
