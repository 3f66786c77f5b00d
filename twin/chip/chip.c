/* SPDX-License-Identifier: Apache-2.0 */

/* Defaults and conversions of chips.
 *
 * All amounts inside the buffer are in its unit, cells or bytes, and are
 * converted here.  A packet is rounded up to what it occupies, first to the
 * multiple in which the chip stores it, then to cells.  Sizes are rounded by
 * their meaning: available memory down, guarantees up. */

#include <config.h>

#include "twin/chip/chip.h"

#include <string.h>

void
chip_init(struct chip *chip)
{
    *chip = (struct chip){
        .name = "",
        .platform = "generic",
        .cell_bytes = 256,
        .packet_round_bytes = 1,
        .memory_bytes = UINT64_C(160) << 20,
        .partitions = 1,
        .shared_limit = {.minus_shp = true,
                         .minus_pg_min = true,
                         .divided = true},
        .egress_threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE,
        .headroom_watermark_factor = 1,
        .ports = 1024,
        .lanes_per_port = 1,
        .port_speed_mbps = 100000,
        .queues_per_port = 20,
        .unicast_queues_per_port = 10,
        .pgs_per_port = 8,
        .cpu_queues = 8,
        .tcs = 16,
        .pools = 32,
        .profiles = 1024,
        .ingress_acl = {.tables = 64, .entries = 4096},
        .egress_acl = {.tables = 64, .entries = 4096},
        .acl_counters = 4096,
        .trimming = {.min_bytes = 60, .max_bytes = 65535, .step_bytes = 1},
    };
    for (int n = -128; n <= 127; n++) {
        chip->alpha_exponents[n + 128] = (int8_t)n;
    }
    /* The ends of the range are the special exponents, and beyond any real
     * alpha. */
    chip->alpha_exponents[0] = CHIP_ALPHA_ZERO + 1;
    chip->alpha_exponents[255] = CHIP_ALPHA_UNLIMITED - 1;
}

uint32_t
chip_packet_cells(const struct chip *chip, uint32_t length_bytes)
{
    uint32_t bytes = length_bytes + chip->packet_overhead_bytes;
    uint32_t round = chip->packet_round_bytes;

    if (round > 1) {
        bytes = (bytes + round - 1) / round * round;
    }
    if (chip->cell_bytes > 1) {
        bytes = (bytes + chip->cell_bytes - 1) / chip->cell_bytes;
    }
    return bytes ? bytes : 1;
}

uint64_t
chip_bytes_to_cells(const struct chip *chip, uint64_t bytes)
{
    return bytes / chip->cell_bytes;
}

uint64_t
chip_bytes_to_cells_up(const struct chip *chip, uint64_t bytes)
{
    return bytes / chip->cell_bytes + (bytes % chip->cell_bytes != 0);
}

uint64_t
chip_cells_to_bytes(const struct chip *chip, uint64_t cells)
{
    return cells * chip->cell_bytes;
}

uint64_t
chip_memory_cells(const struct chip *chip)
{
    return chip_bytes_to_cells(chip, chip->memory_bytes);
}

int
chip_alpha_exponent(const struct chip *chip, int dynamic_th)
{
    int n = dynamic_th < -128 ? -128 : dynamic_th > 127 ? 127 : dynamic_th;

    return chip->alpha_exponents[n + 128];
}

uint32_t
chip_partition(const struct chip *chip, uint32_t port, uint32_t lane)
{
    uint32_t position = port;
    uint32_t positions = chip->ports;

    /* A port that was broken out of another keeps its position. */
    if (chip->default_ports && lane >= chip->first_lane) {
        position = (lane - chip->first_lane) / chip->lanes_per_port;
        positions = chip->default_ports;
    }
    switch (chip->port_partition) {
    case CHIP_PORT_PARTITION_BLOCK:
        position = position < positions ? position : positions - 1;
        return (uint32_t)((uint64_t)position * chip->partitions / positions);
    case CHIP_PORT_PARTITION_LIST:
        return chip->partition_list[position % chip->n_partition_list];
    case CHIP_PORT_PARTITION_INTERLEAVE:
    default:
        return position % chip->partitions;
    }
}

uint32_t
chip_at_speed(const struct chip_by_speed *values, uint32_t speed_mbps)
{
    uint32_t value = values->otherwise;

    for (size_t i = 0; i < values->n; i++) {
        const struct chip_speed_value *item = &values->items[i];

        if (item->speed_mbps == speed_mbps ||
            (values->steps && item->speed_mbps < speed_mbps)) {
            value = item->value;
        }
    }
    return value;
}

uint32_t
chip_leak_out(const struct chip *chip, uint32_t speed_mbps)
{
    return chip_at_speed(&chip->leak_out, speed_mbps);
}

bool
chip_size_has_xoff(const struct chip *chip, bool has_shp)
{
    return chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE
               ? !has_shp
               : chip->pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF;
}

/* Matches 'text' against 'pattern'.  On a mismatch the last '*' takes one more
 * character: linear in memory, at worst quadratic in time. */
bool
chip_pattern_matches(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *resume = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

bool
chip_matches(const struct chip *chip, const char *hwsku)
{
    for (size_t i = 0; i < chip->n_hwskus; i++) {
        if (chip_pattern_matches(chip->hwskus[i], hwsku)) {
            return true;
        }
    }
    return false;
}
