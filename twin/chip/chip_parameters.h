/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_CHIP_PARAMETERS_H
#define ORCHD_TWIN_CHIP_CHIP_PARAMETERS_H

/* What a chip description says, by the names that chips/NAME.yaml uses, so that
 * scenarios can ask for it: "$chip.cell_bytes".
 *
 * What is a list there is a fact for each of its terms: shared_fixed_bytes,
 * shared_minus_shp, shared_minus_pg_size, shared_minus_pg_min,
 * shared_per_port_cells, shared_minus_extra, shared_divided (1 or 0).  Of
 * headroom_overhead_cells it is the value at port_speed_mbps. */

#include <stddef.h>

#include "base/status.h"

struct chip;
struct text;

/* Returns the name of fact number 'i', counted from 0, NULL beyond the last. */
const char *chip_parameter_name(size_t i);

/* Appends fact 'name' of 'chip' to 'text'.  ST_NOT_FOUND: 'err->allowed' lists
 * those that there are. */
enum st chip_parameter_get(const struct chip *chip, const char *name,
                           struct text *text, struct err *err) ST_WARN_UNUSED;

#endif /* twin/chip/chip_parameters.h */
