/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_FUNCTION_TABLE_H
#define ORCHD_SAI_LOADER_FUNCTION_TABLE_H

/* Where SAI's function tables have the functions of each object type.
 *
 * In C the functions of different object types have different types, but the
 * same operation has the same signature for every object type.  So one row per
 * object type, with the offsets of its functions in the table of its API, is
 * all that a caller needs to reach objects of any type.
 *
 * Later releases append functions to a table: function_table_n_slots() returns
 * how many a release has.  One table did not only grow: release 1.11.0 moved
 * the bulk set and get of next hop group members, which count as missing in
 * earlier releases.
 *
 * Source: the headers of SAI from 1.9.0 to 1.18.1. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

/* The functions of an object type: offsets in the table of its API.  0 means
 * that there is no such function, except for 'create', because no optional
 * function is the first of its table. */
struct function_table_row {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get;
    size_t get_stats, get_stats_ext;
    size_t create_many, remove_many, set_many, get_many;
};

/* Returns the functions of 'type', or NULL if it is not known or has none. */
const struct function_table_row *function_table_find(sai_object_type_t type);

/* Returns the offset of the function for 'op', or 0 if the type has no such
 * function; for OP_GET_STATS that of the extended function.  OP_CREATE always
 * has a function, although its offset may be 0. */
size_t function_table_offset(const struct function_table_row *row, enum op op);

/* Returns how many functions the table of 'api' has in release 'version'; 0
 * for an API without a known object type. */
size_t function_table_n_slots(sai_api_t api, uint64_t version);

#endif /* sai/loader/function_table.h */
