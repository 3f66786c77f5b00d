/* SPDX-License-Identifier: Apache-2.0 */

/* The functions of each object type and the length of each function table, from
 * sai/include/all.def. */

#include <config.h>

#include "sai/loader/function_table.h"

#define AT(table, function) offsetof(sai_##table##_api_t, function)
#define VERBS(table, object)                                                   \
    .create = AT(table, create_##object),                                      \
    .remove = AT(table, remove_##object),                                      \
    .set = AT(table, set_##object##_attribute),                                \
    .get = AT(table, get_##object##_attribute)
#define STATS(table, object)                                                   \
    .get_stats = AT(table, get_##object##_stats),                              \
    .get_stats_ext = AT(table, get_##object##_stats_ext)
#define MAKE(table, objects)                                                   \
    .create_many = AT(table, create_##objects),                                \
    .remove_many = AT(table, remove_##objects)
#define USE(table, objects)                                                    \
    .set_many = AT(table, set_##objects##_attribute),                          \
    .get_many = AT(table, get_##objects##_attribute)

/* No function: the fields keep 0. */
#define NO_FUNCTIONS .create = 0

static const struct function_table_row rows[] = {
#define SAI_OBJECT_BEGIN(TYPE, object, API, ...)                               \
    {.type = SAI_OBJECT_TYPE_##TYPE, .api = SAI_API_##API, __VA_ARGS__},
#include "all.def"
};

/* The length of each function table, by release. */
static const struct {
    sai_api_t api;
    uint64_t since;
    size_t n_slots;
} slots[] = {
#define SAI_API_SLOTS(API, since, n) {SAI_API_##API, since, n},
#include "all.def"
};

const struct function_table_row *
function_table_find(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].type == type && rows[i].get) {
            return &rows[i];
        }
    }
    return NULL;
}

size_t
function_table_offset(const struct function_table_row *row, enum op op)
{
    const size_t offsets[N_OPS] = {
        [OP_CREATE] = row->create,
        [OP_REMOVE] = row->remove,
        [OP_SET] = row->set,
        [OP_GET] = row->get,
        [OP_GET_STATS] = row->get_stats_ext,
        [OP_CREATE_MANY] = row->create_many,
        [OP_REMOVE_MANY] = row->remove_many,
        [OP_SET_MANY] = row->set_many,
        [OP_GET_MANY] = row->get_many,
    };

    return offsets[op];
}

size_t
function_table_n_slots(sai_api_t api, uint64_t version)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (slots[i].api == api && slots[i].since <= version) {
            n = slots[i].n_slots;
        }
    }
    return n;
}
