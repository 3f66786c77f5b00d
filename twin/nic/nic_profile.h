/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_NIC_PROFILE_H
#define ORCHD_TWIN_NIC_NIC_PROFILE_H

/* Generations of adapters, as data.
 *
 * A profile says in which ways one kind of adapter differs from another: how it
 * paces, what it does about losses, how it acknowledges, which DCQCN it runs,
 * and how its frames look.  Nothing in the adapter or in its transports asks
 * for a profile by name.
 *
 *   plain  RoCEv2 with one acknowledgement per packet, paced per packet.
 *   gen1   firmware: bursts of 16 packets, go-back-N after 300 us.
 *   gen2   hardware: paced per packet, go-back-N after 2 us.
 *   gen3   hardware: paced per packet, selective repeat.
 *   hpcc   the adapter of the ns-3 RDMA simulator of HPCC: 1,000 bytes of
 *          payload in frames of 1,048 bytes without preamble and gap,
 *          acknowledgements of 60 bytes in the highest class, which carry the
 *          congestion notification.
 *
 * The generations are after the adapters of "Empowering Azure Storage with
 * RDMA" (NSDI 2023, section 7), with assumptions where it gives no numbers: the
 * length of bursts, the delay of gen1 (hundreds of microseconds), and that gen3
 * repeats selectively. */

#include <stddef.h>

#include "twin/nic/nic.h"
#include "twin/transport/opcode.h"
#include "twin/transport/rc.h"

struct nic_profile {
    const char *name;
    const char *source;
    const char *dcqcn; /* A name of twin/transport/dcqcn.h; a default. */
    struct transport_framing framing;
    struct pacer_config pacer;

    /* Of struct rc_config. */
    uint32_t mtu_bytes;
    enum rc_recovery recovery;
    uint32_t reorder_packets;
    int64_t recovery_delay_ps;
    uint16_t ack_every;

    /* Of struct nic_config. */
    uint8_t ack_priority;
    uint8_t ack_dscp;
};

/* Returns the profile of 'name', or NULL.  Static. */
const struct nic_profile *nic_profile_get(const char *name);

/* Returns the 'i'th profile, NULL behind the last one.  Static. */
const struct nic_profile *nic_profile_at(size_t i);

/* Sets the members that 'profile' has in '*nic', '*rc' and '*pacer', and leaves
 * the others. */
void nic_profile_apply(const struct nic_profile *profile,
                       struct nic_config *nic, struct rc_config *rc,
                       struct pacer_config *pacer);

#endif /* twin/nic/nic_profile.h */
