/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_YAML_CHIP_LIST_H
#define ORCHD_TWIN_CHIP_YAML_CHIP_LIST_H

/* Reads the values of a chip file that are lists, mappings or have a small
 * syntax of their own. Internal to twin/chip/yaml. docs/reference/chips.md
 * explains their forms. */

#include "twin/chip/yaml/chip_value.h"

/* A list of patterns. */
chip_field_read_fn chip_list_read_hwskus;

/* "block", "interleave" or a list of partitions. */
chip_field_read_fn chip_list_read_port_partition;

/* A list of queues, as a bit for each. */
chip_field_read_fn chip_list_read_queues;

/* The terms of S, as words or as mappings. */
chip_field_read_fn chip_list_read_shared_limit;

/* A mapping from dynamic_th to alpha; whether the lowest dynamic_th means
 * zero. */
chip_field_read_fn chip_list_read_alpha_map;
chip_field_read_fn chip_list_read_alpha_min;

/* A number, or a mapping from speed to number ('struct chip_by_speed'). */
chip_field_read_fn chip_list_read_by_speed;

#endif /* twin/chip/yaml/chip_list.h */
