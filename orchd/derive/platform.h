/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PLATFORM_H
#define ORCHD_DERIVE_PLATFORM_H

/* In what the control planes of switch vendors differ, as data.
 *
 * Motivation: whether lossless buffers go when a port is shut, how the headroom
 * of a cable is worked out, and what is taken out of a pool before it is
 * shared, is settled by habit and differs from vendor to vendor.  Such a habit
 * is a member here and a value in platform.c; derive/ works with the values and
 * never asks for a vendor by name.
 *
 * What is the chip's own (cell size, latencies) is 'struct
 * chip_headroom_params': the row ASIC_TABLE of STATE_DB, which comes from a
 * chip file or from the user. Fractional kilobytes are kept in thousandths. */

#include <stdbool.h>
#include <stdint.h>

struct chip;
struct chip_headroom_params;

/* What to take for the share of the bytes that are in small packets, p being
 * the configured percentage and m the mtu of lossless packets. */
enum platform_mix {
    PLATFORM_MIX_PEER,    /* 64 of what p small and 100-p large packets have:
                           * as the buffer scripts of SONiC have it, where the
                           * factor p is missing. */
    PLATFORM_MIX_BYTES,   /* 64*p of the same: the share of bytes. */
    PLATFORM_MIX_PACKETS, /* p itself: the share of packets. */
};

/* A formula for the headroom behind a cable; see orchd/derive/headroom.h. */
struct platform_headroom {
    enum platform_mix mix;

    /* The cells that a small packet takes, in units of its length, are rounded
     * up to a whole number. */
    bool whole_cells;

    /* Signals travel at 198,000 km/s; bits become bytes by 8,000 or, where a
     * thousand is taken for 1,024, by 8,192 per microsecond and Gb/s. */
    uint32_t wire_divisor;

    uint32_t top_quanta_mbps; /* Pause quanta are known up to this speed. */
    uint32_t slow_peer_mbps;  /* At this speed a peer takes twice as long; 0:
                               * at none. */
    uint32_t fixup_bytes;     /* Added to xoff where small packets are not
                               * all, if it stays below the worst case. */
    bool eight_lanes;         /* A port of 8 lanes is two pipes wide. */
    bool always_shared;       /* Headroom is never reserved privately. */
};

struct platform {
    const char *name;
    const char *marks[3]; /* Any of these in the name of a device says that it
                           * is one; NULL where there are fewer. */
    const struct platform_headroom *headroom;

    /* Traditional model: a lossless binding that was generated goes while its
     * port is shut. */
    bool down_unbinds;

    /* Dynamic model: the headroom of a port is limited; pools take what the
     * reservations leave (else their sizes are the user's, and the shared
     * headroom pool has 'shp_port_cells' for each port). */
    bool limits_headroom;
    bool sizes_pools;
    uint32_t shp_port_cells;

    /* Names of profiles tell ports of 8 lanes apart; names of chips end in
     * their generation. */
    bool names_eight_lanes;
    bool names_generations;
};

/* Returns the rules of the platform 'name', as DEVICE_METADATA or a chip file
 * has it; those of "generic" for a name that has none of its own, or NULL. */
const struct platform *platform_find(const char *name);

/* The same for the name of a device ("x86_64-mlnx_msn2700-r0"), by what is in
 * it. */
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
