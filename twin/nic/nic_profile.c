/* SPDX-License-Identifier: Apache-2.0 */

/* Generations of adapters, as data. */

#include <config.h>

#include "twin/nic/nic_profile.h"

#include <string.h>

#define US(n) ((n)*INT64_C(1000000))

/* Frames of RoCEv2: transport_framing_rocev2, as an initialiser. */
#define ROCEV2                                                                 \
    {                                                                          \
        .base_bytes = 62, .minimum_bytes = 64, .extended_headers = true,       \
        .pad_bytes = 4                                                         \
    }

static const struct nic_profile profiles[] = {
    {.name = "plain",
     .source = "InfiniBand Architecture Specification, annex A17",
     .dcqcn = "paper",
     .framing = ROCEV2,
     .mtu_bytes = 1024,
     .recovery = RC_GO_BACK_N,
     .ack_every = 1},
    {.name = "gen1",
     .source = "NSDI 2023, section 7; burst and delay assumed",
     .dcqcn = "paper",
     .framing = ROCEV2,
     .pacer = {.burst = 16},
     .mtu_bytes = 1024,
     .recovery = RC_GO_BACK_N,
     .recovery_delay_ps = US(300),
     .ack_every = 16},
    {.name = "gen2",
     .source = "NSDI 2023, section 7",
     .dcqcn = "firmware",
     .framing = ROCEV2,
     .mtu_bytes = 1024,
     .recovery = RC_GO_BACK_N,
     .recovery_delay_ps = US(2),
     .ack_every = 16},
    {.name = "gen3",
     .source = "NSDI 2023, section 7; selective repeat assumed",
     .dcqcn = "firmware",
     .framing = ROCEV2,
     .mtu_bytes = 1024,
     .recovery = RC_SELECTIVE,
     .reorder_packets = 1024,
     .ack_every = 16},
    /* The wire adds 20 bytes to a frame with FCS.  This simulator has neither
     * preamble nor gap, so its frames are 20 bytes shorter here: 1,048 and 60
     * bytes on the wire. */
    {.name = "hpcc",
     .source = "ns-3 RDMA simulator of HPCC",
     .dcqcn = "fork-dcqcn",
     .framing = {.base_bytes = 28, .ack_bytes = 40, .pad_bytes = 1},
     .mtu_bytes = 1000,
     .recovery = RC_GO_BACK_N,
     .ack_every = 1,
     .ack_priority = 6,
     .ack_dscp = 48},
};

const struct nic_profile *
nic_profile_at(size_t i)
{
    return i < sizeof profiles / sizeof profiles[0] ? &profiles[i] : NULL;
}

const struct nic_profile *
nic_profile_get(const char *name)
{
    const struct nic_profile *profile;

    for (size_t i = 0; (profile = nic_profile_at(i)); i++) {
        if (strcmp(profile->name, name) == 0) {
            break;
        }
    }
    return profile;
}

void
nic_profile_apply(const struct nic_profile *profile, struct nic_config *nic,
                  struct rc_config *rc, struct pacer_config *pacer)
{
    nic->framing = &profile->framing;
    nic->ack_priority = profile->ack_priority;
    nic->ack_dscp = profile->ack_dscp;
    rc->mtu_bytes = profile->mtu_bytes;
    rc->recovery = profile->recovery;
    rc->reorder_packets = profile->reorder_packets;
    rc->recovery_delay_ps = profile->recovery_delay_ps;
    rc->ack_every = profile->ack_every;
    *pacer = profile->pacer;
}
