/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_CHIP_PARAMETERS_H
#define ORCHD_TWIN_CHIP_CHIP_PARAMETERS_H

/* The parameters of a chip, by their names in chips/NAME.yaml, so that
 * scenarios can use them: "$chip.cell_bytes".
 *
 * A list has a parameter for each of its terms: shared_fixed_bytes,
 * shared_minus_shp, shared_minus_pg_size, shared_minus_pg_min,
 * shared_per_port_cells, shared_minus_extra, shared_divided (1 or 0).
 * headroom_overhead_cells is the value at port_speed_mbps. */

#include <stddef.h>

#include "base/status.h"

struct chip;
struct text;

/* Returns the name of parameter number 'i', counted from 0, or NULL beyond the
 * last. */
const char *chip_parameter_name(size_t i);

/* Appends the value of parameter 'name' of 'chip' to 'text'.  On ST_NOT_FOUND
 * 'err->allowed' lists the parameters. */
enum st chip_parameter_get(const struct chip *chip, const char *name,
                           struct text *text, struct err *err) ST_WARN_UNUSED;

#endif /* twin/chip/chip_parameters.h */
