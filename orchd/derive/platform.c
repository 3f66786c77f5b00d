/* SPDX-License-Identifier: Apache-2.0 */

/* The platforms, chip generations and pause quanta.
 *
 * These are tables because they are vendor conventions, not logic: how the
 * vendors' scripts differ when they compute headroom and pools.  The code asks
 * for a property ("does a port that is down release its buffers?"), never for a
 * name. platform.h documents each property. */

#include <config.h>

#include "orchd/derive/platform.h"

#include <stddef.h>
#include <string.h>

#include "twin/chip/chip.h"

static const struct platform_headroom headroom_spectrum = {
    .mix = PLATFORM_MIX_PEER,
    .whole_cells = true,
    .wire_divisor = 8000,
    .top_quanta_mbps = 800000,
    .fixup_bytes = 2048,
    .eight_lanes = true,
};

static const struct platform_headroom headroom_tofino = {
    .mix = PLATFORM_MIX_PACKETS,
    .wire_divisor = 8192,
    .top_quanta_mbps = 400000,
    .slow_peer_mbps = 400000,
    .always_shared = true,
};

static const struct platform_headroom headroom_generic = {
    .mix = PLATFORM_MIX_BYTES,
    .whole_cells = true,
    .wire_divisor = 8000,
    .top_quanta_mbps = 800000,
    .eight_lanes = true,
};

/* The first one is the default. */
static const struct platform platforms[] = {
    {.name = "generic",
     .headroom = &headroom_generic,
     .limits_headroom = true,
     .sizes_pools = true},
    {.name = "vs",
     .marks = {"kvm"},
     .headroom = &headroom_spectrum,
     .limits_headroom = true,
     .sizes_pools = true},
    {.name = "mellanox",
     .marks = {"mlnx", "nvidia"},
     .headroom = &headroom_spectrum,
     .down_unbinds = true,
     .limits_headroom = true,
     .sizes_pools = true,
     .names_eight_lanes = true,
     .names_generations = true},
    /* 2 lossless classes of 400 cells, 70 % of them at a time. */
    {.name = "barefoot",
     .marks = {"barefoot"},
     .headroom = &headroom_tofino,
     .down_unbinds = true,
     .shp_port_cells = 560},
};

/* Chip generations, by the last character of the name. */
struct generation {
    char last;
    uint32_t tile_ns;
    uint32_t extra_xoff_bytes;
};

static const struct generation generations[] = {
    {'4', 120, 0},
    {'5', 120, 0},
    {'6', 0, 18432},
};

struct quanta {
    uint32_t speed_mbps;
    uint32_t quanta;
};

static const struct quanta pause_quanta[] = {
    {100, 1},     {1000, 2},     {10000, 67},   {25000, 80},   {40000, 118},
    {50000, 147}, {100000, 394}, {200000, 453}, {400000, 905}, {800000, 905},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

const struct platform *
platform_find(const char *name)
{
    for (size_t i = 0; name && i < N_OF(platforms); i++) {
        if (!strcmp(platforms[i].name, name)) {
            return &platforms[i];
        }
    }
    return &platforms[0];
}

const struct platform *
platform_of_device(const char *device)
{
    for (size_t i = 0; device && i < N_OF(platforms); i++) {
        for (size_t j = 0; j < N_OF(platforms[i].marks); j++) {
            const char *mark = platforms[i].marks[j];

            if (mark && strstr(device, mark)) {
                return &platforms[i];
            }
        }
    }
    return &platforms[0];
}

void
platform_infer_generation(const char *name, struct chip_headroom_params *params)
{
    size_t length = strlen(name);

    params->tile_ns = params->extra_xoff_bytes = 0;
    for (size_t i = 0; length && i < N_OF(generations); i++) {
        if (generations[i].last == name[length - 1]) {
            params->tile_ns = generations[i].tile_ns;
            params->extra_xoff_bytes = generations[i].extra_xoff_bytes;
        }
    }
}

struct chip_headroom_params
platform_headroom_params(const struct platform *platform,
                         const struct chip *chip)
{
    struct chip_headroom_params params = chip->headroom_params;

    if (!params.cell_size_bytes) {
        params.cell_size_bytes = chip->cell_bytes;
    }
    if (platform->names_generations) {
        platform_infer_generation(chip->name, &params);
    }
    return params;
}

uint32_t
platform_pause_quanta(uint32_t speed_mbps)
{
    for (size_t i = 0; i < N_OF(pause_quanta); i++) {
        if (pause_quanta[i].speed_mbps == speed_mbps) {
            return pause_quanta[i].quanta;
        }
    }
    return 0;
}

uint32_t
platform_model_number(const char *name)
{
    for (const char *at = strstr(name, "sn"); at; at = strstr(at + 1, "sn")) {
        uint32_t number = 0;

        for (at += 2; *at >= '0' && *at <= '9' && number < 100000; at++) {
            number = number * 10 + (uint32_t)(*at - '0');
        }
        if (number) {
            return number;
        }
        at--;
    }
    return 0;
}
