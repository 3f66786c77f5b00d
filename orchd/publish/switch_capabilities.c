/* SPDX-License-Identifier: Apache-2.0 */

/* Writes one hash. */

#include <config.h>

#include "orchd/publish/switch_capabilities.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/trimming_limits.h"
#include "orchd/switch/llr_capability.h"
#include "orchd/switch/trimming_capability.h"

struct switch_capabilities {
    struct redis *redis;
    bool known;
    struct trimming_capability trimming;
    struct trimming_limits limits;
    struct llr_capability llr;
};

struct switch_capabilities *
switch_capabilities_create(struct redis *redis)
{
    struct switch_capabilities *capabilities =
        check_calloc(1, sizeof *capabilities);

    capabilities->redis = redis;
    return capabilities;
}

void
switch_capabilities_destroy(struct switch_capabilities *capabilities)
{
    free(capabilities);
}

void
switch_capabilities_attach(struct switch_capabilities *capabilities,
                           struct sai_backend *backend,
                           const struct trimming_capability *trimming,
                           const struct llr_capability *llr)
{
    capabilities->known = true;
    capabilities->trimming = *trimming;
    capabilities->llr = *llr;
    trimming_limits_read(&capabilities->limits, backend);
    switch_capabilities_restart(capabilities);
}

void
switch_capabilities_restart(const struct switch_capabilities *capabilities)
{
    const struct trimming_capability *trimming = &capabilities->trimming;
    char n_tcs[16], n_queues[16];
    struct field fields[7] = {
        {"SWITCH_TRIMMING_CAPABLE", trimming->capable ? "true" : "false"},
        {"SWITCH|PACKET_TRIMMING_DSCP_RESOLUTION_MODE", trimming->dscp_modes},
        {"SWITCH|PACKET_TRIMMING_QUEUE_RESOLUTION_MODE", trimming->queue_modes},
        {"LLR_CAPABLE", capabilities->llr.capable ? "true" : "false"},
        {"LLR_SUPPORTED_PROFILE_ATTRIBUTES", capabilities->llr.attributes},
    };
    size_t n = 5;

    if (!capabilities->known) {
        return;
    }
    text_format(n_tcs, sizeof n_tcs, "%u", capabilities->limits.n_tcs);
    text_format(n_queues, sizeof n_queues, "%u", capabilities->limits.n_queues);
    if (capabilities->limits.n_tcs) {
        fields[n++] = (struct field){"SWITCH|NUMBER_OF_TRAFFIC_CLASSES", n_tcs};
    }
    if (capabilities->limits.n_queues) {
        fields[n++] =
            (struct field){"SWITCH|NUMBER_OF_UNICAST_QUEUES", n_queues};
    }
    redis_hset(capabilities->redis, STATE_DB, "SWITCH_CAPABILITY|switch",
               fields, n);
}
