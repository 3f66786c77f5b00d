/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PORT_STATE_H
#define ORCHD_DERIVE_PORT_STATE_H

/* The properties of a port that determine its buffers, the name of its
 * generated profile, and runs of indices. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If PORT has no mtu: the factory default. */
#define PORT_DEFAULT_MTU 9100

/* Returns the speed at which a port may run, in Mb/s; 0: unknown.  Without
 * 'autoneg' it is 'speed_mbps'; with it the highest advertised speed or, if
 * none in particular is advertised ("all", "0", "" or NULL), the highest
 * supported. */
uint32_t port_effective_speed(bool autoneg, uint32_t speed_mbps,
                              const char *adv_speeds,
                              const char *supported_speeds);

/* The inputs of a generated profile, which its name contains. */
struct profile_label {
    uint32_t speed_mbps;
    uint32_t cable_m;
    uint32_t mtu;
    bool own_alpha; /* Differs from the default, so the name has it. */
    int alpha;
    const char *gearbox; /* NULL: none. */
    bool eight_lanes;    /* See port_names_eight_lanes(). */
};

/* No name is longer, with its terminator. */
#define PROFILE_NAME_SIZE 160

/* Writes the name into 'buffer' of PROFILE_NAME_SIZE bytes and returns it:
 * "pg_lossless_100000_40m_mtu1500_th1_8lane_profile". */
const char *profile_label_name(const struct profile_label *label, char *buffer);

/* Returns whether a switch with that model number marks ports of 8 lanes in the
 * name: it does at each speed at which it also has ports of 4. */
bool port_names_eight_lanes(uint32_t model_number, uint32_t lanes,
                            uint32_t speed_mbps);

/* A run of consecutive indices, both inclusive. */
struct run {
    unsigned int first;
    unsigned int last;
};

/* Stores the runs of bits that are set in 'mask', lowest first, in 'runs',
 * which has room for 32, and returns their number: {3,4,6} is 3-4 and 6. */
size_t runs_of_mask(uint64_t mask, struct run *runs);

#endif /* orchd/derive/port_state.h */
