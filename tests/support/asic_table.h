/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_ASIC_TABLE_H
#define ORCHD_TESTS_SUPPORT_ASIC_TABLE_H

/* Rows of SONiC's ASIC_TABLE as its buffer scripts deliver them.  The worked
 * examples of the tests are computed for these. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "orchd/derive/platform.h"
#include "twin/chip/chip.h"

struct asic_table_row {
    const char *key;
    struct chip_headroom_params asic;
};

#define DELAYS                                                                 \
    .mac_phy_delay_milli_kb = 800, .peer_response_time_milli_kb = 3800
#define SHP(max) .port_reserved_shp_cells = 20, .port_max_shp_cells = (max)

static const struct asic_table_row asic_table_rows[] = {
    {"VS-ASIC",
     {.cell_size_bytes = 128, .pipeline_latency_milli_kb = 18000, DELAYS}},
    {"MELLANOX-SPECTRUM",
     {.cell_size_bytes = 96,
      .pipeline_latency_milli_kb = 19000,
      DELAYS,
      SHP(8192)}},
    {"MELLANOX-SPECTRUM-2",
     {.cell_size_bytes = 144,
      .pipeline_latency_milli_kb = 19000,
      DELAYS,
      SHP(8192)}},
    {"MELLANOX-SPECTRUM-3",
     {.cell_size_bytes = 144,
      .pipeline_latency_milli_kb = 19000,
      DELAYS,
      SHP(8192)}},
    {"MELLANOX-SPECTRUM-4",
     {.cell_size_bytes = 192,
      .pipeline_latency_milli_kb = 19000,
      DELAYS,
      SHP(8192)}},
    {"MELLANOX-SPECTRUM-5",
     {.cell_size_bytes = 192,
      .pipeline_latency_milli_kb = 19000,
      DELAYS,
      SHP(6144)}},
    {"MELLANOX-SPECTRUM-6",
     {.cell_size_bytes = 256,
      .pipeline_latency_milli_kb = 42000,
      DELAYS,
      SHP(6144)}},
    {"BAREFOOT-TOFINO-2",
     {.cell_size_bytes = 176,
      .pipeline_latency_milli_kb = 68000,
      .mac_phy_delay_milli_kb = 800,
      .peer_response_time_milli_kb = 9000}},
};

/* Fills '*asic' from the row with the key 'key' ("MELLANOX-SPECTRUM-3").
 * Returns false and leaves '*asic' alone if there is none. */
static inline bool
asic_table_find(const char *key, struct chip_headroom_params *asic)
{
    const size_t n = sizeof asic_table_rows / sizeof asic_table_rows[0];

    for (size_t i = 0; i < n; i++) {
        if (!strcmp(asic_table_rows[i].key, key)) {
            *asic = asic_table_rows[i].asic;
            platform_infer_generation(key, asic);
            return true;
        }
    }
    return false;
}

#endif /* tests/support/asic_table.h */
