/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_LOADER_FUNCTION_TABLE_H
#define ORCHD_SAI_LOADER_FUNCTION_TABLE_H

/* Where in SAI's function tables the verbs of each object type are.
 *
 * The functions of different object types have different types in C but the
 * same signature for the same verb.  So a row per object type with the places
 * of its functions in the table of its API is all that distinguishes them.
 *
 * A table grows with the releases: routes_slot() answers only for what the
 * release has.  One table was not only appended to: the functions that set and
 * get several members of a next hop group changed places in 1.11.0, and are
 * taken as missing before.
 *
 * Source: the headers of SAI from 1.9.0 to 1.18.1. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

/* The functions of an object type: offsets in the table of its API.  No
 * optional function is the first of its table, so 0 stands for none. */
struct route {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get;
    size_t get_stats, get_stats_ext;
    size_t create_many, remove_many, set_many, get_many;
};

/* Returns how to reach objects of 'type', or NULL. */
const struct route *function_table_find(sai_object_type_t type);

/* Returns row 'i' of all, or NULL if there are no more. */
const struct route *function_table_at(size_t i);

/* Returns the offset of the function for 'op', 0 if there may be none; for
 * OP_GET_STATS that of the extended one.  OP_CREATE is answered too, although
 * its offset may be 0. */
size_t function_table_offset(const struct route *route, enum op op);

/* Returns how many functions the table of 'api' has in release 'version'; 0
 * for APIs whose objects are not reached through a backend. */
size_t function_table_n_slots(sai_api_t api, uint64_t version);

#endif /* sai/loader/function_table.h */
