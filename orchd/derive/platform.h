/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PLATFORM_H
#define ORCHD_DERIVE_PLATFORM_H

/* How the control planes of switch vendors differ, as data.
 *
 * Motivation: vendors differ by convention in whether a shut port keeps its
 * lossless buffers, how they compute the headroom of a cable, and what they
 * deduct from a pool before it is shared. Each such convention is a member here
 * and a value in platform.c; derive/ uses the values and never asks for a
 * vendor by name.
 *
 * The chip's own properties (cell size, latencies) are in 'struct
 * chip_headroom_params' (twin/chip/chip.h). */

#include <stdbool.h>
#include <stdint.h>

struct chip;
struct chip_headroom_params;

/* How the share of bytes in small packets is computed, where p is the
 * configured percentage and m the MTU of lossless packets. */
enum platform_mix {
    PLATFORM_MIX_PEER,    /* 64 / (64*p + m*(100-p)): as in SONiC's buffer
                           * scripts, which lack the factor p in the
                           * numerator. */
    PLATFORM_MIX_BYTES,   /* 64*p / (64*p + m*(100-p)): the share of bytes. */
    PLATFORM_MIX_PACKETS, /* p itself: the share of packets. */
};

/* A formula for the headroom behind a cable; see orchd/derive/headroom.h. */
struct platform_headroom {
    enum platform_mix mix;

    /* The buffer space of a small packet, in units of its length, is rounded up
     * to a whole number. */
    bool whole_cells;

    /* Signals travel at 198,000 km/s.  Bits become bytes by 8,000 per
     * microsecond and Gb/s, or by 8,192 where the vendor's formula takes 1,024
     * for 1,000. */
    uint32_t wire_divisor;

    uint32_t top_quanta_mbps; /* The highest speed with known pause quanta. */
    uint32_t slow_peer_mbps;  /* At this speed the peer takes twice as long; 0:
                               * none. */
    uint32_t fixup_bytes;     /* Added to xoff unless all packets are small, if
                               * the result stays below the worst case. */
    bool eight_lanes;         /* A port of 8 lanes is two pipes wide. */
    bool always_shared;       /* Headroom is never reserved privately. */
};

struct platform {
    const char *name;
    const char *marks[3]; /* A device whose name contains one of these is of
                           * this platform; NULL-padded. */
    const struct platform_headroom *headroom;

    /* Traditional model: a generated lossless binding is removed while its port
     * is shut. */
    bool down_unbinds;

    /* Dynamic model: the headroom of a port is limited; pools take what the
     * reservations leave (else the user sets their sizes, and the shared
     * headroom pool has 'shp_port_cells' for each port). */
    bool limits_headroom;
    bool sizes_pools;
    uint32_t shp_port_cells;

    /* Names of profiles distinguish ports of 8 lanes; names of chips end in
     * their generation. */
    bool names_eight_lanes;
    bool names_generations;
};

/* Returns the rules of the platform 'name', as in DEVICE_METADATA or a chip
 * file; those of "generic" if 'name' is unknown or NULL. */
const struct platform *platform_find(const char *name);

/* The same for the name of a device ("x86_64-mlnx_msn2700-r0"), by what it
 * contains. */
const struct platform *platform_of_device(const char *device);

/* Returns the headroom parameters of 'chip' for the formulas of 'platform':
 * those of its description, with the cell size of the buffer unless it names
 * another, and with its generation where 'platform' tells it by the name. */
struct chip_headroom_params
platform_headroom_params(const struct platform *platform,
                         const struct chip *chip);

/* Sets the members of '*params' that depend on the generation of the chip,
 * which the last character of its 'name' tells ("MELLANOX-SPECTRUM-3",
 * "spc3"). */
void platform_infer_generation(const char *name,
                               struct chip_headroom_params *params);

/* Returns the pause quanta (of 512 bit times) within which a peer at
 * 'speed_mbps' has to stop, IEEE 802.3 annex 31B.3.7 and what vendors took for
 * the speeds since; 0 if none are known. */
uint32_t platform_pause_quanta(uint32_t speed_mbps);

/* Returns the number N in the name of a platform ("x86_64-mlnx_msn4700-r0":
 * 4700), which follows "sn"; 0 if there is none. */
uint32_t platform_model_number(const char *name);

#endif /* orchd/derive/platform.h */
