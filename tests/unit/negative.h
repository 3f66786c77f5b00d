/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_UNIT_NEGATIVE_H
#define ORCHD_TESTS_UNIT_NEGATIVE_H

/* What the tests of wrong calls share: every libsai of this project as a client
 * of it has it, with a switch and one object of each type, and a judge that
 * compares the library's own dump before and after. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sai.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { UNTOUCHED = 0x5a };

#define NO_SUCH_OBJECT    UINT64_C(0xdeadbeefcafe)
#define NO_SUCH_ATTRIBUTE 0x00777777u

/* A library with a switch and one object of each kind. */
struct negative_world {
    void *handle;
    __typeof__(&sai_api_initialize) initialize;
    __typeof__(&sai_api_query) query;
    __typeof__(&sai_api_uninitialize) uninitialize;
    __typeof__(&sai_query_api_version) query_version;
    __typeof__(&sai_log_set) log_set;
    __typeof__(&sai_object_type_query) object_type;
    __typeof__(&sai_switch_id_query) switch_of;
    __typeof__(&sai_dbg_generate_dump) dump;
    char dump_path[64];

    const sai_switch_api_t *switches;
    sai_object_id_t sw, stale;
    sai_object_id_t objects[SAI_OBJECT_TYPE_MAX]; /* One of each type. */
};

/* The functions on objects of a type, as offsets in the table of its API. */
struct negative_row {
    sai_object_type_t type;
    sai_api_t api;
    size_t create, remove, set, get, stats; /* No counters: stats is 0. */
    sai_attr_id_t good;                     /* Can be set to zero. */
    bool needs_attributes;
};

/* Returns row 'i' of those whose objects the library has, NULL behind the
 * last. */
const struct negative_row *negative_row(const struct negative_world *w,
                                        size_t i);

/* Returns the row of 'type', which has one. */
const struct negative_row *negative_row_of(sai_object_type_t type);

/* The verbs, by the functions of a row. */
sai_status_t negative_create(const struct negative_world *w,
                             const struct negative_row *row,
                             sai_object_id_t *oid, sai_object_id_t sw,
                             uint32_t n, const sai_attribute_t *list);
sai_status_t negative_remove(const struct negative_world *w,
                             const struct negative_row *row,
                             sai_object_id_t oid);
sai_status_t negative_set(const struct negative_world *w,
                          const struct negative_row *row, sai_object_id_t oid,
                          const sai_attribute_t *attribute);
sai_status_t negative_get(const struct negative_world *w,
                          const struct negative_row *row, sai_object_id_t oid,
                          uint32_t n, sai_attribute_t *list);
sai_status_t negative_stats(const struct negative_world *w,
                            const struct negative_row *row, sai_object_id_t oid,
                            uint32_t n, const sai_stat_id_t *ids,
                            uint64_t *values);

/* Runs 'test' on every library, and fails unless it leaves behind what was
 * there before. */
void negative_on_each(void (*test)(const struct negative_world *w));

/* Initializes the library and makes a switch with one object of each type. */
void negative_fill(struct negative_world *w);

/* Runs 'test' on every library, loaded and nothing more. */
void negative_on_each_bare(void (*test)(struct negative_world *w));

/* Names the type, for failures. */
void negative_tell(const struct negative_row *row);

extern const sai_service_method_table_t negative_services;

#endif /* tests/unit/negative.h */
