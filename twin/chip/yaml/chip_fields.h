/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_YAML_CHIP_FIELDS_H
#define ORCHD_TWIN_CHIP_YAML_CHIP_FIELDS_H

/* The keys of a chip file and their values.  Internal to twin/chip/yaml. */

#include "twin/chip/yaml/chip_value.h"

/* Fills 'reader->chip', which has its defaults already, from the mappings of
 * 'n' layers, and checks that the values are consistent.  Returns ST_OK, or
 * ST_INVALID or ST_UNSUPPORTED; then '*reader->err' says where and why. */
enum st chip_fields_read(struct chip_reader *reader,
                         const struct chip_layer *layers,
                         size_t n) ST_WARN_UNUSED;

#endif /* twin/chip/yaml/chip_fields.h */
